"""How what a loop changes is widened, so that it holds for any trip; what grows evenly keeps its exact value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from shapecheck.dataflow.join import alike, anew, as_many, covers
from shapecheck.dataflow.store import Cell, Delta
from shapecheck.shapes.size import Kind, Size, fresh
from shapecheck.values import Const, Int, Many, Seq, Tensor, Value, as_size, of_size

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def changed(before: Value | None, after: Value | None) -> bool:
    return before is not None and after is not None and not alike(before, after)


def widen(t: Tracer, before: Value | None, after: Value | None, turn: Size) -> Value:
    """A value for any trip, from the one before the first trip and the one after it."""
    if before is None or after is None:
        return after or before or t.lost("variable that is not always set")
    if alike(before, after):
        return _looped(t, before, after, anew(before, after))
    a, b = extent_of(before), extent_of(after)
    if a is not None and b is not None and isinstance(b - a, int):
        return _with_extent(t, before, after, a + turn * (b - a))
    return _looped(t, before, after, t.generalise(before, after))


def _looped(t: Tracer, before: Value, after: Value, value: Value) -> Value:
    """A tensor that every trip gives anew comes from a loop step, which joins the one before the loop with a trip's."""
    if not isinstance(value, Tensor) or t.place is None or before == after:
        return value
    step = t.graph.add("loop", "loop", (before, after), (), t.place, tuple(t.calls))
    step.result = replace(value, step=step.id, output=0)
    return step.result


def extent_of(value: Value) -> Size | None:
    """The number that a counter is, or the length of a sequence."""
    if isinstance(value, (Const, Int)):
        return as_size(value)
    if isinstance(value, (Seq, Many)) and value.kind == "list":
        return len(value.items) if isinstance(value, Seq) else value.length
    return None


def _with_extent(t: Tracer, before: Value, after: Value, extent: Size) -> Value:
    if isinstance(before, (Const, Int)):
        return of_size(extent)
    element = t.generalise_elements(before, after)
    return Many("list", element, extent)


def is_made(cell: Cell, newest: int) -> bool:
    """Whether it is the contents of a container that a trip made: none had an address beyond this one before."""
    return cell[0] > newest and cell[1] in ("items", "many")


def _with_made(t: Tracer, made: Delta, newest: int, run: Callable[[], dict[Cell, Value]]) -> dict[Cell, Value]:
    """What is worked out while the containers that a trip made are there, with what becomes of those meanwhile."""
    mark = t.store.mark()
    t.store.apply({cell: value for cell, value in made.items() if value is not None and is_made(cell, newest)})
    result = run()
    mine = t.store.undo(mark)
    joined = {cell: value for cell, value in mine.items() if value is not None and value is not made.get(cell)}
    return {**result, **joined}


def widen_all(t: Tracer, peeled: Delta, turn: Size, newest: int) -> dict[Cell, Value]:
    """What the first trip changed, as it is on any trip."""
    before = {cell: t.store.get(cell) for cell in peeled}

    def run() -> dict[Cell, Value]:
        return {cell: widen(t, before[cell], value, turn) for cell, value in peeled.items()}

    return _with_made(t, peeled, newest, run)


def compare(
    t: Tracer, widened: dict[Cell, Value], after: Delta, turn: Size, newest: int
) -> tuple[bool, dict[Cell, Value]]:
    """Whether one more trip from the widened state stays within it; what does not is widened further."""
    before = {cell: t.store.get(cell) for cell in after}
    stable = [True]

    def run() -> dict[Cell, Value]:
        stable[0], result = _compared(t, widened, after, turn, newest, before)
        return result

    result = _with_made(t, {**widened, **after}, newest, run)
    return stable[0], result


def _compared(
    t: Tracer, widened: dict[Cell, Value], after: Delta, turn: Size, newest: int, at_start: Delta
) -> tuple[bool, dict[Cell, Value]]:
    stable = True
    result = dict(widened)
    for cell, value in after.items():
        assumed = widened.get(cell)
        before = assumed if is_made(cell, newest) else at_start[cell]
        if assumed is None or before is None or value is None:
            result[cell] = value if value is not None else t.lost("variable that is not always set")
            continue
        if _steps_on(assumed, value, before, turn):
            continue
        if not counts(assumed, turn) and (alike(assumed, value) or t.covers(assumed, value)):
            continue
        stable = False
        if isinstance(assumed, Many) and _grows_on(assumed, value, before, turn):
            result[cell] = replace(assumed, element=t.generalise_elements(assumed, value))
        else:
            result[cell] = t.generalise(assumed, value) if not counts(assumed, turn) else _lost_like(t, assumed, value)
    return stable, result


def counts(value: Value, turn: Size) -> bool:
    extent = extent_of(value)
    return (
        extent is not None
        and not isinstance(extent, int)
        and not isinstance(turn, int)
        and turn.symbols() <= extent.symbols()
    )


def _lost_like(t: Tracer, assumed: Value, value: Value) -> Value:
    if isinstance(assumed, (Const, Int)):
        return Int(fresh("n", Kind.LOST, why="changes in a loop", low=None))
    many = as_many(assumed)
    element = t.generalise_elements(assumed, value)
    return Many(many.kind if many else "list", element, fresh("n", Kind.LOST, why="changes in a loop"))


def _steps_on(assumed: Value, after: Value, before: Value, turn: Size) -> bool:
    """Whether a counter went one step on, and what a list holds stayed within what was assumed of it."""
    if isinstance(assumed, Many) and isinstance(after, Many) and not covers(assumed.element, after.element):
        return False
    return _grows_on(assumed, after, before, turn)


def _grows_on(assumed: Value, after: Value, before: Value, turn: Size) -> bool:
    """Whether an extent went from `a + d*k` to `a + d*(k+1)`."""
    a, b, start = extent_of(assumed), extent_of(after), extent_of(before)
    if a is None or b is None or start is None or isinstance(a, int) or isinstance(turn, int):
        return False
    if not turn.symbols() <= a.symbols() or type(assumed) is not type(after):
        return False
    return isinstance(b - a, int) and a == start + turn * (b - a)


def rescaled(value: Value, extent: Size) -> Value:
    if isinstance(value, (Const, Int)):
        return of_size(extent)
    assert isinstance(value, Many)
    return Many(value.kind, value.element, extent)
