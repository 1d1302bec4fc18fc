"""Report of a check: findings are replayed and written, or silenced by comments, and the run is summed up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from shapecheck import __version__
from shapecheck.cache.runs import Output
from shapecheck.causes import by_cause
from shapecheck.cli import summary
from shapecheck.cli.output import encodable, terminal_columns, wants_colour
from shapecheck.cli.progress import progress

if TYPE_CHECKING:
    from shapecheck.checker.pipeline import Result
    from shapecheck.cli.early_report import EarlyReport
    from shapecheck.findings import Finding

_FOR_PEOPLE = ("text", "concise")
_MOST_FIXES = 3
_FIXES = {"text": 1, "github": 1, "json": _MOST_FIXES, "jsonl": _MOST_FIXES, "sarif": _MOST_FIXES}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOptions:
    """The options about the report."""

    output_format: str
    output_file: Path | None
    confirm: str | None
    add_noqa: bool
    noqa_reason: str
    statistics: bool
    coverage: bool
    exit_zero: bool
    color: str
    quiet: bool
    verbose: bool

    @classmethod
    def of(cls, options: Mapping[str, object]) -> ReportOptions:
        """Return the options of this class among all options."""
        own: Mapping[str, object] = {item.name: options[item.name] for item in fields(cls)}
        return cls(**own)  # type: ignore[arg-type]

    @property
    def fixes(self) -> int:
        """Return how many fixes of a finding the report shows."""
        return _MOST_FIXES if self.verbose and self.output_format == "text" else _FIXES.get(self.output_format, 0)


def early_report(wanted: ReportOptions) -> EarlyReport | None:
    """Return the report that is written while files are still being checked, where that is possible."""
    from shapecheck.cli import early_report

    if not early_report.can_be_early(wanted.output_format, wanted.output_file is not None):
        return None
    separator = "\n" if wanted.output_format == "text" else ""
    return early_report.EarlyReport(lambda findings: _rendered(findings, wanted), separator)


def report_result(result: Result, wanted: ReportOptions, early: EarlyReport | None = None) -> Output:
    """Report a result as the options say, without what has been reported early; return the whole output and the exit
    status."""
    findings = by_cause(_replayed(result, wanted) if wanted.confirm else result.findings)
    report = _rendered(findings, wanted, result)
    aside = wanted.output_format not in _FOR_PEOPLE and wanted.output_file is None
    sums = _lines(_epilogue(result, findings, wanted, wanted.quiet or aside))
    told = _lines((*(f"checked {name}" for name in result.checked if wanted.verbose), *result.problems))
    failed = 130 if result.is_partial else 2
    status = (
        failed if result.problems else int(any(finding.severity.fails for finding in findings) and not wanted.exit_zero)
    )
    if wanted.output_file is not None:
        printed = shown = Output(status, [("err", told), ("out", sums)], str(wanted.output_file), report)
    else:
        after = [("err", told), ("err" if aside else "out", sums)]
        printed = Output(status, [("out", encodable(report)), *after])
        shown = printed if early is None else Output(status, [("out", encodable(early.rest(findings))), *after])
    shown.show()
    return printed


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _replayed(result: Result, wanted: ReportOptions) -> list[Finding]:
    from shapecheck.checker.confirm import confirm

    with progress("replaying", wanted=not wanted.quiet) as at:
        return confirm(result, wanted.confirm or "", at)


def add_noqa_comments(result: Result, reason: str) -> int:
    """Write a comment for each finding instead of reporting it, and return the exit status."""
    from shapecheck.suppression.add_noqa import add

    here = [finding for finding in result.findings if finding.place.filename in result.checked]
    added = add(here, reason)
    elsewhere = [finding for finding in result.findings if finding.place.filename not in result.checked]
    click.echo(_lines((*result.problems, *added.problems)), nl=False, err=True)
    click.echo(f"Silenced {summary.plural(added.comments, 'finding')} in {summary.plural(len(added.files), 'file')}.")
    for finding in elsewhere:
        click.echo(f"{finding.place}: not in a checked file, left unchanged")
    return 2 if result.problems or added.problems else int(bool(elsewhere))


def _rendered(findings: Sequence[Finding], wanted: ReportOptions, result: Result | None = None) -> str:
    """Return the report of findings; formats that describe the whole run need its result."""
    from shapecheck.cli.rules import described, site
    from shapecheck.report import render
    from shapecheck.report.result import Run

    form = wanted.output_format
    is_whole = result is not None and form in ("sarif", "junit")
    about = (result.checked, result.problems, described(), site()) if result is not None and is_whole else ()
    colour = wants_colour(wanted.color, to_file=wanted.output_file is not None)
    columns = terminal_columns() if wanted.output_file is None else 0
    run = Run(findings, colour and form in _FOR_PEOPLE, __version__, *about)
    return render(form, replace(run, columns=columns))


def _epilogue(result: Result, findings: Sequence[Finding], wanted: ReportOptions, quiet: bool) -> Iterator[str]:
    if wanted.statistics:
        yield from summary.counts(findings)
    if wanted.coverage:
        yield from summary.coverage(result.statistics)
    if not quiet and (result.checked or not result.is_partial):
        yield summary.total(findings, len(result.checked))
        yield from summary.against_baseline(result.compared)
