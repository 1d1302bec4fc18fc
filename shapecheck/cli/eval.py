"""`shapecheck eval`: accuracy of the findings, on a corpus or on labelled programs elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from shapecheck.cli.confirmation import ConfirmCommand, confirm_option
from shapecheck.cli.output import write

if TYPE_CHECKING:
    from shapecheck.evaluation.mutation import Fate
    from shapecheck.evaluation.mutation import Row as Mutated
    from shapecheck.evaluation.score import Row, Totals, Verdict
    from shapecheck.findings import Finding

_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


def _accepted(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> frozenset[tuple[str, str]]:
    """Parse `SO/UT-10=silent-outer-broadcast`."""
    for text in given:
        if not all(text.partition("=")):
            raise click.BadParameter(f"'{text}' is not of the form ID=RULE")
    return frozenset((text.partition("=")[0], text.partition("=")[2]) for text in given)


@click.command(name="eval", cls=ConfirmCommand, short_help="Compare findings with labels.")
@click.argument("corpus", type=_FOLDER, required=False)
@click.option("--labels", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="JSON file of labels.")
@click.option("--root", type=_FOLDER, help="Folder of the files named in the labels.")
@click.option(
    "--accept",
    multiple=True,
    callback=_accepted,
    metavar="ID=RULE",
    help="Accept findings of this rule in the fixed program of this label; can be repeated.",
)
@click.option(
    "--mutate",
    type=click.IntRange(min=1),
    metavar="N",
    help="Run and check up to N mutants of each working program in the folder.",
)
@click.option(
    "--report",
    type=click.Path(dir_okay=False, path_type=Path),
    help="On a corpus: write precision and recall by rule as a page with plots.",
)
@confirm_option
def command(
    corpus: Path | None,
    labels: Path | None,
    root: Path | None,
    accept: frozenset[tuple[str, str]],
    mutate: int | None,
    report: Path | None,
    confirm: str | None,
) -> int:
    """Compare findings with labels: those of a CORPUS, or --labels FILE --root FOLDER.

    On a corpus the exit status is 1 if anything deviates from its label. With --mutate the programs of the folder are
    executed with one size, axis, flag or layer changed: those that fail must be found, those that run must be clean.
    """
    from shapecheck.evaluation.labels import BadLabels

    if report is not None and (corpus is None or mutate is not None):
        raise click.UsageError("--report is for the labels of a CORPUS")
    if corpus is not None and mutate is not None:
        return _mutated(corpus, mutate)
    if (corpus is None) == (labels is None) or (labels is None) != (root is None):
        raise click.UsageError("give a CORPUS, or both --labels and --root")
    try:
        if corpus is not None:
            return _corpus(corpus, report)
        assert labels is not None
        assert root is not None
        return _labelled(labels, root, accept, confirm)
    except BadLabels as error:
        raise click.UsageError(str(error)) from None


def _corpus(corpus: Path, report: Path | None) -> int:
    from shapecheck.evaluation.score import judge

    verdicts = []
    for verdict in judge(corpus):
        verdicts.append(verdict)
        write("".join(f"{line}\n" for line in _verdict(verdict)))
    if not verdicts:
        raise click.UsageError(f"{corpus}: no labelled programs")
    deviating = sum(bool(verdict.deviations) for verdict in verdicts)
    pairs = [verdict for verdict in verdicts if verdict.expect != "silent"]
    found = sum(verdict.outcome == "found" for verdict in pairs)
    silent = sum(verdict.outcome == "silent" for verdict in verdicts)
    write(
        f"\n{found} of {len(pairs)} bugs found, {silent} of {len(verdicts) - len(pairs)} clean programs silent, "
        f"{deviating} not as labelled\n{_repairs(verdicts)}"
    )
    if report is not None:
        from shapecheck.evaluation.score import by_rule
        from shapecheck.report.html.plots import render

        report.write_text(render("Precision and recall by rule", by_rule(verdicts)), encoding="utf-8")
    return 1 if deviating else 0


def _repairs(verdicts: Sequence[Verdict]) -> str:
    """Return how many errors have a fix."""
    from shapecheck.evaluation.score import AS_ITS_AUTHOR, EQUIVALENT, NONE

    errors = [verdict.repair for verdict in verdicts if verdict.repair]
    offered = [repair for repair in errors if repair != NONE]
    return (
        f"{len(offered)} of {len(errors)} errors have a fix that was tried, "
        f"{offered.count(AS_ITS_AUTHOR)} of these exactly as the author mended the program, "
        f"{offered.count(EQUIVALENT)} with the same operations\n"
    )


def _mutated(folder: Path, most: int) -> int:
    from shapecheck.evaluation.mutation import evaluate, programs

    rows = []
    for row in evaluate(programs(folder), most):
        rows.append(row)
        write("".join(f"{line}\n" for line in _mutants(row)))
    killed, found = _count(rows, "killed"), sum(len(row.those("killed", True)) for row in rows)
    survived, false = _count(rows, "survived"), sum(len(row.those("survived", True)) for row in rows)
    write(
        f"\n{sum(len(row.verdicts) for row in rows)} mutants of {sum(bool(row.verdicts) for row in rows)} programs\n"
        f"recall {found / max(killed, 1):.1%} ({found} of {killed} that fail with an error about shapes)\n"
        f"{false} false errors on {survived} mutants that run\n"
    )
    return 1 if false else 0


def _count(rows: Sequence[Mutated], fate: Fate) -> int:
    return sum(verdict.fate == fate for row in rows for verdict in row.verdicts)


def _mutants(row: Mutated) -> Iterator[str]:
    if row.problem:
        yield f"{row.program.name}: left out, {row.problem}"
        return
    found, missed, false = (row.those(*what) for what in (("killed", True), ("killed", False), ("survived", True)))
    counts = f"{len(found)} found, {len(missed)} missed, {len(false)} false"
    yield f"{row.program.name}: {len(row.verdicts)} mutants, {counts}"
    for verdict in missed:
        yield f"  missed {verdict.mutant.row}: {verdict.mutant.change}; {verdict.error}"
    for verdict in false:
        assert verdict.finding is not None
        yield f"  FALSE {verdict.mutant.row}: {verdict.mutant.change}; {_told(verdict.finding)}"


def _verdict(verdict: Verdict) -> Iterator[str]:
    mark = "FAIL" if verdict.deviations else "ok"
    yield f"{mark:5} {verdict.outcome:9} {verdict.name}"
    for deviation in verdict.deviations:
        yield f"      {deviation}"


def _labelled(labels: Path, root: Path, accept: frozenset[tuple[str, str]], confirm: str | None) -> int:
    from shapecheck.evaluation.labels import read
    from shapecheck.evaluation.score import score, total

    programs = read(labels)
    width = max((len(program.id) for program in programs), default=0)
    rows = []
    for row in score(programs, root, confirm, accept):
        rows.append(row)
        write("".join(f"{line}\n" for line in _row(row, width)))
    write(_totals(total(rows)))
    return 2 if any(row.problems for row in rows) else 0


def _row(row: Row, width: int) -> Iterator[str]:
    hit = _told(row.buggy.hits[0]) if row.buggy.hits else ""
    more = f"  (+{len(row.buggy.others)} elsewhere)" if row.buggy.others else ""
    yield f"{row.id:{width}}  {'found' if row.found else 'missed':6}  {hit}{more}".rstrip()
    for problem in row.problems:
        yield f"{'':{width}}  problem: {problem}"
    for finding in row.fixed.hits:
        yield f"{'':{width}}  on fixed, listed: {_told(finding)}"
    for finding in row.fixed.others:
        yield f"{'':{width}}  on fixed, FALSE: {_told(finding)}"


def _told(finding: Finding) -> str:
    said = f" ({finding.confirmation.status})" if finding.confirmation else ""
    return f"{Path(finding.place.where).name}:{finding.place.row} {finding.severity.value}[{finding.name}]{said}"


def _totals(totals: Totals) -> str:
    return (
        f"\nrecall {totals.recall:.1%} ({totals.found} of {totals.programs} bugs reported on a labelled line)\n"
        f"precision {totals.precision:.1%} ({totals.false} fixed programs with a finding that no label lists)\n"
        f"{totals.elsewhere} findings on buggy programs outside the labelled lines\n"
    )
