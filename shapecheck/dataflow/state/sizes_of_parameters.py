"""Unknown parameters of functions, and their attributes and entries, that layers are made with as sizes: numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from shapecheck.domain.values import MINUS_ONE, PARAMETER, Const, Int, Lost, Scalar, Value
from shapecheck.shapes.size import Kind, fresh

Guards: TypeAlias = Mapping[Value, bool]
Source: TypeAlias = tuple[Lost, tuple[str, ...]]
"""A parameter, and the names of the attributes and keys that lead from it to a value."""
Compute: TypeAlias = Callable[[Value, Value], Value]
_DEEPEST = 6
"""How many operations may follow one another, each on two unknown values."""


@dataclass(slots=True)
class SizesOfParameters:
    """The sizes that are known by now, each with the conditions under which the program used it as one.

    All values that are read under the same names from the same parameter are taken for one number, until the program
    sets an attribute or entry of that name itself, of any object, or one of an unknown name: those parameters are
    `_open`. What is `_computed` of two such values is a number once both are. What a size is divided by without a
    remainder is a number, too: the `_divisors`.
    """

    _sources: dict[Lost, Source] = field(default_factory=dict)
    _sizes: dict[Source, tuple[Int, Guards]] = field(default_factory=dict)
    _assigned: set[str] = field(default_factory=set)
    _open: set[Lost] = field(default_factory=set)
    _computed: dict[Lost, tuple[Compute, Value, Value]] = field(default_factory=dict)
    _depths: dict[Value, int] = field(default_factory=dict)
    _divisors: defaultdict[Source, list[Lost]] = field(default_factory=lambda: defaultdict(list))

    def note_part(self, owner: Lost, name: str, value: Lost) -> None:
        """Note that an unknown value is an attribute of another one, or the entry for a key."""
        parameter, path = self._source(owner)
        if parameter.reason.startswith(PARAMETER):
            self._sources[value] = parameter, (*path, name)

    def note_assignment(self, owner: Value, name: str | None) -> None:
        """Note that the program sets an attribute or entry of an unknown object, None for one of an unknown name."""
        if name is not None:
            self._assigned.add(name)
        elif isinstance(owner, Lost):
            self._open.add(self._source(owner)[0])

    def note_operation(self, value: Lost, op: str, left: Value, right: Value, compute: Compute) -> None:
        """Note that an unknown value is computed from two values."""
        depth = 1 + max(self._depths.get(left, 0), self._depths.get(right, 0))
        if depth > _DEEPEST or not (self._may_be_number(left) and self._may_be_number(right)):
            return
        self._computed[value], self._depths[value] = (compute, left, right), depth
        if op == "//" and isinstance(left, Lost) and isinstance(right, Lost):
            self._divisors[self._source(left)].append(right)

    def note_size(self, value: Lost, guards: Guards) -> Int | None:
        """Return the number that a value is that is used as a size under some conditions; None if it is no parameter or
        computed from others."""
        known, (parameter, path) = self.of(value, guards), self._source(value)
        if known is not None or not _is_parameter(parameter):
            return known if isinstance(known, Int) else None
        source = parameter, path
        if source in self._sizes or self._is_assigned(source):
            return None
        name = path[-1] if path else parameter.reason.removeprefix(PARAMETER).strip()
        size = Int(fresh(name, Kind.FREE, why="size of a layer", low=1))
        self._sizes[source] = size, guards
        for divisor in self._divisors.pop(source, ()):
            self.note_size(divisor, guards)
        return size

    def of(self, value: Lost, guards: Guards) -> Int | Scalar | None:
        """Return the number that an unknown value is under some conditions; None if that is not known."""
        if value in self._computed:
            return self._result(value, guards)
        source = self._source(value)
        found = self._sizes.get(source)
        if found is None or self._is_assigned(source):
            return None
        size, told = found
        return size if all(guards.get(condition) is side for condition, side in told.items()) else None

    def _result(self, value: Lost, guards: Guards) -> Int | Scalar | None:
        """Return a number that is computed from others."""
        compute, *operands = self._computed[value]
        left, right = (self.of(operand, guards) if isinstance(operand, Lost) else operand for operand in operands)
        result = None if left is None or right is None else compute(left, right)
        return result if isinstance(result, (Int, Scalar)) else None

    def _may_be_number(self, value: Value) -> bool:
        if isinstance(value, Lost):
            return value in self._computed or _is_parameter(self._source(value)[0])
        return isinstance(value, (Int, Scalar)) or (isinstance(value, Const) and type(value.value) in (int, float))

    def _is_assigned(self, source: Source) -> bool:
        parameter, path = source
        return bool(path) and (parameter in self._open or not self._assigned.isdisjoint(path))

    def _source(self, value: Lost) -> Source:
        return self._sources.get(value, (value, ()))


def _is_parameter(value: Lost) -> bool:
    return value.reason.startswith(PARAMETER) and value.reason != MINUS_ONE
