"""Values with several alternatives: their consistent combinations, and one wider value for all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

from shapecheck.domain.join import MAX_OBJECTS, generalise
from shapecheck.domain.values import CONTAINERS, Choice, Class, Function, Guard, Library, Lost, Ref, Seq, Value

MAX_COMBINATIONS = 8
MAX_VARYING_ITEMS = 16


def varies(value: Value) -> bool:
    """Return whether a value, or an item of a short sequence, has alternatives."""
    if isinstance(value, Choice):
        return True
    return isinstance(value, Seq) and len(value.items) <= MAX_VARYING_ITEMS and any(map(varies, value.items))


def combinations(
    values: Sequence[Value], consistent: Callable[[Guard], bool]
) -> list[tuple[Guard, list[Value]]] | None:
    """Return every consistent combination of the alternatives with its guard, or None if there are too many."""
    partial: list[tuple[dict[Value, bool], list[Value]]] = [({}, [])]
    for value in values:
        extended: list[tuple[dict[Value, bool], list[Value]]] = []
        for guard, item in _options(value):
            if not consistent(guard):
                continue
            for known, done in partial:
                if all(known.get(c, t) is t for c, t in guard):
                    extended.append(({**known, **dict(guard)}, [*done, item]))
        partial = extended
        if len(partial) > MAX_COMBINATIONS:
            return None
    return [(tuple(known.items()), done) for known, done in partial]


def _options(value: Value) -> list[tuple[Guard, Value]]:
    """Return the alternatives of a value, or of the items of a short sequence, with their guards."""
    if isinstance(value, Choice):
        return list(value.options)
    if isinstance(value, Seq) and varies(value):
        rows: list[tuple[Guard, tuple[Value, ...]]] = [((), ())]
        for item in value.items:
            rows = [(g + more, (*done, v)) for g, done in rows for more, v in _options(item) if _compatible(g, more)]
            if len(rows) > 4 * MAX_COMBINATIONS:
                return [((), Lost("too many alternatives"))]
        return [(guard, Seq(value.kind, done)) for guard, done in rows]
    return [((), value)]


def _compatible(a: Guard, b: Guard) -> bool:
    """Return whether two guards can hold together."""
    known = dict(a)
    return all(known.get(condition, truth) is truth for condition, truth in b)


def one_of_objects(items: Sequence[Value]) -> list[tuple[Guard, Value]]:
    """Return an alternative for each of a few distinct containers or functions: an operation changes or calls one.

    The result is empty for other items, or for too many.
    """
    are_objects = all(isinstance(item, Ref) and item.cls in CONTAINERS for item in items)
    are_called = all(isinstance(item, (Function, Class, Library)) for item in items)
    items = list(dict.fromkeys(items)) if are_called else items
    if not 1 < len(set(items)) == len(items) <= MAX_OBJECTS or not (are_objects or are_called):
        return []
    before: Guard = ()
    options: list[tuple[Guard, Value]] = []
    for item in items:
        chosen = Lost("which of several objects")
        options.append((before if item is items[-1] else (*before, (chosen, True)), item))
        before = (*before, (chosen, False))
    return options


def widened(value: Value) -> Value:
    """Return one value that covers all alternatives."""
    if isinstance(value, Choice):
        return reduce(generalise, [option for _, option in value.options])
    if isinstance(value, Seq) and varies(value):
        return Seq(value.kind, tuple(map(widened, value.items)))
    return value
