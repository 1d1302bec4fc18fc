"""The last trip of a loop whose last item differs from the others, as the last batch of a data set does."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.doubt import doubting
from shapecheck.dataflow.frame import Frame, Loop, PathEnds, Trip
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Size, ceildiv, ends_of, substitute, symbols
from shapecheck.values import NONE, Bound, Const, Int, Lost, Many, Range, Ref, Seq, Tensor, Value, as_size, walk

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

LAST = "__last__"


def last_item(t: Tracer, iterable: Value) -> Value | None:
    """The last item, for a program that takes all of them; None where it is like the others."""
    odd = odd_item(t, iterable)
    return None if odd is None else _taken(t, odd)


def odd_item(t: Tracer, iterable: Value) -> Value | None:
    """The item that more is known of than of the others; of a library's object, the method that gives it, since what is
    not taken is not computed."""
    match iterable:
        case Range():
            return last_number(iterable)
        case Many(odd=odd):
            return odd
        case Seq(items=(*_, item)):
            return item
        case Tensor(shape=Shape(head=(_,)), content=Seq(items=(*_, item))):
            return item
        case Ref(cls=cls) if cls not in ("list", "dict", "set", "user"):
            return t.context.get(iterable, LAST)
    return None


def _taken(t: Tracer, odd: Value) -> Value | None:
    """The item, with what only a method gives."""
    if isinstance(odd, Bound) and odd.name == LAST:
        item = t.call_now(odd, [])
        return None if item == NONE else item
    if isinstance(odd, Seq):
        items = [_taken(t, item) for item in odd.items]
        return None if None in items else Seq(odd.kind, tuple(item for item in items if item is not None))
    return odd


def last_items(t: Tracer, iterable: Value, later: Value, turn: Size) -> list[Value]:
    """The items that a loop over all of them certainly meets and that differ from what `later` ones look like."""
    odd = last_item(t, iterable)
    return [odd] if odd is not None and (is_cut(t, turn) or _matters(t, odd, later)) else []


def last_number(numbers: Range) -> Const | None:
    """The last number of a range, where that is known."""
    match numbers:
        case Range(start=int(start), stop=int(stop), step=int(step)) if step and range(start, stop, step):
            return Const(range(start, stop, step)[-1])
    return None


def _matters(t: Tracer, odd: Value, later: Value) -> bool:
    """Whether another trip tells more: for an array of another shape, or a number that a slice may end beyond."""
    counters = [part.size for part in walk(later) if isinstance(part, Int)]
    if any(isinstance(part, Tensor) for part in (*walk(odd), *walk(later))):
        return True
    return any(is_cut(t, size) or ends_of(size)[0] is None for size in counters)


def is_cut(t: Tracer, counter: Size) -> bool:
    """Whether a slice that depends on a counter may have been cut off at the end of an array."""
    return not t.cuts.isdisjoint(symbols(counter))


def turns(t: Tracer, test: ir.Expr, frame: Frame, turn: Size) -> Size | None:
    """How many trips a `while` takes that compares a counter with a limit, from their values on trip number `turn`."""
    if not isinstance(test, ir.Compare) or len(test.ops) != 1 or test.ops[0] not in ("<", "<=", ">", ">="):
        return None
    left, right = as_size(t.evaluate(test.left, frame)), as_size(t.evaluate(test.rights[0], frame))
    if left is None or right is None:
        return None
    room = (right - left if "<" in test.ops[0] else left - right) + ("=" in test.ops[0])
    at_first = substitute(room, dict.fromkeys(symbols(turn), 0))
    pace = substitute(room, dict.fromkeys(symbols(turn), 1)) - at_first
    if not isinstance(at_first, int) or not isinstance(pace, int) or pace >= 0 or room != at_first + turn * pace:
        return None
    return ceildiv(max(0, at_first), -pace)


def last_trip(
    t: Tracer, bodies: list[Callable[[], bool]], restore: Callable[[], None], frame: Frame, now: Lost
) -> None:
    """Runs the body once more for each last item, in the state before it, which `restore` makes; the loop began
    `now`.  Who asks a generator for items need not take the last."""
    for body in bodies:
        mark, facts, guards = t.store.mark(), t.facts, t.guards
        begin, returns = len(t.clashes), len(frame.returns)
        frame.loops.append(Loop(mark, Trip.LAST))
        try:
            with doubting(t, now) as starts:
                starts += [begin, begin]
                restore()
                body()
        except PathEnds:
            pass
        finally:
            frame.loops.pop()
            del frame.returns[returns:]
            t.store.undo(mark)
            t.facts, t.guards = facts, guards
        if frame.yields:
            del t.clashes[begin:]
