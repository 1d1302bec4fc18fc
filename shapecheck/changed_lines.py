"""The lines that edits change, before and after."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from shapecheck.findings import Edit
from shapecheck.source import Place, Source


@dataclass(frozen=True, slots=True)
class Change:
    """Neighbouring lines that are replaced: the first of them as a place, their texts, and the new texts."""

    place: Place
    before: tuple[str, ...]
    after: tuple[str, ...]


def changes(edits: Sequence[Edit]) -> Iterator[Change]:
    """Yield the changes that edits of one source make, in their order."""
    source = edits[0].place.source
    edited = source.edited([(edit.place.start, edit.place.end, edit.text) for edit in edits])
    above = min(source.position(edit.place.start)[0] for edit in edits) - 1
    below = len(source.line_starts) - max(source.position(edit.place.end)[0] for edit in edits)
    before, after = _between(source, above, below), _between(edited, above, below)
    for kind, first, last, new_first, new_last in difflib.SequenceMatcher(None, before, after, False).get_opcodes():
        if kind != "equal":
            start = source.line_starts[min(above + first, len(source.line_starts) - 1)]
            yield Change(Place(source, start, start), tuple(before[first:last]), tuple(after[new_first:new_last]))


def _between(source: Source, above: int, below: int) -> list[str]:
    """Return the lines of a source without the first and the last ones."""
    return [source.line(row) for row in range(above + 1, len(source.line_starts) - below + 1)]


def edits_between(before: Source, after: Source) -> tuple[Edit, ...]:
    """Return the edits of whole lines that make one source the other."""
    old, new = _lines(before), _lines(after)
    starts = [*before.line_starts, len(before.text)]
    codes = difflib.SequenceMatcher(None, old, new, False).get_opcodes()
    return tuple(
        Edit(Place(before, starts[first], starts[last]), "".join(new[new_first:new_last]))
        for kind, first, last, new_first, new_last in codes
        if kind != "equal"
    )


def _lines(source: Source) -> list[str]:
    """Return the lines of a source with their ends; the last one has none."""
    bounds = zip(source.line_starts, [*source.line_starts[1:], len(source.text)], strict=True)
    return [source.text[start:end] for start, end in bounds]


def title(edits: Sequence[Edit]) -> str:
    """Return what edits do, in one line."""
    return "; ".join(_described(change) for change in changes(edits))


def _described(change: Change) -> str:
    verb = "write" if change.before else "add"
    new = " ".join(" ".join(line.split()) for line in change.after)
    return f"{verb} {new}" if new else "remove " + " ".join(" ".join(line.split()) for line in change.before)


def moved(span: tuple[int, int], edits: Sequence[Edit]) -> tuple[int, int]:
    """Return a span that no edit replaces as it is after the edits."""
    start, end = span
    for edit in edits:
        grows = len(edit.text) - (edit.place.end - edit.place.start)
        start += grows if edit.place.end <= span[0] else 0
        end += grows if edit.place.end <= span[1] and edit.place.start < span[1] else 0
    return start, end
