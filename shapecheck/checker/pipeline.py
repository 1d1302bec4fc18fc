"""From paths to findings: the whole run, in the order of its parts.

source text ─ frontend ─▶ IR ─ dataflow ─▶ graph and clashes ─ rules ─▶ findings ─ suppress ─▶ result
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.checker.parallel import Progress, Setting, Work, share
from shapecheck.config import Config
from shapecheck.diagnostics import SYNTAX_ERROR
from shapecheck.file_result import FileResult, Statistics
from shapecheck.findings import Finding, Severity
from shapecheck.frontend import notebook
from shapecheck.project import discovery
from shapecheck.project.versions import common_target
from shapecheck.source import Place, Source, UnreadableSource, decode, read
from shapecheck.suppression import baseline, pragmas
from shapecheck.target import Target

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


@dataclass(frozen=True)
class Result:
    """Everything a run found.  `checked` names the files, `problems` are one-line messages for standard error;
    `tracers` has what a replay needs, where that was asked for, by the identity of a finding; `asked` is all that was
    asked of the file system, with the answers, as in `looks`."""

    findings: list[Finding]
    checked: list[str]
    statistics: Statistics
    problems: list[str]
    compared: baseline.Compared
    tracers: Mapping[int, Tracer]
    asked: Mapping[tuple[str, str], object]

    @property
    def read(self) -> frozenset[str]:
        """All files that had a say."""
        return frozenset(path for kind, path in self.asked if kind == "text")


def check(
    paths: Sequence[str | Path],
    config: Config,
    *,
    stdin: str | bytes | None = None,
    progress: Progress | None = None,
    replayable: bool = False,
) -> Result:
    """Checks files and folders; `stdin` is the text that the path `-` stands for."""
    found = discovery.find(paths, config)
    problems = list(found.problems)
    sources = _read([partial(source_of, path) for path in found.files], problems)
    if stdin is not None:
        sources += _read([partial(_standard_input, stdin, config.stdin_filename)], problems)
    by_name = {source.filename: source for source in sources}
    tests = _read([partial(source_of, path) for path in found.tests], [])
    common = common_target([source.text for source in sources], target_of(config))
    setting = Setting([*sources, *tests], common, config.cache_dir)
    work = Work(setting)
    tracers: dict[int, Tracer] = {}

    def keep(tracer: Tracer, outcome: FileResult) -> None:
        tracers.update((id(finding), tracer) for finding in outcome.findings)

    outcomes = share(work, setting, config.jobs, progress, keep if replayable else None)
    statistics = Statistics()
    ordered = [outcome for name, outcome in sorted(outcomes.items()) if name in by_name]
    for outcome in ordered:
        statistics.add(outcome.statistics)
        problems += outcome.problems
    ordered += [_within(by_name, outcomes[test.filename]) for test in tests if test.filename in outcomes]
    findings = [*_best(ordered), *_syntax_errors(work, sources, problems)]
    imported = {f.place.filename: f.place.source for f in findings if f.place.filename not in by_name}
    modules = _modules(work, [*sources, *imported.values()])
    is_whole = any(os.path.isdir(path) for path in paths)
    findings = pragmas.apply(findings, modules, config, by_name, is_whole=is_whole)
    compared = baseline.against(config.baseline, findings, by_name if is_whole else ())
    problems = list(dict.fromkeys(problems))
    asked: dict[tuple[str, str], object] = {**found.asked, **dict(work.known.files.all_asked())}
    for outcome in ordered:
        asked.update(outcome.asked.items())
    if config.baseline is not None:
        asked["text", str(config.baseline)] = True
    return Result(compared.new, sorted(by_name), statistics, problems, compared, tracers, asked)


def _within(names: Container[str], outcome: FileResult) -> FileResult:
    """What a file of tests shows about the files that are checked."""
    return replace(outcome, findings=tuple(f for f in outcome.findings if f.place.filename in names))


def _best(outcomes: Iterable[FileResult]) -> list[Finding]:
    """Of what several files have found in one place by one rule, the worst."""
    best: dict[tuple[str, Place], Finding] = {}
    for finding in (finding for outcome in outcomes for finding in outcome.findings):
        if finding.place.may_raise:
            finding = replace(finding, severity=Severity.INFO)
        known = best.get((finding.code, finding.place))
        if known is None or finding.rank < known.rank:
            best[finding.code, finding.place] = finding
    return list(best.values())


def _modules(work: Work, sources: Sequence[Source]) -> Mapping[str, ir.Module]:
    """The meaning of the files in which comments may silence something."""
    for source in sources:
        can_find = pragmas.may_silence(source.text) and work.known.reaches_libraries(source)
        if can_find or pragmas.may_be_idle(source.text):
            work.known.lowered(source)
    return work.known.modules


def _read(ways: Sequence[Callable[[], Source]], problems: list[str]) -> list[Source]:
    sources = []
    for way in ways:
        try:
            sources.append(way())
        except UnreadableSource as error:
            problems.append(str(error))
    return sources


def source_of(path: Path) -> Source:
    """The program in a file; raises UnreadableSource."""
    return notebook.read(path) if path.suffix == notebook.SUFFIX else read(path)


def _standard_input(content: str | bytes, filename: str) -> Source:
    if filename.endswith(notebook.SUFFIX):
        return notebook.program(content if isinstance(content, bytes) else content.encode(), filename)
    return decode(content, filename) if isinstance(content, bytes) else Source(filename, content)


def target_of(config: Config) -> Target:
    """The library versions that the configuration names."""

    def major(name: str) -> int | None:
        text = str(config.target.get(name, "")).split(".")[0]
        return int(text) if text.isdigit() else None

    return Target(major("tensorflow"), major("keras"), major("numpy"))


def _syntax_errors(work: Work, sources: Sequence[Source], problems: list[str]) -> list[Finding]:
    """A finding for everything that does not parse, also where no tracing needed it; a problem for what Python would
    read and the frontend does not."""
    findings = []
    for source in sources:
        syntax = work.syntax(source)
        findings += [_syntax_error(source, fault) for fault in syntax.faults]
        unread = [(Place(source, fault.start, fault.start), fault.message) for fault in syntax.unread]
        problems += (f"{place}: not checked: {message}" for place, message in unread)
    return findings


def _syntax_error(source: Source, fault: ir.Fault) -> Finding:
    offset = min(fault.start, len(source.text))
    return SYNTAX_ERROR.finding(Place(source, offset, offset), fault.message)
