"""Widening: the changes of a loop are generalised to any iteration; linear growth keeps its exact value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from shapecheck.dataflow.containers.item_join import either, joined, joined_elements
from shapecheck.dataflow.flow.made_in_loops import Made
from shapecheck.dataflow.state.heap import Cell, Delta
from shapecheck.domain.join import alike, ambiguous, as_homogeneous, generalise, subsumes, with_fresh_unknowns
from shapecheck.domain.values import (
    Choice,
    Const,
    HomogeneousSeq,
    Int,
    Lost,
    Ref,
    Scalar,
    Seq,
    Tensor,
    Value,
    as_size,
    of_size,
    walk,
)
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Expr, Kind, Size, fresh, substitute

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

IS_FIRST = "whether an iteration is the first one"
EITHER = "which of two values a variable has in a loop"


def changed(before: Value | None, after: Value | None) -> bool:
    """Return whether two known values differ."""
    return before is not None and after is not None and not alike(before, after)


def widen(t: Tracer, before: Value | None, after: Value | None, number: Size, is_first: Lost, made: Made) -> Value:
    """Return a value for any iteration, from those before and after the first one.

    Values of two kinds, as of a variable that is None until the first iteration sets it, are alternatives under the
    condition `is_first`.
    """
    if before is None or after is None:
        return after or before or t.lost("variable that may be unset")
    if alike(before, after):
        return _loop_value(t, before, after, with_fresh_unknowns(before, after))
    if isinstance(before, Seq) and isinstance(after, Seq) and len(before.items) == len(after.items):
        return joined(t, before, after)
    a, b = extent_of(before), extent_of(after)
    if a is not None and b is not None and isinstance(b - a, int):
        return _with_extent(t, before, after, a + number * (b - a))
    if isinstance(before, Tensor) and isinstance(after, Tensor) and (growth := _growth(before, after)) is not None:
        axis, step = growth
        sizes = before.shape.sizes
        shape = Shape((*sizes[:axis], sizes[axis] + number * step, *sizes[axis + 1 :]))
        value = generalise(before, after)
        return _loop_value(t, before, after, value.with_shape(shape) if isinstance(value, Tensor) else value)
    found = _one_of(t, made, Lost(EITHER) if isinstance(after, Choice) else is_first, before, after)
    return _loop_value(t, before, after, generalise(before, after)) if found is None else found


def widen_further(t: Tracer, assumed: Value, value: Value, made: Made) -> Value:
    """Return a value that covers the assumed one and that after another iteration."""
    found = _one_of(t, made, Lost(EITHER), assumed, value)
    return generalise(assumed, value) if found is None else found


def covers(t: Tracer, assumed: Value, value: Value) -> bool:
    """Return whether a value for any iteration covers that after another iteration."""
    later = after_the_first(assumed)
    if alike(later, value) or subsumes(later, value):
        return True
    return all(any(_one_covers(t, kind, each) for kind in _options(later)) for each in _options(value))


def _options(value: Value) -> list[Value]:
    return [option for _, option in value.options] if isinstance(value, Choice) else [value]


def _one_covers(t: Tracer, assumed: Value, value: Value) -> bool:
    """Return whether a value without alternatives, or a list that stands for those of several iterations, covers
    another one."""
    if subsumes(assumed, value):
        return True
    if not _is_list(assumed) or not _is_list(value):
        return False
    return subsumes(t.freeze(assumed, deep=False), t.freeze(value, deep=False))


def after_the_first(value: Value) -> Value:
    """Return a value for any iteration after the first one."""
    match value:
        case Choice(options=((((Lost(reason=reason), True),), _), (_, later))) if reason == IS_FIRST:
            return later
    return value


def _one_of(t: Tracer, made: Made, is_first: Lost, *values: Value) -> Value | None:
    """Return what covers values of one or two kinds, those of the first kind under a condition; None if they are of
    more kinds, or differ within a kind."""
    kinds: list[Value] = []
    for value in (option for each in values for option in _options(each)):
        if not _is_plain(value, made):
            return None
        at = next((at for at, kind in enumerate(kinds) if _is_plain(_both(t, kind, value), made)), None)
        if at is None:
            kinds.append(value)
        else:
            kinds[at] = _both(t, kinds[at], value)
    if not any(map(_is_list, kinds)) and len(kinds) == 1:
        return None
    if len(kinds) > 2:
        return None
    if len(kinds) == 1:
        return kinds[0]
    return Choice(((((is_first, True),), kinds[0]), (((is_first, False),), kinds[1])))


def _both(t: Tracer, a: Value, b: Value) -> Value:
    """Return one value that covers both."""
    return either(t, a, b) if _is_list(a) and _is_list(b) else generalise(a, b)


def _is_list(value: Value) -> bool:
    return isinstance(value, Ref) and value.cls == "list"


def _is_plain(value: Value, made: Made) -> bool:
    """Return whether a value is known, without alternatives and without objects that an iteration may have made."""
    parts = list(walk(value))
    is_new = (isinstance(part, Ref) and part.address > made.newest for part in parts)
    return _is_list(value) or not (any(is_new) or any(isinstance(part, (Lost, Choice)) for part in parts))


def _loop_value(t: Tracer, before: Value, after: Value, value: Value) -> Value:
    """Return a tensor that is new in each iteration as the result of a loop step.

    The step joins the tensor before the loop with that of an iteration.
    """
    if not isinstance(value, Tensor) or t.place is None or before == after:
        return value
    step = t.graph.add("loop", "loop", (before, after), (), t.place, tuple(t.call_stack.frames))
    step.result = replace(value, step=step.id, output=0, is_ambiguous=False)
    return step.result


def _growth(before: Tensor, after: Tensor) -> tuple[int, int] | None:
    """Return the only axis along which an array has changed its size, and the difference."""
    if before.shape.rank is None or before.shape.rank != after.shape.rank or before.library != after.library:
        return None
    pairs = enumerate(zip(before.shape.sizes, after.shape.sizes, strict=True))
    found = [(axis, b - a) for axis, (a, b) in pairs if a != b]
    return found[0] if len(found) == 1 and isinstance(found[0][1], int) else None  # type: ignore[return-value]


def extent_of(value: Value) -> Size | None:
    """Return the number in a counter, or the length of a list."""
    if isinstance(value, (Const, Int)):
        return as_size(value)
    if isinstance(value, (Seq, HomogeneousSeq)) and value.kind == "list":
        return len(value.items) if isinstance(value, Seq) else value.length
    return None


def _with_extent(t: Tracer, before: Value, after: Value, extent: Size) -> Value:
    """Return a counter, or a list, with this extent."""
    if isinstance(before, (Const, Int)):
        return of_size(extent)
    element = ambiguous(joined_elements(t, before, after))
    return HomogeneousSeq("list", element, extent)


def _with_new_containers(
    t: Tracer, new_containers: Delta, made: Made, run: Callable[[], dict[Cell, Value]]
) -> dict[Cell, Value]:
    """Return the result of `run` in a state with the containers that an iteration made, and their final contents."""
    mark = t.heap.mark()
    t.heap.apply({cell: value for cell, value in new_containers.items() if value is not None and made.holds(cell)})
    result = run()
    changes = t.heap.undo(mark)
    joined = {
        cell: value for cell, value in changes.items() if value is not None and value is not new_containers.get(cell)
    }
    return {**result, **joined}


def widen_all(t: Tracer, peeled: Delta, number: Size, made: Made) -> dict[Cell, Value]:
    """Return the changes of the first iteration, widened to any iteration."""
    before = {cell: t.heap.get(cell) for cell in peeled}
    is_first = Lost(IS_FIRST)

    def run() -> dict[Cell, Value]:
        return {cell: widen(t, before[cell], value, number, is_first, made) for cell, value in peeled.items()}

    return _with_new_containers(t, peeled, made, run)


def changing_numbers(t: Tracer, peeled: Delta, widened: dict[Cell, Value]) -> set[int]:
    """Return the serials of widened numbers that the first iteration has changed."""
    found = set()
    for cell, value in widened.items():
        first, second = t.heap.get(cell), peeled.get(cell)
        is_number = isinstance(first, Const) and type(first.value) in (int, float)
        if isinstance(value, Scalar) and is_number and isinstance(second, Const) and first != second:
            found.add(value.serial)
    return found


def compare(
    t: Tracer, widened: dict[Cell, Value], after: Delta, number: Size, made: Made
) -> tuple[bool, dict[Cell, Value]]:
    """Return whether one more iteration subsumes the widened state, and the state widened further if not."""
    before = {cell: t.heap.get(cell) for cell in after}
    stable = [True]

    def run() -> dict[Cell, Value]:
        stable[0], result = _compared(t, widened, after, number, made, before)
        return result

    result = _with_new_containers(t, {**widened, **after}, made, run)
    return stable[0], result


def _compared(
    t: Tracer, widened: dict[Cell, Value], after: Delta, number: Size, made: Made, at_start: Delta
) -> tuple[bool, dict[Cell, Value]]:
    """Return whether each cell after an iteration is subsumed, and the state widened further if not."""
    stable = True
    result = dict(widened)
    for cell, value in after.items():
        assumed = widened.get(cell)
        before = assumed if made.holds(cell) else at_start[cell]
        if assumed is None and before is not None and value is not None and changed(before, value):
            stable = False  # the first iteration did not change it
            result[cell] = widen(t, before, value, number, Lost(EITHER), made)
            continue
        if assumed is None or before is None or value is None:
            result[cell] = _value_of_some(t, before, value)
            continue
        if _advances(assumed, value, before, number):
            continue
        if not depends_on_iterations(assumed, number) and covers(t, assumed, value):
            continue
        stable = False
        if isinstance(assumed, HomogeneousSeq) and _extent_advances(assumed, value, before, number):
            result[cell] = replace(assumed, element=joined_elements(t, assumed, value))
        elif depends_on_iterations(assumed, number):
            result[cell] = _with_lost_extent(t, assumed, value, number)
        else:
            result[cell] = widen_further(t, assumed, value, made)
    return stable, result


def _value_of_some(t: Tracer, before: Value | None, value: Value | None) -> Value:
    """Return the value of a cell that not every iteration sets."""
    if value is None:
        return t.lost("variable that may be unset")
    return value if before is None else ambiguous(value)


def depends_on_iterations(value: Value, number: Size) -> bool:
    """Return whether a counter, a length or a size of an axis depends on the number of iterations."""
    if isinstance(number, int):
        return False
    if isinstance(value, Tensor):
        return any(_depends_on(size, number) for size in value.shape.known)
    extent = extent_of(value)
    return extent is not None and _depends_on(extent, number)


def _depends_on(size: Size, number: Expr) -> bool:
    """Return whether a size depends on the number of iterations."""
    return not isinstance(size, int) and number.symbols() <= size.symbols()


def _with_lost_extent(t: Tracer, assumed: Value, value: Value, number: Size) -> Value:
    """Return a value like the assumed one, but with a lost extent."""
    if isinstance(assumed, Tensor) and not isinstance(number, int):
        joined_value = generalise(assumed, value)
        if not isinstance(joined_value, Tensor):
            return joined_value
        return after_iterations(joined_value, number, fresh("n", Kind.LOST, why="changed in a loop"))
    if isinstance(assumed, (Const, Int)):
        return Int(fresh("n", Kind.LOST, why="changed in a loop", low=None))
    sequence = as_homogeneous(assumed)
    element = joined_elements(t, assumed, value)
    return HomogeneousSeq(
        sequence.kind if sequence else "list", element, fresh("n", Kind.LOST, why="changed in a loop")
    )


def _advances(assumed: Value, after: Value, before: Value, number: Size) -> bool:
    """Return whether a value grew as assumed in one iteration, and the items of a list are subsumed."""
    if (
        isinstance(assumed, HomogeneousSeq)
        and isinstance(after, HomogeneousSeq)
        and not subsumes(assumed.element, after.element)
    ):
        return False
    return _extent_advances(assumed, after, before, number)


def _extent_advances(assumed: Value, after: Value, before: Value, number: Size) -> bool:
    """Return whether an extent, or one size of an array, changed from `a + d*k` to `a + d*(k+1)`."""
    if isinstance(assumed, Tensor):
        return (
            isinstance(after, Tensor) and isinstance(before, Tensor) and _axis_advances(assumed, after, before, number)
        )
    a, b, start = extent_of(assumed), extent_of(after), extent_of(before)
    if a is None or b is None or start is None or isinstance(a, int) or isinstance(number, int):
        return False
    if not number.symbols() <= a.symbols() or type(assumed) is not type(after):
        return False
    return isinstance(b - a, int) and a == start + number * (b - a)


def _axis_advances(assumed: Tensor, after: Tensor, before: Tensor, number: Size) -> bool:
    """Return whether the size of one axis changed from `a + d*k` to `a + d*(k+1)`."""
    growth = _growth(assumed, after)
    if growth is None or assumed.dtype not in (None, after.dtype) or not depends_on_iterations(assumed, number):
        return False
    axis, step = growth
    return assumed.shape.sizes[axis] == before.shape.sizes[axis] + number * step


def after_iterations(value: Value, number: Expr, total: Size) -> Value:
    """Return a value that depends on the number of iterations, after `total` of them."""
    substitution = dict.fromkeys(number.symbols(), total)
    if isinstance(value, Tensor) and not value.shape.is_ranked:
        return value
    if isinstance(value, Tensor):
        return value.with_shape(Shape(tuple(substitute(size, substitution) for size in value.shape.sizes)))
    extent = extent_of(value)
    assert extent is not None
    exact = substitute(extent, substitution)
    if isinstance(value, (Const, Int)):
        return of_size(exact)
    assert isinstance(value, HomogeneousSeq)
    return HomogeneousSeq(value.kind, value.element, exact)
