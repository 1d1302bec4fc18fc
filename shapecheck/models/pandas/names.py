"""The names of the columns of data frames."""

from __future__ import annotations

from shapecheck.domain.values import NONE, Ref, Value, as_str, items_of
from shapecheck.models.lang import Context


def names_of(ctx: Context, table: Value) -> tuple[str, ...] | None:
    """Return the names of the columns, where all are known."""
    return texts(ctx.get(table, "_names") or NONE) if isinstance(table, Ref) else None


def texts(value: Value) -> tuple[str, ...] | None:
    """Return the texts of a sequence of texts."""
    items = [as_str(item) for item in items_of(value) or (NONE,)]
    return None if None in items else tuple(item for item in items if item is not None)


def may_repeat(ctx: Context, table: Value) -> bool:
    """Return whether columns may have the same name, as those of tables side by side may."""
    return isinstance(table, Ref) and ctx.get(table, "_is_joined") not in (None, NONE)
