"""Columns of texts that are written out: how many different ones each has, and the columns that `get_dummies` makes."""

from __future__ import annotations

from collections.abc import Mapping

from shapecheck.domain.values import FALSE, NONE, TRUE, Const, Dict, Int, Ref, Scalar, Seq, Value, as_size, items_of
from shapecheck.models.lang import Context
from shapecheck.models.pandas.names import names_of, texts

KEPT = "_levels"
NAMING = {"prefix", "prefix_sep", "dtype", "sparse"}
"""Options of `get_dummies` that leave the number of columns alone."""


def keep_levels(ctx: Context, table: Value, given: Dict) -> None:
    """Keep how many different texts the columns of a new table have."""
    if isinstance(table, Ref):
        ctx.set(table, KEPT, Seq("tuple", tuple(_levels(ctx, column) for _, column in given.items)))


def inherit_levels(ctx: Context, table: Value, whole: Value) -> None:
    """Keep for columns of a table what is known of them."""
    known, names = levels_of(ctx, whole), names_of(ctx, table)
    if known and names is not None and isinstance(table, Ref):
        ctx.set(table, KEPT, Seq("tuple", tuple(known.get(name, NONE) for name in names)))


def forget_levels(ctx: Context, table: Ref) -> None:
    """Forget the contents of a table that changes."""
    if ctx.get(table, KEPT) is not None:
        ctx.set(table, KEPT, NONE)


def levels_of(ctx: Context, table: Value) -> Mapping[str, Value]:
    """Return the number of different texts by the names of columns: 0 for one of numbers, None if it is not known."""
    counts = items_of(ctx.get(table, KEPT) or NONE) if isinstance(table, Ref) else None
    names = names_of(ctx, table)
    return dict(zip(names, counts, strict=True)) if names and counts and len(names) == len(counts) else {}


def _levels(ctx: Context, column: Value) -> Value:
    items = items_of(ctx.freeze(column)) or ()
    known = texts(Seq("list", tuple(items)))
    if items and known is not None:
        return Const(len(set(known)))
    return Const(0) if items and all(map(_is_number, items)) else NONE


def _is_number(item: Value) -> bool:
    is_number = isinstance(item, Int | Scalar) or (isinstance(item, Const) and isinstance(item.value, int | float))
    return is_number and not (isinstance(item, Scalar) and item.kind not in ("int", "float"))


def width_of_dummies(ctx: Context, data: Value, options: Mapping[str, Value]) -> int | None:
    """Return how many columns `get_dummies` makes of a table or a list of texts."""
    chosen, first = options.get("columns", NONE), options.get("drop_first", FALSE)
    counts = levels_of(ctx, data) or ({"": _levels(ctx, data)} if not isinstance(data, Ref) else {})
    if not counts or options.keys() - NAMING - {"columns", "drop_first"} or first not in (TRUE, FALSE):
        return None
    wanted = texts(ctx.freeze(chosen)) if chosen != NONE else [name for name in counts if counts[name] != Const(0)]
    if wanted is None or not counts.keys() >= set(wanted):
        return None
    made = [count for name in wanted if isinstance(count := as_size(counts[name]), int) and count > 0]
    is_known = len(made) == len(wanted)
    return len(counts) - len(made) + sum(made) - len(made) * (first == TRUE) if is_known else None
