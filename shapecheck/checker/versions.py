"""The versions of a program in an editor: what is known of one, a later one has as well if the edit cannot affect it.

Nothing is traced again for comments, blank lines and the form of statements, or while the text does not parse.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from shapecheck.dataflow.entry_points import fuel_of
from shapecheck.dataflow.state.observations import LazyValues, Observations
from shapecheck.file_result import FileResult
from shapecheck.findings import Finding
from shapecheck.project.parsed_files import ParsedFiles
from shapecheck.project.recorded_files import CONTENT
from shapecheck.python_syntax import module_of
from shapecheck.source import Place, Source

_ROW = re.compile(r"\blines? \d")
_STATING = re.compile(r"[(\[]|reveal")
"""Comments that may state a shape."""

LONG = 60_000
"""The evaluation steps from which on what a version means is told in two parts."""

Span = tuple[int, int]
Move = Callable[[Span], Span | None]
"""Where a stretch of one version is in another one; None if it may not be there."""


@dataclass(frozen=True, slots=True)
class _Version:
    """A version that was traced: what was found, of that what only further traces have found, and all that the result
    depends on in its text."""

    source: Source
    result: FileResult
    later: tuple[Finding, ...]
    values: LazyValues
    meaning: Hashable


@dataclass(frozen=True, slots=True)
class Following:
    """How an editor follows a program: by its versions, or with fixes. It is told what the first trace has found, and
    asked now and then whether the check is still wanted."""

    is_wanted: Callable[[], bool] | None = None
    versions: Versions | None = None
    begun: Callable[[list[Finding]], None] | None = None


class Versions:
    """The last version of a program that was traced.

    `on_begun` is called with what the first trace of a version has found, before any further ones, with other options
    or versions; for a long program, with what a brief trace has found before that. What further traces, or the rest of
    the first one, have found in the version before is taken to be there still.
    """

    def __init__(self) -> None:
        self._last: _Version | None = None
        self.on_begun: Callable[[Source, FileResult], None] | None = None

    @property
    def are_long(self) -> bool:
        """Whether the trace of the last version took so many steps that a brief one comes first."""
        return self._last is not None and self._last.result.statistics.spent.total() > LONG

    def begin(self, source: Source, first: FileResult, reached: Container[Place] | None = None) -> None:
        """Tell what the first trace of a version has found, or a brief one that `reached` these places."""
        last = self._last
        move = None if last is None else _between(last.source, source, whole_lines=True)
        kept: Iterable[Finding | None] = ()
        if last is not None and move is not None:
            kept = (_moved(each, source, move) for each in (last.later if reached is None else last.result.findings))
        later = [each for each in kept if each is not None and (reached is None or each.place not in reached)]
        if self.on_begun is not None:
            self.on_begun(source, FileResult((*first.findings, *later)))

    def put(
        self, parsed: ParsedFiles, source: Source, result: FileResult, observed: Observations, first: FileResult
    ) -> None:
        """Keep what is known of a version that was traced, of which the first trace has found a part."""
        self._last = None
        if not _is_broken(parsed, source):
            values, later = observed.in_file(source.filename), result.findings[len(first.findings) :]
            self._last = _Version(source, result, later, values, _meaning(parsed, source))

    def result(self, parsed: ParsedFiles, source: Source) -> FileResult | None:
        """Return what is known of another version without a trace; None if the edit may affect it. While a text does
        not parse, it is what was found in the unchanged lines."""
        last = self._last
        if last is None or last.source.filename != source.filename:
            return None
        if _is_broken(parsed, source):
            move = _between(last.source, source, whole_lines=True)
            return FileResult(tuple(filter(None, (_moved(each, source, move) for each in last.result.findings))))
        return self._same(parsed, source, last)

    def _same(self, parsed: ParsedFiles, source: Source, last: _Version) -> FileResult | None:
        """Return the result of a version that means the same as the last one."""
        patterns, answer = last.source.mentioned, parsed.files.answer
        questions = last.result.dependencies
        if any(source.mentions(pattern) != was for pattern, was in patterns.items()):
            return None
        if _meaning(parsed, source) != last.meaning or any(question.kind in CONTENT for question in questions):
            return None
        own = {question for question in questions if question.kind == "text" and parsed.files.is_same(question, source)}
        if any(answer(question) != was for question, was in questions.items() if question not in own):
            return None
        move = _between(last.source, source)
        findings = [_moved(each, source, move) for each in last.result.findings]
        shifted = source.text.count("\n") != last.source.text.count("\n")
        if None in findings or (shifted and any(map(_names_row, last.result.findings))):
            return None
        parsed.files.queries |= set(questions)
        return replace(last.result, findings=tuple(filter(None, findings)))

    def values(self, source: Source) -> Mapping[Span, Any]:
        """Return the values of the expressions of a version that are those of the last one that was traced."""
        if self._last is None:
            return {}
        is_same = self._last.source.text == source.text
        return self._last.values.moved(_between(self._last.source, source, whole_lines=not is_same))


def _is_broken(parsed: ParsedFiles, source: Source) -> bool:
    module = parsed.lowered(source)
    return module is None or bool(module.faults)


def _meaning(parsed: ParsedFiles, source: Source) -> Hashable:
    """Return what is equal for versions that mean the same, beside what is asked of the whole text."""
    module, tree = parsed.lowered(source), module_of(source.code)
    if module is None or tree is None:  # only libcst can read it
        return source.text
    comments = tuple(
        (comment.text, source.line(comment.line).partition("#")[0].strip(), _line_after(source, comment.line))
        for comment in module.comments
        if _STATING.search(comment.text)
    )
    cells = tuple(cell.may_raise for cell in source.cells)
    whole = (parsed.target_of(source), parsed.reaches_libraries(source), fuel_of(source), module.python2, cells)
    return (ast.dump(tree), comments, whole)


def _line_after(source: Source, row: int) -> str:
    return source.line(row + 1).strip() if row < len(source.line_starts) else ""


def _names_row(finding: Finding) -> bool:
    return _ROW.search(" ".join((finding.message, finding.help, *finding.guards))) is not None


# --- moving ----------------------------------------------------------------------------------------------------------


def _between(before: Source, after: Source, *, whole_lines: bool = False) -> Move:
    """Return where stretches of a version are, with the same text, in another one; none are in its changed lines, if
    `whole_lines` are to be left out."""
    old, new = before.text, after.text
    first = _equal(old, new)
    last = _equal(old[first:][::-1], new[first:][::-1])
    begin, end, added = first, len(old) - last, len(new) - len(old)
    if whole_lines and old != new:
        begin = old.rfind("\n", 0, begin) + 1
        end = len(old) if (at := old.find("\n", end)) < 0 else at

    def move(span: Span) -> Span | None:
        start, stop = span
        if begin < start < end or begin < stop < end or (whole_lines and start < end and stop > begin):
            return None
        moved_start = start + added if start >= end else start
        moved_stop = stop + added if stop > begin or start >= end else stop
        return (moved_start, moved_stop) if old[start:stop] == new[moved_start:moved_stop] else None

    return move


def _equal(some: str, others: str) -> int:
    """Return how many characters two texts have in common at their beginning."""
    low, high = 0, min(len(some), len(others))
    while low < high:  # comparing slices is much faster than comparing characters
        middle = (low + high + 1) // 2
        low, high = (middle, high) if some[low:middle] == others[low:middle] else (low, middle - 1)
    return low


class _Gone(Exception):
    """A place of a finding is not there any more."""


def _moved(finding: Finding, source: Source, move: Move) -> Finding | None:
    """Return a finding in another version of its file; None if it may not be there."""
    place = re.compile(rf"(?<={re.escape(source.filename)}:)(\d+)-(\d+)")

    def spelled(found: re.Match[str]) -> str:
        span = move((int(found[1]), int(found[2])))
        if span is None:
            raise _Gone
        return f"{span[0]}-{span[1]}"

    try:
        here: Finding = _rebuilt(finding, source, move)
        causes, follows = (tuple(place.sub(spelled, name) for name in names) for names in (here.causes, here.follows))
        return replace(here, causes=causes, follows=follows)
    except _Gone:
        return None


def _rebuilt(part: Any, source: Source, move: Move) -> Any:
    """Return a part of a finding with the places of a version; raises _Gone."""
    if isinstance(part, Place):
        if part.filename != source.filename:
            return part
        span = move((part.start, part.end))
        if span is None:
            raise _Gone
        return Place(source, *span)
    if isinstance(part, tuple):
        return tuple(_rebuilt(each, source, move) for each in part)
    if is_dataclass(part) and not isinstance(part, type):
        changes = dict(_changes(part, source, move))
        return replace(part, **changes) if changes else part
    return part


def _changes(part: Any, source: Source, move: Move) -> Iterator[tuple[str, Any]]:
    for field in fields(part):
        before = getattr(part, field.name)
        after = _rebuilt(before, source, move) if isinstance(before, tuple) or is_dataclass(before) else before
        if after is not before:
            yield field.name, after
