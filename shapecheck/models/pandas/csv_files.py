"""The columns that the first line of a table in a text file names, and texts in them."""

from __future__ import annotations

from collections.abc import Mapping

from shapecheck.domain.values import FALSE, NONE, Const, Value, as_str
from shapecheck.models.lang import Context

_HARMLESS = frozenset(
    "sep delimiter header index_col dtype na_values keep_default_na nrows encoding engine low_memory float_precision"
    " thousands memory_map".split()
)
"""Options of `pandas.read_csv` after which the columns are those of the first line."""
_PLAIN = frozenset("sep delimiter header dtype nrows encoding engine low_memory memory_map".split())
"""Those after which the fields are as they are written."""
_MISSING = frozenset(
    "na n/a nan -nan null none <na> #n/a #na #n/a n/a 1.#ind -1.#ind 1.#qnan -1.#qnan true false".split()
)


def columns_of(ctx: Context, path: Value, options: Mapping[str, Value]) -> tuple[str, ...] | None:
    """Return the names of the columns of a table beside the program, without its index; None if not known."""
    separator = as_str(options.get("sep", options.get("delimiter", Const(","))))
    if not options.keys() <= _HARMLESS or options.get("header", Const(0)) not in (Const(0), Const("infer")):
        return None
    if separator not in {",", ";", "\t", "|"}:
        return None
    head = ctx.head_of(path)
    names = None if head is None else columns(head, separator)
    return None if names is None else _without_index(names, options.get("index_col", NONE))


def columns(head: bytes, separator: str) -> tuple[str, ...] | None:
    """Return the distinct names in the first line of a file, if the other lines at its beginning have as many fields;
    None where quotes or blanks leave room for doubt."""
    whole, end, _ = head.rpartition(b"\n")
    try:
        lines = whole.decode("ascii").splitlines()
    except UnicodeDecodeError:
        return None
    if not end or len(lines) < 2 or any(mark in whole for mark in (b'"', b"\0", b"\n\n", b"\x0b", b"\x0c")):
        return None
    names, *others = [tuple(line.split(separator)) for line in lines]
    are_names = all(name.strip() == name != "" for name in names) and len(set(names)) == len(names) > 1
    return names if are_names and all(len(fields) == len(names) for fields in others) else None


def text_of(ctx: Context, path: Value, options: Mapping[str, Value]) -> tuple[str, str] | None:
    """Return a column of a table beside the program and a text in it that is no number, nor what stands for none."""
    names = columns_of(ctx, path, options) if options.keys() <= _PLAIN else None
    head = ctx.head_of(path)
    if names is None or head is None:
        return None
    separator = as_str(options.get("sep", options.get("delimiter", Const(",")))) or ","
    rows = (line.split(separator) for line in head.rpartition(b"\n")[0].decode("ascii").splitlines()[1:])
    return next(((name, text) for row in rows for name, text in zip(names, row, strict=True) if _is_text(text)), None)


def _is_text(field: str) -> bool:
    text = field.strip().lower()
    if not text or text in _MISSING:
        return False
    try:
        float(text)
    except ValueError:
        return True
    return False


def _without_index(names: tuple[str, ...], index: Value) -> tuple[str, ...] | None:
    """Return the columns other than the one that labels the rows."""
    match index:
        case Const(value=None | False):
            return names
        case Const(value=int(at)) if 0 <= at < len(names):
            return names[:at] + names[at + 1 :]
        case Const(value=str(name)) if name in names:
            return tuple(each for each in names if each != name)
    return names if index == FALSE else None
