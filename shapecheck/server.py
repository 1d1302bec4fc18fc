"""The language server: findings while one types, shapes where one points, and beside the names that get them.

It knows the protocol, and what an editor shows; how findings and shapes come about it does not.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument

from shapecheck import __version__
from shapecheck.config import BadConfig, Config, nearest
from shapecheck.findings import Finding, Severity
from shapecheck.looking import Revealed, shapes_in
from shapecheck.pipeline import check
from shapecheck.source import Place, Source, UnreadableSource

PATIENCE = 0.4
"""The seconds without a change after which a document is checked."""

_SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.INFO: lsp.DiagnosticSeverity.Information,
}
T = TypeVar("T")

server = LanguageServer("shapecheck", f"v{__version__}")
_analysis = ThreadPoolExecutor(max_workers=1)  # tracing takes long, and only one can be done at a time
_shapes: dict[str, tuple[int | None, list[Revealed]]] = {}
_told: dict[str, tuple[int | None, list[Finding]]] = {}


def main() -> None:
    """Serves over standard input and output, which stay open, until the editor ends it."""
    with os.fdopen(os.dup(0), "rb") as asked, os.fdopen(os.dup(1), "wb") as told:
        server.start_io(asked, told)


# What is known of a document ----------------------------------------------------------------------------------------


def findings_in(text: str, path: str) -> list[Finding]:
    """The findings in a document as it is in the editor; what it imports is read from disk."""
    config = replace(_config(path), stdin_filename=path)
    return [finding for finding in check(["-"], config, stdin=text).findings if finding.place.filename == path]


def shapes_of(text: str, path: str) -> list[Revealed] | None:
    """The shapes in a document; None while it does not parse."""
    try:
        return shapes_in(Source(path, text), _config(path))
    except UnreadableSource:
        return None


def named(shapes: list[Revealed], lines: list[str]) -> Iterator[Revealed]:
    """The names that an assignment gives a tensor."""
    for item in shapes:
        after = lines[item.end_row - 1][item.end_column - 1 :].lstrip() if item.end_row <= len(lines) else ""
        if item.text.isidentifier() and after.startswith("=") and not after.startswith("=="):
            yield item


def at(shapes: list[Revealed], row: int, column: int) -> Revealed | None:
    """The smallest expression around a place."""
    around = [s for s in shapes if (s.row, s.column) <= (row, column) <= (s.end_row, s.end_column)]
    return min(around, key=lambda item: (item.end_row - item.row, len(item.text)), default=None)


def _config(path: str) -> Config:
    try:
        return nearest([path])
    except BadConfig:
        return Config()


# What is told of it -------------------------------------------------------------------------------------------------


def _path(document: TextDocument) -> str:
    return to_fs_path(document.uri) or document.path


async def _analysed(function: Callable[[str, str], T], document: TextDocument) -> T:
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_analysis, function, document.source, _path(document))


async def _publish(ls: LanguageServer, uri: str) -> None:
    document = ls.workspace.get_text_document(uri)
    if Path(_path(document)).suffix != ".py":
        return
    found = await _analysed(findings_in, document)
    _told[uri] = document.version, found
    told = [_diagnostic(document, finding) for finding in found]
    ls.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, told, document.version))


def _diagnostic(document: TextDocument, finding: Finding) -> lsp.Diagnostic:
    origins = [(operand, operand.origin) for operand in finding.operands if operand.origin is not None]
    return lsp.Diagnostic(
        _range(document, finding.place),
        "\n".join(filter(None, (finding.message, finding.help))),
        _SEVERITIES[finding.severity],
        finding.name,
        source="shapecheck",
        related_information=[
            lsp.DiagnosticRelatedInformation(
                lsp.Location(document.uri, _range(document, origin)), f"{operand.text}: {operand.shape}"
            )
            for operand, origin in origins
            if origin.filename == finding.place.filename
        ],
    )


def _range(document: TextDocument, place: Place | Revealed) -> lsp.Range:
    start = lsp.Position(place.row - 1, place.column - 1)
    end = lsp.Position(place.end_row - 1, place.end_column - 1)
    codec = document.position_codec
    return lsp.Range(
        codec.position_to_client_units(document.lines, start), codec.position_to_client_units(document.lines, end)
    )


async def _shapes_in(ls: LanguageServer, uri: str) -> tuple[TextDocument, list[Revealed]]:
    """The shapes in a document; while it does not parse, those that it had."""
    document = ls.workspace.get_text_document(uri)
    version, known = _shapes.get(uri, (None, []))
    if version is None or version != document.version:
        found = await _analysed(shapes_of, document)
        known = known if found is None else found
        _shapes[uri] = document.version, known
    return document, known


@server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
async def opened(ls: LanguageServer, params: lsp.DidOpenTextDocumentParams) -> None:
    await _publish(ls, params.text_document.uri)


@server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
async def saved(ls: LanguageServer, params: lsp.DidSaveTextDocumentParams) -> None:
    """Other documents may import the one that was saved."""
    for uri in list(ls.workspace.text_documents):
        _shapes.pop(uri, None)
        await _publish(ls, uri)


@server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
async def changed(ls: LanguageServer, params: lsp.DidChangeTextDocumentParams) -> None:
    uri, version = params.text_document.uri, params.text_document.version
    await asyncio.sleep(PATIENCE)
    if ls.workspace.get_text_document(uri).version == version:
        await _publish(ls, uri)


@server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
def closed(ls: LanguageServer, params: lsp.DidCloseTextDocumentParams) -> None:
    _shapes.pop(params.text_document.uri, None)
    _told.pop(params.text_document.uri, None)
    ls.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(params.text_document.uri, []))


@server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix]))
def actions(ls: LanguageServer, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """What mends the findings in a stretch of a document, as long as it is as they were found in it."""
    document = ls.workspace.get_text_document(params.text_document.uri)
    version, found = _told.get(params.text_document.uri, (None, []))
    if version is None or version != document.version:
        return []
    here = ((finding, finding.fix) for finding in found if _touches(_range(document, finding.place), params.range))
    return [
        lsp.CodeAction(
            f"shapecheck: {fix.title}",
            lsp.CodeActionKind.QuickFix,
            [_diagnostic(document, finding)],
            is_preferred=fix.is_safe,
            edit=lsp.WorkspaceEdit(
                {document.uri: [lsp.TextEdit(_range(document, edit.place), edit.text) for edit in fix.edits]}
            ),
        )
        for finding, fix in here
        if fix is not None
    ]


def _touches(one: lsp.Range, other: lsp.Range) -> bool:
    def pair(position: lsp.Position) -> tuple[int, int]:
        return position.line, position.character

    return pair(one.start) <= pair(other.end) and pair(other.start) <= pair(one.end)


@server.feature(lsp.TEXT_DOCUMENT_HOVER)
async def hover(ls: LanguageServer, params: lsp.HoverParams) -> lsp.Hover | None:
    document, shapes = await _shapes_in(ls, params.text_document.uri)
    position = document.position_codec.position_from_client_units(document.lines, params.position)
    item = at(shapes, position.line + 1, position.character + 1)
    if item is None:
        return None
    shown = " ".join(item.text.split())
    told = f"```python\n{shown}: {item.shape} {item.dtype or ''}".rstrip() + "\n```"
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, told), _range(document, item))


@server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
async def hints(ls: LanguageServer, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
    document, shapes = await _shapes_in(ls, params.text_document.uri)
    rows = range(params.range.start.line + 1, params.range.end.line + 2)
    return [
        lsp.InlayHint(_range(document, item).end, f": {item.shape}", lsp.InlayHintKind.Type, tooltip=item.dtype)
        for item in named(shapes, [*document.lines])
        if item.end_row in rows
    ]
