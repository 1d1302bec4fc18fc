"""The correspondence of values that differ only in the identity of what made them: steps, unknown values, objects."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator
from typing import TypeAlias

from shapecheck.domain.values import (
    BoundLibraryMethod,
    Choice,
    Dict,
    HomogeneousSeq,
    Int,
    Lost,
    Method,
    Missing,
    OpenSize,
    Partial,
    Range,
    Ref,
    Scalar,
    Seq,
    SliceValue,
    Tensor,
    Value,
)
from shapecheck.shapes.size import symbols

Atom: TypeAlias = Hashable
"""What identifies a part of a value: an unknown value, a symbol, ("step", its number) or ("address", the number)."""


class Correspondence:
    """A one-to-one correspondence of the steps, unknown values and addresses of one call to those of another.

    Steps that are `fixed` correspond to themselves only, as do unknown values that are not `plain`.
    """

    def __init__(self, fixed: Collection[int], is_plain: Callable[[Value], bool]) -> None:
        self.steps: dict[int, int] = {0: 0}
        self.unknowns: dict[Value, Value] = {}
        self.addresses: dict[int, int] = {}
        self._taken: set[Atom] = set()
        self._fixed, self._is_plain = fixed, is_plain

    def matches(self, old: Value | None, new: Value | None) -> bool:
        """Return whether two values correspond, after noting how their parts do."""
        if type(old) is not type(new):
            return False
        match old, new:
            case (Missing() | OpenSize(), _):
                return old is new
            case Tensor(), Tensor():
                return self._match_tensors(old, new)
            case (Lost() | Scalar(), Lost() | Scalar()):
                return self._match_unknowns(old, new)
            case Ref(), Ref():
                return old.cls == new.cls and self.match_addresses(old.address, new.address)
            case Choice(), Choice():
                return self._match_choices(old, new)
        mine, yours = parts_of(old), parts_of(new)
        if mine is None or yours is None:
            return old == new
        return mine[0] == yours[0] and self.match_all(mine[1], yours[1])

    def images(self) -> set[Atom]:
        """Return what identifies the values that correspond to others."""
        return self._taken

    def match_all(self, old: Collection[Value | None], new: Collection[Value | None]) -> bool:
        """Return whether the values of two sequences correspond."""
        return len(old) == len(new) and all(map(self.matches, old, new))

    def match_addresses(self, old: int, new: int) -> bool:
        """Return whether two addresses can correspond, after noting that they do."""
        known = self.addresses.get(old)
        if known is not None:
            return known == new
        self.addresses[old] = new
        return self._is_first(("address", new))

    def match_steps(self, old: int, new: int) -> bool:
        """Return whether two steps can correspond, after noting that they do."""
        known = self.steps.get(old)
        if known is not None:
            return known == new
        if old != new and (old in self._fixed or not new):
            return False
        self.steps[old] = new
        return self._is_first(("step", new))

    def _match_unknowns(self, old: Lost | Scalar, new: Lost | Scalar) -> bool:
        known = self.unknowns.get(old)
        if known is not None:
            return known == new
        if old != new and not (_said(old) == _said(new) and self._is_plain(old) and self._is_plain(new)):
            return False
        self.unknowns[old] = new
        return self._is_first(new)

    def _is_first(self, image: Atom) -> bool:
        """Return whether nothing else corresponds to a part yet."""
        count = len(self._taken)
        self._taken.add(image)
        return len(self._taken) > count

    def _match_tensors(self, old: Tensor, new: Tensor) -> bool:
        same = old.shape == new.shape and _properties(old) == _properties(new)
        return same and self.match_steps(old.step, new.step) and self.matches(old.content, new.content)

    def _match_choices(self, old: Choice, new: Choice) -> bool:
        if len(old.options) != len(new.options):
            return False
        for (guard, option), (other_guard, other) in zip(old.options, new.options, strict=True):
            if [side for _, side in guard] != [side for _, side in other_guard] or not self.matches(option, other):
                return False
            if not self.match_all([test for test, _ in guard], [test for test, _ in other_guard]):
                return False
        return True


def _said(value: Lost | Scalar) -> str:
    return value.reason if isinstance(value, Lost) else value.kind


def _properties(tensor: Tensor) -> tuple[object, ...]:
    """Return what identifies a tensor besides its shape, its step and its elements."""
    return (
        tensor.dtype,
        tensor.library,
        tensor.output,
        tensor.role,
        tensor.static,
        tensor.nature,
        tensor.trace,
        tensor.is_ambiguous,
        tensor.is_rank_open,
    )


def parts_of(value: Value | None) -> tuple[Hashable, tuple[Value | None, ...]] | None:
    """Return what a compound value is, and its parts; None for values without parts."""
    match value:
        case Seq(kind=kind, items=items):
            return kind, items
        case HomogeneousSeq(items=items):
            said = value.kind, value.length, value.since, items is None, len(items or ()), len(value.ends)
            return said, (value.element, value.first, value.distinct_item, *(items or ()), *value.ends)
        case Dict(items=pairs, rest=rest):
            return len(pairs), (rest, *(part for pair in pairs for part in pair))
        case SliceValue(lower=lower, upper=upper, step=step):
            return "slice", (lower, upper, step)
        case BoundLibraryMethod(owner=owner, name=name):
            return name, (owner,)
        case Method(owner=owner, function=function):
            return function, (owner,)
        case Partial(function=function, args=args, keywords=keywords):
            names = tuple(name for name, _ in keywords)
            return (len(args), names), (function, *args, *(each for _, each in keywords))
    return None


def atoms(value: Value | None) -> Iterator[Atom]:
    """Yield what identifies the parts of a value."""
    match value:
        case Lost() | Scalar():
            yield value
        case Ref(address=address):
            yield "address", address
        case Tensor(shape=shape, step=step, content=content):
            yield from shape.symbols()
            if step:
                yield "step", step
            yield from atoms(content)
        case Int(size=size):
            yield from size.symbols()
        case Range(start=start, stop=stop, step=step):
            yield from (symbol for size in (start, stop, step) for symbol in symbols(size))
        case _:
            yield from _atoms_of_parts(value)


def _atoms_of_parts(value: Value | None) -> Iterator[Atom]:
    """Yield what identifies the parts of a compound value."""
    if isinstance(value, HomogeneousSeq):
        yield from symbols(value.length)
    if isinstance(value, Choice):
        for guard, option in value.options:
            yield from atoms(option)
            for test, _ in guard:
                yield from atoms(test)
    _, parts = parts_of(value) or ("", ())
    for part in parts:
        yield from atoms(part)
