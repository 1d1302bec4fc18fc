"""`shapecheck run`: a program's own tensors beside what was predicted of them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from shapecheck.cli.output import write
from shapecheck.config import nearest

if TYPE_CHECKING:
    from shapecheck.observing import Compared, Comparison

REASONS = 10


@click.command(name="run", context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option("--synthetic-data", is_flag=True, help="Stand-ins for data, downloads and long training.")
@click.option(
    "--tf1", is_flag=True, help="`import tensorflow` means tensorflow.compat.v1, without version 2's behaviour."
)
@click.option("--keras2", is_flag=True, help="tf.keras is Keras 2, as the package tf-keras keeps it.")
@click.option("--root", type=click.Path(exists=True, file_okay=False), help="Folder of the program's own modules.")
@click.option("--seconds", type=float, default=0.0, help="Stop the program after this time.")
@click.option("--output-format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.argument("script", type=click.Path(exists=True, dir_okay=False))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def command(
    synthetic_data: bool,
    tf1: bool,
    keras2: bool,
    root: str | None,
    seconds: float,
    form: str,
    script: str,
    arguments: tuple[str, ...],
) -> int:
    """Run a program and compare the shape of each expression with the predicted one.

    Other than all other commands, this one executes the program.  Exit status: 0 if no prediction was wrong, 1 if one
    was, 2 if the program did not start.  The program's own exit status is told in the report.
    """
    from shapecheck.observing import compare
    from shapecheck.runtime.observed import Settings
    from shapecheck.source import UnreadableSource

    settings = Settings(script, arguments, root, synthetic_data, tf1, keras2 or tf1, seconds)
    try:
        comparison = compare(settings, nearest([Path(script)]), output_to_errors=form == "json")
    except UnreadableSource as error:
        raise click.UsageError(str(error)) from None
    write(_json(comparison) if form == "json" else _text(comparison))
    if not comparison.observed.started:
        return 2
    return 1 if next(comparison.wrong(), None) else 0


def _text(comparison: Comparison) -> str:
    from shapecheck.runtime.compare import Level

    lines = [""]
    for problem in comparison.observed.problems:
        lines.append(f"not instrumented: {problem}")
    for item in comparison.wrong():
        lines.append(f"{_where(item)}: predicted {item.judgement.predicted}, seen {_seen(item)}")
    names = sorted({item.place.filename for item in comparison.places})
    rows = [(os.path.relpath(name), comparison.counts(name)) for name in names]
    if len(rows) != 1:
        rows.append(("total", comparison.counts()))
    width = max([len(name) for name, _ in rows])
    lines += ["", f"{'':{width}}" + "".join(f"{level.name.lower():>11}" for level in Level)]
    lines += [f"{name:{width}}" + "".join(f"{counts[level]:>11}" for level in Level) for name, counts in rows]
    for level in (Level.LOST, Level.IMPRECISE):
        reasons = comparison.reasons(level).most_common(REASONS)
        lines += [f"\n{level.name.lower()} because of"] * bool(reasons)
        lines += [f"{count:6}  {reason}" for reason, count in reasons]
    counts = comparison.counts()
    total = sum(counts.values())
    share = f"{counts[Level.KNOWN] / total:.1%}" if total else "none"
    lines.append(f"\n{share} of {total} tensor expressions known; program: {comparison.observed.ending}")
    return "\n".join(lines) + "\n"


def _where(item: Compared) -> str:
    return f"{os.path.relpath(item.place.filename)}:{item.place.row}:{item.place.column}: {' '.join(item.place.text.split())[:60]}"


def _seen(item: Compared) -> str:
    from shapecheck.runtime.observed import Sight  # noqa: F401

    shape = item.sight.shape
    text = "?" if shape is None else "(" + ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"
    return f"{text} ({item.sight.kind})"


def _json(comparison: Comparison) -> str:
    from shapecheck.runtime.compare import Level

    counts = comparison.counts()
    places = [
        {
            "filename": item.place.filename,
            "row": item.place.row,
            "column": item.place.column,
            "end_row": item.place.end_row,
            "end_column": item.place.end_column,
            "text": item.place.text,
            "level": item.judgement.level.name.lower(),
            "predicted": item.judgement.predicted,
            "reason": item.judgement.reason,
            "seen": item.sight.shape,
            "kind": item.sight.kind,
            "dtype": item.sight.dtype,
        }
        for item in comparison.places
    ]
    whole = {
        "ending": comparison.observed.ending,
        "status": comparison.observed.status,
        "problems": comparison.observed.problems,
        "counts": {level.name.lower(): counts[level] for level in Level},
        "places": places,
    }
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"
