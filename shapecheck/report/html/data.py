"""What the script of the page shows on demand: sources with the shapes in their margins, and drawings.

Each file has a script element of its own, so that opening the page reads none of them."""

from __future__ import annotations

from shapecheck.report.html.markup import script_data
from shapecheck.report.html.page import FileSurvey, Page, key_of
from shapecheck.report.paths import relative


def file_data(page: Page) -> str:
    """Return the script elements with the data of all files, and that of the findings' drawings."""
    found: dict[str, list[list[object]]] = {}
    for number, finding in enumerate(page.findings):
        place = finding.place
        row = place.source.position(place.start)[0]
        found.setdefault(place.filename, []).append([row, number, finding.severity.value, finding.message])
    parts = [
        _element(f"file-{number}", _file(file, found.get(file.source.filename, [])))
        for number, file in enumerate(page.files)
    ]
    pictures = {key: drawn for file in page.files for key, drawn in file.pictures.items()}
    for number, finding in enumerate(page.findings):
        drawn = pictures.get(key_of(finding))
        if drawn is not None:
            told = {"dataflow": drawn.dataflow, "before": drawn.before, "after": drawn.after}
            parts.append(_element(f"pictures-{number}", told))
    return "\n".join(parts)


def _element(name: str, value: object) -> str:
    return f'<script type="application/json" id="{name}">{script_data(value)}</script>'


def _file(file: FileSurvey, found: list[list[object]]) -> dict[str, object]:
    return {
        "name": relative(file.source.filename),
        "lines": file.source.text.split("\n"),
        "cells": [[cell.first_row, cell.number] for cell in file.source.cells],
        "notes": [[note.row, note.text, note.shape, note.more] for note in file.notes],
        "models": [[model.title, model.row, model.svg] for model in file.models],
        "findings": found,
    }
