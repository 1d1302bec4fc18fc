"""Selection of findings by options, and suppression by comments.

It knows comments and statements, not how a finding came about. `# noqa` works as in other tools; the comments `#
shapecheck: ignore[rule]` and `# shapecheck: ignore-file[rule]` must name what they ignore. A comment that names a rule
is reported if it suppresses nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import itemgetter
from typing import Literal

from shapecheck import ir
from shapecheck.config import Config, specificity
from shapecheck.diagnostics import BLANKET_SUPPRESSION, UNUSED_SUPPRESSION, Notice
from shapecheck.findings import Finding
from shapecheck.fingerprint import function_around
from shapecheck.source import Place, Source
from shapecheck.suppression.unused_pragmas import removal_fix

NOQA = re.compile(r"#\s*noqa(?::[\s]?(?P<codes>([A-Z]+[0-9]+(?:[,\s]+)?)+))?", re.IGNORECASE)
_OWN = re.compile(r"#\s*shapecheck:\s*(?P<kind>ignore-file|ignore)\b\s*(?:\[(?P<names>[^\]]*)\])?")

_OF_COMMENTS = (UNUSED_SUPPRESSION, BLANKET_SUPPRESSION)


def may_silence(text: str) -> bool:
    """Return whether a text may hold a comment that suppresses something."""
    return NOQA.search(text) is not None or _OWN.search(text) is not None


def may_be_unused(text: str) -> bool:
    """Return whether a text may hold a comment that is reported if it suppresses nothing."""
    return _OWN.search(text) is not None or any("SHP" in found[0].upper() for found in NOQA.finditer(text))


def apply(
    findings: Sequence[Finding],
    modules: Mapping[str, ir.Module],
    config: Config,
    checked: Mapping[str, Source],
    *,
    is_whole: bool = True,
) -> list[Finding]:
    """Return the findings that are selected and not suppressed, with those about suppressions themselves, sorted.

    Findings may lie in files that checked files import; comments are respected there too, but only those in checked
    files are reported. A comment in a function may be needed when its callers are checked, so it is reported as unused
    only if the program `is_whole`.
    """
    kept: list[Finding] = []
    by_file: dict[str, list[Finding]] = {name: [] for name in modules}
    for finding in findings:
        by_file.setdefault(finding.place.filename, []).append(finding)
    for filename, found in by_file.items():
        if filename not in checked and config.leaves_out(filename):
            continue
        module = modules.get(filename)
        source = checked.get(filename) or next((finding.place.source for finding in found), None)
        if module is not None and source is not None:
            found, pragmas = _suppressed(found, module, source, config)
            found += _suppression_findings(pragmas, source, is_whole) if filename in checked else ()
        kept += (finding for finding in found if selected(finding, config))
    return sorted(kept, key=lambda finding: finding.sort_key)


def selected(finding: Finding, config: Config) -> bool:
    """Return whether the options select a finding."""
    kind = _kind(finding)
    return config.shows(*kind) and specificity(config.ignores_in(finding.place.filename), *kind) < 0


def _kind(reported: Finding | Notice) -> tuple[str, str, str, str]:
    """Return what selectors are compared with."""
    return reported.code, reported.name, reported.category, reported.severity.value


@dataclass(slots=True)
class _Pragma:
    """One comment that suppresses: `names` is empty for a blanket one; `used` collects those that had an effect.

    `listed` and `written` are the ranges of the names and of the whole pragma in the text.
    """

    kind: Literal["noqa", "ignore", "ignore-file"]
    names: tuple[str, ...]
    row: int
    start: int
    end: int
    listed: tuple[int, int]
    written: tuple[int, int]
    used: set[str] = field(default_factory=set)

    def covers(self, finding: Finding, rows: range) -> bool:
        """Return whether it suppresses a finding whose statement lies in `rows`; record the names that match."""
        if self.kind != "ignore-file" and self.row not in rows:
            return False
        if not self.names:
            self.used.add("")
            return True
        hits = {name for name in self.names if self.fits(name, finding)}
        self.used |= hits
        return bool(hits)

    def is_ours(self, name: str) -> bool:
        """Return whether an unused name is to be reported: not one of other tools, nor one of such reports."""
        if self.kind == "noqa" and not name.upper().startswith("SHP"):
            return False
        return all(specificity((name,), *_kind(kind)) < 1 for kind in _OF_COMMENTS)

    def fits(self, name: str, finding: Finding) -> bool:
        if self.kind == "noqa":
            return name.upper().startswith("SHP") and finding.code.startswith(name.upper())
        return specificity((name,), *_kind(finding)) > 0


def _suppressed(
    found: list[Finding], module: ir.Module, source: Source, config: Config
) -> tuple[list[Finding], list[_Pragma]]:
    """Return the findings that no comment of a file suppresses, and the comments."""
    pragmas = [pragma for comment in module.comments for pragma in _pragmas(comment, config)]
    if not pragmas:
        return found, []
    statements = _Statements(module, source)
    kept = []
    for finding in found:
        rows = statements.around(finding.place)
        # Every pragma is asked, not only the first that covers it: each that fits is in use.
        covered = [pragma.covers(finding, rows) for pragma in pragmas]
        if not any(covered):
            kept.append(finding)
    return kept, pragmas


def _pragmas(comment: ir.Comment, config: Config) -> Iterator[_Pragma]:
    noqa = NOQA.search(comment.text) if config.noqa else None
    if noqa:
        codes = tuple(re.findall(r"[A-Za-z]+[0-9]+", noqa["codes"] or ""))
        end = comment.start + len(comment.text)
        yield _Pragma("noqa", codes, comment.line, comment.start, end, *_stretches(noqa, "codes", comment.start))
    for own in _OWN.finditer(comment.text):
        names = tuple(name.strip() for name in (own["names"] or "").split(",") if name.strip())
        kind: Literal["ignore", "ignore-file"] = "ignore" if own["kind"] == "ignore" else "ignore-file"
        listed, (start, end) = _stretches(own, "names", comment.start)
        yield _Pragma(kind, names, comment.line, start, end, listed, (start, end))


def _stretches(found: re.Match[str], group: str, base: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the ranges of the names and of the whole pragma, without trailing blanks."""
    blanks = len(found[0]) - len(found[0].rstrip())
    end = found.end() - blanks + base
    return (found.start(group) + base, min(found.end(group) + base, end)), (found.start() + base, end)


def _suppression_findings(pragmas: Sequence[_Pragma], source: Source, is_whole: bool) -> Iterator[Finding]:
    """Yield the problems of suppressions, unless another suppression silences them by name."""
    for pragma in pragmas:
        rows = range(pragma.row, pragma.row + 1)
        for finding in _problems_of(pragma, source, is_whole):
            if not any(other.names and other.covers(finding, rows) for other in pragmas):
                yield finding


def _problems_of(pragma: _Pragma, source: Source, is_whole: bool) -> Iterator[Finding]:
    """Yield the problems of one suppression; a `# noqa` may be meant for other tools."""
    place = Place(source, pragma.start, pragma.end)
    if not pragma.names and pragma.kind != "noqa":
        remedy = f"write {pragma.kind}[axis-mismatch]"
        yield BLANKET_SUPPRESSION.finding(place, f"{place.text} names no rule", remedy)
        return
    unused = [name for name in pragma.names if name not in pragma.used and pragma.is_ours(name)]
    may_have_callers = pragma.kind == "ignore-file" or bool(function_around(place))
    if unused and (is_whole or not may_have_callers):
        where = "file" if pragma.kind == "ignore-file" else "statement"
        message = f"nothing to ignore in this {where}: {', '.join(unused)}"
        fix = removal_fix(unused, source, pragma.listed, pragma.written)
        yield replace(UNUSED_SUPPRESSION.finding(place, message, "remove it"), fixes=(fix,) if fix else ())


class _Statements:
    """The rows of the innermost simple statement, or head of a compound one, around a place."""

    def __init__(self, module: ir.Module, source: Source) -> None:
        self.module, self.source = module, source

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        return sorted(_spans(self.module.body, self.source.text))

    def around(self, place: Place) -> range:
        own = range(self._row(place.start), self._row(place.end) + 1)
        index = bisect_right(self.spans, place.start, key=itemgetter(0)) - 1
        if index < 0 or place.start > self.spans[index][1]:
            return own
        start, end = self.spans[index]
        return range(min(own.start, self._row(start)), max(own.stop, self._row(end) + 1))

    def _row(self, offset: int) -> int:
        return self.source.position(offset)[0]


def _spans(body: Sequence[ir.Stmt], text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each simple statement and of each compound one's head; they do not overlap."""
    for statement in body:
        suites = _suites(statement)
        inner = min((suite[0].start for suite in suites if suite), default=None)
        end = statement.end if inner is None else max(text.rfind("\n", 0, inner), statement.start)
        yield statement.start, end
        for suite in suites:
            yield from _spans(suite, text)


def _suites(statement: ir.Stmt) -> tuple[tuple[ir.Stmt, ...], ...]:
    match statement:
        case ir.If() | ir.While() | ir.For():
            return (statement.body, statement.orelse)
        case ir.Try():
            handlers = tuple(handler.body for handler in statement.handlers)
            return (statement.body, *handlers, statement.orelse, statement.final)
        case ir.With() | ir.FunctionDef() | ir.ClassDef():
            return (statement.body,)
        case ir.Match():
            return tuple(case.body for case in statement.cases)
        case _:
            return ()
