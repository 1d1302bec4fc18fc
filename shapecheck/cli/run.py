"""`shapecheck run`: a program's real shapes compared with the predictions."""

from __future__ import annotations

import os
from pathlib import Path

import click

from shapecheck.cli.output import write


def _writable(context: click.Context, parameter: click.Parameter, value: Path | None) -> Path | None:
    if value is not None and not os.access(value.parent, os.W_OK):
        raise click.BadParameter(f"cannot write to {value.parent}")
    return value


@click.command(
    name="run",
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    short_help="Run a program and compare its shapes with predictions.",
)
@click.option("--synthetic-data", is_flag=True, help="Replace data files, downloads and long training by stand-ins.")
@click.option(
    "--tf1", is_flag=True, help="Run `import tensorflow` as tensorflow.compat.v1 with TF 2 behaviour disabled."
)
@click.option("--keras2", is_flag=True, help="Use Keras 2 (the package tf-keras) as tf.keras.")
@click.option("-m", "--module", "is_module", is_flag=True, help="Run a module by its name, as `python -m` does.")
@click.option("--stub", "stubs", multiple=True, help="Replace a package that is not installed by an empty one.")
@click.option("--root", type=click.Path(exists=True, file_okay=False), help="Folder of the program's own modules.")
@click.option(
    "--seconds", type=click.FloatRange(min=0), default=0.0, help="Stop the program after this many seconds of CPU time."
)
@click.option(
    "--log",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=_writable,
    help="Record the observed shapes in this file; if it exists, the program is not run again.",
)
@click.option("--output-format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.argument("script")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def command(
    context: click.Context,
    synthetic_data: bool,
    tf1: bool,
    keras2: bool,
    is_module: bool,
    stubs: tuple[str, ...],
    root: str | None,
    seconds: float,
    log: Path | None,
    form: str,
    script: str,
    arguments: tuple[str, ...],
) -> int:
    """Run a program and compare the shape of each expression with the predicted one.

    Unlike the other commands, this one executes the program.  Exit status: 0 if no prediction was wrong, 1 if one was,
    2 if the program did not start.  The report gives the exit status of the program itself.
    """
    from shapecheck.checker.compare_run import compare
    from shapecheck.cli.comparison import as_json, as_text
    from shapecheck.runtime.recording.observe import Settings
    from shapecheck.source import UnreadableSource

    if not is_module:
        click.Path(exists=True, dir_okay=False).convert(script, context.command.params[-2], context)
    settings = Settings(script, arguments, root, synthetic_data, tf1, keras2 or tf1, seconds, is_module, stubs)
    is_told = log is not None and log.exists()
    try:
        comparison = compare(settings, log=log, output_to_errors=form == "json")
    except UnreadableSource as error:
        raise click.UsageError(str(error)) from None
    if is_told and not is_module and os.path.abspath(script) not in comparison.observed.files:
        raise click.UsageError(f"{log} does not record a run of {script}")
    write(as_json(comparison) if form == "json" else as_text(comparison))
    if not comparison.observed.started:
        return 2
    return 1 if comparison.is_wrong() else 0
