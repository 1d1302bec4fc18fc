"""`shapecheck check`: files and folders in, findings out."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from shapecheck.cli.confirmation import Confirming, confirm_option, progress
from shapecheck.cli.output import wants_colour, write
from shapecheck.config import SEVERITIES, Config, nearest, override

if TYPE_CHECKING:
    from shapecheck.findings import Finding
    from shapecheck.pipeline import Result, Statistics


def selectors(ctx: click.Context, param: click.Parameter, values: Sequence[str]) -> tuple[str, ...]:
    """Codes, prefixes, names and categories, separated by commas, of an option that may be repeated."""
    return tuple(word for value in values for word in _words(value))


def file_ignores(ctx: click.Context, param: click.Parameter, values: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """`GLOB:RULES`, repeated."""
    merged: dict[str, tuple[str, ...]] = {}
    for value in values:
        pattern, _, rules = value.rpartition(":")
        if not (pattern and _words(rules)):
            raise click.BadParameter(f"'{value}' is not of the form 'tests/*:SHP101,mismatch'")
        merged[pattern] = merged.get(pattern, ()) + _words(rules)
    return merged


def versions(ctx: click.Context, param: click.Parameter, value: str | None) -> dict[str, str]:
    """`tensorflow=2.21,keras=3`."""
    target = {}
    for pair in _words(value or ""):
        name, _, version = pair.partition("=")
        if not (name.strip() and version.strip()):
            raise click.BadParameter(f"'{value}' is not of the form 'tensorflow=2.21,keras=3'")
        target[name.strip()] = version.strip()
    return target


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


@click.command(name="check", cls=Confirming)
@click.argument("paths", nargs=-1)
@click.option("--select", multiple=True, callback=selectors, metavar="RULES", help="Rules to report, and no others.")
@click.option("--ignore", multiple=True, callback=selectors, metavar="RULES", help="Rules not to report.")
@click.option("--extend-select", multiple=True, callback=selectors, metavar="RULES", help="Rules to report as well.")
@click.option(
    "--per-file-ignores",
    multiple=True,
    callback=file_ignores,
    metavar="GLOB:RULES",
    help="Rules to leave out in files.",
)
@click.option("--min-severity", type=click.Choice(SEVERITIES), help="Report nothing below this.")
@click.option("--target", callback=versions, metavar="VERSIONS", help="For these versions: tensorflow=2.21,keras=3.")
@click.option(
    "--output-format",
    "form",
    type=click.Choice(["text", "concise", "json", "jsonl"]),
    default="text",
    show_default=True,
)
@click.option("--output-file", type=click.Path(path_type=Path, dir_okay=False), help="Write findings to this file.")
@confirm_option
@click.option("--statistics", is_flag=True, help="Count findings by rule.")
@click.option("--stats", is_flag=True, help="Show how much of the program was understood.")
@click.option("--exit-zero", is_flag=True, help="Exit with status 0 although there are findings.")
@click.option("--stdin-filename", help="How to call what is read from standard input (-).")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", show_default=True)
@click.option("-q", "--quiet", is_flag=True, help="Print findings only.")
@click.option("-v", "--verbose", is_flag=True, help="Say which files are checked, on standard error.")
def command(
    paths: tuple[str, ...],
    form: str,
    output_file: Path | None,
    confirm: str | None,
    statistics: bool,
    stats: bool,
    exit_zero: bool,
    color: str,
    quiet: bool,
    verbose: bool,
    **options: object,
) -> int:
    """Check files and folders; the current folder if none is given, standard input for -."""
    config = override(nearest(paths), **options)
    from shapecheck.cli.rules import require_known
    from shapecheck.pipeline import check

    require_known(config)
    result = check(paths or ["."], config, stdin=_standard_input(config) if "-" in paths else None)
    findings = result.findings
    if confirm:
        from shapecheck.confirming import confirm as replay

        with progress("replaying") as at:
            findings = replay(result, confirm, at)
    from shapecheck.report import FORMATS

    write(FORMATS[form](findings, wants_colour(color, to_file=output_file is not None)), output_file)
    for line in (*_verbose(result, verbose), *result.problems):
        click.echo(line, err=True)
    aside = form in ("json", "jsonl") and output_file is None
    for line in _epilogue(result, findings, statistics, stats, quiet or aside):
        click.echo(line, err=aside)
    if result.problems:
        return 2
    return 1 if findings and not exit_zero else 0


def _standard_input(config: Config) -> str:
    from shapecheck.source import UnreadableSource, decode

    try:
        return decode(sys.stdin.buffer.read(), config.stdin_filename).text
    except UnreadableSource as error:
        raise click.UsageError(str(error)) from None


def _verbose(result: Result, verbose: bool) -> list[str]:
    return [f"checked {name}" for name in result.checked] if verbose else []


def _epilogue(result: Result, findings: Sequence[Finding], statistics: bool, stats: bool, quiet: bool) -> list[str]:
    """What follows the findings: counts by rule, how much was understood, and the sum."""
    lines: list[str] = []
    if statistics:
        counts = Counter((finding.code, finding.name) for finding in findings)
        lines += (f"{count:5}  {code} {name}" for (code, name), count in counts.most_common())
    if stats:
        lines += _understood(result.statistics)
    if not quiet:
        lines.append(_sum(findings, len(result.checked)))
    return lines


def _understood(statistics: Statistics) -> list[str]:
    total = statistics.tensors_total
    share = f" ({statistics.tensors_known / total:.1%})" if total else ""
    return [
        f"tensors with a known shape: {statistics.tensors_known} of {total}{share}",
        _top("calls without a model", statistics.unmodelled),
        _top("values that were lost", statistics.lost),
        f"budgets that ran out: {statistics.budgets}",
    ]


def _top(title: str, counts: Counter[str]) -> str:
    first = ", ".join(f"{name} {count}" for name, count in counts.most_common(8))
    return f"{title}: {counts.total()}" + (f" ({first})" if first else "")


def _sum(findings: Sequence[Finding], files: int) -> str:
    counts = Counter(finding.severity.value for finding in findings)
    told = ", ".join(_plural(counts[word], word) for word in SEVERITIES if counts[word])
    return f"Checked {_plural(files, 'file')}: {told or 'nothing found'}."


def _plural(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 or word == "info" else f"{count} {word}s"
