"""`shapecheck report`: findings, annotated sources, models and dataflow as one page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from shapecheck import __version__
from shapecheck.cli.confirmation import ConfirmCommand, confirm_option
from shapecheck.cli.progress import progress
from shapecheck.cli.settings import settings_of
from shapecheck.config import SEVERITIES

_MOST_FIXES = 3


@click.command(name="report", cls=ConfirmCommand, short_help="Write a page with findings, shapes and models.")
@click.argument("paths", nargs=-1)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    default="shapecheck.html",
    show_default=True,
    help="The page to write.",
)
@confirm_option
@click.option("--min-severity", type=click.Choice(SEVERITIES), help="Lowest severity to report.")
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="Use this configuration file.")
@click.option("--isolated", is_flag=True, help="Use no configuration file.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Number of processes (default: CPUs).")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing.")
def command(paths: tuple[str, ...], output: Path, confirm: str | None, quiet: bool, **options: object) -> int:
    """Check files and folders (default: the current folder), and write one page that shows what was found and what is
    known: each finding with its code, shapes, origin and fixes, each source with the shapes of its tensors, and each
    model layer by layer.

    The page needs no network. The exit status is 0 if everything was checked, whatever was found.
    """
    from shapecheck.cache.store import default_folder
    from shapecheck.checker.parallel import processors
    from shapecheck.checker.pipeline import check
    from shapecheck.checker.survey import surveys
    from shapecheck.cli.rules import site
    from shapecheck.report.html import render
    from shapecheck.report.html.page import Page

    config = settings_of(paths, options | {"extend_ignore": ()})
    config = replace(config, fixes=_MOST_FIXES, jobs=config.jobs or processors(), cache_dir=Path(default_folder()))
    with progress("checking", wanted=not quiet) as at:
        result = check(paths or ["."], config, progress=at, replayable=confirm is not None)
    if confirm is not None:
        from shapecheck.checker.confirm import confirm as replayed

        with progress("replaying", wanted=not quiet) as at:
            result = replace(result, findings=replayed(result, confirm, at))
    with progress("drawing", wanted=not quiet) as at:
        files = surveys(result, config, at)
    problems = [*result.problems, *(file.problem for file in files if file.problem)]
    output.write_text(render(Page(result.findings, files, problems, __version__, site())), encoding="utf-8")
    for problem in problems:
        click.echo(problem, err=True)
    if not quiet:
        click.echo(f"Wrote {output}.")
    return 2 if problems else 0
