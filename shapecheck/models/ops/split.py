"""Splitting of tensors: split, array_split, unstack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Const, HomogeneousSeq, Seq, Value, as_size, as_sizes, extent, of_size
from shapecheck.domain.values import Tensor as TensorValue
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Axis,
    Blind,
    Context,
    Ranked,
    Size,
    Tensor,
    at_least,
    behaviour,
    never,
    op,
    result,
)
from shapecheck.models.lang.axis_positions import instead, place_of
from shapecheck.models.lang.constraints import Need, Refused, equal
from shapecheck.models.lang.evaluate import is_run_time
from shapecheck.models.lang.unknown_sizes import lost
from shapecheck.models.ops.join import axis_first
from shapecheck.shapes.claims import FALSE, Divides
from shapecheck.shapes.shape import SCALAR, Shape
from shapecheck.shapes.size import Size as AnySize

LIMIT = 256


@behaviour("tf.split")
def split(ctx: Context, *args: Value, **keywords: Value) -> Value:
    """Before TensorFlow 1.0, the signature was split(split_dim, num_split, value)."""
    from shapecheck.models.lang.registry import lookup

    value, number, axis = _arguments(args, keywords)
    is_old = "split_dim" in keywords or "num_split" in keywords
    if not is_old and len(args) == 3 and as_size(value) is not None and as_size(axis) is None:
        if isinstance(axis, TensorValue) and axis_first(ctx, value, "tensor", axis):
            return ctx.lost("split in an old order")
        value, axis = axis, value
    if isinstance(axis, TensorValue) and axis.shape.rank:
        ctx.require(ClashKind.RANK, FALSE, f"axis is a tensor of shape {axis.shape}, not a number", axis)
        return ctx.lost("split along no axis")
    if as_size(value) is not None:
        ctx.require(ClashKind.RANK, FALSE, f"value is {as_size(value)}, a number cannot be split", value)
        return ctx.lost("parts of a number")
    model = lookup("tf.split_parts")
    axis = Const(0) if axis == NONE else axis
    return model.run(ctx, [value, number, axis], {}) if model else ctx.lost("tf.split")


def _arguments(args: Sequence[Value], keywords: Mapping[str, Value]) -> list[Value]:
    """Return value, parts and axis of a split, by their names of any version."""
    is_old = "split_dim" in keywords or "num_split" in keywords
    names = ("split_dim", "num_split", "value") if is_old else ("value", "num_or_size_splits", "axis")
    given = {**dict(zip(names, args, strict=False)), **keywords}
    return [given.get(name, NONE) for name in (names[::-1] if is_old else names)]


@op("tf.split_parts", returns="list", oracle="tf.split")
def split_parts(value: Tensor, num_or_size_splits: AnyValue, axis: Axis = 0) -> Answer:
    if value.rank == 0:
        raise Refused(ClashKind.RANK, f"{value.name} has no axes")
    count, sizes = as_size(num_or_size_splits), as_sizes(num_or_size_splits)
    return equal_parts(value, count, axis) if isinstance(count, int) else sized_parts(value, sizes, axis)


def equal_parts(value: Tensor, count: int, axis: int, exact: bool = True) -> Answer:
    """Return parts of the same size; unless that is required, the first ones are larger by one."""
    if count <= 0:
        raise Refused(ClashKind.NEGATIVE_SIZE, f"{count} parts")
    size = _size_on(value, axis)
    said = f"{value.name} has {size} on axis {axis}, which is not a multiple of {count}"
    needs = [Need(ClashKind.AXIS, Divides(count, size), said)] if exact and size is not None else []
    if count > LIMIT:
        even = size // count if isinstance(size, int) and size % count == 0 else lost()
        return result(HomogeneousSeq("list", _tensor(value, _resized(value, axis, even)), count), needs=needs)
    if size is None:
        return result(*[_resized(value, axis, lost()) for _ in range(count)])
    if not exact:
        return result(*[_resized(value, axis, (size + count - 1 - at) // count) for at in range(count)])
    return result(*[_resized(value, axis, size // count)] * count, needs=needs)


def sized_parts(value: Tensor, sizes: tuple[AnySize, ...] | None, axis: int) -> Answer:
    """Return parts of given sizes; one may be -1."""
    if sizes is None:
        raise Blind("the number of parts")
    size = _size_on(value, axis)
    told = [part for part in sizes if part != -1]
    total: AnySize = sum(told[1:], told[0]) if told else 0
    said = f"the parts have {total} in all, {value.name} has {size}"
    needs: list[Need] = []
    if len(told) < len(sizes) - 1:
        needs.append(never(ClashKind.AXIS, "only one of the parts may be -1"))
    elif size is not None:
        needs.append((equal if told == list(sizes) else at_least)(ClashKind.AXIS, size, total, said))
    left = lost() if size is None else size - total
    return result(*[_resized(value, axis, left if part == -1 else part) for part in sizes], needs=needs)


def _size_on(value: Tensor, axis: int) -> AnySize | None:
    """Return the size of an axis, which must exist, if it is known."""
    if value.rank is not None:
        place_of(value, axis)
    return value.shape.size(axis)


def _resized(value: Tensor, axis: int, size: AnySize) -> Shape:
    return instead(value.shape, axis, Shape((size,)))


@op("np.split", returns="list")
def np_split(ary: Tensor, indices_or_sections: AnyValue, axis: Axis = 0) -> Answer:
    return _np_split(ary, indices_or_sections, axis, exact=True)


@op("keras.ops.array_split", returns="list")
def keras_array_split(x: Tensor, indices_or_sections: Size, axis: Axis = 0) -> Answer:
    return _np_split(x, of_size(indices_or_sections), axis, exact=False)


@op("np.array_split", returns="list")
def array_split(ary: Tensor, indices_or_sections: AnyValue, axis: Axis = 0) -> Answer:
    return _np_split(ary, indices_or_sections, axis, exact=False)


@op("keras.ops.vsplit", returns="list")
def keras_vsplit(x: Tensor, indices_or_sections: AnyValue) -> Answer:
    return _keras_split(x, indices_or_sections, 0)


@op("keras.ops.hsplit", returns="list")
def keras_hsplit(x: Tensor, indices_or_sections: AnyValue) -> Answer:
    return _keras_split(x, indices_or_sections, 0 if x.rank == 1 else 1)


@op("keras.ops.split", returns="list")
def keras_split(x: Tensor, indices_or_sections: AnyValue, axis: Axis = 0) -> Answer:
    return _keras_split(x, indices_or_sections, axis)


@op("keras.ops.dsplit", returns="list")
def keras_dsplit(x: Tensor, indices_or_sections: AnyValue) -> Answer:
    return _keras_split(x, indices_or_sections, 2)


def _keras_split(x: Tensor, where: AnyValue, axis: int) -> Answer:
    """Return the parts of a split in Keras, whose bounds count from the start and are limited by the end."""
    bounds, size = as_sizes(where), x.shape.size(axis)
    if not x.rank or (bounds is not None and not _are_inside(bounds, size)):
        raise Blind("where the parts begin")
    return _np_split(x, where, axis, exact=True)


def _are_inside(bounds: tuple[AnySize, ...], size: AnySize | None) -> bool:
    """Return whether bounds increase from the start to the end."""
    known = [bound for bound in (0, *bounds, size) if isinstance(bound, int)]
    return len(known) == len(bounds) + 2 and known == sorted(known)


@op("np.dsplit", returns="list")
def dsplit(ary: Tensor, indices_or_sections: AnyValue) -> Answer:
    if ary.rank is not None and ary.rank < 3:
        raise Refused(ClashKind.RANK, f"{ary.name} has rank {ary.rank}, at least 3 is needed")
    return _np_split(ary, indices_or_sections, 2, exact=True)


@op("np.vsplit", returns="list")
def vsplit(ary: Tensor, indices_or_sections: AnyValue) -> Answer:
    if ary.rank is not None and ary.rank < 2:
        raise Refused(ClashKind.RANK, f"{ary.name} has rank {ary.rank}, at least 2 is needed")
    return _np_split(ary, indices_or_sections, 0, exact=True)


@op("np.hsplit", returns="list")
def hsplit(ary: Ranked, indices_or_sections: AnyValue) -> Answer:
    if ary.rank == 0:
        raise Refused(ClashKind.RANK, f"{ary.name} is a scalar")
    return _np_split(ary, indices_or_sections, 0 if ary.rank == 1 else 1, exact=True)


def _np_split(ary: Tensor, where: AnyValue, axis: int, exact: bool) -> Answer:
    """Return the parts of a split in NumPy, which uses the length of a list as the size of any axis."""
    count = as_size(where)
    if axis and isinstance(ary.given, Seq) and ary.shape.size(axis) is not None:
        ary = replace(ary, shape=_resized(ary, axis, lost()))
    if isinstance(count, int):
        return equal_parts(ary, count, axis, exact)
    bounds = as_sizes(where)
    if bounds is None or not all(isinstance(bound, int) for bound in bounds):
        raise Blind("the number of parts")
    size = _size_on(ary, axis)
    if not isinstance(size, int):
        return result(*[_resized(ary, axis, lost()) for _ in range(len(bounds) + 1)])
    edges = [None, *[bound for bound in bounds if isinstance(bound, int)], None]
    lengths = [extent(range(size)[low:high]) for low, high in pairwise(edges)]
    return result(*[_resized(ary, axis, length) for length in lengths])


@op("np.unstack", returns="tuple")
def np_unstack(x: Tensor, axis: Axis = 0) -> Answer:
    return unstack(x, None, axis)


@op("tf.{unstack,unpack}", "keras.ops.unstack", returns="list")
def unstack(value: Tensor, num: Size | None = None, axis: Axis = 0) -> Answer:
    """Return as many tensors as the axis has entries."""
    count, needs = _number(value, num, axis)
    if isinstance(count, int) and count <= LIMIT:
        return result(*(_numbers(value, count) or [_without(value, axis)] * count), needs=needs)
    return result(HomogeneousSeq("list", _part(value, axis), count))


def _numbers(value: Tensor, count: int) -> Sequence[Shape | Value]:
    """Return the numbers in a vector whose content is known."""
    items = value.content.items if isinstance(value.content, Seq) and value.rank == 1 else ()
    role = "run-time" if is_run_time(value.value) else "tensor"
    return [replace(_part(value, 0), content=item, role=role) for item in items] if len(items) == count else []


def _number(value: Tensor, num: AnySize | None, axis: int) -> tuple[AnySize, list[Need]]:
    """Return the number of entries of an axis, and the constraint that it is the given number."""
    if num == 0:
        raise Blind("the number of parts")
    size = _size_on(value, axis)
    count = num if num is not None else size
    if count is None or (isinstance(count, int) and count < 1):
        raise Blind("the number of parts")
    if size is None:
        return count, []
    return count, [equal(ClashKind.AXIS, size, count, f"{value.name} has {size} on axis {axis}, not {count}")]


def _part(value: Tensor, axis: int) -> TensorValue:
    return _tensor(value, _without(value, axis))


def _tensor(value: Tensor, shape: Shape) -> TensorValue:
    """Return a part of a tensor, which has another shape."""
    library = value.value.library if isinstance(value.value, TensorValue) else "tf"
    return TensorValue(shape, value.dtype, library)


def _without(value: Tensor, axis: int) -> Shape:
    return instead(value.shape, axis, SCALAR)
