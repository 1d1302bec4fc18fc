"""A notebook whose cells are edited: everything else in its file stays as it is, byte for byte."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

from shapecheck.frontend.notebook import cells_of, program, text_of
from shapecheck.source import Source

_INDENTATIONS = (1, 2, 4, None)


def write(before: Source, after: Source) -> None:
    """Write the cells of a program that were edited into its notebook; raises OSError, or ValueError if the notebook is
    no longer what was checked, or if its JSON is not written as a library would write it."""
    path = Path(before.filename)
    data = path.read_bytes()
    if program(data, before.filename).text != before.text:
        raise ValueError("it was changed during the check")
    text = data.decode("utf-8-sig")
    notebook = json.loads(text)
    indent, is_ascii, end = _form(notebook, text)
    cells = list(cells_of(notebook))
    for old, new in zip(before.cells, after.cells, strict=True):
        first, last = after.extent(new)
        if after.text[first:last] != before.text[slice(*before.extent(old))]:
            _replace(cells[old.number - 1], after.text[first:last])
    written = json.dumps(notebook, indent=indent, ensure_ascii=is_ascii) + end
    path.write_bytes(data[: len(data) - len(text.encode())] + written.encode())


def _form(notebook: object, text: str) -> tuple[int | None, bool, str]:
    """Return indentation, escaping and end of the JSON text of a notebook."""
    for indent, is_ascii, end in product(_INDENTATIONS, (False, True), ("\n", "")):
        if json.dumps(notebook, indent=indent, ensure_ascii=is_ascii) + end == text:
            return indent, is_ascii, end
    raise ValueError("its JSON is not in the form that Jupyter writes")


def _replace(cell: dict[str, object], text: str) -> None:
    """Replace the text of a cell; it stays a text or a list of lines."""
    key = "source" if "source" in cell else "input"
    kept = cell[key]
    whole = "".join(map(str, kept)) if isinstance(kept, list) else str(kept)
    if "\r" in whole:
        raise ValueError("its lines end in several ways")
    text += whole[len(text_of(cell)) :]
    cell[key] = text.splitlines(keepends=True) if isinstance(kept, list) else text
