"""Assertions about shapes: they must be able to hold, and what they say is known from there on."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Const, Dict, Tensor, Value, as_size, as_sizes, as_str, items_of
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.lang.written_shapes import Bindings, declared_shape, demands
from shapecheck.shapes import written
from shapecheck.shapes.claims import FALSE, AnyOf, AtLeast, Equal
from shapecheck.shapes.facts import Verdict
from shapecheck.shapes.shape import UNRANKED
from shapecheck.shapes.size import Kind, Size
from shapecheck.shapes.text import show
from shapecheck.shapes.written import ANY, MANY, Axes, Axis, Unreadable


def _state(ctx: Context, value: Value, axes: Axes, text: str, name: str, bound: Bindings) -> None:
    """State that an array has these axes; one of unknown rank has them from here on."""
    if not isinstance(value, Tensor):
        return
    for demand in demands(axes, value.shape.map(ctx.resolve), text, name, bound):
        if ctx.require(ClashKind.ASSERTED, demand.claim, demand.said, value) is Verdict.NEVER:
            return
    if value.shape == UNRANKED:
        shape = declared_shape(axes, bound, lambda each: ctx.fresh(each or "n", Kind.FREE, "an assertion"))
        ctx.refine(value, value.with_shape(shape))


# Of shapecheck -----------------------------------------------------------------------------------------------------


@behaviour("shapecheck.assert_shape")
def assert_shape(ctx: Context, *arrays_and_shapes: Value) -> Value:
    bound = Bindings()
    pairs = zip(arrays_and_shapes[::2], arrays_and_shapes[1::2], strict=False)
    for at, (value, shape) in enumerate(pairs):
        text = as_str(shape)
        if text is None:
            return NONE
        try:
            name = "the array" if len(arrays_and_shapes) == 2 else f"array {at + 1}"
            _state(ctx, value, written.of_text(text), text, name, bound)
        except Unreadable:
            return NONE
    return NONE


@behaviour("shapecheck.reveal_shape")
def reveal_shape(ctx: Context, array: Value) -> Value:
    if isinstance(array, Tensor):
        shape = show(array.shape.map(ctx.resolve))
        ctx.notice(
            ClashKind.REVEALED, f"the shape is {shape}{f', the dtype {array.dtype}' if array.dtype else ''}", array
        )
    else:
        ctx.notice(ClashKind.REVEALED, "this is not known to be an array")
    return array


# Of TensorFlow -----------------------------------------------------------------------------------------------------


@behaviour("tf.debugging.assert_shapes")
def assert_shapes(ctx: Context, shapes: Value, *args: Value, **keywords: Value) -> Value:
    """Names of axes are single characters where a shape is a text."""
    frozen, bound = ctx.freeze(shapes), Bindings()
    pairs = frozen.items if isinstance(frozen, Dict) else [items_of(item) or () for item in items_of(frozen) or ()]
    for number, pair in enumerate(pairs):
        axes = _axes(pair[1]) if len(pair) == 2 else None
        if axes is None:
            return NONE
        name = "x" if len(pairs) == 1 else f"tensor {number + 1}"
        _state(ctx, pair[0], axes, ", ".join(map(_word, axes)), name, bound)
    return NONE


def _axes(shape: Value) -> Axes | None:
    text = as_str(shape)
    items: Sequence[Value] | None = [Const(sign) for sign in text] if text is not None else items_of(shape)
    if items is None and shape != NONE:
        return (_axis(shape),) if as_size(shape) is not None else None
    axes = tuple(_axis(item) for item in items or ())
    return None if sum(axis.is_many for axis in axes) > 1 or UNREAD in axes else axes


UNREAD = Axis("?")


def _axis(item: Value) -> Axis:
    size, name = as_size(item), as_str(item)
    if item == NONE or name == ".":
        return ANY
    if name in ("*", "...") or (isinstance(item, Const) and item.value is ...):
        return MANY
    if isinstance(size, int):
        return Axis(size=size)
    return UNREAD if name is None else Axis(size=int(name)) if name.isdigit() else Axis(name)


def _word(axis: Axis) -> str:
    return "…" if axis.is_many else axis.name or ("None" if axis.size is None else str(axis.size))


@behaviour("tf.{debugging.assert_rank,assert_rank}")
def assert_rank(ctx: Context, x: Value, rank: Value, *args: Value, **keywords: Value) -> Value:
    wanted = as_size(rank)
    if isinstance(x, Tensor) and isinstance(wanted, int):
        _state(ctx, x, (ANY,) * wanted, f"rank {wanted}", "x", Bindings())
    return NONE


@behaviour("tf.{debugging.assert_scalar,assert_scalar}")
def assert_scalar(ctx: Context, tensor: Value, *args: Value, **keywords: Value) -> Value:
    if isinstance(tensor, Tensor):
        _state(ctx, tensor, (), "a scalar", "tensor", Bindings())
    return tensor


@behaviour("tf.{debugging.assert_rank_at_least,assert_rank_at_least}")
def assert_rank_at_least(ctx: Context, x: Value, rank: Value, *args: Value, **keywords: Value) -> Value:
    least, known = as_size(rank), as_tensor(x, ctx).shape.rank
    if isinstance(least, int) and known is not None:
        ctx.require(ClashKind.ASSERTED, AtLeast(known, least), f"x has rank {known}, at least {least} is needed", x)
    return NONE


@behaviour("tf.{debugging.assert_rank_in,assert_rank_in}")
def assert_rank_in(ctx: Context, x: Value, ranks: Value, *args: Value, **keywords: Value) -> Value:
    allowed, known = as_sizes(ctx.freeze(ranks)), as_tensor(x, ctx).shape.rank
    if allowed and known is not None:
        said = f"x has rank {known}, not {' or '.join(map(str, allowed))}"
        ctx.require(ClashKind.ASSERTED, AnyOf(tuple(Equal(known, rank) for rank in allowed)), said, x)
    return NONE


@behaviour("tf.{debugging.assert_equal,assert_equal}")
def assert_equal(ctx: Context, x: Value, y: Value, *args: Value, **keywords: Value) -> Value:
    """Sizes are compared where both sides are known: numbers, or sequences of equal length."""
    left, right = (_sizes(ctx, side) for side in (x, y))
    if left is None or right is None:
        return NONE
    said = f"{_shown(left)} is not {_shown(right)}"
    if len(left) != len(right):
        if len(left) > 1 and len(right) > 1:
            ctx.require(ClashKind.ASSERTED, FALSE, said, x, y)
        return NONE
    for a, b in zip(left, right, strict=True):
        ctx.require(ClashKind.ASSERTED, Equal(a, b), said, x, y)
    return NONE


def _sizes(ctx: Context, value: Value) -> tuple[Size, ...] | None:
    size = as_size(value)
    return (size,) if size is not None else as_sizes(ctx.freeze(value))


def _shown(sizes: Sequence[Size]) -> str:
    return str(sizes[0]) if len(sizes) == 1 else f"({', '.join(map(str, sizes))})"
