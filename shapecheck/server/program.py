"""A program in an editor: a file, or the cells of a notebook, each of which is a document.

It knows the documents of the protocol, and how places in a program become ranges in them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lsprotocol import types as lsp
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument, Workspace

from shapecheck.checker.inspect import Revealed, revealed
from shapecheck.checker.pipeline import check
from shapecheck.checker.versions import Following, Versions
from shapecheck.config import BadConfig
from shapecheck.config_files import nearest
from shapecheck.diagnostics import BAD_CONFIGURATION
from shapecheck.findings import Finding
from shapecheck.frontend import notebook
from shapecheck.server.settings import settings
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
    def is_notebook(self) -> bool:
        return None not in self.documents

    @property
    def path(self) -> str:
        """The name of the file; some editors send the code of a notebook as one document, which is Python then."""
        path = to_fs_path(self.uri) or self.uri
        return f"{path}.py" if Path(path).suffix == notebook.SUFFIX and not self.is_notebook else path

    @property
    def is_python(self) -> bool:
        languages = [document.language_id for document in self.documents.values()]
        return self.is_notebook or "python" in languages or (Path(self.uri).suffix == ".py" and not any(languages))

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
    documents = [_document(workspace, cell.document) for cell in found.cells]
    version = version_of(workspace, found.uri)
    cells = [
        {"cell_type": "code" if cell.kind is lsp.NotebookCellKind.Code else "markdown", "source": document.source}
        for cell, document in zip(found.cells, documents, strict=True)
    ]
    return Program(found.uri, version, json.dumps({"cells": cells}), dict(enumerate(documents, 1)))


def version_of(workspace: Workspace, uri: str) -> tuple[int | None, ...]:
    """Return the version of the program that a document or a notebook is; it changes with any cell."""
    found = workspace.get_notebook_document(notebook_uri=uri)
    if found is None:
        return (workspace.get_text_document(uri).version,)
    return (found.version, *(_document(workspace, cell.document).version for cell in found.cells))


def _document(workspace: Workspace, uri: str) -> TextDocument:
    """Return the document of a cell, which is empty if the editor has not sent its text."""
    known = workspace.text_documents.get(uri)
    return TextDocument(uri, "", language_id="python") if known is None else known


@dataclass(slots=True)
class Analysis:
    """The findings in a version of a program, with fixes that were tried if it `has_fixes`."""

    version: tuple[int | None, ...]
    findings: list[Finding]
    has_fixes: bool = False


def analysis_of(
    program: Program,
    versions: Versions | None,
    is_wanted: Callable[[], bool],
    begun: Callable[[list[Finding]], None] | None = None,
) -> Analysis:
    """Return the findings in a program as it is in the editor, with fixes unless earlier versions are given; imported
    files are read from disk. What is found at first is told to `begun`. Raises Unwanted.

    A fault in an imported file is reported at the call that leads to it.
    """
    try:
        config = nearest([program.path])
    except BadConfig as error:
        return Analysis(program.version, [BAD_CONFIGURATION.finding(Place(_source(program), 0, 0), str(error))])

    def at_first(found: list[Finding]) -> None:
        if begun is not None:
            begun(_all_in_program(program, found))

    fixes = _MOST_FIXES if versions is None else 0
    config = replace(settings.applied(config), stdin_filename=program.path, fixes=fixes)
    result = check(["-"], config, stdin=program.text, following=Following(is_wanted, versions, at_first))
    return Analysis(program.version, _all_in_program(program, result.findings), versions is None)


def _all_in_program(program: Program, findings: Iterable[Finding]) -> list[Finding]:
    return [here for finding in findings if (here := _in_program(program, finding)) is not None]


def _in_program(program: Program, finding: Finding) -> Finding | None:
    """Return a finding where the program has it: in the text itself, or at the call that leads to another file."""
    if finding.place.filename == program.path:
        return finding
    here = next((frame.place for frame in finding.call_path if frame.place.filename == program.path), None)
    return (
        None
        if here is None
        else replace(finding, place=here, message=f"{finding.message}, in {finding.place}", fixes=())
    )


def _source(program: Program) -> Source:
    """Return the text of a program; raises UnreadableSource."""
    if program.is_notebook:
        return notebook.program(program.text.encode(), program.path)
    return Source(program.path, program.text)


@dataclass(frozen=True, slots=True)
class Shapes:
    """The shapes in a version of a program, and the lines of its documents by number."""

    items: Sequence[Revealed]
    lines: Mapping[int | None, Sequence[str]]

    def still_in(self, document: TextDocument, number: int | None) -> list[Revealed]:
        """Return the shapes in a document, of expressions in lines before and after those that have changed since."""
        before, now = self.lines.get(number, ()), document.lines
        first = _equal(before, now)
        after = _equal(before[first:][::-1], now[first:][::-1])
        added, last = len(now) - len(before), len(before) - after
        own = [item for item in self.items if item.cell == number]
        below = (replace(i, row=i.row + added, end_row=i.end_row + added) for i in own if i.row > last)
        return [*(item for item in own if item.end_row <= first), *below]


def _equal(some: Sequence[str], others: Sequence[str]) -> int:
    """Return how many lines two texts have in common at their beginning."""
    shorter = min(len(some), len(others))
    return next((at for at in range(shorter) if some[at] != others[at]), shorter)


def shapes_of(program: Program, versions: Versions) -> Shapes | None:
    """Return the shapes in a program, from the values in the last of its versions that was traced; None if its text is
    no Python."""
    lines = {number: tuple(document.lines) for number, document in program.documents.items()}
    try:
        source = _source(program)
    except UnreadableSource:
        return None
    return Shapes(revealed(source, versions.values(source)), lines)


def named(shapes: Sequence[Revealed], lines: Sequence[str]) -> Iterator[Revealed]:
    """Yield the names that an assignment binds to a tensor."""
    for item in shapes:
        after = lines[item.end_row - 1][item.end_column - 1 :].lstrip()
        if item.text.isidentifier() and after.startswith("=") and not after.startswith("=="):
            yield item


def at(shapes: Sequence[Revealed], row: int, column: int) -> Revealed | None:
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
