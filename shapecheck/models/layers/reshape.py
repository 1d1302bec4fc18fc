"""Layers that rearrange axes: flatten, reshape, permute, pad, crop, repeat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Const, Value, as_size, as_sizes, items_of
from shapecheck.models.lang.answer import Answer, result
from shapecheck.models.lang.constraints import Need, Refused, never
from shapecheck.models.lang.context import Target
from shapecheck.models.lang.layers import configured
from shapecheck.models.lang.maps import Maps
from shapecheck.models.lang.parameter_kinds import AnyValue, Blind, ShapeArg, Sizes, Tensor
from shapecheck.models.lang.suspicious import reordered
from shapecheck.models.layers.base_layer import keras_layer
from shapecheck.shapes.facts import Divides, Equal
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size, lost, product

TWO: Any = 2


@keras_layer("keras.layers.Flatten", dtype="")
def flatten() -> Answer:
    return "b *S -> b (prod(S))"


@keras_layer("keras.layers.Reshape", dtype="")
def reshape(inputs: Tensor, target_shape: ShapeArg) -> Answer:
    """Each item of the batch keeps its number of elements; a -1 is inferred."""
    if inputs.rank and target_shape.is_ranked:
        return _refilled(inputs, target_shape.head)
    return _reshaped_partly(inputs.shape, target_shape)


def _reshaped_partly(source: Shape, target: Shape) -> Shape:
    if not target.is_ranked:
        return Shape(source.head[:1], ())
    if source.is_ranked:  # without a batch
        return UNRANKED
    batch = source.head[0] if source.head else lost("a batch", 0)
    sizes = (lost("an axis of an input of unknown shape", 0) if size == -1 else size for size in target.head)
    return Shape((batch, *sizes))


def _refilled(inputs: Tensor, target: tuple[Size, ...]) -> Answer:
    batch, count = inputs.shape.head[0], product(inputs.shape.head[1:])
    known, holes = product(size for size in target if size != -1), target.count(-1)
    if holes > 1 or (holes and known == 0):
        return UNRANKED
    full = Shape((batch, *(count // known if size == -1 else size for size in target)))
    said = f"{count} elements do not fill {_written(target)}"
    claim = Divides(known, count) if holes else Equal(count, known)
    return result(full, needs=[Need(ClashKind.ELEMENTS, claim, said)], notices=reordered(inputs, full))


def _written(sizes: tuple[Size, ...]) -> str:
    return f"({', '.join(map(str, sizes))}{',' if len(sizes) == 1 else ''})"


@keras_layer("keras.layers.Permute", dtype="")
def permute(inputs: Tensor, dims: AnyValue) -> Answer:
    """Permute the axes after the batch, which are counted from 1."""
    order = _order(dims)
    before, after = (" ".join(f"n{at}" for at in places) for places in (range(1, len(order) + 1), order))
    return f"b {before} -> b {after}"


@configured("keras.layers.Permute")
def is_permutation(given: Mapping[str, Value]) -> Need | None:
    try:
        _order(given.get("dims", NONE))
    except (Blind, Refused) as why:
        return why.need if isinstance(why, Refused) else None
    return None


def _order(dims: Value) -> list[int]:
    sizes = as_sizes(dims)
    order = [at for at in sizes or () if isinstance(at, int)]
    if sizes is None or len(order) < len(sizes):
        raise Blind("dims")
    if sorted(order) != list(range(1, len(order) + 1)):
        raise Refused(ClashKind.AXIS_RANGE, f"dims {_tuple(sizes)} is not a permutation from 1")
    return order


def _tuple(sizes: tuple[Size, ...]) -> str:
    return f"({', '.join(map(str, sizes))})"


def _pairs(value: Value, axes: int) -> list[tuple[Size, Size]] | None:
    """Return the padding or cropping at both ends of each axis: a number, one per axis, or pairs."""
    single, items = as_size(value), items_of(value)
    if single is not None:
        return [(single, single)] * axes
    if items is None:
        return None
    if axes == 1:
        items = items if len(items) == 1 and items_of(items[0]) else (value,)
    pairs: list[tuple[Size, Size]] = []
    for item in items:
        size, both = as_size(item), as_sizes(item)
        if size is not None:
            pairs.append((size, size))
        elif both is not None and len(both) == 2:
            pairs.append((both[0], both[1]))
        else:
            return None
    return pairs if len(pairs) == axes else None


def _padded(maps: Maps, padding: Value) -> Answer:
    """Return the axes with padding at both ends."""
    pairs = _pairs(padding, maps.axes)
    if pairs is None:
        return maps("b h.. c -> b _.. c")
    return maps("b h.. c -> b H.. c"), maps.named("p", map(sum, pairs)), maps.become(maps.each("{h} + p{h}"))


def _cropped(maps: Maps, cropping: Value, may_be_empty: bool) -> Answer:
    """Return the axes with cropping at both ends."""
    pairs = _pairs(cropping, maps.axes)
    if pairs is None:
        return maps("b h.. c -> b _.. c")
    amounts, signature = maps.named("p", map(sum, pairs)), maps("b h.. c -> b H.. c")
    if may_be_empty:
        return signature, amounts, maps.become(maps.each("max({h} - p{h}, 0)"))
    return signature, amounts, maps.become(maps.each("{h} - p{h}")), *maps.each("{h} >= p{h} + 1")


def _register_ends(axes: int) -> None:
    @configured(f"keras.layers.ZeroPadding{axes}D", f"keras.layers.Cropping{axes}D")
    def has_ends(given: Mapping[str, Value]) -> Need | None:
        """Return a need that cannot be met, unless there is a number or a pair for each axis."""
        for name in ("padding", "cropping"):
            items = items_of(given.get(name, NONE))
            if items is not None and len(items) != axes:
                return never(ClashKind.RANK, f"{name} has {len(items)} entries, the layer has {axes} axes")
        return None


_register_ends(2)
_register_ends(3)


@keras_layer("keras.layers.ZeroPadding1D", dtype="")
def zero_padding_1d(padding: AnyValue = Const(1), data_format: AnyValue = NONE) -> Answer:
    return _padded(Maps.of(1, data_format), padding)


@keras_layer("keras.layers.ZeroPadding2D", dtype="")
def zero_padding_2d(padding: AnyValue = Const(1), data_format: AnyValue = NONE) -> Answer:
    return _padded(Maps.of(2, data_format), padding)


@keras_layer("keras.layers.ZeroPadding3D", dtype="")
def zero_padding_3d(padding: AnyValue = Const(1), data_format: AnyValue = NONE) -> Answer:
    return _padded(Maps.of(3, data_format), padding)


@keras_layer("keras.layers.Cropping1D", dtype="")
def cropping_1d(cropping: AnyValue = Const(1), target: Target = Target()) -> Answer:
    return _cropped(Maps(1), cropping, target.tensorflow == 1)


@keras_layer("keras.layers.Cropping2D", dtype="")
def cropping_2d(cropping: AnyValue = Const(0), data_format: AnyValue = NONE, target: Target = Target()) -> Answer:
    return _cropped(Maps.of(2, data_format), cropping, target.tensorflow == 1)


@keras_layer("keras.layers.Cropping3D", dtype="")
def cropping_3d(cropping: AnyValue = Const(1), data_format: AnyValue = NONE, target: Target = Target()) -> Answer:
    """In Keras 2, nothing may be left of a volume."""
    return _cropped(Maps.of(3, data_format), cropping, target.keras != 3)


def _scaled(maps: Maps, size: Sizes) -> Answer:
    factors, scaled = maps.named("f", size.spread(maps.axes)), maps.become(maps.each("{h} * f{h}"))
    return maps("b h.. c -> b H.. c"), factors, scaled


@keras_layer("keras.layers.UpSampling1D", dtype="", was={"length": "size"})
def up_sampling_1d(size: Sizes = TWO) -> Answer:
    return _scaled(Maps(1), size)


@keras_layer("keras.layers.UpSampling2D", dtype="")
def up_sampling_2d(size: Sizes = TWO, data_format: AnyValue = NONE) -> Answer:
    return _scaled(Maps.of(2, data_format), size)


@keras_layer("keras.layers.UpSampling3D", dtype="")
def up_sampling_3d(size: Sizes = TWO, data_format: AnyValue = NONE) -> Answer:
    return _scaled(Maps.of(3, data_format), size)
