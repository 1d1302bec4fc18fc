"""How what a loop changes is widened, so that it holds for any trip; what grows evenly keeps its exact value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from shapecheck.dataflow.containers.item_join import joined, joined_elements
from shapecheck.dataflow.state.heap import Cell, Delta
from shapecheck.domain.join import alike, as_homogeneous, generalise, subsumes, with_fresh_unknowns
from shapecheck.domain.values import Const, HomogeneousSeq, Int, Seq, Tensor, Value, as_size, of_size
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Expr, Kind, Size, fresh, substitute

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def changed(before: Value | None, after: Value | None) -> bool:
    return before is not None and after is not None and not alike(before, after)


def widen(t: Tracer, before: Value | None, after: Value | None, turn: Size) -> Value:
    """A value for any trip, from the one before the first trip and the one after it."""
    if before is None or after is None:
        return after or before or t.lost("variable that is not always set")
    if alike(before, after):
        return _looped(t, before, after, with_fresh_unknowns(before, after))
    if isinstance(before, Seq) and isinstance(after, Seq) and len(before.items) == len(after.items):
        return joined(t, before, after)
    a, b = extent_of(before), extent_of(after)
    if a is not None and b is not None and isinstance(b - a, int):
        return _with_extent(t, before, after, a + turn * (b - a))
    if isinstance(before, Tensor) and isinstance(after, Tensor) and (growth := _growth(before, after)) is not None:
        axis, step = growth
        sizes = before.shape.sizes
        shape = Shape((*sizes[:axis], sizes[axis] + turn * step, *sizes[axis + 1 :]))
        value = generalise(before, after)
        return _looped(t, before, after, value.with_shape(shape) if isinstance(value, Tensor) else value)
    return _looped(t, before, after, generalise(before, after))


def _looped(t: Tracer, before: Value, after: Value, value: Value) -> Value:
    """A tensor that every trip gives anew comes from a loop step, which joins the one before the loop with a trip's."""
    if not isinstance(value, Tensor) or t.place is None or before == after:
        return value
    step = t.graph.add("loop", "loop", (before, after), (), t.place, tuple(t.call_stack.frames))
    step.result = replace(value, step=step.id, output=0)
    return step.result


def _growth(before: Tensor, after: Tensor) -> tuple[int, int] | None:
    """The one axis along which an array has become longer, and by how much."""
    if before.shape.rank is None or before.shape.rank != after.shape.rank or before.library != after.library:
        return None
    pairs = enumerate(zip(before.shape.sizes, after.shape.sizes, strict=True))
    found = [(axis, b - a) for axis, (a, b) in pairs if a != b]
    return found[0] if len(found) == 1 and isinstance(found[0][1], int) else None  # type: ignore[return-value]


def extent_of(value: Value) -> Size | None:
    """The number that a counter is, or the length of a sequence."""
    if isinstance(value, (Const, Int)):
        return as_size(value)
    if isinstance(value, (Seq, HomogeneousSeq)) and value.kind == "list":
        return len(value.items) if isinstance(value, Seq) else value.length
    return None


def _with_extent(t: Tracer, before: Value, after: Value, extent: Size) -> Value:
    if isinstance(before, (Const, Int)):
        return of_size(extent)
    element = joined_elements(t, before, after)
    return HomogeneousSeq("list", element, extent)


def is_made(cell: Cell, newest: int) -> bool:
    """Whether it is the contents of a container that a trip made: none had an address beyond this one before."""
    return cell[0] > newest and cell[1] in ("items", "many")


def _with_made(t: Tracer, made: Delta, newest: int, run: Callable[[], dict[Cell, Value]]) -> dict[Cell, Value]:
    """What is worked out while the containers that a trip made are there, with what becomes of those meanwhile."""
    mark = t.heap.mark()
    t.heap.apply({cell: value for cell, value in made.items() if value is not None and is_made(cell, newest)})
    result = run()
    mine = t.heap.undo(mark)
    joined = {cell: value for cell, value in mine.items() if value is not None and value is not made.get(cell)}
    return {**result, **joined}


def widen_all(t: Tracer, peeled: Delta, turn: Size, newest: int) -> dict[Cell, Value]:
    """What the first trip changed, as it is on any trip."""
    before = {cell: t.heap.get(cell) for cell in peeled}

    def run() -> dict[Cell, Value]:
        return {cell: widen(t, before[cell], value, turn) for cell, value in peeled.items()}

    return _with_made(t, peeled, newest, run)


def compare(
    t: Tracer, widened: dict[Cell, Value], after: Delta, turn: Size, newest: int
) -> tuple[bool, dict[Cell, Value]]:
    """Whether one more trip from the widened state stays within it; what does not is widened further."""
    before = {cell: t.heap.get(cell) for cell in after}
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
        if assumed is None and before is not None and value is not None and changed(before, value):
            stable = False  # the first trip left it as it was
            result[cell] = generalise(before, value)
            continue
        if assumed is None or before is None or value is None:
            result[cell] = value if value is not None else t.lost("variable that is not always set")
            continue
        if _steps_on(assumed, value, before, turn):
            continue
        if not counts(assumed, turn) and (alike(assumed, value) or subsumes(assumed, value)):
            continue
        stable = False
        if isinstance(assumed, HomogeneousSeq) and _grows_on(assumed, value, before, turn):
            result[cell] = replace(assumed, element=joined_elements(t, assumed, value))
        elif counts(assumed, turn):
            result[cell] = _lost_like(t, assumed, value, turn)
        else:
            result[cell] = generalise(assumed, value)
    return stable, result


def counts(value: Value, turn: Size) -> bool:
    """Whether a counter, a length or an axis is told by the number of turns."""
    if isinstance(turn, int):
        return False
    if isinstance(value, Tensor):
        return any(_told_by(size, turn) for size in value.shape.known)
    extent = extent_of(value)
    return extent is not None and _told_by(extent, turn)


def _told_by(size: Size, turn: Expr) -> bool:
    return not isinstance(size, int) and turn.symbols() <= size.symbols()


def _lost_like(t: Tracer, assumed: Value, value: Value, turn: Size) -> Value:
    if isinstance(assumed, Tensor) and not isinstance(turn, int):
        met = generalise(assumed, value)
        if not isinstance(met, Tensor):
            return met
        return after_iterations(met, turn, fresh("n", Kind.LOST, why="changes in a loop"))
    if isinstance(assumed, (Const, Int)):
        return Int(fresh("n", Kind.LOST, why="changes in a loop", low=None))
    many = as_homogeneous(assumed)
    element = joined_elements(t, assumed, value)
    return HomogeneousSeq(many.kind if many else "list", element, fresh("n", Kind.LOST, why="changes in a loop"))


def _steps_on(assumed: Value, after: Value, before: Value, turn: Size) -> bool:
    """Whether a counter went one step on, and what a list holds stayed within what was assumed of it."""
    if (
        isinstance(assumed, HomogeneousSeq)
        and isinstance(after, HomogeneousSeq)
        and not subsumes(assumed.element, after.element)
    ):
        return False
    return _grows_on(assumed, after, before, turn)


def _grows_on(assumed: Value, after: Value, before: Value, turn: Size) -> bool:
    """Whether an extent, or that of one axis, went from `a + d*k` to `a + d*(k+1)`."""
    if isinstance(assumed, Tensor):
        return isinstance(after, Tensor) and isinstance(before, Tensor) and _axis_grows_on(assumed, after, before, turn)
    a, b, start = extent_of(assumed), extent_of(after), extent_of(before)
    if a is None or b is None or start is None or isinstance(a, int) or isinstance(turn, int):
        return False
    if not turn.symbols() <= a.symbols() or type(assumed) is not type(after):
        return False
    return isinstance(b - a, int) and a == start + turn * (b - a)


def _axis_grows_on(assumed: Tensor, after: Tensor, before: Tensor, turn: Size) -> bool:
    growth = _growth(assumed, after)
    if growth is None or assumed.dtype not in (None, after.dtype) or not counts(assumed, turn):
        return False
    axis, step = growth
    return assumed.shape.sizes[axis] == before.shape.sizes[axis] + turn * step


def after_iterations(value: Value, turn: Expr, total: Size) -> Value:
    """What is told by the number of turns, after so many."""
    wanted = dict.fromkeys(turn.symbols(), total)
    if isinstance(value, Tensor) and not value.shape.is_ranked:
        return value
    if isinstance(value, Tensor):
        return value.with_shape(Shape(tuple(substitute(size, wanted) for size in value.shape.sizes)))
    extent = extent_of(value)
    assert extent is not None
    exact = substitute(extent, wanted)
    if isinstance(value, (Const, Int)):
        return of_size(exact)
    assert isinstance(value, HomogeneousSeq)
    return HomogeneousSeq(value.kind, value.element, exact)
