"""`shapecheck check`: files and folders in, findings out."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import click

from shapecheck.cache.runs import Invocation
from shapecheck.cli.confirmation import ConfirmCommand, confirm_option
from shapecheck.cli.fixing import FixOptions
from shapecheck.cli.grouped_help import GroupedCommand
from shapecheck.cli.options import file_ignores, rules_option, selectors, versions
from shapecheck.cli.progress import progress
from shapecheck.cli.reporting import ReportOptions, add_noqa_comments, early_report, report_result
from shapecheck.cli.settings import queries_of, settings_of, show_files, show_settings
from shapecheck.config import FORMATS, SEVERITIES

if TYPE_CHECKING:
    from shapecheck.checker.pipeline import Result


class _Check(ConfirmCommand, GroupedCommand):
    groups: ClassVar[Mapping[str, str]] = {
        "What is reported": """--select --ignore --extend-select --extend-ignore --per-file-ignores --min-severity
            --baseline""",
        "What is checked": """--exclude --force-exclude --changed-since --target --data --allow-project-models
            --stdin-filename --show-files""",
        "Report": """--output-format --output-file --statistics --coverage --color --quiet --verbose --exit-zero""",
        "Confirmation": "--confirm",
        "Changes": "--fix --fix-only --unsafe-fixes --diff --add-noqa --noqa-reason",
        "Configuration": "--config --isolated --show-settings",
        "Speed": "--jobs --executor --cache-dir --shared-cache --no-cache --watch",
    }


@click.command(name="check", cls=_Check, short_help="Check files and folders.")
@click.argument("paths", nargs=-1, type=click.Path())
@rules_option("--select", help="Report only these rules.")
@rules_option("--ignore", help="Do not report these rules.")
@rules_option("--extend-select", help="Report these rules as well.")
@rules_option("--extend-ignore", help="Do not report these rules either.")
@click.option(
    "--per-file-ignores",
    multiple=True,
    callback=file_ignores,
    metavar="GLOB:RULES",
    help="Do not report these rules in matching files.",
)
@click.option("--exclude", multiple=True, callback=selectors, metavar="GLOBS", help="Do not check matching files.")
@click.option("--force-exclude", is_flag=True, default=None, help="Exclude files that are named, too.")
@click.option("--min-severity", type=click.Choice(SEVERITIES), help="Lowest severity to report.")
@click.option(
    "--target", callback=versions, metavar="VERSIONS", help="Library versions, such as tensorflow=2.21,keras=3."
)
@click.option(
    "--output-format",
    type=click.Choice(FORMATS),
    help="Format of the report (default: text).",
)
@click.option("--output-file", type=click.Path(path_type=Path, dir_okay=False), help="Write findings to this file.")
@confirm_option
@click.option(
    "--data",
    multiple=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Folder with the files that the programs read.",
)
@click.option(
    "--baseline",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Ignore findings listed in this file; `shapecheck baseline` writes it.",
)
@click.option("--fix", is_flag=True, help="Apply safe fixes, and report the rest.")
@click.option("--fix-only", is_flag=True, help="Apply fixes, and report nothing.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: also apply fixes that need review.")
@click.option("--diff", is_flag=True, help="Show what --fix would change, without changing it.")
@click.option("--add-noqa", is_flag=True, help="Add a `# noqa` comment for each finding instead of reporting it.")
@click.option("--noqa-reason", metavar="TEXT", default="", help="With --add-noqa: the reason, behind the codes.")
@click.option("--statistics", is_flag=True, help="Count findings by rule.")
@click.option("--coverage", is_flag=True, help="Show how much of the program was analysed.")
@click.option("--stats", is_flag=True, hidden=True)
@click.option(
    "--allow-project-models", is_flag=True, help="Import the `models` of the configuration, which runs their code."
)
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="Use this configuration file.")
@click.option("--isolated", is_flag=True, help="Use no configuration file.")
@click.option("--show-files", is_flag=True, help="Show which files would be checked, and check none.")
@click.option("--show-settings", is_flag=True, help="Show the settings and where they come from, and check nothing.")
@click.option(
    "--changed-since", metavar="REVISION", help="Check only files that changes since this revision of git can affect."
)
@click.option("--exit-zero", is_flag=True, help="Exit with status 0 even if there are findings.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Number of processes (default: CPUs).")
@click.option("--executor", metavar="URL", help="Dask cluster that checks the files, such as dask://localhost:8786.")
@click.option("--cache-dir", type=click.Path(path_type=Path, file_okay=False), help="Cache directory.")
@click.option(
    "--shared-cache",
    metavar="URL",
    envvar="SHAPECHECK_SHARED_CACHE",
    help="Where machines share results, such as s3://BUCKET/PATH or a folder.",
)
@click.option("--no-cache", is_flag=True, help="Do not use the cache.")
@click.option("--watch", is_flag=True, help="Check again whenever a file changes.")
@click.option("--stdin-filename", help="File name to report for standard input (-).")
@click.option(
    "--color", type=click.Choice(["auto", "always", "never"]), default="auto", show_default=True, help="Colours."
)
@click.option("-q", "--quiet", is_flag=True, help="Print only findings.")
@click.option("-v", "--verbose", is_flag=True, help="List the checked files, and show alternative fixes.")
@click.pass_obj
def command(call: Invocation, /, paths: tuple[str, ...], **options: object) -> int:
    """Check files and folders (default: the current folder); `-` reads standard input."""
    options["coverage"] = options.pop("stats") or options["coverage"]
    fixing = FixOptions.pop_from(options, paths)
    from shapecheck.cache.store import default_folder
    from shapecheck.checker.parallel import processors
    from shapecheck.checker.pipeline import check
    from shapecheck.cli.project_models import with_project_models

    options["cache_dir"] = None if options["no_cache"] else options["cache_dir"] or default_folder()
    config = settings_of(paths, options)
    if options["show_settings"]:
        return show_settings(config)
    if options["show_files"]:
        return show_files(paths, config)
    wanted = ReportOptions.of({**options, "output_format": config.output_format})
    fixes = wanted.fixes or int(fixing.fix or fixing.diff)
    config = replace(config, fixes=fixes, jobs=config.jobs or processors())
    config = with_project_models(config, bool(options["allow_project_models"]))
    if config.executor is not None and (config.models or config.packs):
        raise click.UsageError("models and packs cannot be used with --executor")
    if options["watch"] and "-" in paths:
        raise click.UsageError("standard input cannot be watched")
    stdin = sys.stdin.buffer.read() if "-" in paths else None
    is_lasting = not (
        config.models or config.packs or stdin is not None or fixing.fix or wanted.confirm or options["watch"]
    )
    is_lasting = is_lasting and config.changed_since is None
    only_reports = not (fixing.fix or fixing.diff or wanted.add_noqa or wanted.confirm or options["watch"])
    status: list[int] = []
    early = early_report(wanted) if only_reports else None
    checks = partial(check, stdin=stdin, replayable=bool(wanted.confirm), keeps_partial=only_reports)

    def checked() -> Result:
        with progress("checking", wanted=not wanted.quiet) as at:
            return checks(paths or ["."], config, progress=at, tell=None if early is None else early.tell)

    def once() -> frozenset[str]:
        result = fixing.apply(checked(), checked)
        if fixing.diff:
            status.append(fixing.show_diff(result))
        elif fixing.fix_only:
            status.append(fixing.tell_problems(result))
        elif wanted.add_noqa:
            status.append(add_noqa_comments(result, wanted.noqa_reason))
        else:
            printed = report_result(result, wanted, early)
            status.append(printed.status)
            if is_lasting and config.cache_dir is not None and not result.problems:
                call.store(config.cache_dir, {**result.dependencies, **queries_of(paths, config)}, printed)
        return result.read

    if options["watch"]:
        from shapecheck.cli.watch import watch

        return watch(paths or ["."], config, once)
    once()
    return status[0]
