"""The dtype of weights, which that of the input must be: float32, unless the program asks for another one."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, TRUE, Const, Library, Ref, Tensor, Value
from shapecheck.models.lang import Context, Need, never
from shapecheck.models.lang.element_bounds import require_below
from shapecheck.models.lang.layers import takes
from shapecheck.models.lang.refused_dtypes import kind

MODULES = Library("torch.nn.Module")
CAST = "_is_cast"
"""What is set where the program casts modules, or sets the dtype that they are made with."""
_LAYERS = ("Linear", *(f"Conv{word}{axes}d" for word in ("", "Transpose") for axes in (1, 2, 3)))


def note_cast(ctx: Context) -> None:
    """Note that weights may have another dtype from here on."""
    ctx.set(MODULES, CAST, TRUE)


def may_be_cast(ctx: Context) -> bool:
    """Return whether weights may have another dtype than the usual one."""
    return ctx.get(MODULES, CAST) is not None


def other_dtype(ctx: Context, self: Ref, input: Value) -> Need | None:
    """Return why an input cannot be multiplied with float32 weights; None if it can, or if that is not known."""
    dtype = input.dtype if isinstance(input, Tensor) and input.library == "torch" else None
    if dtype in (None, "float32") or may_be_cast(ctx) or (ctx.get(self, "dtype") or NONE) != NONE:
        return None
    if not ctx.has_certain_dtype(input) and kind(dtype or "") != "int":
        return None
    return never(ClashKind.DTYPE, f"the input is {dtype}, the weights are float32")


@takes(*(f"torch.nn.{name}" for name in _LAYERS))
def weights(ctx: Context, self: Ref, input: Value) -> Need | None:
    return other_dtype(ctx, self, input)


@takes("torch.nn.Embedding", "torch.nn.EmbeddingBag")
def indices(ctx: Context, self: Ref, input: Value) -> Need | None:
    """Words are integers, for each of which there is a row."""
    require_below(ctx, "the input", input, ctx.get(self, "num_embeddings") or NONE, "rows")
    dtype = input.dtype if isinstance(input, Tensor) else None
    if dtype is None or kind(dtype) != "float" or isinstance(input, Const):
        return None
    return never(ClashKind.NOT_INTEGER, f"the input is {dtype}, indices are integers")
