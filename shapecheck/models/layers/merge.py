"""Layers and functions that merge several tensors into one."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Const, Ref, Value, as_size, as_sizes, as_str
from shapecheck.domain.values import Tensor as TensorValue
from shapecheck.models.lang.answer import Answer, result
from shapecheck.models.lang.constraints import Need, equal, never
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.layers import takes
from shapecheck.models.lang.parameter_kinds import AnyValue, Axis, Tensor, Tensors
from shapecheck.models.lang.registry import op
from shapecheck.models.layers.base_layer import keras_layer
from shapecheck.shapes.broadcast import broadcast
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size


@takes(*(f"keras.layers.{name}" for name in "Add Average Concatenate Dot Maximum Minimum Multiply Subtract".split()))
def takes_list(ctx: Context, _: Ref, given: Value) -> Need | None:
    """Return why a merging layer cannot be called with what it is given: it takes one list of tensors."""
    is_one = isinstance(given, TensorValue)
    return never(ClashKind.RANK, "it is called with one tensor, not with a list of tensors") if is_one else None


@keras_layer("keras.layers.{Add,Multiply,Maximum,Minimum}", dtype="promote")
@keras_layer("keras.layers.Average", dtype="promote -int32 -int64")
def merged(inputs: Tensors) -> Answer:
    return element_by_element(inputs.items)


@op("keras.layers.{add,multiply,average,maximum,minimum}")
def merge_function(inputs: Tensors) -> Answer:
    return element_by_element(inputs.items)


@keras_layer("keras.layers.Subtract", dtype="promote")
def subtracted(inputs: Tensors) -> Answer:
    return _two(inputs) or element_by_element(inputs.items)


@op("keras.layers.subtract")
def subtract_function(inputs: Tensors) -> Answer:
    return _two(inputs) or element_by_element(inputs.items)


def _two(inputs: Tensors) -> Answer | None:
    if inputs.repeat is not None or len(inputs.items) == 2:
        return None
    return result(UNRANKED, needs=[never(ClashKind.RANK, f"inputs has {len(inputs.items)} tensors, not 2")])


def element_by_element(items: Sequence[Tensor]) -> Answer:
    """Return the broadcast of the inputs, whose batches must be equal."""
    if not items or any(item.shape.tail is not None for item in items):
        return result(UNRANKED)
    numbers = [item.name for item in items if not item.shape.head]
    if numbers:
        said = f"{numbers[0]} is a number, and the other inputs have axes"
        return result(UNRANKED, needs=[never(ClashKind.RANK, said)] if len(numbers) < len(items) else [])
    needs = _same_batch(items)
    rest, claims = broadcast([Shape(item.shape.head[1:]) for item in items])
    said = " and ".join(str(item.shape) for item in items[:4])
    needs += [Need(ClashKind.BROADCAST, claim, f"inputs of shapes {said} do not broadcast") for claim in claims]
    return result(Shape((_batch(items), *rest.head), rest.tail), needs=needs)


def _batch(items: Sequence[Tensor]) -> Size:
    """Return the common batch; of arrays, one row is stretched."""
    sizes = [item.shape.head[0] for item in items]
    if any(item.is_symbolic for item in items):
        return next((size for size in sizes if isinstance(size, int)), sizes[0])
    return broadcast([Shape((size,)) for size in sizes])[0].head[0]


def _same_batch(items: Sequence[Tensor]) -> list[Need]:
    """Return the need that batches are equal; only sizes that are numbers are compared, as Keras does. It does so when
    it builds the layer: later, a model stretches one row to the batch."""
    is_built = any(item.is_symbolic for item in items)
    sizes = [item for item in items if isinstance(item.shape.head[0], int)]
    known = [item for item in sizes if is_built or item.shape.head[0] != 1]
    return [
        equal(
            ClashKind.AXIS,
            a.shape.head[0],
            b.shape.head[0],
            f"{a.name} has {a.shape.head[0]} rows, {b.name} has {b.shape.head[0]}",
        )
        for a, b in itertools.pairwise(known)
    ]


# Concatenation -----------------------------------------------------------------------------------------------------


@keras_layer("keras.layers.Concatenate", dtype="promote")
def concatenated(inputs: Tensors, axis: Axis = -1) -> Answer:
    return end_to_end(inputs, axis)


@op("keras.layers.concatenate", was={"concat_axis": "axis"})
def concatenate_function(inputs: Tensors, axis: Axis = -1) -> Answer:
    return end_to_end(inputs, axis)


def end_to_end(inputs: Tensors, axis: int) -> Answer:
    """Return the concatenation: all axes but one are equal."""
    items = inputs.items
    if inputs.repeat is not None and len(items) == 1 and items[0].shape.tail is None:
        shape = items[0].shape
        return (
            result(_replaced(shape, axis, shape.head[axis] * inputs.repeat)) if _has(shape, axis) else result(UNRANKED)
        )
    if not items or any(item.shape.tail is not None for item in items):
        return result(_end_only(items, axis))
    wrong = _no_common_axis(items, axis)
    if wrong is not None:
        return result(UNRANKED, needs=[wrong])
    needs = [need for item in items[1:] for need in _same_but(items[0], item, axis)]
    total = items[0].shape.head[axis]
    for item in items[1:]:
        total = total + item.shape.head[axis]
    return result(_replaced(items[0].shape, axis, total), needs=needs)


def _no_common_axis(items: Sequence[Tensor], axis: int) -> Need | None:
    """Return what is wrong where inputs do not all have the same rank, and the axis."""
    first, rank = items[0], len(items[0].shape.head)
    other = next((item for item in items if len(item.shape.head) != rank), None)
    if other is not None:
        said = f"{first.name} has rank {rank}, {other.name} has rank {len(other.shape.head)}"
        return never(ClashKind.RANK, said)
    if not _has(first.shape, axis):
        return never(ClashKind.AXIS_RANGE, f"axis {axis} is out of range: inputs have {rank} axes")
    return None


def _has(shape: Shape, axis: int) -> bool:
    return -len(shape.head) <= axis < len(shape.head)


def _replaced(shape: Shape, axis: int, size: Size) -> Shape:
    at = axis % len(shape.head)
    return Shape((*shape.head[:at], size, *shape.head[at + 1 :]))


def _end_only(items: Sequence[Tensor], axis: int) -> Shape:
    """Return what is known when a rank is not."""
    sizes = [item.shape.size(-1) for item in items]
    if axis != -1 or not items or any(size is None for size in sizes):
        return UNRANKED
    total: Size = 0
    for size in sizes:
        total = total + size  # type: ignore[operator]
    return Shape((), (total,))


def _same_but(a: Tensor, b: Tensor, axis: int) -> list[Need]:
    skipped = axis % len(a.shape.head)
    return [
        equal(ClashKind.AXIS, x, y, f"{a.name} has shape {a.shape}, {b.name} has shape {b.shape}")
        for at, (x, y) in enumerate(zip(a.shape.head, b.shape.head, strict=True))
        if at != skipped and x != y
    ]


# Dot ---------------------------------------------------------------------------------------------------------------


@keras_layer("keras.layers.Dot", dtype="")
def dotted(inputs: Tensors, axes: AnyValue) -> Answer:
    return dot_product(inputs, axes)


@op("keras.layers.dot")
def dot_function(inputs: Tensors, axes: AnyValue) -> Answer:
    return dot_product(inputs, axes)


def dot_product(inputs: Tensors, axes: AnyValue) -> Answer:
    """Return the product over one axis of each; batches are equal."""
    chosen = _two_axes(axes)
    if len(inputs.items) != 2 or inputs.repeat is not None or chosen is None:
        return result(UNRANKED)
    a, b = inputs.items
    if a.shape.tail is not None or b.shape.tail is not None:
        return result(UNRANKED)
    at, there = chosen
    if not _has(a.shape, at) or not _has(b.shape, there):
        said = f"axes ({at}, {there}) are out of range: {a.shape}, {b.shape}"
        return result(UNRANKED, needs=[never(ClashKind.AXIS_RANGE, said)])
    if 0 in (at, there):
        return result(UNRANKED)
    x, y = a.shape.head[at], b.shape.head[there]
    said = f"{a.name} has {x} on axis {at}, {b.name} has {y} on axis {there}"
    left = [size for axis, size in enumerate(a.shape.head) if axis != at % len(a.shape.head)]
    right = [size for axis, size in enumerate(b.shape.head) if axis not in (0, there % len(b.shape.head))]
    joined = (*left, *right) if len(left) + len(right) > 1 else (*left, 1)
    return result(Shape(joined), needs=[equal(ClashKind.AXIS, x, y, said), *_same_batch([a, b])])


def _two_axes(axes: Value) -> tuple[int, int] | None:
    """Return the axes that are summed over, of both inputs, where they are known."""
    single, both = as_size(axes), as_sizes(axes)
    match (single, single) if single is not None else both:
        case (int(at), int(there)):
            return at, there
    return None


# Keras 1 -----------------------------------------------------------------------------------------------------------


@op("keras.layers.merge", oracle="none: only in Keras 1")
def merge_by_mode(
    inputs: Tensors, mode: AnyValue = Const("sum"), concat_axis: Axis = -1, dot_axes: AnyValue = NONE
) -> Answer:
    return _by_mode(inputs, mode, concat_axis)


@keras_layer("keras.layers.Merge", oracle="none: only in Keras 1")
def merge_layer(
    inputs: Tensors, layers: AnyValue = NONE, mode: AnyValue = Const("sum"), concat_axis: Axis = -1
) -> Answer:
    return _by_mode(inputs, mode, concat_axis)


def _by_mode(inputs: Tensors, mode: AnyValue, axis: int) -> Answer:
    name = as_str(mode)
    if name == "concat":
        return end_to_end(inputs, axis)
    return element_by_element(inputs.items) if name in ("sum", "mul", "ave", "max") else result(UNRANKED)
