"""Tables in text files, as NumPy reads them; a file beside the program tells the columns."""

from __future__ import annotations

from collections.abc import Mapping

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import FALSE, NONE, Const, Tensor, Value, as_bool, as_size, as_str, items_of
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.arguments import dtype_name
from shapecheck.shapes.facts import FALSE as NEVER
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind

_PLAIN = frozenset("delimiter comments skiprows skip_header usecols unpack ndmin dtype encoding".split())
_BLANK = ""  # what separates fields unless a delimiter is given
Rows = list[list[str]]


@behaviour("np.loadtxt")
def loadtxt(ctx: Context, fname: Value = NONE, *args: Value, **keywords: Value) -> Value:
    """All fields must be numbers, unless another dtype is asked for."""
    rows = _rows_of(ctx, fname, keywords) if len(args) < 2 else None
    made = _table(ctx, rows, args, keywords)
    wrong = None if rows is None or not _is_numeric(made) else _no_number(rows, keywords)
    if wrong is not None:
        ctx.require(ClashKind.DTYPE, NEVER, f"the file has the field {wrong!r}, which is no number")
    return made


@behaviour("np.genfromtxt")
def genfromtxt(ctx: Context, fname: Value = NONE, *args: Value, **keywords: Value) -> Value:
    return _table(ctx, _rows_of(ctx, fname, keywords) if len(args) < 2 else None, args, keywords)


def _table(ctx: Context, rows: Rows | None, args: tuple[Value, ...], keywords: Mapping[str, Value]) -> Tensor:
    """Return an array of one axis or two: a single row or column is a vector unless two axes are requested."""
    told = keywords.get("dtype", args[0] if args else None)
    dtype = "float64" if told is None else dtype_name(told)
    if keywords.get("names", NONE) != NONE or keywords.get("dtype") == NONE:
        return Tensor(UNRANKED, None, "np")
    widths = {len(row) for row in rows or ()}
    width = widths.pop() if len(widths) == 1 and len(rows or ()) > 1 else None
    return Tensor(_table_shape(ctx, keywords, width), dtype, "np", role="table")


def _table_shape(ctx: Context, keywords: Mapping[str, Value], width: int | None) -> Shape:
    """Return the shape as far as the selected columns and those of the file determine it."""
    given = ctx.freeze(keywords.get("usecols", NONE))
    chosen = items_of(given)
    columns = 1 if as_size(given) is not None else len(chosen) if chosen else None
    unpacked = as_bool(keywords.get("unpack", FALSE))
    is_table = keywords.get("ndmin") == Const(2) or (width is not None and (columns or width) > 1)
    if is_table and unpacked is not None:
        whole = ctx.fresh("columns", Kind.FREE, "read from a file", 1) if width is None else width
        sizes = (ctx.fresh("rows", Kind.FREE, "read from a file", 1), whole if columns is None else columns)
        return Shape(sizes[::-1] if unpacked else sizes)
    if columns is None or columns == 1 or unpacked is None:
        return UNRANKED
    return Shape((columns,), ()) if unpacked else Shape((), (columns,))


# Files ---------------------------------------------------------------------------------------------------------------


def _rows_of(ctx: Context, path: Value, keywords: Mapping[str, Value]) -> Rows | None:
    """Return the fields of the first lines of a file beside the program; None where options leave room for doubt."""
    separator = as_str(keywords.get("delimiter", Const(_BLANK)))
    comment = as_str(keywords.get("comments", Const("#")))
    skipped = as_size(keywords.get("skiprows", keywords.get("skip_header", Const(0))))
    if not keywords.keys() <= _PLAIN or separator is None or not comment or not isinstance(skipped, int):
        return None
    head = ctx.head_of(path)
    return None if head is None else fields(head, separator, comment, skipped)


def fields(head: bytes, separator: str, comment: str, skipped: int) -> Rows | None:
    """Return the fields of the whole lines at the beginning of a file, without comments and empty lines."""
    whole, end, _ = head.rpartition(b"\n")
    try:
        lines = whole.decode("ascii").split("\n")[skipped:]
    except UnicodeDecodeError:
        return None
    if not end or any(mark in whole for mark in (b'"', b"\0", b"\x0b", b"\x0c")):
        return None
    texts = [text for line in lines if (text := line.partition(comment)[0].strip())]
    return [text.split(separator) if separator.strip() else text.split() for text in texts]


def _is_numeric(made: Tensor) -> bool:
    return (made.dtype or "").startswith(("float", "int", "uint"))


def _no_number(rows: Rows, keywords: Mapping[str, Value]) -> str | None:
    """Return a field that is no number, in any of the columns that are read."""
    given = keywords.get("usecols", NONE)
    known = items_of(given) or (given,)
    chosen = None if given == NONE else [at.value for at in known if isinstance(at, Const)]
    for row in rows:
        picked = (
            row if chosen is None else [row[at] for at in chosen if isinstance(at, int) and -len(row) <= at < len(row)]
        )
        wrong = next((field.strip() for field in picked if not _may_be_number(field)), None)
        if wrong is not None:
            return wrong
    return None


def _may_be_number(field: str) -> bool:
    """Return whether a field may be read as a number; an empty one may not."""
    text = field.strip().lower()
    if text.startswith(("0x", "-0x", "+0x")):
        return True
    try:
        float(text)
    except ValueError:
        return False
    return True
