"""The lines that edits change, before and after."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from shapecheck.findings import Edit
from shapecheck.source import Place


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
    before, after = source.text.split("\n"), edited.text.split("\n")
    for kind, first, last, new_first, new_last in difflib.SequenceMatcher(None, before, after, False).get_opcodes():
        if kind != "equal":
            start = source.line_starts[min(first, len(before) - 1)]
            yield Change(Place(source, start, start), tuple(before[first:last]), tuple(after[new_first:new_last]))


def title(edits: Sequence[Edit]) -> str:
    """Return what edits do, in one line."""
    return "; ".join(_described(change) for change in changes(edits))


def _described(change: Change) -> str:
    verb = "write" if change.before else "add"
    new = " ".join(" ".join(line.split()) for line in change.after)
    return f"{verb} {new}" if new else "remove " + " ".join(" ".join(line.split()) for line in change.before)
