"""Layers that rearrange axes: flatten, reshape, permute, pad, crop, repeat."""

from __future__ import annotations

from typing import Any

from shapecheck.models.lang.answer import Answer, result
from shapecheck.models.lang.context import Target
from shapecheck.models.lang.kinds import AnyValue, ShapeArg, Sizes, Tensor
from shapecheck.models.lang.needs import Need, never
from shapecheck.models.lang.suspicious import reordered
from shapecheck.models.layers.keras import keras_layer
from shapecheck.shapes.facts import Divides, Equal
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Size, lost, product
from shapecheck.values import NONE, Const, Value, as_size, as_sizes, as_str, items_of

TWO: Any = 2
AXES = {1: "x", 2: "x y", 3: "x y z"}


def spatial(axes: int, channels_first: bool, last: str = "c") -> str:
    """The pattern of a batch of maps."""
    return f"b {last} {AXES[axes]}" if channels_first else f"b {AXES[axes]} {last}"


@keras_layer("keras.layers.Flatten", dtype="")
def flatten() -> Answer:
    return "b *S -> b (prod(S))"


@keras_layer("keras.layers.Reshape", dtype="")
def reshape(inputs: Tensor, target_shape: ShapeArg) -> Answer:
    source, target = inputs.shape, target_shape
    if not target.is_ranked:
        return result(Shape(source.head[:1], ()))
    if not source.is_ranked:
        sizes = (lost("an axis of an input of unknown shape", 0) if size == -1 else size for size in target.head)
        return result(Shape((*(source.head[:1] or (lost("a batch", 0),)), *sizes)))
    if not source.head:
        return result(Shape((), ()))
    batch, count = source.head[0], product(source.head[1:])
    free = [at for at, size in enumerate(target.head) if size == -1]
    known = product(size for size in target.head if size != -1)
    said = f"{count} elements do not fill {_written(target)}"
    if not free:
        full = Shape((batch, *target.head))
        return result(full, needs=[Need("elements", Equal(count, known), said)], notices=reordered(inputs, full))
    if len(free) > 1 or known == 0:
        return result(Shape((), ()))
    filled = count // known
    full = Shape((batch, *(filled if at in free else size for at, size in enumerate(target.head))))
    return result(full, needs=[Need("elements", Divides(known, count), said)], notices=reordered(inputs, full))


def _written(shape: Shape) -> str:
    return f"({', '.join(str(size) for size in shape.head)}{',' if len(shape.head) == 1 else ''})"


@keras_layer("keras.layers.Permute", dtype="")
def permute(inputs: Tensor, dims: AnyValue) -> Answer:
    order = as_sizes(dims)
    if order is None or not all(isinstance(at, int) for at in order):
        return result(Shape((), ()))
    if sorted(at for at in order if isinstance(at, int)) != list(range(1, len(order) + 1)):
        return result(Shape((), ()), needs=[never("axis-range", f"dims {_tuple(order)} is not a permutation from 1")])
    names = ["b", *(f"n{at}" for at in range(1, len(order) + 1))]
    return f"{' '.join(names)} -> b {' '.join(names[at] for at in order if isinstance(at, int))}"


def _tuple(sizes: tuple[Size, ...]) -> str:
    return f"({', '.join(map(str, sizes))})"


def _pairs(value: Value, axes: int) -> list[tuple[Size, Size]] | None:
    """What is added or cut at both ends of each axis: a number, one per axis, or pairs."""
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


def _resized(
    axes: int, pairs: list[tuple[Size, Size]] | None, sign: str, first: bool, may_be_empty: bool = False
) -> Answer:
    """A signature with each axis longer or shorter by both ends' amounts."""
    names = AXES[axes].split()
    before = spatial(axes, first)
    if pairs is None:
        after = before.translate(str.maketrans("xyz", "XYZ"))
        return (f"{before} -> {after}", {name.upper(): _unknown(name) for name in names})
    result_of = "max({0} - p{0}, 0)" if may_be_empty else f"{{0}} {sign} p{{0}}"
    derived = {name.upper(): result_of.format(name) for name in names}
    amounts = {f"p{name}": low + high for name, (low, high) in zip(names, pairs, strict=True)}
    after = before.translate(str.maketrans("xyz", "XYZ"))
    if sign == "+" or may_be_empty:
        return (f"{before} -> {after}", amounts, derived)
    return (f"{before} -> {after}", amounts, derived, *(f"{name} >= p{name} + 1" for name in names))


def _unknown(name: str) -> str:
    return f"{name} + unknown"


@keras_layer("keras.layers.ZeroPadding1D", dtype="")
def zero_padding_1d(padding: AnyValue = Const(1)) -> Answer:
    return _resized(1, _pairs(padding, 1), "+", False)


@keras_layer("keras.layers.ZeroPadding2D", dtype="")
def zero_padding_2d(padding: AnyValue = Const(1), data_format: AnyValue = NONE) -> Answer:
    return _resized(2, _pairs(padding, 2), "+", is_first(data_format))


@keras_layer("keras.layers.ZeroPadding3D", dtype="")
def zero_padding_3d(padding: AnyValue = Const(1), data_format: AnyValue = NONE) -> Answer:
    return _resized(3, _pairs(padding, 3), "+", is_first(data_format))


@keras_layer("keras.layers.Cropping1D", dtype="")
def cropping_1d(cropping: AnyValue = Const(1), target: Target = Target()) -> Answer:
    return _resized(1, _pairs(cropping, 1), "-", False, target.tensorflow == 1)


@keras_layer("keras.layers.Cropping2D", dtype="")
def cropping_2d(cropping: AnyValue = Const(0), data_format: AnyValue = NONE, target: Target = Target()) -> Answer:
    return _resized(2, _pairs(cropping, 2), "-", is_first(data_format), target.tensorflow == 1)


@keras_layer("keras.layers.Cropping3D", dtype="")
def cropping_3d(cropping: AnyValue = Const(1), data_format: AnyValue = NONE, target: Target = Target()) -> Answer:
    """Keras 2 lets nothing be left of a volume."""
    return _resized(3, _pairs(cropping, 3), "-", is_first(data_format), target.keras != 3)


def is_first(data_format: Value) -> bool:
    """Whether channels stand before the map."""
    return as_str(data_format) == "channels_first"


def _scaled(axes: int, size: Sizes, first: bool) -> Answer:
    before = spatial(axes, first)
    after = before.translate(str.maketrans("xyz", "XYZ"))
    factors = {f"f{name}": factor for name, factor in zip(AXES[axes].split(), size.spread(axes), strict=True)}
    return (f"{before} -> {after}", factors, {name.upper(): f"{name} * f{name}" for name in AXES[axes].split()})


@keras_layer("keras.layers.UpSampling1D", dtype="", was={"length": "size"})
def up_sampling_1d(size: Sizes = TWO) -> Answer:
    return _scaled(1, size, False)


@keras_layer("keras.layers.UpSampling2D", dtype="")
def up_sampling_2d(size: Sizes = TWO, data_format: AnyValue = NONE) -> Answer:
    return _scaled(2, size, is_first(data_format))


@keras_layer("keras.layers.UpSampling3D", dtype="")
def up_sampling_3d(size: Sizes = TWO, data_format: AnyValue = NONE) -> Answer:
    return _scaled(3, size, is_first(data_format))
