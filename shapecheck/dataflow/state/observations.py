"""The values that expressions have while a program is traced."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING, TypeAlias

from shapecheck.dataflow.state.frame import Frame
from shapecheck.domain.join import merge, with_fresh_unknowns
from shapecheck.domain.values import Value

if TYPE_CHECKING:
    from shapecheck import ir

Span: TypeAlias = tuple[str, int, int]
"""The name of a file, and offsets of a start and an end in it."""


@dataclass(slots=True)
class Observations:
    """The values of expressions and targets, which are joined when they are asked for: most of them never are."""

    _seen: dict[int, tuple[Span, list[Value]]] = field(default_factory=dict)

    def note(self, node: ir.Node, frame: Frame, value: Value) -> None:
        """Keep the value that a node has now."""
        seen = self._seen.get(id(node))
        if seen is None:
            self._seen[id(node)] = (frame.source.filename, node.start, node.end), [value]
        elif seen[1][-1] is not value:
            seen[1].append(value)

    def in_file(self, filename: str) -> LazyValues:
        """Return one value for each stretch of the text of a file."""
        found: dict[tuple[int, int], list[Value]] = {}
        for (name, start, end), values in self._seen.values():
            if name == filename:
                found.setdefault((start, end), []).extend(values)
        return LazyValues(found)

    def values(self, filename: str, span: tuple[int, int]) -> list[Value]:
        """Return the values that an expression of a file has had."""
        return [each for place, values in self._seen.values() if place == (filename, *span) for each in values]

    def places(self, filename: str, holds: Callable[[Value], bool]) -> set[tuple[int, int]]:
        """Return the stretches of the text of a file whose values all are of a kind."""
        found: dict[tuple[int, int], bool] = {}
        for (name, start, end), values in self._seen.values():
            if name == filename:
                found[start, end] = found.get((start, end), True) and all(map(holds, values))
        return {span for span, is_so in found.items() if is_so}


class LazyValues(Mapping[tuple[int, int], Value]):
    """Values by their places, each joined from those that it had when it is first read."""

    def __init__(self, seen: Mapping[tuple[int, int], Sequence[Value]]) -> None:
        self._seen = seen
        self._joined: dict[tuple[int, int], Value] = {}

    def __getitem__(self, span: tuple[int, int]) -> Value:
        if span not in self._joined:
            self._joined[span] = _joined(self._seen[span])
        return self._joined[span]

    def moved(self, move: Callable[[tuple[int, int]], tuple[int, int] | None]) -> Mapping[tuple[int, int], Value]:
        """Return these values by other places; those without one are left out."""
        found = ((move(span), span) for span in self._seen)
        return _Moved(self, {after: span for after, span in found if after is not None})

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return iter(self._seen)

    def __len__(self) -> int:
        return len(self._seen)


class _Moved(Mapping[tuple[int, int], Value]):
    """Values by other places than those that they are known by."""

    def __init__(self, values: LazyValues, spans: Mapping[tuple[int, int], tuple[int, int]]) -> None:
        self._values, self._spans = values, spans

    def __getitem__(self, span: tuple[int, int]) -> Value:
        return self._values[self._spans[span]]

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return iter(self._spans)

    def __len__(self) -> int:
        return len(self._spans)


def _joined(values: Sequence[Value]) -> Value:
    return reduce(lambda before, value: merge([((), before), ((), value)], _merged), values)


def _merged(values: Sequence[Value]) -> Value:
    return reduce(with_fresh_unknowns, values)
