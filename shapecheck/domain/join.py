"""Joins of the values of several paths: guarded alternatives while they are few, otherwise one wider value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce

from shapecheck.domain.traversal import map_children
from shapecheck.domain.values import (
    CONTAINERS,
    BoundLibraryMethod,
    Choice,
    Const,
    Dict,
    Failed,
    Guard,
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
)
from shapecheck.shapes.shape import SCALAR, Shape, join
from shapecheck.shapes.size import Expr, Kind, Size, fresh

MAX_OPTIONS = 4
DIFFERENT = "differs between paths"
"""The reason of a value that is lost because it is of different kinds on several paths."""
MAX_OBJECTS = 8


def lost_size(a: Size, b: Size) -> Expr:
    """Return a size that is `a` on one path and `b` on another."""
    return fresh("?", Kind.LOST, why=f"{a} or {b}")


def alike(a: Value | None, b: Value | None) -> bool:
    """Return whether two values are equal except for the identity of the steps that made them."""
    if a is b:
        return True
    match a, b:
        case Tensor(), Tensor():
            return _alike_tensors(a, b)
        case Lost(), Lost():
            return isinstance(a, Failed) == isinstance(b, Failed)
        case Scalar(kind=x), Scalar(kind=y):
            return x == y
        case Seq(kind=x, items=p), Seq(kind=y, items=q):
            return x == y and len(p) == len(q) and all(map(alike, p, q))
        case HomogeneousSeq(kind=x, element=p1, length=m), HomogeneousSeq(kind=y, element=q1, length=n):
            return x == y and m == n and alike(p1, q1)
        case Dict(), Dict():
            return _alike_dicts(a, b)
    return a == b


def _alike_tensors(a: Tensor, b: Tensor) -> bool:
    same = a.shape == b.shape and a.dtype == b.dtype and a.library == b.library and a.static == b.static
    same = same and a.nature == b.nature and a.trace == b.trace
    return same and (a.content == b.content or (a.content is not None and alike(a.content, b.content)))


def _alike_dicts(a: Dict, b: Dict) -> bool:
    if len(a.items) != len(b.items) or (a.rest is None) != (b.rest is None):
        return False
    same = a.rest is None or alike(a.rest, b.rest)
    return same and all(k == j and alike(v, w) for (k, v), (j, w) in zip(a.items, b.items, strict=True))


def with_fresh_unknowns(a: Value, b: Value) -> Value:
    """Return one value for two alike ones; two different unknowns become a third one."""
    if a == b:
        return a
    match a, b:
        case Tensor(), Tensor():
            return replace(a, is_ambiguous=True)
        case Lost(), _:
            return a if isinstance(a, Failed) else Lost(a.reason)
        case Scalar(), _:
            return Scalar(a.kind)
        case Seq(kind=x, items=p), Seq(items=q):
            return Seq(x, tuple(map(with_fresh_unknowns, p, q)))
        case HomogeneousSeq(kind=x, element=p1, length=m), HomogeneousSeq(element=q1):
            return HomogeneousSeq(x, with_fresh_unknowns(p1, q1), m)
        case Dict(items=d, rest=r), Dict(items=e, rest=s):
            rest = r if r is None or s is None else with_fresh_unknowns(r, s)
            return Dict(tuple((k, with_fresh_unknowns(v, w)) for (k, v), (_, w) in zip(d, e, strict=True)), rest)
    return a


def ambiguous(value: Value) -> Value:
    """Return the value with its tensors marked as standing for those of several steps."""
    return replace(value, is_ambiguous=True) if isinstance(value, Tensor) else map_children(value, ambiguous)


def merge(options: Sequence[tuple[Guard, Value]], phi: Callable[[Sequence[Value]], Value]) -> Value:
    """Return the value that is each option under its guard. `phi` makes one tensor of several alike ones."""
    if len(options) == 1 and not isinstance(options[0][1], Choice):
        return options[0][1]
    options = [option for option in options if not isinstance(option[1], Failed)] or options[:1]
    flat = [way for guard, value in options for way in _alternatives(guard, value)]
    groups = _groups([value for _, value in flat])
    if len(groups) == 1:
        values = groups[0]
        return values[0] if all(value == values[0] for value in values) else phi(values)
    if len(flat) <= (MAX_OBJECTS if all(_is_mutable(value) for _, value in flat) else MAX_OPTIONS):
        return Choice(tuple(flat))
    if len(options) < len(flat) and len(options) <= MAX_OPTIONS:  # the path matters more than the alternatives on it
        return merge([(guard, _widened(value)) for guard, value in options], phi)
    return reduce(generalise, [value for _, value in flat])


def _alternatives(guard: Guard, value: Value) -> list[tuple[Guard, Value]]:
    """Return the alternatives of a value that is given under a guard, without those that the guard excludes."""
    if not isinstance(value, Choice):
        return [(guard, value)]
    ways = [(tuple(dict.fromkeys(guard + more)), item) for more, item in value.options]
    return [way for way in ways if _is_consistent(way[0])] or ways


def _is_consistent(guard: Guard) -> bool:
    """Return whether no condition of a guard has both truth values."""
    return len({condition for condition, _ in guard}) == len(guard)


def _groups(values: Sequence[Value]) -> list[list[Value]]:
    """Values with those that are alike."""
    groups: list[list[Value]] = []
    for value in values:
        group = next((group for group in groups if alike(group[0], value)), None)
        if group is None:
            groups.append([value])
        else:
            group.append(value)
    return groups


def _is_mutable(value: Value) -> bool:
    """Return whether a value is a mutable container, a method of one, or a tuple with one.

    Its alternatives are kept apart, so that no change of one of them is missed.
    """
    match value:
        case Ref(cls=cls):
            return cls in CONTAINERS
        case BoundLibraryMethod(owner=owner):
            return _is_mutable(owner)
        case Seq(kind="tuple", items=items):
            return any(map(_is_mutable, items))
    return False


def _widened(value: Value) -> Value:
    """Return one value that covers all alternatives of a value."""
    return reduce(generalise, [option for _, option in value.options]) if isinstance(value, Choice) else value


def generalise(a: Value, b: Value) -> Value:
    """Return one value that covers both; where they differ, it is lost."""
    if alike(a, b):
        return with_fresh_unknowns(a, b)
    if isinstance(a, Failed) or isinstance(b, Failed):
        return b if isinstance(a, Failed) else a
    integer = _generalise_integers(a, b)
    if integer is not None:
        return integer
    match a, b:
        case Tensor(), Tensor() if a.library == b.library:
            return _generalise_tensors(a, b)
        case Seq(kind=x, items=p), Seq(kind=y, items=q) if x == y and len(p) == len(q):
            return Seq(x, tuple(map(generalise, p, q)))
        case ((Seq() | HomogeneousSeq() | Dict()), (Seq() | HomogeneousSeq() | Dict())):
            return _generalise_containers(a, b)
        case Const(value=x), Const(value=y) if type(x) is type(y):
            return Scalar(type(x).__name__)
        case (Scalar(kind=x), Const(value=y)) | (Const(value=y), Scalar(kind=x)) if type(y).__name__ == x:
            return Scalar(x)
        case Choice(options=options), other:
            return reduce(lambda wide, option: generalise(option[1], wide), options, other)
        case other, Choice():
            return generalise(b, a)
    return _generalise_numbers(a, b)


def _generalise_integers(a: Value, b: Value) -> Value | None:
    first, second = as_size(a), as_size(b)
    if first is None or second is None or isinstance(a, Tensor) or isinstance(b, Tensor):
        return None
    return of_size(fresh("?", Kind.LOST, why=f"{first} or {second}", low=None))


def _generalise_tensors(a: Tensor, b: Tensor) -> Tensor:
    dtype = a.dtype if a.dtype == b.dtype else None
    trace = a.trace if a.trace == b.trace else 0
    return Tensor(generalise_shape(a.shape, b.shape), dtype, a.library, static=a.static and b.static, trace=trace)


def _generalise_numbers(a: Value, b: Value) -> Value:
    """Return one number for two numbers or tensors without axes; anything else is lost."""
    tensors = [value for value in (a, b) if isinstance(value, Tensor)]
    if not all(tensor.shape == SCALAR if isinstance(tensor, Tensor) else is_number(tensor) for tensor in (a, b)):
        return Lost(DIFFERENT)
    if len(tensors) == 2:
        return Lost("arrays of different libraries")
    return Tensor(SCALAR, None, tensors[0].library, static=tensors[0].static) if tensors else Scalar("number")


def is_number(value: Value) -> bool:
    """Return whether a value is a Python number."""
    match value:
        case Const(value=number):
            return isinstance(number, (int, float))
        case Scalar(kind=kind):
            return kind in ("int", "float", "bool", "number")
    return isinstance(value, Int)


def generalise_shape(a: Shape, b: Shape) -> Shape:
    """Return a shape that covers both; where they differ, its sizes are lost."""
    return join(a, b, lost_size)


def _generalise_containers(a: Value, b: Value) -> Value:
    """Return one frozen container that covers two."""
    if isinstance(a, Dict) and isinstance(b, Dict):
        return _generalise_dicts(a, b)
    first, second = as_homogeneous(a), as_homogeneous(b)
    if first is None or second is None or first.kind != second.kind:
        return Lost("sequences differ between paths")
    length = first.length if first.length == second.length else lost_size(first.length, second.length)
    return HomogeneousSeq(first.kind, _generalise_items(first.element, second.element), length)


def _generalise_dicts(a: Dict, b: Dict) -> Dict:
    """Return a dict of the common entries; an entry of only one of the dicts may or may not exist."""
    first, second = dict(a.items), dict(b.items)
    both = tuple((key, generalise(value, second[key])) for key, value in first.items() if key in second)
    others = [
        value for mine, yours in ((first, second), (second, first)) for key, value in mine.items() if key not in yours
    ]
    others += [rest for rest in (a.rest, b.rest) if rest is not None]
    return Dict(both, reduce(generalise, others) if others else None)


def as_homogeneous(value: Value) -> HomogeneousSeq | None:
    """Return a sequence as a number of similar items, or None for other values; no items are NOTHING."""
    match value:
        case HomogeneousSeq():
            return value
        case Seq(kind=kind, items=()):
            return HomogeneousSeq(kind, NOTHING, 0)
        case Seq(kind=kind, items=items):
            element = items[0]
            for item in items[1:]:
                element = generalise(element, item)
            return HomogeneousSeq(kind, element, len(items))
    return None


NOTHING = Lost("no item yet", 0)


def _generalise_items(a: Value, b: Value) -> Value:
    """Return one item that covers two, of which one may be NOTHING."""
    if a == NOTHING:
        return b
    return a if b == NOTHING else generalise(a, b)


def subsumes(wide: Value, value: Value) -> bool:
    """Return whether the first value, which has been widened, covers the second one."""
    if isinstance(wide, Lost) or isinstance(value, Failed):
        return isinstance(value, Failed) or not (isinstance(wide, Failed) or wide == NOTHING)
    if alike(wide, value):
        return True
    match wide, value:
        case Int(size=size), (Int() | Const()):
            return _is_lost(size) and as_size(value) is not None
        case Scalar(kind="number"), _:
            return is_number(value)
        case Scalar(kind=x), Const(value=y):
            return type(y).__name__ == x
        case Tensor(), _:
            return _tensor_subsumes(wide, value)
        case HomogeneousSeq(), (HomogeneousSeq() | Seq()):
            return _elements_subsume(wide, value)
        case Seq(kind=x, items=p), Seq(kind=y, items=q):
            return x == y and len(p) == len(q) and all(map(subsumes, p, q))
        case Dict(items=p, rest=r), Dict(items=q, rest=s):
            return _dict_subsumes(dict(p), r, dict(q), s)
        case (Choice(), _) | (_, Choice()):
            return _choice_subsumes(wide, value)
    return False


def _tensor_subsumes(wide: Tensor, value: Value) -> bool:
    if wide.dtype is None and wide.shape == SCALAR and is_number(value):
        return True
    if not isinstance(value, Tensor):
        return _choice_subsumes(wide, value)
    same = wide.library == value.library and wide.dtype in (None, value.dtype)
    return same and _shape_subsumes(wide.shape, value.shape)


def _elements_subsume(wide: HomogeneousSeq, value: HomogeneousSeq | Seq) -> bool:
    sequence = as_homogeneous(value)
    assert sequence is not None
    same = wide.kind == sequence.kind and (wide.length == sequence.length or _is_lost(wide.length))
    return same and (sequence.element == NOTHING or subsumes(wide.element, sequence.element))


def _choice_subsumes(wide: Value, value: Value) -> bool:
    """Return whether a value with alternatives covers another, or is covered by it."""
    if isinstance(wide, Choice):
        return any(subsumes(option, value) for _, option in wide.options)
    return isinstance(value, Choice) and all(subsumes(wide, option) for _, option in value.options)


def _dict_subsumes(wide: dict[Value, Value], rest: Value | None, items: dict[Value, Value], more: Value | None) -> bool:
    """Return whether entries and the rest of a dict cover those of another."""
    others = [value for key, value in items.items() if key not in wide] + ([] if more is None else [more])
    if not all(key in items and subsumes(value, items[key]) for key, value in wide.items()):
        return False
    return not others or (rest is not None and all(subsumes(rest, value) for value in others))


def _shape_subsumes(wide: Shape, shape: Shape) -> bool:
    """Return whether a widened shape covers another."""
    if wide.is_ranked:
        return wide.rank == shape.rank and all(map(_size_subsumes, wide.sizes, shape.sizes))
    head, tail = wide.head, (wide.tail or ())[::-1]
    first, last = (shape.sizes, shape.sizes[::-1]) if shape.is_ranked else (shape.head, (shape.tail or ())[::-1])
    long_enough = len(head) <= len(first) and len(tail) <= len(last)
    if not long_enough or (shape.is_ranked and len(head) + len(tail) > len(first)):
        return False
    return all(map(_size_subsumes, head, first)) and all(map(_size_subsumes, tail, last))


def _size_subsumes(wide: Size, size: Size) -> bool:
    """Return whether a widened size covers another."""
    return wide == size or _is_lost(wide)


def _is_lost(size: Size) -> bool:
    """Return whether a size is a single lost symbol, which stands for any size."""
    if isinstance(size, int):
        return False
    symbols = size.symbols()
    return len(symbols) == 1 and all(s.kind.is_lost for s in symbols) and str(size) == next(iter(symbols)).name
