"""Notebooks as one program: the code cells in their order, with a mapping back to each cell.

It knows the notebook format, and nothing of Python but its indentation.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from shapecheck.frontend.magics import python_of
from shapecheck.source import Cell, Source, UnreadableSource

SUFFIX = ".ipynb"
_MAY_RAISE = "raises-exception"


def read(path: Path, filename: str | None = None) -> Source:
    """Return the program of a notebook; raises UnreadableSource."""
    name = filename or str(path)
    try:
        return program(path.read_bytes(), name)
    except OSError as error:
        raise UnreadableSource(f"{name}: {error.strerror or error}") from None


def program(data: bytes, filename: str) -> Source:
    """Return the program in the bytes of a notebook; raises UnreadableSource."""
    try:
        notebook = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UnreadableSource(f"{filename}: cannot decode: {error}") from None
    except (ValueError, RecursionError) as error:
        reason = error if data.strip() else "the file is empty"
        raise UnreadableSource(f"{filename}: not a notebook: {reason}") from None
    if not isinstance(notebook, dict) or not ("cells" in notebook or "worksheets" in notebook):
        raise UnreadableSource(f"{filename}: not a notebook: it has no cells")
    return _joined(notebook, filename) if _is_python(notebook) else Source(filename, "")


def _joined(notebook: Mapping[str, object], filename: str) -> Source:
    texts: list[str] = []
    masked: list[str] = []
    cells: list[Cell] = []
    row = 1
    for number, cell in enumerate(cells_of(notebook), 1):
        text = text_of(cell)
        code = python_of(text) if cell.get("cell_type") == "code" else None
        if code is None or not text.strip():
            continue
        if _is_indented(code):  # a row that no cell holds opens a block for it
            texts.append("if True:")
            masked.append("if True:")
            row += 1
        texts.append(text)
        masked.append(code)
        rows = text.count("\n") + 1
        cells.append(Cell(number, row, row + rows - 1, _MAY_RAISE in _tags(cell)))
        row += rows
    return Source(filename, _ended(texts), tuple(cells), _ended(masked), _python_version(notebook))


def cells_of(notebook: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """Return all cells; older notebooks keep them in worksheets."""
    sheets: Sequence[Mapping[str, object]] = [notebook]
    if "cells" not in notebook:
        sheets = _mappings(notebook.get("worksheets"))
    for sheet in sheets:
        yield from _mappings(sheet.get("cells"))


def text_of(cell: Mapping[str, object]) -> str:
    """Return the text of a cell with `\\n` line ends, without those at its end."""
    source = cell.get("source", cell.get("input", ""))
    lines = source if isinstance(source, list) else [source]
    text = "".join(line for line in lines if isinstance(line, str))
    return text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")


def _tags(cell: Mapping[str, object]) -> list[object]:
    metadata = cell.get("metadata")
    tags = metadata.get("tags") if isinstance(metadata, dict) else None
    return tags if isinstance(tags, list) else []


def _is_python(notebook: Mapping[str, object]) -> bool:
    """Return whether the kernel's language is Python, as it is by default."""
    told = _told(notebook, "language_info", "name") or _told(notebook, "kernelspec", "language")
    return not told or told.lower().rstrip("0123456789") in ("python", "ipython")


def _python_version(notebook: Mapping[str, object]) -> str:
    """Return the version of the kernel that ran the notebook last."""
    return _told(notebook, "language_info", "version")


def _told(notebook: Mapping[str, object], part: str, name: str) -> str:
    """Return a text in the metadata of a notebook."""
    metadata = notebook.get("metadata")
    found = metadata.get(part) if isinstance(metadata, dict) else None
    text = found.get(name) if isinstance(found, dict) else None
    return text if isinstance(text, str) else ""


def _is_indented(code: str) -> bool:
    """Return whether all of a cell is indented, which IPython allows."""
    first = next((line for line in code.split("\n") if line.strip() and not line.lstrip().startswith("#")), "")
    return first[:1] in (" ", "\t")


def _mappings(items: object) -> list[dict[str, object]]:
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []


def _ended(texts: list[str]) -> str:
    return "".join(text + "\n" for text in texts)
