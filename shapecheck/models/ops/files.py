"""Arrays read from files, and numbers read from texts."""

from __future__ import annotations

from shapecheck.domain.values import NONE, Const, Dict, Seq, Tensor, Value, items_of
from shapecheck.models.lang import Answer, Context, behaviour, of_rank, op
from shapecheck.models.lang import Tensor as Operand
from shapecheck.models.lang.arguments import dtype_name
from shapecheck.models.lang.ranks import require_rank
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape
from shapecheck.shapes.size import Kind


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


# Texts -------------------------------------------------------------------------------------------------------------


@behaviour("tf.{io.decode_raw,decode_raw}")
def decode_raw(ctx: Context, input_bytes: Value, out_type: Value = NONE, *args: Value, **keywords: Value) -> Value:
    """Return the numbers in each text, whose count is not known."""
    count = ctx.fresh("count", Kind.DYNAMIC, "the numbers in a text")
    shape = input_bytes.shape if isinstance(input_bytes, Tensor) else UNRANKED
    return Tensor(Shape((*shape.sizes, count)) if shape.is_ranked else UNRANKED, dtype_name(out_type))


@behaviour("tf.{io.parse_tensor,parse_tensor}")
def parse_tensor(ctx: Context, serialized: Value, out_type: Value = NONE, name: Value = NONE) -> Value:
    require_rank(ctx, "serialized", serialized, 0)
    return Tensor(UNRANKED, dtype_name(out_type), is_rank_open=True)


@behaviour("tf.{io.decode_csv,decode_csv}")
def decode_csv(ctx: Context, records: Value, record_defaults: Value, *args: Value, **keywords: Value) -> Value:
    columns = items_of(keywords.get("select_cols", NONE)) or items_of(record_defaults)
    shape = records.shape if isinstance(records, Tensor) else UNRANKED
    return ctx.lost("unknown columns") if columns is None else Seq("list", tuple(Tensor(shape) for _ in columns))
