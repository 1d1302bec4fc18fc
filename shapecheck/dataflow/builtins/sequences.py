"""Builtin functions that make, traverse or measure sequences and mappings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import NoneType
from typing import TYPE_CHECKING

from shapecheck.dataflow.builtins.registry import builtin
from shapecheck.dataflow.builtins.sorting import in_order
from shapecheck.dataflow.containers import iteration
from shapecheck.dataflow.containers.dict_update import EMPTY, updated
from shapecheck.dataflow.containers.last_item import distinct_item, last_item
from shapecheck.dataflow.containers.mappings import mapping
from shapecheck.dataflow.objects.attributes import find_attribute
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.endings import Endings
from shapecheck.domain.freshen import freshened
from shapecheck.domain.values import (
    CONTAINERS,
    NONE,
    Const,
    Dict,
    HomogeneousSeq,
    Int,
    Library,
    Lost,
    Range,
    Ref,
    Seq,
    Tensor,
    Value,
    as_size,
    is_constant,
    of_size,
)
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size, fresh, unknown
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


@builtin("len")
def len_(t: Tracer, call: Arguments) -> Value:
    if len(call.args) != 1:
        return t.lost("unsupported arguments of len")
    if isinstance(call.args[0], Ref) and call.args[0].cls not in CONTAINERS:
        method = find_attribute(t, call.args[0], "__len__")
        if method is not None:
            return t.call_here(method, [])
        items = iteration.elements(t, call.args[0])
        return t.lost("len of an object") if items is None else Const(len(items))
    if isinstance(call.args[0], Lost):
        return Int(iteration.lost_length(t, call.args[0]))
    if isinstance(call.args[0], Tensor) and call.args[0].shape.is_ranked and not call.args[0].shape.rank:
        return t.lost("len of a scalar")
    count = iteration.length(t, call.args[0])
    if isinstance(call.args[0], Tensor) and call.args[0].shape == UNRANKED:
        t.refine(call.args[0], call.args[0].with_shape(Shape((count,), ())))
    return of_size(count)


@builtin("list")
def list_(t: Tracer, call: Arguments) -> Value:
    return t.new_container("list", _new_sequence(t, call.args, "list", call.place))


@builtin("tuple")
def tuple_(t: Tracer, call: Arguments) -> Value:
    return _new_sequence(t, call.args, "tuple", call.place)


@builtin("set", "frozenset")
def set_(t: Tracer, call: Arguments) -> Value:
    if not call.args:
        return t.new_container("set", Seq("set", ()))
    items = iteration.elements(t, call.args[0])
    if items is not None and all(map(is_constant, items)):
        return t.new_container("set", Seq("set", tuple(dict.fromkeys(items))))
    element = iteration.element(t, call.args[0])
    count = fresh("n", unknown([iteration.length(t, call.args[0])]), why="number of distinct items")
    return t.new_container("set", HomogeneousSeq("set", element, count))


def _new_sequence(t: Tracer, args: Sequence[Value], kind: str, place: Place) -> Value:
    """Return a new sequence of the items of an iterable."""
    if not args:
        return Seq("list" if kind == "list" else "tuple", ())
    with t.at(place):
        items = iteration.elements(t, args[0])
        if items is not None:
            return Seq("list" if kind == "list" else "tuple", items)
        last_item(t, args[0])
        given = t.freeze(args[0], deep=False)
        since = given.since if isinstance(given, HomogeneousSeq) else 0
        return HomogeneousSeq(kind, iteration.element(t, given), iteration.length(t, given), since=since)


@builtin("sorted")
def sorted_(t: Tracer, call: Arguments) -> Value:
    if not call.args:
        return t.lost("sorted without arguments")
    items = iteration.elements(t, call.args[0])
    if items is None:
        copied = _new_sequence(t, call.args, "list", call.place)
        return t.new_container("list", copied)
    ordered = None if isinstance(call.args[0], Range) else in_order(t, items, call.keywords)
    if ordered is not None:
        return t.new_container("list", Seq("list", ordered))
    return t.new_container("list", HomogeneousSeq("list", iteration.element(t, call.args[0]), len(items)))


@builtin("reversed")
def reversed_(t: Tracer, call: Arguments) -> Value:
    backwards = _reversed_range(call.args[0]) if call.args else None
    if backwards is not None:
        return backwards
    items = iteration.elements(t, call.args[0]) if call.args else None
    return Seq("list", items[::-1]) if items is not None else _new_sequence(t, call.args, "iterator", call.place)


def _reversed_range(numbers: Value) -> Range | None:
    """Return the same numbers from the last to the first."""
    match numbers:
        case Range(start=int(start), stop=int(stop), step=int(step)) if step:
            other = range(start, stop, step)[::-1]
            return Range(other.start, other.stop, other.step)
        case Range(start=start, stop=stop, step=1):
            return Range(stop - 1, start - 1, -1)
    return None


@builtin("dict", "collections.OrderedDict")
def dict_(t: Tracer, call: Arguments) -> Value:
    result = EMPTY
    if call.args:
        given = mapping(t, call.args[0])
        pairs = given.items if isinstance(given, Dict) else _pairs(t, given)
        if pairs is None:
            result = Dict((), t.lost("dict of unknown entries"))
        else:
            result = updated(t, pairs, Dict((), given.rest) if isinstance(given, Dict) else EMPTY)
    return t.new_container("dict", updated(t, ((Const(name), value) for name, value in call.keywords.items()), result))


@builtin("dict.fromkeys", "collections.OrderedDict.fromkeys")
def dict_from_keys(t: Tracer, call: Arguments) -> Value:
    keys = iteration.elements(t, call.args[0]) if call.args else None
    value = call.args[1] if len(call.args) > 1 else NONE
    entries = Dict((), value) if keys is None else updated(t, [(key, value) for key in keys])
    return t.new_container("dict", entries)


def _pairs(t: Tracer, value: Value) -> tuple[tuple[Value, Value], ...] | None:
    """Return the entries of a sequence of pairs, or None if they are not known."""
    items = iteration.elements(t, value)
    if items is None:
        return None
    pairs = [iteration.elements(t, item) for item in items]
    if any(pair is None or len(pair) != 2 for pair in pairs):
        return None
    return tuple((pair[0], pair[1]) for pair in pairs if pair is not None)


@builtin("zip")
def zip_(t: Tracer, call: Arguments) -> Value:
    with t.at(call.place):
        columns = [iteration.elements(t, arg) for arg in call.args]
        if call.args and all(column is not None for column in columns):
            rows = zip(*(column for column in columns if column is not None), strict=False)
            return Seq("list", tuple(Seq("tuple", row) for row in rows))
        parts = [iteration.element(t, arg) for arg in call.args]
        first_items = [_first_item(arg) for arg in call.args]
        first = Seq("tuple", tuple(known or freshened(part) for known, part in zip(first_items, parts, strict=True)))
        zipped = HomogeneousSeq(
            "iterator", Seq("tuple", tuple(parts)), _zip_length(t, call.args), first=first if any(first_items) else None
        )
        distinct = tuple(item for arg in call.args if (item := distinct_item(t, arg)) is not None)
        is_complete = (
            bool(call.args) and len(distinct) == len(call.args) and zipped.length == iteration.length(t, call.args[0])
        )
        return replace(zipped, distinct_item=Seq("tuple", distinct)) if is_complete else zipped


def _zip_length(t: Tracer, args: Sequence[Value]) -> Size:
    """Return the number of items of a `zip`, which is known if all its arguments have the same length."""
    lengths = [iteration.length(t, arg) for arg in args]
    same = bool(lengths) and all(length == lengths[0] for length in lengths)
    return lengths[0] if same else fresh("n", Kind.LOST, why="length of zip")


@builtin("enumerate")
def enumerate_(t: Tracer, call: Arguments) -> Value:
    if not call.args:
        return t.lost("enumerate without arguments")
    start = as_size(call.args[1] if len(call.args) > 1 else call.keywords.get("start", Const(0)))
    with t.at(call.place):
        items = iteration.elements(t, call.args[0])
        if items is not None and isinstance(start, int):
            return Seq("list", tuple(Seq("tuple", (Const(start + i), item)) for i, item in enumerate(items)))
        counter = Int(fresh("i", Kind.LOST, why="position in an iteration"))
        element, length = iteration.element(t, call.args[0]), iteration.length(t, call.args[0])
        first = (
            None if start is None else Seq("tuple", (of_size(start), _first_item(call.args[0]) or freshened(element)))
        )
        distinct = _enumerated_distinct_item(t, call.args[0], start)
        return HomogeneousSeq("iterator", Seq("tuple", (counter, element)), length, first=first, distinct_item=distinct)


def _first_item(iterable: Value) -> Value | None:
    """Return the first item, if more is known of it than of the others."""
    match iterable:
        case Range(start=start):
            return of_size(start)
        case HomogeneousSeq(first=first):
            return first
    return None


def _enumerated_distinct_item(t: Tracer, iterable: Value, start: Size | None) -> Value | None:
    """Return the distinct item of an iterable together with its position."""
    distinct = distinct_item(t, iterable)
    if distinct is None:
        return None
    length = iteration.length(t, iterable) if isinstance(iterable, Range) else _length_of_object(t, iterable)
    if length is None or not isinstance(start, int):
        return Seq("tuple", (t.lost("position in an iteration"), distinct))
    return Seq("tuple", (of_size(length - 1 + start), distinct))


def _length_of_object(t: Tracer, iterable: Value) -> int | None:
    """Return the number of items that an object of a library tells."""
    method = find_attribute(t, iterable, "__len__") if isinstance(iterable, Ref) and iterable.cls != "user" else None
    told = None if method is None else as_size(t.call_here(method, []))
    return told if isinstance(told, int) else None


@builtin("map")
def map_(t: Tracer, call: Arguments) -> Value:
    if len(call.args) < 2:
        return t.lost("unsupported arguments of map")
    with t.at(call.place):
        columns = [iteration.elements(t, arg) for arg in call.args[1:]]
        if all(column is not None and len(column) <= 64 for column in columns):
            rows = zip(*(column for column in columns if column is not None), strict=False)
            return Seq("list", tuple(t.call_here(call.args[0], row) for row in rows))
        element = t.call_here(call.args[0], [iteration.element(t, arg) for arg in call.args[1:]])
        return HomogeneousSeq("iterator", element, iteration.length(t, call.args[1]))


@builtin("filter")
def filter_(t: Tracer, call: Arguments) -> Value:
    if len(call.args) != 2:
        return t.lost("unsupported arguments of filter")
    with t.at(call.place):
        return HomogeneousSeq(
            "iterator",
            iteration.element(t, call.args[1]),
            fresh("n", Kind.LOST, why="number of items that pass a filter"),
        )


def _is_number(value: Value) -> bool:
    """Return whether a value certainly is a plain number or None, which has no items."""
    is_number = isinstance(value, Const) and isinstance(value.value, (int, float, complex, NoneType))
    return is_number or isinstance(value, Int)


@builtin("iter")
def iter_(t: Tracer, call: Arguments) -> Value:
    if len(call.args) != 1:
        return t.lost("unsupported arguments of iter")
    if isinstance(call.args[0], Ref) and call.args[0].cls.startswith("tf.data."):
        return t.call(Library("tf.data.make_one_shot_iterator"), call)
    if _is_number(call.args[0]):
        raise t.component(Endings).failed("iter", call.place)
    with t.at(call.place):
        items = iteration.elements(t, call.args[0])
        called = t.call_stack.functions[-1:]
        is_fresh = bool(called) and iteration.only_returns(t, called[0]) and not isinstance(call.args[0], Tensor)
        if items is not None and is_fresh:
            return HomogeneousSeq("iterator", iteration.element(t, call.args[0]), len(items), items=items)
        left = fresh("n", Kind.LOST, why="items that are left in an iterator")
        return HomogeneousSeq("iterator", iteration.element(t, call.args[0]), left)


@builtin("next")
def next_(t: Tracer, call: Arguments) -> Value:
    with t.at(call.place):
        if call.args and isinstance(call.args[0], Ref) and call.args[0].cls not in CONTAINERS:
            method = find_attribute(t, call.args[0], "__next__")
            if method is not None:
                return t.call_here(method, [])
        if not call.args:
            return t.lost("next without arguments")
        item = iteration.element(t, call.args[0])
        if not isinstance(call.args[0], Ref):
            _take(t, call.args[0], item)
        return item


def _take(t: Tracer, iterator: Value, item: Value) -> None:
    """Forget how many items an iterator has, and which comes first, wherever the program holds it."""
    is_counted = isinstance(iterator, (Seq, Range)) or (
        isinstance(iterator, HomogeneousSeq) and Kind.LOST is not unknown([iterator.length])
    )
    if is_counted:
        left = fresh("n", Kind.LOST, why="items that are left in an iterator")
        for cell in t.heap.holders(iterator):
            t.heap.set(cell, HomogeneousSeq("iterator", item, left))


@builtin("itertools.repeat")
def repeat(t: Tracer, call: Arguments) -> Value:
    """Return an iterator that gives the same object again and again."""
    if not call.args:
        return t.lost("arguments of repeat")
    times = as_size(call.args[1] if len(call.args) > 1 else call.keywords.get("times", NONE))
    length = fresh("items", Kind.LOST, why="a repetition without end") if times is None else times
    return HomogeneousSeq("iterator", call.args[0], length)
