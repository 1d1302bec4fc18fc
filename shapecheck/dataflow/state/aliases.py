"""Aliases by unknown values: the lists or objects that a lost value may be."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from shapecheck.domain.values import Choice, Lost, Method, Ref, Value


@dataclass(slots=True)
class Aliases:
    """The objects that each lost value may be, those that it may be a part of, and the names of those that are methods.

    Only lists, dicts, sets and instances of the program's classes count. `inherited` are the objects of methods that
    their unknown bases define, and `any_method` the methods that an attribute of an unknown name may be.
    """

    whole: dict[Value, tuple[Ref, ...]] = field(default_factory=dict)
    part: dict[Value, tuple[Ref, ...]] = field(default_factory=dict)
    methods: dict[Value, str] = field(default_factory=dict)
    inherited: dict[Value, Ref] = field(default_factory=dict)
    any_method: dict[Value, tuple[Method, ...]] = field(default_factory=dict)

    def note_join(self, joined: Value, values: Iterable[Value]) -> None:
        """Note which objects a join of several values may be, where that is lost."""
        lost = [value for value in _alternatives(joined) if isinstance(value, Lost) and value not in self.whole]
        if lost:
            found = [ref for value in values for one in _alternatives(value) for ref in self._objects(one)]
            refs = tuple(dict.fromkeys(found))
            self.whole.update(dict.fromkeys(lost, refs) if refs else {})

    def _objects(self, value: Value) -> tuple[Ref, ...]:
        return (value,) if isinstance(value, Ref) else self.whole.get(value, ()) if isinstance(value, Lost) else ()


def _alternatives(value: Value) -> Iterable[Value]:
    return (option for _, option in value.options) if isinstance(value, Choice) else (value,)
