"""`keras.datasets.*.load_data()`, and the functions that convert files and sequences to arrays."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.domain.values import (
    NONE,
    Const,
    Dict,
    HomogeneousSeq,
    Lost,
    Ref,
    Scalar,
    Seq,
    Tensor,
    Value,
    as_size,
    as_sizes,
    as_str,
    items_of,
)
from shapecheck.models.lang.answer import Answer
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.parameter_kinds import Blind, ShapeArg
from shapecheck.models.lang.parameter_kinds import Tensor as Operand
from shapecheck.models.lang.registry import behaviour, op
from shapecheck.models.lang.settings import ORDER, setting
from shapecheck.models.layers.inputs import as_dtype
from shapecheck.shapes.shape import Shape, ranked
from shapecheck.shapes.size import Kind, Size

Part = tuple[tuple[int, ...], str]
IMAGES: dict[str, tuple[Part, Part, Part, Part]] = {
    "mnist": (((60000, 28, 28), "uint8"), ((60000,), "uint8"), ((10000, 28, 28), "uint8"), ((10000,), "uint8")),
    "cifar10": (
        ((50000, 32, 32, 3), "uint8"),
        ((50000, 1), "uint8"),
        ((10000, 32, 32, 3), "uint8"),
        ((10000, 1), "uint8"),
    ),
}
IMAGES |= {"fashion_mnist": IMAGES["mnist"]}


def _pairs(parts: Sequence[Tensor]) -> Value:
    """Return ((x_train, y_train), (x_test, y_test))."""
    return Seq("tuple", (Seq("tuple", tuple(parts[:2])), Seq("tuple", tuple(parts[2:]))))


def _array(shape: Sequence[Size], dtype: str) -> Tensor:
    return Tensor(Shape(tuple(shape)), dtype, "np")


def _ordered(ctx: Context, shape: Sequence[int]) -> Sequence[Size]:
    """Return the axes of images in the data format that the program has set, or may have set."""
    order = setting(ctx, ORDER)
    if len(shape) != 4 or order in (None, NONE, Const("channels_last")):
        return shape
    count, *rest = shape
    if order == Const("channels_first"):
        return (count, rest[-1], *rest[:-1])
    return (count, *(ctx.fresh("?", Kind.LOST, "the order of the axes") for _ in rest))


def _register(name: str) -> None:
    def load(ctx: Context, path: Value = NONE) -> Value:
        return _pairs([_array(_ordered(ctx, shape), dtype) for shape, dtype in IMAGES[name]])

    load.__module__ = __name__
    behaviour(f"keras.datasets.{name}.load_data")(load)


for _name in IMAGES:
    _register(_name)


@behaviour("keras.datasets.cifar100.load_data")
def cifar100(ctx: Context, label_mode: Value = NONE) -> Value:
    return _pairs(
        [
            _array(_ordered(ctx, shape), "uint8" if at % 2 == 0 else "int64")
            for at, (shape, _) in enumerate(IMAGES["cifar10"])
        ]
    )


@behaviour("keras.datasets.imdb.load_data")
def imdb(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return _texts(ctx, 25000, 25000, bool({"maxlen"} & set(keywords)))


@behaviour("keras.datasets.reuters.load_data")
def reuters(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return _texts(ctx, 8982, 2246, bool({"maxlen", "test_split"} & set(keywords)))


def _texts(ctx: Context, train: Size, test: Size, cut: bool) -> Value:
    """Return arrays of lists, which have one axis only."""
    if cut:
        train, test = (ctx.fresh("N", Kind.FREE, "number of texts") for _ in range(2))
    return _pairs([_array((rows,), dtype) for rows in (train, test) for dtype in ("object", "int64")])


@behaviour("keras.datasets.boston_housing.load_data")
def boston_housing(ctx: Context, path: Value = NONE, test_split: Value = Const(0.2), seed: Value = NONE) -> Value:
    rows: tuple[Size, Size] = (404, 102)
    if test_split != Const(0.2):
        rows = ctx.fresh("N", Kind.FREE, "rows kept"), ctx.fresh("N", Kind.FREE, "rows held back")
    return _pairs([_array((count, *rest), "float64") for count in rows for rest in ((13,), ())])


@behaviour("keras.datasets.california_housing.load_data")
def california_housing(ctx: Context, version: Value = Const("large"), *rest: Value, **others: Value) -> Value:
    if as_str(version) != "large" or others or rest:
        return ctx.lost("rows of the data")
    return _pairs([_array((count, *more), "float32") for count in (16512, 4128) for more in ((8,), ())])


@behaviour("keras.datasets.{imdb,reuters}.get_word_index")
def word_index(ctx: Context, path: Value = NONE) -> Value:
    return Dict((), rest=Scalar("int"))


# Files and sequences -----------------------------------------------------------------------------------------------


@behaviour("keras.utils.pad_sequences")
def pad_sequences(
    ctx: Context, sequences: Value = NONE, maxlen: Value = NONE, dtype: Value = NONE, **others: Value
) -> Value:
    given = ctx.freeze(sequences)
    rows, items = _count(ctx, given), items_of(given)
    one = as_tensor(given, ctx).shape if isinstance(given, Tensor) else as_tensor(_first(given, items), ctx).shape
    length = as_size(maxlen)
    if length is None:
        length = ctx.fresh("T", Kind.FREE if maxlen == NONE else Kind.LOST, "length of the longest sequence")
    known = one.head[2:] if isinstance(given, Tensor) else one.head[1:]
    is_open = isinstance(given, Tensor) and one.rank == 1 and given.dtype != "object"  # it may hold arrays, not lists
    tail = () if is_open else one.tail
    return Tensor(Shape((rows, length, *known), tail), as_dtype(dtype) or "int32", "np")


def _first(sequences: Value, items: tuple[Value, ...] | None) -> Value:
    """Return a value for any item of the sequences; items may be numbers or arrays."""
    return sequences.element if isinstance(sequences, HomogeneousSeq) else items[0] if items else Lost("a sequence")


def _count(ctx: Context, sequences: Value) -> Size:
    items = items_of(sequences)
    if isinstance(sequences, Tensor) and sequences.shape.head:
        return sequences.shape.head[0]
    if isinstance(sequences, HomogeneousSeq):
        return sequences.length
    return len(items) if items is not None else ctx.fresh("N", Kind.LOST, "number of sequences")


@behaviour("keras.utils.load_img")
def load_img(
    ctx: Context,
    path: Value = NONE,
    grayscale: Value = NONE,
    color_mode: Value = Const("rgb"),
    target_size: Value = NONE,
    **others: Value,
) -> Value:
    size = as_sizes(target_size)
    modes = {"grayscale": 1, "rgb": 3, "rgba": 4}
    channels: Size | None = 1 if grayscale == Const(True) else modes.get(as_str(color_mode) or "")
    height, width = size if size is not None and len(size) == 2 else _sides(ctx, path if target_size == NONE else NONE)
    image = ctx.new("PIL.Image.Image")
    if channels is not None:
        ctx.set(image, "@array", Tensor(ranked(height, width, channels), "float32", "np"))
    return image


def _sides(ctx: Context, path: Value) -> tuple[Size, Size]:
    """Return the height and the width of an image in a file."""
    told = (ctx.facts_of(path) or {}).get("picture")
    return (told[0], told[1]) if told is not None else (_free(ctx, "H"), _free(ctx, "W"))


def _free(ctx: Context, name: str) -> Size:
    return ctx.fresh(name, Kind.FREE, "size of an image file")


@behaviour("keras.utils.img_to_array")
def img_to_array(ctx: Context, img: Value = NONE, data_format: Value = NONE, dtype: Value = NONE) -> Value:
    found = ctx.get(img, "@array") if isinstance(img, Ref) else None
    order = setting(ctx, ORDER) if data_format == NONE else data_format
    if found is not None and (order in (None, NONE) or as_str(order) == "channels_last"):
        return found
    return Tensor(ranked(*(_free(ctx, name) for name in ("H", "W", "C"))), "float32", "np")


@behaviour("keras.utils.array_to_img")
def array_to_img(ctx: Context, x: Value = NONE, *rest: Value, **others: Value) -> Value:
    image = ctx.new("PIL.Image.Image")
    if isinstance(x, Tensor):
        ctx.set(image, "@array", x)
    return image


@op("keras.preprocessing.image.random_{brightness,channel_shift,rotation,shear,shift,zoom}", oracle="none: of Keras 2")
@op("keras.preprocessing.image.apply_{affine_transform,brightness_shift,channel_shift}", oracle="none: of Keras 2")
def moved(x: Operand) -> Answer:
    return "h w c -> h w c"


@op("keras.preprocessing.image.smart_resize", oracle="none: of Keras 2")
def smart_resize(x: Operand, size: ShapeArg) -> Answer:
    if size.tail is not None or len(size.head) != 2:
        raise Blind("the size of a picture")
    return "*N h w c -> *N {H} {W} c", {"H": size.head[0], "W": size.head[1]}


# Texts -----------------------------------------------------------------------------------------------------------


@behaviour("keras.preprocessing.text.{one_hot,hashing_trick,text_to_word_sequence}")
def words(ctx: Context, text: Value = NONE, *rest: Value, **others: Value) -> Value:
    """Return a list with an item for each word."""
    return HomogeneousSeq("list", ctx.lost("words of a text"), ctx.fresh("words", Kind.LOST, "words of a text"))


@behaviour("keras.utils.unpack_x_y_sample_weight")
def unpacked(ctx: Context, data: Value) -> Value:
    """Return the inputs, targets and weights that a training step is given."""
    items = items_of(data) if isinstance(data, Seq) else (data,)
    if items is None or not 0 < len(items) <= 3:
        return ctx.lost("the parts of a batch")
    return Seq("tuple", (*items, *[NONE] * (3 - len(items))))


@behaviour("keras.utils.pack_x_y_sample_weight")
def packed(ctx: Context, x: Value, y: Value = NONE, sample_weight: Value = NONE) -> Value:
    return Seq("tuple", tuple(item for item in (x, y, sample_weight) if item is x or item != NONE))


@behaviour("keras.utils.{get_source_inputs,audio_dataset_from_directory}")
@behaviour("keras.preprocessing.sequence.{skipgrams,make_sampling_table}", "keras.datasets.reuters.get_label_names")
def not_followed(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return ctx.lost("what is not followed")


@behaviour("keras.preprocessing.text.Tokenizer.{fit_on_texts,fit_on_sequences}")
def fitted(ctx: Context, self: Ref, *args: Value) -> Value:
    return NONE


@behaviour("keras.preprocessing.text.Tokenizer.texts_to_matrix")
def texts_to_matrix(ctx: Context, self: Ref, texts: Value = NONE, mode: Value = NONE) -> Value:
    words = as_size(ctx.get(self, "num_words") or NONE)
    width = ctx.fresh("words", Kind.FREE, "size of the vocabulary") if words is None else words
    return Tensor(ranked(_count(ctx, ctx.freeze(texts)), width), "float64", "np")


@behaviour("keras.preprocessing.text.Tokenizer.texts_to_sequences")
def texts_to_sequences(ctx: Context, self: Ref, texts: Value = NONE) -> Value:
    words = HomogeneousSeq("list", Scalar("int"), ctx.fresh("?", Kind.LOST, "words of a text"))
    return HomogeneousSeq("list", words, _count(ctx, ctx.freeze(texts)))


@behaviour("keras.preprocessing.text.Tokenizer.sequences_to_matrix")
def sequences_to_matrix(ctx: Context, self: Ref, sequences: Value = NONE, mode: Value = NONE) -> Value:
    return texts_to_matrix(ctx, self, sequences, mode)
