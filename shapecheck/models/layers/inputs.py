"""Inputs of Keras models: `Input`, `InputLayer`, and the input shape that a first layer declares."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Const, Int, Ref, Seq, Tensor, Value, as_size, as_str, items_of
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.evaluate import no_entry
from shapecheck.models.lang.registry import behaviour
from shapecheck.models.layers.structure import flag
from shapecheck.shapes.facts import FALSE
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size

NAMES = {1: ("N",), 2: ("T", "C"), 3: ("H", "W", "C"), 4: ("D", "H", "W", "C")}


@behaviour("keras.Input", "keras.layers.Input")
def input_tensor(
    ctx: Context,
    shape: Value = NONE,
    batch_size: Value = NONE,
    dtype: Value = NONE,
    sparse: Value = NONE,
    ragged: Value = NONE,
    batch_shape: Value = NONE,
    name: Value = NONE,
    tensor: Value = NONE,
    optional: Value = NONE,
    type_spec: Value = NONE,
    batch_input_shape: Value = NONE,
) -> Value:
    if isinstance(tensor, Tensor):
        return Tensor(tensor.shape, tensor.dtype, "keras")
    if items_of(batch_size) is not None:  # the second argument of Keras 1 and 2
        batch_size, batch_shape = NONE, batch_size
    full = batch_shape if batch_shape != NONE else batch_input_shape
    role = "placeholder" if tensor == NONE else "tensor"
    return Tensor(declared_shape(ctx, shape, full, batch_size), as_dtype(dtype) or "float32", "keras", role=role)


def declared_shape(ctx: Context, shape: Value, batch_shape: Value = NONE, batch_size: Value = NONE) -> Shape:
    """Return the shape of an input; axes without a size are dynamic."""
    if batch_shape != NONE:
        sizes = items_of(batch_shape)
        return (
            UNRANKED if sizes is None else Shape(_sizes(ctx, sizes, ("B", *axis_names(len(sizes) - 1))[: len(sizes)]))
        )
    batch = _size(ctx, batch_size, "B")
    sizes = items_of(shape)
    if isinstance(shape, Tensor):
        _refuse_array(ctx, shape)
    if sizes is None:
        if isinstance(shape, (Const, Int)) and as_size(shape) is not None:
            return _integer_shape(ctx, shape, batch)
        return Shape((batch,), ())
    return Shape((batch, *_sizes(ctx, sizes, axis_names(len(sizes)))))


def _integer_shape(ctx: Context, shape: Value, batch: Size) -> Shape:
    size = as_size(shape)
    assert size is not None
    if ctx.target.keras == 3:
        ctx.require(ClashKind.RANK, FALSE, f"shape is the integer {size}, not a tuple", shape)
    elif ctx.target.is_unmarked:
        ctx.notice(ClashKind.VERSION, f"shape is the integer {size}, Keras 3 takes only a tuple")
    return Shape((batch, size))


def _refuse_array(ctx: Context, shape: Tensor) -> None:
    """State that an array given as a shape is a vector of integers."""
    rank = shape.shape.rank
    if rank not in (1, None):
        ctx.require(ClashKind.RANK, FALSE, f"shape is an array of rank {rank}, not a tuple of sizes", shape)
    elif rank == 1 and (shape.dtype or "").startswith("float") and shape.shape.head[0] != 0:
        ctx.require(ClashKind.NOT_INTEGER, FALSE, "shape is an array of floats, not a tuple of sizes", shape)


def axis_names(count: int) -> Sequence[str]:
    """Return names for the axes after the batch."""
    return NAMES.get(count, tuple(f"N{at}" for at in range(1, count + 1)))


def _sizes(ctx: Context, items: Sequence[Value], names: Sequence[str]) -> tuple[Size, ...]:
    return tuple(_size(ctx, item, name) for item, name in zip(items, names, strict=True))


def _size(ctx: Context, item: Value, name: str) -> Size:
    size = as_size(item)
    said = no_entry(ctx.freeze(item), ())
    if said:
        ctx.require(ClashKind.RANK, FALSE, f"the shape holds {said}, where a number belongs")
    if size is not None and size != -1:
        return size
    if item == NONE or size == -1:
        return ctx.fresh(name, Kind.DYNAMIC, "declared None")
    return ctx.fresh(name, Kind.LOST, "a size that was not followed")


def as_dtype(value: Value) -> str | None:
    """Return the dtype that an argument names."""
    text = as_str(value)
    if text is not None:
        return text
    name = getattr(value, "name", None)
    return name.rsplit(".", 1)[-1] if isinstance(name, str) else None


def declared_input(ctx: Context, layer: Value) -> Value | None:
    """Return a new input tensor for a layer that declares its input shape, None if it does not."""
    keywords = {key: given for key in ("dtype", "batch_size") if (given := flag(ctx, layer, key)) is not None}
    if as_str(keywords.get("dtype", NONE)) not in _DTYPES:
        keywords.pop("dtype", None)
    batch_shape = flag(ctx, layer, "batch_input_shape") or flag(ctx, layer, "batch_shape")
    if batch_shape is not None:
        keywords.pop("batch_size", None)
        return ctx.apply("keras.Input", batch_shape=batch_shape, **keywords)
    is_input_layer = isinstance(layer, Ref) and layer.cls == "keras.layers.InputLayer"
    shape = flag(ctx, layer, "_given_input_shape") or _old_shape(ctx, layer)
    if shape is None and is_input_layer:
        shape = flag(ctx, layer, "shape")
    if shape is None or as_size(shape) is None:
        return None if shape is None else ctx.apply("keras.Input", shape=shape, **keywords)
    said = f"input_shape is the integer {as_size(shape)}"
    if ctx.target.keras is None and is_input_layer:
        if ctx.target.is_unmarked:
            ctx.notice(ClashKind.VERSION, f"{said}, Keras 3 takes only a tuple")
        return ctx.apply("keras.Input", batch_shape=Seq("tuple", (NONE, shape)), **keywords)
    ctx.require(ClashKind.RANK, FALSE, f"{said}, not a tuple", shape)
    return None


_DTYPES = ("float16", "float32", "float64", "int32", "int64", "bool", "string", "uint8")


def _old_shape(ctx: Context, layer: Value) -> Value | None:
    """Return the shape given by `input_dim` and `input_length` of Keras 1 and 2."""
    length, dim = flag(ctx, layer, "input_length"), flag(ctx, layer, "input_dim")
    if isinstance(layer, Ref) and layer.cls == "keras.layers.Embedding":
        return None if length is None else Seq("tuple", items_of(length) or (length,))
    if dim is None:
        return None
    recurrent = isinstance(layer, Ref) and layer.cls.rsplit(".", 1)[-1] in _SEQUENCES
    return Seq("tuple", (length or NONE, dim)) if recurrent or length is not None else Seq("tuple", (dim,))


_SEQUENCES = ("LSTM", "GRU", "SimpleRNN", "RNN", "Conv1D", "CuDNNLSTM", "CuDNNGRU", "Bidirectional")


@behaviour("keras.layers.InputLayer")
def input_layer(
    ctx: Context,
    shape: Value = NONE,
    batch_size: Value = NONE,
    dtype: Value = NONE,
    sparse: Value = NONE,
    batch_shape: Value = NONE,
    input_tensor: Value = NONE,
    optional: Value = NONE,
    name: Value = NONE,
    ragged: Value = NONE,
    input_shape: Value = NONE,
    batch_input_shape: Value = NONE,
) -> Value:
    given = {"shape": shape if shape != NONE else input_shape, "batch_size": batch_size, "dtype": dtype, "name": name}
    full = batch_shape if batch_shape != NONE else batch_input_shape
    return ctx.new("keras.layers.InputLayer", batch_input_shape=full, **given)
