"""A program in an editor: a file, or the cells of a notebook, each of which is a document.

It knows the documents of the protocol, and how places in a program become ranges in them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from lsprotocol import types as lsp
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument, Workspace

from shapecheck.checker.inspect import Revealed, shapes_in
from shapecheck.checker.pipeline import check
from shapecheck.config import BadConfig, Config
from shapecheck.config_files import nearest
from shapecheck.findings import Finding
from shapecheck.frontend import notebook
from shapecheck.source import Place, Source, UnreadableSource

_MOST_FIXES = 3


@dataclass(frozen=True, slots=True)
class Program:
    """`uri` is that of the file or notebook; `documents` are those of its cells by number, or of the file (None);
    `version` changes with any of them."""

    uri: str
    version: tuple[int | None, ...]
    text: str
    documents: Mapping[int | None, TextDocument]

    @property
    def path(self) -> str:
        return to_fs_path(self.uri) or self.uri

    @property
    def is_python(self) -> bool:
        return Path(self.path).suffix in (".py", notebook.SUFFIX)

    def document(self, place: Place | Revealed) -> TextDocument | None:
        """Return the document that a place lies in."""
        return self.documents.get(place.cell) if place.filename == self.path else None

    def number(self, uri: str) -> int | None:
        """Return the number of the cell of a document."""
        return next((number for number, document in self.documents.items() if document.uri == uri), None)


def program_of(workspace: Workspace, uri: str) -> Program:
    """Return the program that a document, a cell or a notebook belongs to."""
    found = workspace.get_notebook_document(notebook_uri=uri) or workspace.get_notebook_document(cell_uri=uri)
    if found is None:
        document = workspace.get_text_document(uri)
        return Program(uri, (document.version,), document.source, {None: document})
    documents = [workspace.get_text_document(cell.document) for cell in found.cells]
    cells = [
        {"cell_type": "code" if cell.kind is lsp.NotebookCellKind.Code else "markdown", "source": document.source}
        for cell, document in zip(found.cells, documents, strict=True)
    ]
    version = (found.version, *(document.version for document in documents))
    return Program(found.uri, version, json.dumps({"cells": cells}), dict(enumerate(documents, 1)))


def findings_in(program: Program) -> list[Finding]:
    """Return the findings in a program as it is in the editor; imported files are read from disk."""
    config = replace(_config(program.path), stdin_filename=program.path, fixes=_MOST_FIXES)
    found = check(["-"], config, stdin=program.text).findings
    return [finding for finding in found if finding.place.filename == program.path]


def shapes_of(program: Program) -> list[Revealed] | None:
    """Return the shapes in a program; None while it does not parse."""
    is_notebook = Path(program.path).suffix == notebook.SUFFIX
    try:
        source = (
            notebook.program(program.text.encode(), program.path) if is_notebook else Source(program.path, program.text)
        )
        return shapes_in(source, _config(program.path))
    except UnreadableSource:
        return None


def named(shapes: list[Revealed], lines: list[str]) -> Iterator[Revealed]:
    """Yield the names that an assignment binds to a tensor."""
    for item in shapes:
        after = lines[item.end_row - 1][item.end_column - 1 :].lstrip() if item.end_row <= len(lines) else ""
        if item.text.isidentifier() and after.startswith("=") and not after.startswith("=="):
            yield item


def at(shapes: list[Revealed], row: int, column: int) -> Revealed | None:
    """Return the smallest expression around a position."""
    around = [s for s in shapes if (s.row, s.column) <= (row, column) <= (s.end_row, s.end_column)]
    return min(around, key=lambda item: (item.end_row - item.row, len(item.text)), default=None)


def range_of(document: TextDocument, place: Place | Revealed) -> lsp.Range:
    """Return the range of a place in its document, in the units of the client."""
    start = lsp.Position(place.row - 1, place.column - 1)
    end = lsp.Position(place.end_row - 1, place.end_column - 1)
    codec = document.position_codec
    return lsp.Range(
        codec.position_to_client_units(document.lines, start), codec.position_to_client_units(document.lines, end)
    )


def _config(path: str) -> Config:
    try:
        return nearest([path])
    except BadConfig:
        return Config()
