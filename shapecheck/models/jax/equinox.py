"""equinox: modules are data classes whose layers take one sample, without a batch."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Const, Value, as_size
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Context,
    Dimensions,
    Need,
    Size,
    Sizes,
    Tensor,
    base,
    behaviour,
    equal,
    everywhere,
)
from shapecheck.models.lang.constraints import Refused
from shapecheck.models.lang.registry import layer, lookup
from shapecheck.models.lang.window import slid
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size as AnySize

MODULE = "equinox.Module"
BASES = (MODULE,)
Windows = tuple[Sequence[AnySize], Sequence[AnySize], Value, Sequence[AnySize]]
ONE, NO_PADDING = everywhere(1), Const(0)
base(MODULE, "object")
WRAPPERS = {
    "filter_jit": "jax.named_call",
    "filter_vmap": "jax.vmap",
    "filter_grad": "jax.grad",
    "filter_value_and_grad": "jax.value_and_grad",
    "filter_checkpoint": "jax.named_call",
}


def _register(name: str, of: str) -> None:
    def wrap(ctx: Context, *args: Value, **options: Value) -> Value:
        model = lookup(of)
        return ctx.lost("a wrapper") if model is None else model.run(ctx, args, options)

    wrap.__module__ = __name__
    behaviour(f"equinox.{name}")(wrap)


for _name, _of in WRAPPERS.items():
    _register(_name, _of)


def _of_one_sample(x: Tensor, wanted: object) -> list[Need]:
    if x.rank is not None and x.rank != 1:
        raise Refused(ClashKind.RANK, f"{x.name} has rank {x.rank}, the layer takes one sample without a batch")
    have = x.shape.size(0)
    said = f"{x.name} has {have} features, the layer takes {wanted}"
    return [] if have is None or have == wanted else [equal(ClashKind.AXIS, have, wanted, said)]  # type: ignore[arg-type]


@layer("equinox.nn.Linear", dtype="?", bases=BASES)
def linear(x: Tensor, in_features: Size, out_features: Size) -> Answer:
    return "n -> {out_features}", *_of_one_sample(x, in_features)


@layer("equinox.nn.MLP", dtype="?", bases=BASES)
def mlp(x: Tensor, in_size: Size, out_size: Size) -> Answer:
    return "n -> {out_size}", *_of_one_sample(x, in_size)


@layer("equinox.nn.Conv{1,2,3}d", dtype="?", bases=BASES)
def conv(
    axes: Dimensions,
    x: Tensor,
    in_channels: Size,
    out_channels: Size,
    kernel_size: Sizes,
    stride: Sizes = ONE,
    padding: AnyValue = NO_PADDING,
    dilation: Sizes = ONE,
) -> Answer:
    """Channels come first, and there is no batch."""
    each = (kernel_size.spread(axes), stride.spread(axes), padding, dilation.spread(axes))
    return _convolved(x, axes, in_channels, out_channels, each)


def _convolved(x: Tensor, axes: int, inside: AnySize, outside: AnySize, windows: Windows) -> Answer:
    if x.rank is None:
        return UNRANKED
    _refuse_batch(x, axes)
    said = f"{x.name} has {x.shape.head[0]} channels, the layer takes {inside}"
    need = equal(ClashKind.AXIS, x.shape.head[0], inside, said)
    sizes = _slid(x, *windows)
    return (UNRANKED if sizes is None else Shape((outside, *sizes))), need


@layer("equinox.nn.{Max,Avg}Pool{1,2,3}d", dtype="?", bases=BASES)
def pool(
    axes: Dimensions, x: Tensor, kernel_size: Sizes, stride: Sizes = ONE, padding: AnyValue = NO_PADDING
) -> Answer:
    each = (kernel_size.spread(axes), stride.spread(axes), padding, (1,) * axes)
    return UNRANKED if x.rank is None else _pooled(x, axes, each)


def _pooled(x: Tensor, axes: int, windows: Windows) -> Shape:
    _refuse_batch(x, axes)
    sizes = _slid(x, *windows)
    return UNRANKED if sizes is None else Shape((x.shape.head[0], *sizes))


def _refuse_batch(x: Tensor, axes: int) -> None:
    if x.rank != axes + 1:
        raise Refused(ClashKind.RANK, f"{x.name} has rank {x.rank}, not {axes + 1}: the layer takes one sample")


def _slid(
    x: Tensor, kernel: Sequence[AnySize], stride: Sequence[AnySize], padding: Value, dilation: Sequence[AnySize]
) -> list[AnySize] | None:
    """Return the sizes after the channels; None unless the padding is one number."""
    around = as_size(padding)
    if around is None:
        return None
    each = zip(x.shape.head[1:], kernel, stride, dilation, strict=True)
    return [slid(size + 2 * around, one, step, "VALID", gap) for size, one, step, gap in each]


@layer("equinox.nn.{LayerNorm,RMSNorm,GroupNorm,Dropout,Identity}", bases=BASES)
def kept(x: Tensor) -> Answer:
    return "*S -> *S"


@behaviour("equinox.apply_updates")
def updated(ctx: Context, model: Value, updates: Value) -> Value:
    return model


@behaviour("equinox.filter")
def filtered(ctx: Context, pytree: Value, *rest: Value, **options: Value) -> Value:
    return pytree
