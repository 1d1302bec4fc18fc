"""What is done with the outcome of a check: findings are replayed, silenced or written, and the run is summed up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

import click

from shapecheck import __version__
from shapecheck.cli import summary
from shapecheck.cli.output import wants_colour, write
from shapecheck.cli.progress import progress

if TYPE_CHECKING:
    from shapecheck.findings import Finding
    from shapecheck.pipeline import Result

_FOR_PEOPLE = ("text", "concise")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The options that say what is to be done with findings."""

    form: str
    output_file: Path | None
    confirm: str | None
    add_noqa: bool
    statistics: bool
    stats: bool
    exit_zero: bool
    color: str
    quiet: bool
    verbose: bool

    @classmethod
    def taken_from(cls, options: dict[str, object]) -> Wanted:
        """Takes its own options out of all."""
        own: Mapping[str, object] = {item.name: options.pop(item.name) for item in fields(cls)}
        return cls(**own)  # type: ignore[arg-type]


def deal_with(result: Result, wanted: Wanted) -> int:
    """Does with the findings what is wanted, and says which exit status they mean."""
    if wanted.add_noqa:
        return _silence(result)
    findings = _replayed(result, wanted) if wanted.confirm else result.findings
    write(_report(result, findings, wanted), wanted.output_file)
    if wanted.verbose:
        _tell(f"checked {name}" for name in result.checked)
    _tell(result.problems)
    aside = wanted.form not in _FOR_PEOPLE and wanted.output_file is None
    for line in _epilogue(result, findings, wanted, wanted.quiet or aside):
        click.echo(line, err=aside)
    if result.problems:
        return 2
    return 1 if findings and not wanted.exit_zero else 0


def _tell(lines: Iterator[str] | Sequence[str]) -> None:
    for line in lines:
        click.echo(line, err=True)


def _replayed(result: Result, wanted: Wanted) -> list[Finding]:
    from shapecheck.confirming import confirm

    with progress("replaying", wanted=not wanted.quiet) as at:
        return confirm(result, wanted.confirm or "", at)


def _silence(result: Result) -> int:
    from shapecheck.noqa import add

    added = add(finding for finding in result.findings if finding.place.filename in result.checked)
    elsewhere = [finding for finding in result.findings if finding.place.filename not in result.checked]
    _tell((*result.problems, *added.problems))
    click.echo(f"Silenced {summary.plural(added.comments, 'finding')} in {summary.plural(len(added.files), 'file')}.")
    for finding in elsewhere:
        click.echo(f"{finding.place}: not among the files to check, left as it is")
    return 2 if result.problems or added.problems else int(bool(elsewhere))


def _report(result: Result, findings: Sequence[Finding], wanted: Wanted) -> str:
    from shapecheck.cli.rules import described, site
    from shapecheck.report import render
    from shapecheck.report.run import Run

    about = (result.checked, result.problems, described(), site()) if wanted.form in ("sarif", "junit") else ()
    colour = wants_colour(wanted.color, to_file=wanted.output_file is not None)
    return render(wanted.form, Run(findings, colour and wanted.form in _FOR_PEOPLE, __version__, *about))


def _epilogue(result: Result, findings: Sequence[Finding], wanted: Wanted, quiet: bool) -> Iterator[str]:
    if wanted.statistics:
        yield from summary.counts(findings)
    if wanted.stats:
        yield from summary.understood(result.statistics)
    if not quiet:
        yield summary.total(findings, len(result.checked))
        yield from summary.against_baseline(result.compared)
