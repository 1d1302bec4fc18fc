"""From paths to findings: the whole run, step by step.

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
from shapecheck.causes import by_cause
from shapecheck.checker.early_findings import EarlyFindings
from shapecheck.checker.parallel import FileChecker, Interrupted, ResultsCallback, RunSettings, check_files
from shapecheck.config import Config
from shapecheck.diagnostics import ENGINE, SYNTAX_ERROR
from shapecheck.file_result import FileResult, Statistics
from shapecheck.findings import Finding, Severity
from shapecheck.frontend import notebook
from shapecheck.progress import Progress
from shapecheck.project import discovery
from shapecheck.project.parsed_files import ParsedFiles
from shapecheck.project.versions import common_target
from shapecheck.source import Place, Source, UnreadableSource, decode, read
from shapecheck.suppression import baseline, pragmas
from shapecheck.target import Target

if TYPE_CHECKING:
    from shapecheck.checker.versions import Following
    from shapecheck.dataflow.tracer import Tracer


@dataclass(frozen=True)
class Result:
    """The result of a run. `checked` names the files; `problems` are one-line messages for standard error; `tracers`
    holds, by the identity of a finding, what a replay needs, if the run is replayable; `dependencies` are all queries
    of the file system with their answers; `is_partial` says that the run was interrupted."""

    findings: list[Finding]
    checked: list[str]
    statistics: Statistics
    problems: list[str]
    compared: baseline.Compared
    tracers: Mapping[int, Tracer]
    dependencies: Mapping[tuple[str, str], object]
    is_partial: bool = False

    @property
    def read(self) -> frozenset[str]:
        """Return all files that the result depends on."""
        return frozenset(path for kind, path in self.dependencies if kind == "text")


def check(
    paths: Sequence[str | Path],
    config: Config,
    *,
    stdin: str | bytes | None = None,
    progress: Progress | None = None,
    replayable: bool = False,
    keeps_partial: bool = False,
    tell: Callable[[Finding], None] | None = None,
    following: Following | None = None,
) -> Result:
    """Check files and folders; `stdin` is the text of the path `-`.

    Ctrl-C raises KeyboardInterrupt, or ends the check with what was found so far if that is to be kept. Most findings
    are told to `tell` before the run is over, unless there is a baseline. An editor may be `following` a program; that
    raises Unwanted as soon as the check is not wanted any more.
    """
    found = discovery.find(paths, config)
    problems = list(found.problems)
    sources = _read([partial(source_of, path) for path in found.files], problems)
    if stdin is not None and not (config.force_exclude and config.leaves_out(config.stdin_filename)):
        sources += _read([partial(_standard_input, stdin, config.stdin_filename)], problems)
    by_name = {source.filename: source for source in sources}
    tests = _read([partial(source_of, path) for path in found.tests], [])
    common = common_target([source.text for source in sources], target_of(config))
    if config.changed_since is not None:
        sources = _affected(sources, paths, common, config.changed_since)
    settings = _settings([*sources, *tests], common, config)
    checker = _checker(settings, following, config)
    tracers: dict[int, Tracer] = {}

    def on_traced(tracer: Tracer, result: FileResult) -> None:
        tracers.update((id(finding), tracer) for finding in result.findings)

    early = None if tell is None or config.baseline is not None else _early(checker, sources, config, tell)
    is_partial = False
    try:
        results = check_files(checker, settings, config.jobs or 1, progress, on_traced if replayable else None, early)
    except Interrupted as interruption:
        if not keeps_partial:
            raise
        is_partial, results = True, interruption.results
        done = sum(name in by_name for name in results)
        problems.append(f"shapecheck: interrupted, {done} of {len(by_name)} files were checked")
    statistics = Statistics()
    ordered = [result for name, result in sorted(results.items()) if name in by_name]
    for result in ordered:
        statistics.add(result.statistics)
        problems += result.problems
    ordered += [_within(by_name, results[test.filename]) for test in tests if test.filename in results]
    readable = [source for source in sources if not is_partial or source.filename in results]
    findings = [*_best(ordered), *_syntax_errors(checker, readable, problems)]
    is_whole = any(os.path.isdir(path) for path in paths) and not is_partial and config.changed_since is None
    modules = _modules(checker, readable, findings)
    findings = pragmas.apply(findings, modules, config, by_name, is_whole=is_whole)
    compared = baseline.compare_with_file(config.baseline, findings, by_name if is_whole else ())
    problems = list(dict.fromkeys(problems))
    dependencies = _dependencies(found, checker, ordered, config)
    checked = sorted(source.filename for source in readable)
    return Result(compared.new, checked, statistics, problems, compared, tracers, dependencies, is_partial)


def _settings(sources: Sequence[Source], common: Target, config: Config) -> RunSettings:
    return RunSettings(
        sources, common, config.cache_dir, config.fixes, config.data, config.executor, config.shared_cache
    )


def _checker(settings: RunSettings, following: Following | None, config: Config) -> FileChecker:
    """Return what checks the files, for an editor as versions of a program."""
    checker = FileChecker(settings)
    if following is not None:
        checker.parsed.is_wanted, checker.versions = following.is_wanted, following.versions
        begun = following.begun
        if following.versions is not None and begun is not None:
            following.versions.on_begun = lambda source, first: begun(_kept(checker, source, first, config))
    return checker


def _early(
    checker: FileChecker, sources: Sequence[Source], config: Config, tell: Callable[[Finding], None]
) -> ResultsCallback:
    """Return what tells the findings that results so far allow to be told."""

    def chosen(source: Source, result: FileResult) -> list[Finding]:
        kept = _kept(checker, source, _within({source.filename}, result), config)
        return by_cause([finding for finding in kept if finding.category != ENGINE])

    return EarlyFindings(sorted(sources, key=lambda source: source.filename), chosen, tell).advance


def _kept(checker: FileChecker, source: Source, result: FileResult, config: Config) -> list[Finding]:
    """Return the findings of a result that comments and the configuration leave."""
    own = _best([result])
    modules = _modules(checker, [source], own)
    told = {finding.place.filename for finding in own} | {source.filename}
    known = {name: module for name, module in modules.items() if name in told}
    return pragmas.apply(own, known, config, {source.filename: source}, is_whole=False)


def _affected(sources: list[Source], paths: Sequence[str | Path], common: Target, revision: str) -> list[Source]:
    """Return the sources that changes since a revision can affect; raises BadConfig."""
    from shapecheck.project import changes

    first = next((Path(path) for path in paths if str(path) != "-"), Path())
    changed = changes.changed_files(revision, first if first.is_dir() else first.parent)
    return changes.affected(ParsedFiles(sources, common), sources, changed)


def _within(names: Container[str], result: FileResult) -> FileResult:
    """Return the result of a test file, limited to findings in the checked files."""
    return replace(result, findings=tuple(f for f in result.findings if f.place.filename in names))


def _best(results: Iterable[FileResult]) -> list[Finding]:
    """Return the most severe of the findings that several files have of one rule in one place."""
    best: dict[tuple[str, Place], Finding] = {}
    for finding in (finding for result in results for finding in result.findings):
        if finding.place.may_raise:
            finding = replace(finding, severity=Severity.INFO)
        parsed = best.get((finding.code, finding.place))
        if parsed is None or finding.rank < parsed.rank:
            best[finding.code, finding.place] = finding
    return list(best.values())


def _modules(checker: FileChecker, sources: Sequence[Source], findings: Sequence[Finding]) -> Mapping[str, ir.Module]:
    """Return the IR of the files, checked or with findings, in which comments may suppress findings."""
    checked = {source.filename for source in sources}
    imported = {f.place.filename: f.place.source for f in findings if f.place.filename not in checked}
    for source in (*sources, *imported.values()):
        can_find = pragmas.may_silence(source.text) and checker.parsed.reaches_libraries(source)
        if can_find or pragmas.may_be_unused(source.text):
            checker.parsed.lowered(source)
    return checker.parsed.modules


def _dependencies(
    found: discovery.Found, checker: FileChecker, results: Iterable[FileResult], config: Config
) -> dict[tuple[str, str], object]:
    """Return all queries of the file system with their answers."""
    dependencies: dict[tuple[str, str], object] = {**found.dependencies, **dict(checker.parsed.files.all_answers())}
    for result in results:
        dependencies.update(result.dependencies.items())
    if config.baseline is not None:
        dependencies["text", str(config.baseline)] = True
    return dependencies


def _read(ways: Sequence[Callable[[], Source]], problems: list[str]) -> list[Source]:
    sources = []
    for way in ways:
        try:
            sources.append(way())
        except UnreadableSource as error:
            problems.append(str(error))
    return sources


def source_of(path: Path) -> Source:
    """Return the program in a file; raises UnreadableSource."""
    return notebook.read(path) if path.suffix == notebook.SUFFIX else read(path)


def _standard_input(content: str | bytes, filename: str) -> Source:
    if filename.endswith(notebook.SUFFIX):
        return notebook.program(content if isinstance(content, bytes) else content.encode(), filename)
    return decode(content, filename) if isinstance(content, bytes) else Source(filename, content)


def target_of(config: Config) -> Target:
    """Return the library versions that the configuration names."""

    def major(name: str) -> int | None:
        text = str(config.target.get(name, "")).split(".")[0]
        return int(text) if text.isdigit() else None

    return Target(major("tensorflow"), major("keras"), major("numpy"))


def _syntax_errors(checker: FileChecker, sources: Sequence[Source], problems: list[str]) -> list[Finding]:
    """Return a finding for every syntax error, also in files that were not traced. Code that Python accepts and the
    frontend does not becomes a problem."""
    findings = []
    for source in sources:
        syntax = checker.syntax(source)
        findings += [_syntax_error(source, fault) for fault in syntax.faults]
        unread = [(Place(source, fault.start, fault.start), fault.message) for fault in syntax.unread]
        problems += (f"{place}: not checked: {message}" for place, message in unread)
    return findings


def _syntax_error(source: Source, fault: ir.Fault) -> Finding:
    offset = min(fault.start, len(source.text))
    return SYNTAX_ERROR.finding(Place(source, offset, offset), fault.message)
