"""Text and JSON of a comparison of observed and predicted shapes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator

from shapecheck.checker.compare_run import Compared, Comparison, Traces
from shapecheck.runtime.recording.compare import Level

REASONS = 10
TEXT = 60
REASONED = (Level.IMPRECISE, Level.LOST)
STAGE_LEVELS = (Level.KNOWN, Level.LOST, Level.WRONG)


def as_text(comparison: Comparison) -> str:
    """Return the wrong predictions, a table of files, the reasons for unknown shapes, and a summary line."""
    observed = comparison.observed
    lines = ["", *comparison.problems, *(f"not instrumented: {problem}" for problem in observed.problems)]
    lines += (
        f"{_where(item)}: predicted {item.judgement.predicted}, observed {_seen(item)}" for item in comparison.wrong()
    )
    lines += (
        f"{_where(item)}: predicted {item.stage.predicted}, observed {item.stage.seen}"
        for item in comparison.wrong_stages()
        if item.stage is not None
    )
    lines += (
        f"{_line(each)}: {each.name}: predicted at least {each.certain} traces, observed {each.seen}"
        for each in comparison.wrong_traces()
    )
    if not comparison.places:
        return "\n".join((*lines, "", _nothing(comparison))) + "\n"
    lines += ["", *_table(comparison)]
    for level in (Level.LOST, Level.IMPRECISE):
        lines += _reasons(comparison, level)
    counts = comparison.counts()
    total = sum(counts.values())
    lines += _traces(comparison)
    lines += ["", *_stages(comparison), *_weights(comparison)]
    lines += [f"{counts[Level.KNOWN] / total:.1%} of {total} tensor expressions known; program: {observed.ending}"]
    return "\n".join(lines) + "\n"


def _traces(comparison: Comparison) -> Iterator[str]:
    """Yield the functions that were traced, with the number of traces."""
    if comparison.traces:
        yield from ("", "traces of functions")
        yield from (f"{each.seen:6}  {each.name}, {_line(each)}" for each in comparison.traces)


def _stages(comparison: Comparison) -> Iterator[str]:
    """Yield how many stages were predicted, if anything was symbolic."""
    counts = comparison.stage_counts()
    if any(item.observation.kind in ("graph", "keras") for item in comparison.places):
        total = sum(counts.values())
        yield f"{counts[Level.KNOWN] / total:.1%} of {total} stages known, {counts[Level.WRONG]} wrong"


def _weights(comparison: Comparison) -> Iterator[str]:
    """Yield how much is known on all call paths, if there are places with several."""
    weights = comparison.weights()
    total = sum(weights.values())
    if total > len(comparison.places):
        yield f"{weights[Level.KNOWN] / total:.1%} of {total} on all call paths"


def _nothing(comparison: Comparison) -> str:
    """Return what to say about a run without observations."""
    observed = comparison.observed
    if not observed.files:
        told = "no module of the program was imported (`--root` names the folder of its modules)"
    else:
        told = f"no tensor in the {len(observed.files)} modules of the program that were imported"
    return f"nothing was observed: {told}; program: {observed.ending}"


def _line(each: Traces) -> str:
    return f"{os.path.relpath(each.place.filename)}:{each.place.row}"


def _table(comparison: Comparison) -> Iterator[str]:
    names = sorted({item.place.filename for item in comparison.places})
    rows = [(os.path.relpath(name), comparison.counts(name)) for name in names]
    if len(rows) != 1:
        rows.append(("total", comparison.counts()))
    width = max(len(name) for name, _ in rows)
    yield f"{'':{width}}" + "".join(f"{level.name.lower():>11}" for level in Level)
    for name, counts in rows:
        yield f"{name:{width}}" + "".join(f"{counts[level]:>11}" for level in Level)


def _reasons(comparison: Comparison, level: Level) -> Iterator[str]:
    reasons = comparison.reasons(level).most_common(REASONS)
    if reasons:
        yield from ("", f"{level.name.lower()} because of")
    yield from (f"{count:6}  {reason}" for reason, count in reasons)


def _where(item: Compared) -> str:
    place = item.place
    cell = "" if place.cell is None else f"cell {place.cell}:"
    return f"{os.path.relpath(place.filename)}:{cell}{place.row}:{place.column}: {' '.join(place.text.split())[:TEXT]}"


def _seen(item: Compared) -> str:
    shape = item.observation.shape
    return f"{'?' if shape is None else shape} ({item.observation.kind})".replace("None", "?")


def as_json(comparison: Comparison) -> str:
    """Return one object: the program's exit, the counts, and every place."""
    counts = comparison.counts()
    whole = {
        "ending": comparison.observed.ending,
        "status": comparison.observed.status,
        "problems": [*comparison.problems, *comparison.observed.problems],
        "counts": {level.name.lower(): counts[level] for level in Level},
        "weights": {level.name.lower(): comparison.weights()[level] for level in Level},
        "reasons": {level.name.lower(): dict(comparison.reasons(level).most_common()) for level in REASONED},
        "stages": {level.name.lower(): comparison.stage_counts()[level] for level in STAGE_LEVELS},
        "traces": [
            {
                "filename": each.place.filename,
                "row": each.place.row,
                "name": each.name,
                "seen": each.seen,
                "certain": each.certain,
            }
            for each in comparison.traces
        ],
        "places": [_place(item) for item in comparison.places],
    }
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def _place(item: Compared) -> dict[str, object]:
    place, judgement, observation = item.place, item.judgement, item.observation
    return {
        "filename": place.filename,
        "cell": place.cell,
        "row": place.row,
        "column": place.column,
        "end_row": place.end_row,
        "end_column": place.end_column,
        "text": place.text,
        "level": judgement.level.name.lower(),
        "predicted": judgement.predicted,
        "reason": judgement.reason,
        "seen": observation.shape,
        "kind": observation.kind,
        "dtype": observation.dtype,
        "stage": None if item.stage is None else item.stage.seen,
        "stage_level": None if item.stage is None else item.stage.level.name.lower(),
        "predicted_stage": None if item.stage is None else item.stage.predicted,
    }
