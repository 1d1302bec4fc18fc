"""Builtin functions that make, walk or measure sequences and mappings."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from shapecheck.dataflow import objects
from shapecheck.dataflow.builtins.registry import Args, Named, builtin
from shapecheck.dataflow.closing import last_item, odd_item
from shapecheck.dataflow.entered import EMPTY, entered
from shapecheck.dataflow.renew import renewed
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size, fresh, unknown
from shapecheck.source import Place
from shapecheck.values import (
    FALSE,
    Const,
    Dict,
    Int,
    Lost,
    Many,
    Range,
    Ref,
    Seq,
    Tensor,
    Value,
    as_size,
    of_size,
)

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


@builtin("len")
def len_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    if len(args) != 1:
        return t.lost("len of nothing")
    if isinstance(args[0], Ref) and args[0].cls not in objects.CONTAINERS:
        method = t.context.get(args[0], "__len__")
        if method is not None:
            return t.context.call(method, [])
        items = t.context.elements(args[0])
        return t.lost("len of an object") if items is None else Const(len(items))
    if isinstance(args[0], Lost):
        return Int(fresh("n", Kind.LOST, why="length of a lost value"))
    if isinstance(args[0], Tensor) and args[0].shape.is_ranked and not args[0].shape.rank:
        return t.lost("len of a scalar")
    count = t.context.length(args[0])
    if isinstance(args[0], Tensor) and args[0].shape == UNRANKED:
        t.refine(args[0], args[0].with_shape(Shape((count,), ())))
    return of_size(count)


@builtin("list")
def list_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    return t.new_container("list", _copied(t, args, "list", place))


@builtin("tuple")
def tuple_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    return _copied(t, args, "tuple", place)


@builtin("set", "frozenset")
def set_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    if not args:
        return t.new_container("set", Seq("set", ()))
    items = t.context.elements(args[0])
    if items is not None and all(isinstance(item, Const) for item in items):
        return t.new_container("set", Seq("set", tuple(dict.fromkeys(items))))
    element = t.context.element(args[0])
    count = fresh("n", unknown([t.context.length(args[0])]), why="distinct items")
    return t.new_container("set", Many("set", element, count))


def _copied(t: Tracer, args: Args, kind: str, place: Place) -> Value:
    if not args:
        return Seq("list" if kind == "list" else "tuple", ())
    with t.at(place):
        items = t.context.elements(args[0])
        if items is not None:
            return Seq("list" if kind == "list" else "tuple", items)
        last_item(t, args[0])
        given = t.context.freeze(args[0], deep=False)
        since = given.since if isinstance(given, Many) else 0
        return Many(kind, t.context.element(given), t.context.length(given), since=since)


@builtin("sorted")
def sorted_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    if not args:
        return t.lost("sorted of nothing")
    items = t.context.elements(args[0])
    if items is None:
        copied = _copied(t, args, "list", place)
        return t.new_container("list", copied)
    if all(isinstance(item, Const) for item in items) and "key" not in named and not isinstance(args[0], Range):
        try:
            values = sorted(item.value for item in items if isinstance(item, Const))  # type: ignore[type-var]
            backwards = t.truth(named.get("reverse", FALSE))
            return t.new_container("list", Seq("list", tuple(map(Const, values[::-1] if backwards else values))))
        except TypeError:
            pass
    return t.new_container("list", Many("list", t.context.element(args[0]), len(items)))


@builtin("reversed")
def reversed_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    backwards = _backwards(args[0]) if args else None
    if backwards is not None:
        return backwards
    items = t.context.elements(args[0]) if args else None
    return Seq("list", items[::-1]) if items is not None else _copied(t, args, "iterator", place)


def _backwards(numbers: Value) -> Range | None:
    """The same numbers from the last to the first."""
    match numbers:
        case Range(start=int(start), stop=int(stop), step=int(step)) if step:
            other = range(start, stop, step)[::-1]
            return Range(other.start, other.stop, other.step)
        case Range(start=start, stop=stop, step=1):
            return Range(stop - 1, start - 1, -1)
    return None


@builtin("dict", "collections.OrderedDict")
def dict_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    result = EMPTY
    if args:
        given = t.context.freeze(args[0], deep=False)
        pairs = given.items if isinstance(given, Dict) else _pairs(t, given)
        if pairs is None:
            result = Dict((), t.lost("dict of unknown entries"))
        else:
            result = entered(t, pairs, Dict((), given.rest) if isinstance(given, Dict) else EMPTY)
    return t.new_container("dict", entered(t, ((Const(name), value) for name, value in named.items()), result))


def _pairs(t: Tracer, value: Value) -> tuple[tuple[Value, Value], ...] | None:
    items = t.context.elements(value)
    if items is None:
        return None
    pairs = [t.context.elements(item) for item in items]
    if any(pair is None or len(pair) != 2 for pair in pairs):
        return None
    return tuple((pair[0], pair[1]) for pair in pairs if pair is not None)


@builtin("zip")
def zip_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    with t.at(place):
        columns = [t.context.elements(arg) for arg in args]
        if args and all(column is not None for column in columns):
            rows = zip(*(column for column in columns if column is not None), strict=False)
            return Seq("list", tuple(Seq("tuple", row) for row in rows))
        parts = [t.context.element(arg) for arg in args]
        begin = [_first(arg) for arg in args]
        first = Seq("tuple", tuple(known or renewed(part) for known, part in zip(begin, parts, strict=True)))
        zipped = Many("iterator", Seq("tuple", tuple(parts)), _length(t, args), first=first if any(begin) else None)
        odd = tuple(item for arg in args if (item := odd_item(t, arg)) is not None)
        is_whole = bool(args) and len(odd) == len(args) and zipped.length == t.context.length(args[0])
        return replace(zipped, odd=Seq("tuple", odd)) if is_whole else zipped


def _length(t: Tracer, args: Args) -> Size:
    """How many items a zip has, where all that it zips have as many."""
    lengths = [t.context.length(arg) for arg in args]
    same = bool(lengths) and all(length == lengths[0] for length in lengths)
    return lengths[0] if same else fresh("n", Kind.LOST, why="length of a zip")


@builtin("enumerate")
def enumerate_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    if not args:
        return t.lost("enumerate of nothing")
    start = as_size(args[1] if len(args) > 1 else named.get("start", Const(0)))
    with t.at(place):
        items = t.context.elements(args[0])
        if items is not None and isinstance(start, int):
            return Seq("list", tuple(Seq("tuple", (Const(start + i), item)) for i, item in enumerate(items)))
        counter = Int(fresh("i", Kind.LOST, why="position while iterating"))
        element, length = t.context.element(args[0]), t.context.length(args[0])
        first = None if start is None else Seq("tuple", (of_size(start), _first(args[0]) or renewed(element)))
        odd = _numbered(t, args[0], start)
        return Many("iterator", Seq("tuple", (counter, element)), length, first=first, odd=odd)


def _first(iterable: Value) -> Value | None:
    """The first item, where more is known of it than of the others."""
    match iterable:
        case Range(start=start):
            return of_size(start)
        case Many(first=first):
            return first
    return None


def _numbered(t: Tracer, iterable: Value, start: Size | None) -> Value | None:
    """The odd item of an iterable with its position."""
    odd, length = odd_item(t, iterable), t.context.length(iterable)
    if odd is None:
        return None
    position = length - 1 + start if isinstance(iterable, Range) and isinstance(start, int) else None
    number = t.lost("position while iterating") if position is None else of_size(position)
    return Seq("tuple", (number, odd))


@builtin("map")
def map_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    if len(args) < 2:
        return t.lost("map of nothing")
    with t.at(place):
        columns = [t.context.elements(arg) for arg in args[1:]]
        if all(column is not None and len(column) <= 64 for column in columns):
            rows = zip(*(column for column in columns if column is not None), strict=False)
            return Seq("list", tuple(t.context.call(args[0], row) for row in rows))
        element = t.context.call(args[0], [t.context.element(arg) for arg in args[1:]])
        return Many("iterator", element, t.context.length(args[1]))


@builtin("filter")
def filter_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    if len(args) != 2:
        return t.lost("filter of nothing")
    with t.at(place):
        return Many("iterator", t.context.element(args[1]), fresh("n", Kind.LOST, why="items that pass a filter"))


@builtin("iter")
def iter_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    if len(args) != 1:
        return t.lost("iter")
    with t.at(place):
        items = t.context.elements(args[0])
        if items is not None and not isinstance(args[0], Tensor):
            return Many("iterator", t.context.element(args[0]), len(items))
        return Many("iterator", t.context.element(args[0]), fresh("n", Kind.LOST, why="length of an iterator"))


@builtin("next")
def next_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    with t.at(place):
        if args and isinstance(args[0], Ref) and args[0].cls not in objects.CONTAINERS:
            method = t.context.get(args[0], "__next__")
            if method is not None:
                return t.context.call(method, [])
        return t.context.element(args[0]) if args else t.lost("next of nothing")
