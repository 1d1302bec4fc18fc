"""Normalisation by statistics of the input, which one number does not have: modules use them while they are trained."""

from __future__ import annotations

from collections.abc import Collection
from math import prod

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import FALSE, TRUE, Library, Ref, Tensor, Value
from shapecheck.models.lang import Context, Need, never
from shapecheck.models.lang.layers import takes
from shapecheck.models.lang.refused_dtypes import kind
from shapecheck.models.torch.weight_dtypes import other_dtype

MODULES = Library("torch.nn.Module")
EVALUATED = "_is_evaluated"
"""What is set where the program switches any module to evaluation."""


def note_evaluation(ctx: Context) -> None:
    """Note that modules may use the statistics that they have kept from here on."""
    ctx.set(MODULES, EVALUATED, TRUE)


@takes(*(f"torch.nn.BatchNorm{axes}d" for axes in (1, 2, 3)))
def of_batch(ctx: Context, self: Ref, input: Value) -> Need | None:
    if not isinstance(input, Tensor):
        return None
    is_trained = ctx.get(MODULES, EVALUATED) is None
    if is_trained and input.shape.size(1) is not None and _elements(input, apart=(1,)) == 1:
        return never(ClashKind.ELEMENTS, f"each channel of {input.shape} has one value, which has no variance")
    return other_dtype(ctx, self, input) if kind(input.dtype or "") == "int" else None


@takes(*(f"torch.nn.InstanceNorm{axes}d" for axes in (1, 2, 3)))
def of_instance(ctx: Context, self: Ref, input: Value) -> Need | None:
    """Statistics are only kept if this is asked for."""
    is_kept = (ctx.get(self, "track_running_stats") or FALSE) != FALSE
    axes = int(self.cls[-2]) if self.cls[-2].isdigit() else 0
    if is_kept or not axes or not isinstance(input, Tensor) or input.shape.rank not in (axes + 1, axes + 2):
        return None
    is_single = _elements(input, apart=range(input.shape.rank - axes)) == 1
    said = f"each channel of {input.shape} has one value, which has no variance"
    return never(ClashKind.ELEMENTS, said) if is_single else None


def _elements(input: Tensor, apart: Collection[int]) -> int | None:
    """Return the number of elements along all other axes, if it is known."""
    sizes = [size for place, size in enumerate(input.shape.head) if place not in apart]
    numbers = [size for size in sizes if isinstance(size, int)]
    return prod(numbers) if input.shape.rank is not None and len(numbers) == len(sizes) else None
