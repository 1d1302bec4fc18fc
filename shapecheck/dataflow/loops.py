"""Loops: unrolled where the trips are known and few; otherwise the first trip, then a fixed point.

A variable that grows by the same amount on every trip (a counter, a list that is appended to) keeps its exact value
after a known number of trips.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.assignment import assign
from shapecheck.dataflow.closing import is_cut, last_items, last_trip, turns
from shapecheck.dataflow.doubt import doubting
from shapecheck.dataflow.frame import Exit, Frame, Loop, PathEnds, Trip
from shapecheck.dataflow.growth import after_turns, changed, compare, counts, is_made, widen_all
from shapecheck.dataflow.renew import Renewal
from shapecheck.dataflow.store import Cell, Delta
from shapecheck.shapes.facts import AtLeast
from shapecheck.shapes.size import Expr, Kind, Size, ends_of, fresh
from shapecheck.source import Place
from shapecheck.values import NONE, Lost, Many, Range, Ref, Seq, Tensor, Value, as_size, of_size

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

MAX_UNROLLED = 24
MAX_UNROLLED_WORK = 4000
MAX_ROUNDS = 4


def _execute(t: Tracer, body: Sequence[ir.Stmt], frame: Frame) -> bool:
    from shapecheck.dataflow.statements import execute

    return execute(t, body, frame)


def for_(t: Tracer, node: ir.For, frame: Frame) -> bool:
    iterable = t.evaluate(node.iter, frame)
    with t.at(Place(frame.source, node.iter.start, node.iter.end)):
        elements = t.context.elements(iterable)
        if elements is not None and len(elements) <= MAX_UNROLLED and t.unrolled < MAX_UNROLLED_WORK:
            return _unroll(t, node, elements, frame)
        now = Lost("the loop begins")
        first, later, trips = _trips(t, iterable)
    if trips == 0:
        return _execute(t, node.orelse, frame)

    def body(element: Value) -> Callable[[], bool]:
        def run() -> bool:
            _assume_entered(t, iterable)
            assign(t, node.target, element, frame)
            return _execute(t, node.body, frame)

        return run

    def last(turn: Size) -> list[Callable[[], bool]]:
        return [body(item) for item in last_items(t, iterable, later, turn)]

    begin = body(first) if first is not None else None
    certain = isinstance(trips, int) and trips > 0
    alive = _fixed_point(t, begin, body(later), lambda turn: trips, last, frame, now, later, certain=certain)
    return alive and _execute(t, node.orelse, frame)


def _assume_entered(t: Tracer, iterable: Value) -> None:
    """A loop over a range has a trip only where that is not empty."""
    if isinstance(iterable, Range) and (ends_of(iterable.step)[0] or 0) > 0:
        t.facts = t.facts.add(AtLeast(iterable.stop - 1, iterable.start))


def _trips(t: Tracer, iterable: Value) -> tuple[Value | None, Value, Size | None]:
    """The first item where it differs from later ones, what later ones look like, and how many there are."""
    frozen = t.context.freeze(iterable, deep=False)
    later = t.context.element(frozen)
    if isinstance(frozen, Range):
        return of_size(frozen.start), later, t.context.length(frozen)
    if isinstance(frozen, Many):
        return frozen.first, later, frozen.length
    if isinstance(frozen, (Seq, Tensor)):
        return None, later, t.context.length(frozen)
    method = t.context.get(frozen, "__len__") if isinstance(frozen, Ref) and frozen.cls != "user" else None
    return None, later, None if method is None else as_size(t.context.call(method, []))


def _unroll(t: Tracer, node: ir.For, elements: Sequence[Value], frame: Frame) -> bool:
    """Each trip in turn; the ways out by `break` join what is left after the last trip."""
    facts, guards = t.facts, t.guards
    loop = Loop(t.store.mark(), Trip.KNOWN)
    frame.loops.append(loop)
    alive = True
    t.unrolled += len(elements) * max(1, len(node.body))
    with doubting(t, Lost("the loop begins")) as starts:
        for element in elements:
            loop.continues = []
            starts.append(len(t.clashes))
            alive = _trip(t, node, element, frame)
            if loop.continues:
                alive = _rejoin(t, loop, alive, facts, guards)
            if not alive:
                break
    frame.loops.pop()
    if alive:
        alive = _execute(t, node.orelse, frame)
    return _leave(t, loop, alive, facts, guards)


def _trip(t: Tracer, node: ir.For, element: Value, frame: Frame) -> bool:
    try:
        assign(t, node.target, element, frame)
    except PathEnds:
        return False
    return _execute(t, node.body, frame)


def _rejoin(t: Tracer, loop: Loop, alive: bool, facts: object, guards: dict[Value, bool]) -> bool:
    """Joins the ways that `continue` took with the end of the body."""
    exits = list(loop.continues)
    if alive:
        exits.append(t.exit(loop.mark, NONE))
    before = t.facts
    t.store.rollback(loop.mark)
    t.join_exits(exits, before, guards)
    return True


def _leave(t: Tracer, loop: Loop, alive: bool, facts: object, guards: dict[Value, bool]) -> bool:
    """Joins the ways that `break` took with the regular end of the loop."""
    if not loop.breaks:
        return alive
    exits = list(loop.breaks)
    if alive:
        exits.append(t.exit(loop.mark, NONE))
    before = t.facts
    t.store.rollback(loop.mark)
    t.join_exits(_apart(exits), before, guards)
    return True


def _apart(exits: Sequence[Exit]) -> list[Exit]:
    """The ways out of a loop with a condition each: what several variables are belongs to the same way."""
    taken: dict[Value, bool] = {}
    result = []
    for way in exits:
        here = Lost("the way out of a loop")
        last = way is exits[-1]
        result.append(replace(way, guards={**way.guards, **taken} if last else {**way.guards, **taken, here: True}))
        taken[here] = False
    return result


def while_(t: Tracer, node: ir.While, frame: Frame) -> bool:
    test = t.evaluate(node.test, frame)
    known = t.truth(test)
    if known is False:
        return _execute(t, node.orelse, frame)
    endless = isinstance(node.test, ir.Const) and known is True
    if known and not endless:
        alive = _unroll_while(t, node, frame)
        if alive is not None:
            return alive
        test = t.evaluate(node.test, frame)

    now = Lost("the loop begins")

    def first() -> bool:
        t.assume(test, True)
        return _execute(t, node.body, frame)

    def later() -> bool:
        again = t.evaluate(node.test, frame)
        t.assume(again, True)
        return _execute(t, node.body, frame)

    begin = first if known is not True else None

    def last(turn: Size) -> list[Callable[[], bool]]:
        return [later] if is_cut(t, turn) else []

    count = partial(turns, t, node.test, frame)
    alive = _fixed_point(t, begin, later, count, last, frame, now, endless=endless)
    return alive and _execute(t, node.orelse, frame)


def _unroll_while(t: Tracer, node: ir.While, frame: Frame) -> bool | None:
    """Each turn while the test is known; None, and nothing done, where that comes to no end soon."""
    facts, guards, returns = t.facts, t.guards, len(frame.returns)
    loop = Loop(t.store.mark(), Trip.KNOWN)
    frame.loops.append(loop)
    known: bool | None = True
    alive = True
    turns = 0
    gap = _gap(t, node.test, frame)
    with doubting(t, Lost("the loop begins")) as starts:
        while known and alive:
            t.unrolled += max(1, len(node.body))
            turns += 1
            loop.continues = []
            starts.append(len(t.clashes))
            alive = _execute(t, node.body, frame)
            if loop.continues:
                alive = _rejoin(t, loop, alive, facts, guards)
            if alive:
                before, gap = gap, _gap(t, node.test, frame)
                try:
                    known = t.truth(t.evaluate(node.test, frame))
                except PathEnds:
                    known = alive = False
                if known and (turns >= MAX_UNROLLED or t.unrolled >= MAX_UNROLLED_WORK or _is_far(before, gap)):
                    known = None
    frame.loops.pop()
    if alive and known is None:
        t.store.rollback(loop.mark)
        t.facts, t.guards = facts, guards
        del frame.returns[returns:]
        return None
    if alive:
        alive = _execute(t, node.orelse, frame)
    return _leave(t, loop, alive, facts, guards)


def _gap(t: Tracer, test: ir.Expr, frame: Frame) -> int | None:
    """How far the two sides of a comparison of names are apart."""
    if not isinstance(test, ir.Compare) or len(test.rights) != 1:
        return None
    sides = (test.left, test.rights[0])
    if not all(isinstance(side, (ir.Name, ir.Const, ir.Attribute)) for side in sides):
        return None
    left, right = (as_size(t.evaluate(side, frame)) for side in sides)
    return left - right if isinstance(left, int) and isinstance(right, int) else None


def _is_far(before: int | None, gap: int | None) -> bool:
    """Whether closing the gap at this pace takes more turns than are followed."""
    if before is None or gap is None:
        return False
    return abs(gap) > MAX_UNROLLED * abs(gap - before)


def _fixed_point(
    t: Tracer,
    first: Callable[[], bool] | None,
    later: Callable[[], bool],
    count: Callable[[Size], Size | None],
    last: Callable[[Size], list[Callable[[], bool]]],
    frame: Frame,
    now: Lost,
    item: Value | None = None,
    *,
    endless: bool = False,
    certain: bool = False,
) -> bool:
    """Finds values that hold on every trip, then continues after the loop with them; it begins `now`, each trip is
    about an `item`, and whether there is a first one is `certain`."""
    facts, guards = t.facts, t.guards
    loop = Loop(t.store.mark(), Trip.FIRST if certain else Trip.ANY)
    frame.loops.append(loop)
    returns = len(frame.returns)
    turn = fresh("k", Kind.LOST, why="number of turns so far")
    newest = t.store.address()
    with doubting(t, now, item) as starts:
        starts.append(len(t.clashes))
        peeled, alive = _turn(t, loop, first or later)
        broke, loop.trip = bool(loop.breaks), Trip.ANY
        widened = widen_all(t, peeled, turn, newest)
        stable = first is None and not any(changed(t.store.get(cell), value) for cell, value in peeled.items())
        final = peeled
        rounds = 0
        while not stable and alive and rounds < MAX_ROUNDS:
            del starts[1:], frame.returns[returns:]
            starts.append(len(t.clashes))
            loop.breaks = []
            t.facts, t.guards = facts, guards
            t.store.apply({cell: v for cell, v in widened.items() if t.store.get(cell) or is_made(cell, newest)})
            final, alive = _turn(t, loop, later)
            t.store.rollback(loop.mark)
            stable, widened = compare(t, widened, final, turn, newest)
            rounds += 1
    frame.loops.pop()
    t.facts, t.guards = facts, guards
    if not alive and not loop.breaks:
        return not endless
    made = {cell: value for cell, value in widened.items() if is_made(cell, newest)}
    final = {**(final if stable else widened), **made}
    trips = _counted(t, count, widened, turn, newest)
    if stable and alive and not (broke or loop.breaks or len(frame.returns) > returns):
        before = None if trips is None else trips - 1
        last_trip(t, last(turn), lambda: _after(t, final, widened, before, turn, now), frame, now)
    _after(t, final, widened, trips, turn, now)
    if endless:
        return _leave_endless(t, loop, guards)
    return _leave(t, loop, True, facts, guards)


def _counted(
    t: Tracer, count: Callable[[Size], Size | None], widened: dict[Cell, Value], turn: Size, newest: int
) -> Size | None:
    """How many trips there are, as the state of any trip tells."""
    mark = t.store.mark()
    t.store.apply({cell: v for cell, v in widened.items() if t.store.get(cell) or is_made(cell, newest)})
    try:
        return count(turn)
    except PathEnds:
        return None
    finally:
        t.store.rollback(mark)


def _turn(t: Tracer, loop: Loop, body: Callable[[], bool]) -> tuple[Delta, bool]:
    """One trip from the present state; returns what it changed and leaves the state as it was before the trip."""
    loop.continues = []
    mark = t.store.mark()
    guards = t.guards
    try:
        alive = body()
    except PathEnds:
        alive = False
    if loop.continues:
        alive = _rejoin_here(t, loop, mark, alive, guards)
    return t.store.undo(mark), alive


def _rejoin_here(t: Tracer, loop: Loop, mark: int, alive: bool, guards: dict[Value, bool]) -> bool:
    exits = list(loop.continues)
    if alive:
        exits.append(t.exit(loop.mark, NONE))
    before = t.facts
    t.store.rollback(mark)
    t.join_exits(exits, before, guards)
    return True


def _after(
    t: Tracer, final: Delta | dict[Cell, Value], widened: dict[Cell, Value], trips: Size | None, turn: Expr, now: Lost
) -> None:
    """The state after the loop: counters take their value after the known number of trips; what is unknown at the end
    of a trip is not what was so at its beginning, where it was tested."""
    total = trips if trips is not None else fresh("k", Kind.LOST, why="number of turns of a loop")
    at_end = Renewal((next(iter(turn.symbols())), now))
    for cell, value in widened.items():
        if cell not in final and t.store.get(cell) is None:
            continue
        if counts(value, turn):
            t.store.set(cell, after_turns(value, turn, total))
            continue
        last = final.get(cell)
        t.store.set(cell, at_end.value(value) if last is None or t.store.get(cell) is not None else last)


def _leave_endless(t: Tracer, loop: Loop, guards: dict[Value, bool]) -> bool:
    """A `while True` ends only by `break`."""
    exits = list(loop.breaks)
    if not exits:
        return False
    before = t.facts
    t.store.rollback(loop.mark)
    t.join_exits(exits, before, guards)
    return True
