"""Functions of the program that Python's library times."""

from __future__ import annotations

from shapecheck.domain.values import NONE, Const, HomogeneousSeq, Scalar, Value
from shapecheck.models.lang import Context, behaviour
from shapecheck.shapes.size import Kind, fresh


@behaviour("timeit.timeit")
def timed(ctx: Context, stmt: Value = NONE, setup: Value = NONE, *args: Value, **options: Value) -> Value:
    """Return the seconds that a function takes, which is called many times; statements may also be texts."""
    _call(ctx, setup)
    _call(ctx, stmt)
    if options.get("number") != Const(1):
        _call(ctx, stmt)
    return Scalar("float")


@behaviour("timeit.repeat")
def repeated(ctx: Context, stmt: Value = NONE, setup: Value = NONE, *args: Value, **options: Value) -> Value:
    """Return the seconds of several rounds."""
    seconds = timed(ctx, stmt, setup)
    return HomogeneousSeq("list", seconds, fresh("rounds", Kind.FREE, why="number of rounds"))


def _call(ctx: Context, function: Value) -> None:
    """Call a function; a text may do anything."""
    if function not in (NONE, Const("pass")):
        ctx.call(function if not isinstance(function, Const) else ctx.lost("a statement in a text"), [])
