"""`shapecheck baseline`: writes the known findings, which are not reported again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from shapecheck.cli.progress import progress
from shapecheck.cli.summary import plural
from shapecheck.config import Config
from shapecheck.config_files import nearest

if TYPE_CHECKING:
    from shapecheck.suppression.baseline import Baseline


@click.command(name="baseline", short_help="Write known findings to a file.")
@click.argument("paths", nargs=-1)
@click.option("--baseline", "file", type=click.Path(path_type=Path, dir_okay=False), help="File to write.")
@click.option("--update", is_flag=True, help="Replace the entries of checked files by their current findings.")
@click.option("--prune", is_flag=True, help="Only remove entries that are no longer found.")
def command(paths: tuple[str, ...], file: Path | None, update: bool, prune: bool) -> int:
    """Write the current findings to a file; `check --baseline FILE` then reports only new ones.

    The file is that of --baseline, of the configuration, or shapecheck-baseline.json in the current folder.  Entries of
    files that are not among PATHS are kept.
    """
    from shapecheck.checker.pipeline import check
    from shapecheck.suppression import baseline

    if update and prune:
        raise click.UsageError("--update and --prune cannot be used together")
    config = nearest(paths)
    path = file or config.baseline or Path(baseline.FILENAME)
    old = _old(path, update or prune)
    with progress("checking") as at:
        result = check(paths or ["."], _everything(config), progress=at)
    # The entries of a file that was not checked completely are kept.
    whole = [name for name in result.checked if not any(name in problem for problem in result.problems)]
    new = baseline.updated(result.findings, old, whole, only_prune=prune)
    baseline.write(path, new)
    for problem in result.problems:
        click.echo(problem, err=True)
    click.echo(f"{path}: {plural(len(new), 'finding')}, {len(old)} before.")
    if config.baseline is None and not old.files:
        click.echo(f'It is used with --baseline {path}, or by the key `baseline = "{path}"` of the configuration.')
    return 2 if result.problems else 0


def _old(path: Path, may_exist: bool) -> Baseline:
    from shapecheck.suppression import baseline

    if not path.exists():
        return baseline.Baseline(path.parent)
    if not may_exist:
        raise click.UsageError(f"{path} already exists; use --update or --prune")
    return baseline.read(path)


def _everything(config: Config) -> Config:
    return replace(config, baseline=None)
