"""Readers that yield batches: generators of images and windows, and the datasets that Keras makes of folders."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Const, Lost, Ref, Seq, Tensor, Value, as_size, as_sizes, as_str, items_of
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.registry import behaviour
from shapecheck.models.lang.settings import ORDER, setting
from shapecheck.models.layers.base_layer import format_of
from shapecheck.models.layers.input_checks import check_rows
from shapecheck.models.layers.iterators import iterator
from shapecheck.models.layers.structure import change, flag, tensors
from shapecheck.shapes.facts import Equal
from shapecheck.shapes.shape import UNRANKED, Shape, ranked
from shapecheck.shapes.size import Kind, Size, ceildiv

GENERATOR = "keras.preprocessing.image.ImageDataGenerator"
CHANNELS = {"grayscale": 1, "rgb": 3, "rgba": 4}
DEFAULT_SIZE = Seq("tuple", (Const(256), Const(256)))


def batch_size(ctx: Context) -> Size:
    """Return the rows of a batch, of which the last may have fewer."""
    return ctx.fresh("batch", Kind.DYNAMIC, "rows in a batch", low=1)


def _classes(ctx: Context, names: Value, directory: Value = NONE) -> Size:
    """Return the number of classes: of those that are named, or of the folders in a folder."""
    known = items_of(ctx.freeze(names))
    folders = (ctx.facts_of(directory) or {}).get("folders")
    return len(known or folders or ()) or ctx.fresh("classes", Kind.FREE, "number of folders")


# Arrays ------------------------------------------------------------------------------------------------------------


@behaviour(f"{GENERATOR}.flow")
def flow(
    ctx: Context,
    self: Ref,
    x: Value = NONE,
    y: Value = NONE,
    batch_size_: Value = NONE,
    shuffle: Value = NONE,
    sample_weight: Value = NONE,
    *rest: Value,
    **others: Value,
) -> Value:
    """Return batches of images, with the values that belong to them."""
    given = ctx.freeze(x)
    _check_pictures(ctx, given.items[0] if isinstance(given, Seq) and given.kind == "tuple" and given.items else given)
    parts = [part for part in (given, ctx.freeze(y), ctx.freeze(sample_weight)) if part != NONE]
    if not all(tensors(part) for part in parts) or not parts:
        return ctx.new("keras.preprocessing.image.NumpyArrayIterator", _element=ctx.lost("data of a generator"))
    if len(parts) > 1:
        check_rows(ctx, [("x", tensors(given)[0]), ("y", tensors(parts[1])[0])])
    rows = batch_size(ctx)
    made = [change(part, lambda array: _some_rows(array, rows)) for part in parts]
    element = made[0] if len(made) == 1 else Seq("tuple", tuple(made))
    return ctx.new("keras.preprocessing.image.NumpyArrayIterator", _element=element)


@behaviour(f"{GENERATOR}.fit")
def fit(ctx: Context, self: Ref, x: Value = NONE, *rest: Value, **others: Value) -> Value:
    _check_pictures(ctx, x)
    return NONE


@behaviour(f"{GENERATOR}.{{standardize,random_transform}}")
def prepared(ctx: Context, self: Ref, x: Value = NONE, *rest: Value, **others: Value) -> Value:
    return x


def _check_pictures(ctx: Context, value: Value) -> None:
    if isinstance(value, Tensor) and value.shape.rank is not None:
        rank = value.shape.rank
        ctx.require(ClashKind.RANK, Equal(rank, 4), f"x has rank {rank}, a generator of images takes rank 4", value)


def _some_rows(array: Tensor, rows: Size) -> Tensor:
    if not array.shape.head:
        return array
    return Tensor(Shape((rows, *array.shape.head[1:]), array.shape.tail), "float32", "np")


# Folders -----------------------------------------------------------------------------------------------------------


@behaviour(f"{GENERATOR}.flow_from_directory")
def flow_from_directory(
    ctx: Context,
    self: Ref,
    directory: Value = NONE,
    target_size: Value = DEFAULT_SIZE,
    color_mode: Value = Const("rgb"),
    classes: Value = NONE,
    class_mode: Value = Const("categorical"),
    *rest: Value,
    **others: Value,
) -> Value:
    batch = batch_size(ctx)
    images = _pictures(ctx, self, batch, target_size, color_mode)
    if images is None:
        return ctx.new("keras.preprocessing.image.DirectoryIterator")
    mode = as_str(class_mode)
    if mode == "categorical":
        count = _classes(ctx, classes, directory)
        labels: Tensor | None = Tensor(ranked(batch, count), "float32", "np", nature="one-hot")
    else:
        labels = _labels(batch, class_mode, images)
    return iterator(ctx, "DirectoryIterator", images, labels, _most(rest, others))


@behaviour(f"{GENERATOR}.flow_from_dataframe")
def flow_from_dataframe(
    ctx: Context,
    self: Ref,
    dataframe: Value = NONE,
    directory: Value = NONE,
    x_col: Value = NONE,
    y_col: Value = Const("class"),
    weight_col: Value = NONE,
    target_size: Value = DEFAULT_SIZE,
    color_mode: Value = Const("rgb"),
    classes: Value = NONE,
    class_mode: Value = Const("categorical"),
    *rest: Value,
    **others: Value,
) -> Value:
    batch = batch_size(ctx)
    images = _pictures(ctx, self, batch, target_size, color_mode)
    if images is None or weight_col != NONE:
        return ctx.new("keras.preprocessing.image.DataFrameIterator")
    mode, columns = as_str(class_mode), items_of(ctx.freeze(y_col))
    labels: Tensor | None = None
    if mode == "categorical":
        labels = Tensor(ranked(batch, _classes(ctx, classes)), "float32", "np")
    elif mode == "raw":
        labels = Tensor(ranked(batch) if columns is None else ranked(batch, len(columns)), None, "np")
    else:
        labels = _labels(batch, class_mode, images)
    return iterator(ctx, "DataFrameIterator", images, labels, _most(rest, others))


def _most(rest: tuple[Value, ...], others: dict[str, Value]) -> Value:
    """Return the largest number of rows that a batch has."""
    return others.get("batch_size", rest[0] if rest else Const(32))


def _pictures(ctx: Context, self: Ref, batch: Size, target_size: Value, color_mode: Value) -> Tensor | None:
    size, channels = as_sizes(target_size), CHANNELS.get(as_str(color_mode) or "")
    if size is None or channels is None:
        return None
    order = format_of(flag(ctx, self, "data_format") or flag(ctx, self, "dim_ordering") or setting(ctx, ORDER) or NONE)
    if isinstance(order, Lost):
        return Tensor(Shape((batch,), ()), "float32", "np")
    head = (channels, *size) if as_str(order) == "channels_first" else (*size, channels)
    return Tensor(Shape((batch, *head)), "float32", "np")


def _labels(batch: Size, class_mode: Value, images: Tensor) -> Tensor | None:
    """Return the labels except for one-hot rows; None where there are none."""
    mode = as_str(class_mode)
    if mode in ("binary", "sparse"):
        return Tensor(ranked(batch), "float32", "np")
    return images if mode == "input" else None if class_mode == NONE else Tensor(UNRANKED, None, "np")


@behaviour("keras.utils.image_dataset_from_directory", "keras.preprocessing.image_dataset_from_directory")
def image_dataset(
    ctx: Context,
    directory: Value = NONE,
    labels: Value = Const("inferred"),
    label_mode: Value = Const("int"),
    class_names: Value = NONE,
    color_mode: Value = Const("rgb"),
    batch_size: Value = Const(32),
    image_size: Value = DEFAULT_SIZE,
    **others: Value,
) -> Value:
    size, channels = as_sizes(image_size), CHANNELS.get(as_str(color_mode) or "")
    rows = _rows(ctx, batch_size)
    images = UNRANKED if size is None or channels is None else Shape((*rows, *size, channels))
    item = Tensor(images, "float32")
    return _dataset(ctx, item, rows, batch_size, (labels, label_mode, class_names), others, directory)


@behaviour("keras.utils.text_dataset_from_directory", "keras.preprocessing.text_dataset_from_directory")
def text_dataset(
    ctx: Context,
    directory: Value = NONE,
    labels: Value = Const("inferred"),
    label_mode: Value = Const("int"),
    class_names: Value = NONE,
    batch_size: Value = Const(32),
    *rest: Value,
    **others: Value,
) -> Value:
    rows = _rows(ctx, batch_size)
    item = Tensor(Shape(rows), "string")
    return _dataset(ctx, item, rows, batch_size, (labels, label_mode, class_names), others, directory)


def _rows(ctx: Context, size: Value) -> tuple[Size, ...]:
    return () if size == NONE else (batch_size(ctx),)


def _dataset(
    ctx: Context,
    item: Tensor,
    rows: tuple[Size, ...],
    size: Value,
    how: tuple[Value, Value, Value],
    others: dict[str, Value],
    directory: Value,
) -> Value:
    """Return the dataset of a folder with the labels given by its subfolders; two for both parts of a split."""
    labels, label_mode, names = how
    more: dict[str | None, tuple[Size, ...]] = {"int": (), "binary": (1,)}
    mode = as_str(label_mode) if labels != NONE else None
    if mode == "categorical":
        more[mode] = (_classes(ctx, names, directory),)
    element: Value = item
    if mode in more:
        element = Seq("tuple", (item, Tensor(Shape((*rows, *more[mode])), "int32" if mode == "int" else "float32")))
    elif labels != NONE and label_mode != NONE:
        return ctx.lost("a data set with labels of an unknown kind")
    count = 2 if as_str(others.get("subset", NONE)) == "both" else 1
    made = [ctx.new("tf.data.Dataset", _element=element, _batch=size) for _ in range(count)]
    return made[0] if count == 1 else Seq("tuple", tuple(made))


# Windows -----------------------------------------------------------------------------------------------------------


@behaviour("keras.utils.timeseries_dataset_from_array", "keras.preprocessing.timeseries_dataset_from_array")
def timeseries_dataset(
    ctx: Context, data: Value, targets: Value, sequence_length: Value, *rest: Value, **others: Value
) -> Value:
    """Return windows whose length TensorFlow does not know while it builds a graph."""
    array, wanted = as_tensor(ctx.freeze(data), ctx), as_tensor(ctx.freeze(targets), ctx)
    if rest or not array.shape.head or (targets != NONE and not wanted.shape.head):
        return ctx.lost("windows of a series")
    rows = _rows(ctx, others.get("batch_size", Const(128)))
    length, known = ctx.fresh("length", Kind.DYNAMIC, "the length of a window"), as_size(sequence_length)
    if known is not None:
        ctx.require(ClashKind.NOTHING, Equal(length, known), "the length of a window")
    windows = Tensor(Shape((*rows, length, *array.shape.head[1:]), array.shape.tail), array.dtype)
    if targets == NONE:
        return ctx.new("tf.data.Dataset", _element=windows)
    following = Tensor(Shape((*rows, *wanted.shape.head[1:]), wanted.shape.tail), wanted.dtype)
    return ctx.new("tf.data.Dataset", _element=Seq("tuple", (windows, following)))


@behaviour("keras.preprocessing.sequence.TimeseriesGenerator")
def timeseries_generator(
    ctx: Context,
    data: Value,
    targets: Value,
    length: Value,
    sampling_rate: Value = Const(1),
    *rest: Value,
    **others: Value,
) -> Value:
    array, wanted = as_tensor(ctx.freeze(data), ctx), as_tensor(ctx.freeze(targets), ctx)
    steps, rate = as_size(length), as_size(sampling_rate)
    if not array.shape.head or not wanted.shape.head or steps is None or rate is None or rate == 0:
        return ctx.lost("windows of a series")
    check_rows(ctx, [("data", array), ("targets", wanted)])
    rows = batch_size(ctx)
    windows = Tensor(Shape((rows, ceildiv(steps, rate), *array.shape.head[1:]), array.shape.tail), array.dtype, "np")
    element = Seq("tuple", (windows, _some_rows(wanted, rows)))
    return ctx.new("keras.preprocessing.sequence.TimeseriesGenerator", _element=element)


@behaviour("keras.preprocessing.sequence.TimeseriesGenerator.__getitem__")
def windows_at(ctx: Context, self: Value, index: Value) -> Value:
    return ctx.get(self, "_element") or ctx.lost("windows of a series")


@behaviour("keras.utils.split_dataset")
def split_dataset(ctx: Context, dataset: Value, *rest: Value, **others: Value) -> Value:
    element = ctx.get(dataset, "_element") if isinstance(dataset, Ref) else None
    if element is None:
        return ctx.lost("parts of a data set")
    return Seq("tuple", tuple(ctx.new("tf.data.Dataset", _element=element) for _ in range(2)))
