"""Iteration over values: their items if they are known, a value that covers any item, and the number of items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shapecheck.dataflow.containers.allocation import allocated
from shapecheck.dataflow.containers.item_join import either
from shapecheck.dataflow.objects import declared_classes
from shapecheck.dataflow.objects.aliases import among, part_of
from shapecheck.dataflow.objects.attributes import find_attribute
from shapecheck.dataflow.objects.library_methods import run_method
from shapecheck.dataflow.objects.mro import class_attribute
from shapecheck.dataflow.paths.case_split import for_each_alternative
from shapecheck.dataflow.state.path import PathEnds
from shapecheck.domain.alternatives import one_of_objects
from shapecheck.domain.freshen import another
from shapecheck.domain.join import NOTHING, generalise
from shapecheck.domain.values import (
    CONTAINERS,
    Choice,
    Class,
    Const,
    Dict,
    Function,
    HomogeneousSeq,
    Int,
    Lost,
    Method,
    Range,
    Ref,
    Seq,
    Tensor,
    Value,
    extent,
    items_of,
)
from shapecheck.ir import FunctionDef, Return
from shapecheck.shapes.facts import AtLeast, Verdict
from shapecheck.shapes.size import Expr, Kind, Size, bounds_with_counters, ceildiv, counter, fresh, maximum, symbols
from shapecheck.shapes.solve import decide
from shapecheck.shapes.symbol import Symbol

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

MAX_LETTERS = 256
MAX_ITEMS = 4096
MAX_ROWS = 32
MAX_ASKED = 4
ITEMS = "__items__"
"""The method of library objects that hold other objects, as modules do: it returns the list of these."""


def contents(t: Tracer, value: Value) -> Value:
    """Return what an iteration over a value goes through, frozen."""
    if not isinstance(value, Ref) or value.cls in CONTAINERS:
        return t.freeze(value, deep=False)
    cls = t.heap.get((value.address, "__class__"))
    method = class_attribute(t, cls, "__iter__") if isinstance(cls, Class) else None
    if method is not None:
        return _delegated(t, value, method)
    held = run_method(t, value, ITEMS, [])
    return t.freeze(value if held is None else held, deep=False)


def _delegated(t: Tracer, owner: Ref, method: Value) -> Value:
    """Return what an object iterates over: what its `__iter__` returns if it does nothing else, or the object."""
    if t.place is None or not isinstance(method, Function) or not only_returns(t, method.key):
        return owner
    produced = t.call_here(Method(owner, method), [])
    return owner if isinstance(produced, (Ref, Lost)) else produced


def only_returns(t: Tracer, key: int) -> bool:
    """Return whether a method `__iter__` of the program is one `return`, so that no item has been taken before."""
    node = t.functions[key].node
    return isinstance(node, FunctionDef) and node.name == "__iter__" and [type(each) for each in node.body] == [Return]


def elements(t: Tracer, value: Value) -> tuple[Value, ...] | None:
    """Return the items of an iteration over a value, if their number is known and small."""
    frozen = contents(t, value)
    items = items_of(frozen)
    if items is not None:
        return _known_items(t, frozen, items)
    match frozen:
        case Dict(items=pairs, rest=None):
            return tuple(key for key, _ in pairs)
        case Const(value=str(text)) if len(text) <= MAX_LETTERS:
            return tuple(Const(letter) for letter in text)
        case Tensor() if frozen.shape.is_ranked and frozen.shape.rank:
            size = frozen.shape.sizes[0]
            if isinstance(size, int) and size <= MAX_ROWS:
                return tuple(_row(t, frozen, Const(i)) for i in range(size))
        case HomogeneousSeq(items=tuple(given)):
            return tuple(allocated(t, item) for item in given)
        case HomogeneousSeq(element=item, length=int(size), since=since) if size <= MAX_ROWS:
            return tuple(another(item, since) for _ in range(size))
        case Choice(options=options):
            rows = [(guard, elements(t, option)) for guard, option in options]
            counts = {-1 if row is None else len(row) for _, row in rows}
            if len(counts) == 1 and counts != {-1}:
                return tuple(t.join([(g, row[i]) for g, row in rows if row]) for i in range(counts.pop()))
        case Ref(cls="user" | "collections.namedtuple"):
            return declared_classes.items(t, frozen)
        case Class():
            known = declared_classes.members(t, frozen)
            return None if known is None else tuple(known.values())
    return None


def _known_items(t: Tracer, owner: Value, items: tuple[Value, ...]) -> tuple[Value, ...] | None:
    """Return known items, unless there are too many; the items of an array are its rows."""
    if isinstance(owner, Tensor) and len(items) <= MAX_ITEMS:
        return tuple(_row(t, owner, Const(at)) for at in range(len(items)))
    return items if len(items) <= MAX_ITEMS else None


def element(t: Tracer, value: Value) -> Value:
    """Return a value that covers each item of an iteration over a value."""
    frozen = contents(t, value)
    match frozen:
        case HomogeneousSeq(element=item, since=since):
            known = t.lost("item of an empty sequence") if item == NOTHING else another(item, since)
            return allocated(t, known) if frozen.kind == "generator" else known
        case Seq(items=items):
            return _any_item(t, items)
        case Range(start=start, stop=stop, step=step):
            return _range_item(start, stop, step)
        case Dict(items=pairs):
            return _any_item(t, tuple(key for key, _ in pairs)) if pairs else t.lost("key of a dict")
        case Tensor() if _has_no_rows(t, frozen):
            return t.lost("item of an empty array")
        case Tensor():
            return _row(t, frozen, Int(fresh("i", Kind.LOST, why="position in an iteration")))
        case Ref():
            return _iterated_object(t, frozen)
        case Const(value=str()):
            return t.lost("character of a string")
        case Choice():
            return for_each_alternative(t, [frozen], lambda values: element(t, values[0]))
    return part_of(t, t.lost("item of a lost value"), frozen)


def _any_item(t: Tracer, items: Sequence[Value]) -> Value:
    """Return a value that covers all items, or a choice of a few containers."""
    if not items:
        return t.lost("item of an empty sequence")
    if alternatives := one_of_objects(items):
        return Choice(tuple(alternatives))
    item = items[0]
    for other in items[1:64]:
        item = generalise(item, other)
    return among(t, item, items)


def _range_item(start: Size, stop: Size, step: Size) -> Value:
    """Return a counter that covers the numbers of a range."""
    low, high = bounds_with_counters(step)
    if low is not None and low >= 0:
        return Int(counter("i", origin=None, why="loop counter", lower=start, upper=stop - 1))
    if high is not None and high < 0:
        return Int(counter("i", origin=None, why="loop counter", lower=stop + 1, upper=start))
    return Int(fresh("i", Kind.LOST, why="loop counter", low=None))


def _row(t: Tracer, tensor: Tensor, index: Value) -> Value:
    """Return one row of a tensor."""
    return t.get_item(tensor, index, t.place) if t.place is not None else tensor


def _has_no_rows(t: Tracer, tensor: Tensor) -> bool:
    """Return whether an array is certainly empty on the present path, so that nothing runs for its items."""
    rows = tensor.shape.size(0)
    return rows == 0 or (isinstance(rows, Expr) and decide(t.path.facts, AtLeast(rows, 1)) is Verdict.NEVER)


def _iterated_object(t: Tracer, owner: Ref) -> Value:
    """Return an item of an object with `__iter__` or `__getitem__`."""
    method = find_attribute(t, owner, "__iter__")
    if method is None:
        getter = find_attribute(t, owner, "__getitem__")
        return t.lost("iteration over an object") if getter is None else t.call_here(getter, [t.lost("index")])
    produced = t.call_here(method, [])
    if isinstance(produced, Ref) and (step := find_attribute(t, produced, "__next__")) is not None:
        return repeated_call(t, step)
    return t.lost("iteration over an object") if isinstance(produced, Ref) else element(t, produced)


def repeated_call(t: Tracer, function: Value, args: Sequence[Value] = ()) -> Value:
    """Return a value that covers the results of repeated calls, as of `__next__`.

    The first call, and one after other calls that changed the state, are traced.
    """
    mark = t.heap.mark()
    first = t.call_here(function, args)
    after = t.heap.undo(mark)
    before = {cell: t.heap.get(cell) for cell in after}
    t.heap.apply(after)
    is_same = True
    for cell, value in after.items():
        old = before[cell]
        if value is not None and old is not None and value != old:
            t.heap.set(cell, generalise(old, value))
            is_same = False
    if is_same:
        return first
    try:
        return either(t, first, t.call_here(function, args))
    except PathEnds:
        return first


def length(t: Tracer, value: Value) -> Size:
    """Return the number of items of an iteration; a lost symbol if that is unknown."""
    frozen = contents(t, value)
    items = items_of(frozen)
    if items is not None:
        return len(items)
    match frozen:
        case HomogeneousSeq(length=size):
            return size
        case Dict(items=pairs, rest=None):
            return len(pairs)
        case Range(start=Expr(), step=int(step)) | Range(stop=Expr(), step=int(step)) if step:
            return maximum(ceildiv(frozen.stop - frozen.start, step), 0)
        case Range(start=int(a), stop=int(b), step=int(c)) if c:
            return extent(range(a, b, c))
        case Tensor() if (rows := frozen.shape.size(0)) is not None:
            return rows
        case Const(value=str() | bytes() as text):
            return len(text)
        case Choice(options=options):
            lengths = {length(t, option) for _, option in options}
            if len(lengths) == 1:
                return lengths.pop()
    return lost_length(t, frozen)


@dataclass(slots=True)
class LostLengths:
    """The lengths that were asked of lost values: each one a symbol of its own, for the value may change meanwhile."""

    asked: dict[Value, list[Expr]] = field(default_factory=dict)
    owners: dict[Symbol, Value] = field(default_factory=dict)


def lost_length(t: Tracer, value: Value) -> Expr:
    """Return a symbol for the length of a value that is not known."""
    size = fresh("n", Kind.LOST, why=value.reason if isinstance(value, Lost) else "length of a lost value")
    if isinstance(value, Lost):
        lengths = t.component(LostLengths)
        lengths.asked.setdefault(value, []).append(size)
        lengths.owners.update(dict.fromkeys(size.symbols(), value))
    return size


def is_empty(t: Tracer, iterable: Value, total: Size | None) -> bool:
    """Return whether a loop over a value, with so many iterations, has none on the present path."""
    if total is not None and decide(t.path.facts, AtLeast(total, 1)) is Verdict.NEVER:
        return True
    lengths = t.component(LostLengths)
    owners = [iterable] if total is None else [lengths.owners.get(symbol, iterable) for symbol in symbols(total)]
    sizes = [size for owner in owners for size in lengths.asked.get(owner, ())[-MAX_ASKED:]]
    return any(decide(t.path.facts, AtLeast(size, 1)) is Verdict.NEVER for size in sizes)
