"""Arrays read from files, and records of examples."""

from __future__ import annotations

from shapecheck.domain.values import FALSE, NONE, Const, Dict, Lost, Ref, Seq, Tensor, Value, as_bool, as_size, items_of
from shapecheck.models.lang import Answer, Context, behaviour, of_rank, op
from shapecheck.models.lang import Tensor as Operand
from shapecheck.models.lang.arguments import dtype_name, shape_arg
from shapecheck.models.lang.ranks import require_rank
from shapecheck.models.ops.ragged import ragged
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape
from shapecheck.shapes.size import Kind


@behaviour("np.{loadtxt,genfromtxt}")
def load_table(ctx: Context, fname: Value = NONE, *args: Value, **keywords: Value) -> Value:
    """Return an array of one axis or two: a single row or column is a vector unless two axes are requested."""
    told = keywords.get("dtype", args[0] if args else None)
    dtype = "float64" if told is None else dtype_name(told)
    if keywords.get("names", NONE) != NONE or keywords.get("dtype") == NONE:
        return Tensor(UNRANKED, None, "np")
    return Tensor(_table_shape(ctx, keywords), dtype, "np", role="table")


def _table_shape(ctx: Context, keywords: dict[str, Value]) -> Shape:
    """Return the shape as far as the selected columns determine it."""
    given = ctx.freeze(keywords.get("usecols", NONE))
    chosen = items_of(given)
    columns = 1 if as_size(given) is not None else len(chosen) if chosen else None
    unpacked = as_bool(keywords.get("unpack", FALSE))
    if keywords.get("ndmin") == Const(2) and unpacked is not None:
        width = ctx.fresh("columns", Kind.FREE, "read from a file", 1) if columns is None else columns
        sizes = (ctx.fresh("rows", Kind.FREE, "read from a file", 1), width)
        return Shape(sizes[::-1] if unpacked else sizes)
    if columns is None or columns == 1 or unpacked is None:
        return UNRANKED
    return Shape((columns,), ()) if unpacked else Shape((), (columns,))


@behaviour("np.load")
def load(ctx: Context, fname: Value = NONE, *args: Value, **keywords: Value) -> Value:
    """Return an array, or the arrays of an archive, whose ranks only the file determines."""
    arrays = (ctx.facts_of(fname) or {}).get("arrays", {})
    if "" in arrays:
        return array_in_file(ctx, fname, "")
    if arrays:
        pairs = ((Const(name), array_in_file(ctx, fname, name)) for name in arrays)
        return ctx.new("np.lib.npyio.NpzFile", _arrays=Dict(tuple(pairs)))
    return Tensor(UNRANKED, dtype_name(keywords.get("dtype", NONE)), "np")


def array_in_file(ctx: Context, path: Value, name: str) -> Value:
    """Return an array of a file. The number of its rows is left open, unless the user has named the folder: a file that
    lies beside a program is often a sample."""
    told = ctx.facts_of(path) or {}
    found = told.get("arrays", {}).get(name)
    if found is None:
        return Tensor(UNRANKED, None, "np")
    sizes, dtype = found
    rows = sizes[:1] if told["is_named"] else [ctx.fresh("rows", Kind.FREE, "read from a file") for _ in sizes[:1]]
    return Tensor(Shape((*rows, *sizes[1:])), dtype, "np")


@behaviour("np.ndarray.{tofile,dump}")
def save(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return NONE


@behaviour("tf.{io.serialize_tensor,serialize_tensor}")
def serialize_tensor(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return Tensor(SCALAR, "string")


@op("tf.{io.read_file,read_file}", dtype="string", oracle="none: needs a file")
def read_file(filename: Operand) -> Answer:
    of_rank(filename, 0)
    return SCALAR


@behaviour("tf.{io.write_file,write_file}")
def write_file(ctx: Context, filename: Value, contents: Value = NONE, name: Value = NONE) -> Value:
    require_rank(ctx, "filename", filename, 0)
    require_rank(ctx, "contents", contents, 0)
    return NONE


# Records ------------------------------------------------------------------------------------------------------------


@behaviour("tf.{io.FixedLenFeature,FixedLenFeature}")
def fixed(ctx: Context, shape: Value, dtype: Value, default_value: Value = NONE) -> Value:
    return ctx.new("tf.io.FixedLenFeature", shape=shape, dtype=dtype)


@behaviour("tf.{io.FixedLenSequenceFeature,FixedLenSequenceFeature}")
def fixed_sequence(ctx: Context, shape: Value, dtype: Value, *args: Value, **keywords: Value) -> Value:
    return ctx.new("tf.io.FixedLenSequenceFeature", shape=shape, dtype=dtype)


@behaviour("tf.{io.VarLenFeature,VarLenFeature}")
def variable(ctx: Context, dtype: Value) -> Value:
    return ctx.new("tf.io.VarLenFeature", dtype=dtype)


@behaviour("tf.io.RaggedFeature")
def ragged_feature(ctx: Context, dtype: Value, *args: Value, **keywords: Value) -> Value:
    return ctx.new("tf.io.RaggedFeature", dtype=dtype, is_plain=Const(not args and not keywords))


def feature(ctx: Context, spec: Value, leading: Shape) -> Value:
    """Return the tensor that a feature is parsed to; `leading` are the axes of the serialized examples."""
    if not isinstance(spec, Ref):
        return ctx.lost("a feature of unknown kind")
    dtype = dtype_name(ctx.get(spec, "dtype") or NONE)
    if spec.cls == "tf.io.VarLenFeature":
        return Tensor(UNRANKED, dtype, role="sparse")
    if spec.cls == "tf.io.RaggedFeature":
        length = ctx.fresh("values", Kind.DYNAMIC, "the length of a feature")
        is_single = leading.rank == 0 and ctx.get(spec, "is_plain") == Const(True)
        return (
            Tensor(Shape((length,)), dtype) if is_single else ragged(leading.head[0] if leading.head else None, dtype)
        )
    shape = ctx.get(spec, "shape")
    if shape is None or isinstance(shape, Lost) or leading.rank is None:
        return Tensor(UNRANKED, dtype)
    own = shape_arg(ctx.freeze(shape), ctx)
    if own.rank is None:
        return Tensor(UNRANKED, dtype)
    if spec.cls == "tf.io.FixedLenSequenceFeature":
        steps = ctx.fresh("steps", Kind.DYNAMIC, "the length of a sequence")
        return Tensor(Shape((*leading.sizes, steps, *own.sizes)), dtype)
    if spec.cls == "tf.io.FixedLenFeature":
        return Tensor(Shape((*leading.sizes, *own.sizes)), dtype)
    return ctx.lost("a feature of unknown kind")


def parsed(ctx: Context, features: Value, leading: Shape) -> Value:
    """Return a dictionary with a tensor for each feature."""
    known = ctx.freeze(features)
    if not isinstance(known, Dict):
        return ctx.lost("parsed features that are not known")
    return Dict(tuple((key, feature(ctx, spec, leading)) for key, spec in known.items))


@behaviour("tf.{io.parse_single_example,parse_single_example}")
def parse_single_example(
    ctx: Context, serialized: Value, features: Value, name: Value = NONE, example_names: Value = NONE
) -> Value:
    require_rank(ctx, "serialized", serialized, 0)
    return parsed(ctx, features, SCALAR)


@behaviour("tf.{io.parse_example,parse_example}")
def parse_example(
    ctx: Context, serialized: Value, features: Value, example_names: Value = NONE, name: Value = NONE
) -> Value:
    """Return the features of several examples: of as many as a list has texts."""
    texts = items_of(serialized)
    shape = serialized.shape if isinstance(serialized, Tensor) else UNRANKED
    return parsed(ctx, features, shape if texts is None else Shape((len(texts),)))


@behaviour("tf.{io.decode_raw,decode_raw}")
def decode_raw(ctx: Context, input_bytes: Value, out_type: Value = NONE, *args: Value, **keywords: Value) -> Value:
    """Return the numbers in each text, whose count is not known."""
    count = ctx.fresh("count", Kind.DYNAMIC, "the numbers in a text")
    shape = input_bytes.shape if isinstance(input_bytes, Tensor) else UNRANKED
    return Tensor(Shape((*shape.sizes, count)) if shape.is_ranked else UNRANKED, dtype_name(out_type))


@behaviour("tf.{io.parse_tensor,parse_tensor}")
def parse_tensor(ctx: Context, serialized: Value, out_type: Value = NONE, name: Value = NONE) -> Value:
    require_rank(ctx, "serialized", serialized, 0)
    return Tensor(UNRANKED, dtype_name(out_type))


@behaviour("tf.{io.decode_csv,decode_csv}")
def decode_csv(ctx: Context, records: Value, record_defaults: Value, *args: Value, **keywords: Value) -> Value:
    columns = items_of(keywords.get("select_cols", NONE)) or items_of(record_defaults)
    shape = records.shape if isinstance(records, Tensor) else UNRANKED
    return ctx.lost("unknown columns") if columns is None else Seq("list", tuple(Tensor(shape) for _ in columns))
