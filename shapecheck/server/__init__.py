"""The language server: findings while the user types, shapes on hover and as inlay hints.

It knows the protocol and what an editor shows, but not how findings and shapes are inferred.
"""

from __future__ import annotations

import asyncio
import inspect
import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from tokenize import TokenError
from typing import TypeVar

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from shapecheck import __version__
from shapecheck.checker.inspect import Revealed
from shapecheck.checker.versions import Versions
from shapecheck.dataflow.state.budget import Unwanted
from shapecheck.diagnostics import ENGINE
from shapecheck.findings import Edit, Finding, Fix, Severity
from shapecheck.fixes.apply import without_overlaps
from shapecheck.rules.rule import find
from shapecheck.server.program import (
    Analysis,
    Program,
    Shapes,
    analysis_of,
    at,
    named,
    program_of,
    range_of,
    shapes_of,
    version_of,
)
from shapecheck.server.progress import progress_of
from shapecheck.server.settings import settings
from shapecheck.suppression.add_noqa import silenced

PATIENCE = 0.03
"""Seconds without a change after which a program is checked; the check ends at the next change."""
LONG = 1.0
"""Seconds after which an editor is told that a check is going on."""

_SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.PERF: lsp.DiagnosticSeverity.Information,
    Severity.INFO: lsp.DiagnosticSeverity.Information,
}
_NOTEBOOKS = lsp.NotebookDocumentSyncOptions(
    [lsp.NotebookDocumentFilterWithCells([lsp.NotebookCellLanguage("python")])], save=True
)
T = TypeVar("T")

_PULLED = lsp.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False, identifier="shapecheck")

server = LanguageServer("shapecheck", f"v{__version__}", notebook_document_sync=_NOTEBOOKS)
_analysis = ThreadPoolExecutor(max_workers=1)  # tracing takes long, and only one can be done at a time
_shapes: dict[str, tuple[tuple[int | None, ...], Shapes]] = {}
_known: dict[str, Analysis] = {}
_told: dict[str, tuple[tuple[int | None, ...], list[Finding]]] = {}
_versions: defaultdict[str, Versions] = defaultdict(Versions)
_running: dict[tuple[str, tuple[int | None, ...], int], asyncio.Future[Analysis | None]] = {}


def main() -> None:
    """Serve over standard input and output, which stay open, until the editor ends the server."""
    with os.fdopen(os.dup(0), "rb") as asked, os.fdopen(os.dup(1), "wb") as told:
        server.start_io(asked, told)


async def _analysed(
    ls: LanguageServer, function: Callable[[Program, Callable[[], bool]], T], program: Program
) -> T | None:
    """Return the result of an analysis, which an editor is told of if it takes long; None if the program has changed
    before its end. The analysis is given what tells whether it is still wanted."""
    number = settings.number

    def is_wanted() -> bool:
        return number == settings.number and version_of(ls.workspace, program.uri) == program.version

    def run() -> T | None:
        try:
            return function(program, is_wanted) if is_wanted() else None
        except Unwanted:
            return None

    running = asyncio.get_running_loop().run_in_executor(_analysis, run)
    done, _ = await asyncio.wait([running], timeout=LONG)
    if not done:
        async with progress_of(ls, f"checking {Path(program.path).name}"):
            await running
    return await running


# Findings -----------------------------------------------------------------------------------------------------------


async def _analysis_of(ls: LanguageServer, uri: str) -> Analysis | None:
    """Return what is known of the program of a document, which is analysed once; None if it has changed meanwhile, so
    that a later version will be analysed."""
    program = program_of(ls.workspace, uri)
    known = _known.get(program.uri)
    if known is not None and known.version == program.version:
        return known
    if not program.is_python:
        return Analysis(program.version, [])
    key = program.uri, program.version, settings.number
    if key not in _running:
        _running[key] = asyncio.ensure_future(_analysed(ls, partial(_findings_in, _first_teller(ls, program)), program))
        _running[key].add_done_callback(lambda _: _running.pop(key, None))
    found = await asyncio.shield(_running[key])
    if found is None or key != (program.uri, version_of(ls.workspace, program.uri), settings.number):
        return None
    _known[program.uri] = found
    return found


def _first_teller(ls: LanguageServer, program: Program) -> Callable[[list[Finding]], None]:
    """Return what tells an editor what is found at first, in any thread."""
    loop = asyncio.get_running_loop()

    def tell(found: list[Finding]) -> None:
        loop.call_soon_threadsafe(_tell, ls, program, found)

    return tell


def _findings_in(begun: Callable[[list[Finding]], None], program: Program, is_wanted: Callable[[], bool]) -> Analysis:
    return analysis_of(program, _versions[program.uri], is_wanted, begun)


def _fixes_in(program: Program, is_wanted: Callable[[], bool]) -> Analysis:
    return analysis_of(program, None, is_wanted)


def _shapes_of(program: Program, _: Callable[[], bool]) -> Shapes | None:
    return shapes_of(program, _versions[program.uri])


async def _publish(ls: LanguageServer, uri: str) -> None:
    """Tell an editor what is found, unless it asks for that itself."""
    found = None if settings.pulls else await _analysis_of(ls, uri)
    program = program_of(ls.workspace, uri)
    if found is not None and program.is_python:
        _tell(ls, program, found.findings)


def _tell(ls: LanguageServer, program: Program, found: Sequence[Finding]) -> None:
    """Tell an editor what is found in a program, if it has not changed, unless it asks for that itself or knows it."""
    known = program.version, list(found)
    is_old = version_of(ls.workspace, program.uri) != program.version
    if settings.pulls or is_old or _told.get(program.uri) == known:
        return
    _told[program.uri] = known
    for document in program.documents.values():
        told = _diagnostics(program, document, found)
        ls.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(document.uri, told, document.version))


def _diagnostics(program: Program, document: TextDocument, found: Iterable[Finding]) -> list[lsp.Diagnostic]:
    return [_diagnostic(program, document, item) for item in found if program.document(item.place) is document]


@server.feature(lsp.TEXT_DOCUMENT_DIAGNOSTIC, _PULLED)
async def pulled(ls: LanguageServer, params: lsp.DocumentDiagnosticParams) -> lsp.DocumentDiagnosticReport:
    """Return what is found in a document; an editor that has the same result already is told so."""
    uri = params.text_document.uri
    while (found := await _analysis_of(ls, uri)) is None:
        await asyncio.sleep(PATIENCE)
    program = program_of(ls.workspace, uri)
    version = f"{settings.number} {program.version}"
    if params.previous_result_id == version:
        return lsp.RelatedUnchangedDocumentDiagnosticReport(version)
    told = _diagnostics(program, program.documents[program.number(uri)], found.findings)
    return lsp.RelatedFullDocumentDiagnosticReport(told, result_id=version)


def _diagnostic(program: Program, document: TextDocument, finding: Finding) -> lsp.Diagnostic:
    return lsp.Diagnostic(
        range_of(document, finding.place),
        "\n".join(filter(None, (finding.message, finding.help))),
        _SEVERITIES[finding.severity],
        finding.name,
        source="shapecheck",
        code_description=lsp.CodeDescription(link) if (link := page_of(finding.name)) else None,
        related_information=list(_origins(program, finding)),
    )


def page_of(name: str) -> str:
    """Return the address of the page of a rule, which is installed beside it; "" for what is no rule."""
    rule = find(name)
    return "" if rule is None else Path(inspect.getfile(rule.judge)).with_suffix(".md").as_uri()


def _origins(program: Program, finding: Finding) -> Iterator[lsp.DiagnosticRelatedInformation]:
    for operand in finding.operands:
        document = program.document(operand.origin) if operand.origin else None
        if operand.origin and document:
            location = lsp.Location(document.uri, range_of(document, operand.origin))
            yield lsp.DiagnosticRelatedInformation(location, f"{operand.text}: {operand.shape}")


async def _changed(ls: LanguageServer, uri: str) -> None:
    program = program_of(ls.workspace, uri)
    await asyncio.sleep(PATIENCE)
    if version_of(ls.workspace, program.uri) == program.version:
        await _publish(ls, uri)


async def _saved(ls: LanguageServer) -> None:
    """Check all programs again: they may import the one that was saved."""
    _shapes.clear()
    _known.clear()
    settings.number += 1
    if settings.pulls:
        ls.workspace_diagnostic_refresh(None, lambda _: None)
    for uri in dict.fromkeys(program_of(ls.workspace, uri).uri for uri in list(ls.workspace.text_documents)):
        await _publish(ls, uri)


def _closed(ls: LanguageServer, uri: str, documents: list[str]) -> None:
    _shapes.pop(uri, None)
    _known.pop(uri, None)
    _told.pop(uri, None)
    _versions.pop(uri, None)
    for document in documents:
        ls.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(document, []))


@server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
async def opened(ls: LanguageServer, params: lsp.DidOpenTextDocumentParams) -> None:
    await _publish(ls, params.text_document.uri)


@server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
async def changed(ls: LanguageServer, params: lsp.DidChangeTextDocumentParams) -> None:
    await _changed(ls, params.text_document.uri)


@server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
async def saved(ls: LanguageServer, params: lsp.DidSaveTextDocumentParams) -> None:
    await _saved(ls)


@server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
def closed(ls: LanguageServer, params: lsp.DidCloseTextDocumentParams) -> None:
    _closed(ls, params.text_document.uri, [params.text_document.uri])


@server.feature(lsp.NOTEBOOK_DOCUMENT_DID_OPEN)
async def notebook_opened(ls: LanguageServer, params: lsp.DidOpenNotebookDocumentParams) -> None:
    await _publish(ls, params.notebook_document.uri)


@server.feature(lsp.NOTEBOOK_DOCUMENT_DID_CHANGE)
async def notebook_changed(ls: LanguageServer, params: lsp.DidChangeNotebookDocumentParams) -> None:
    await _changed(ls, params.notebook_document.uri)


@server.feature(lsp.NOTEBOOK_DOCUMENT_DID_SAVE)
async def notebook_saved(ls: LanguageServer, params: lsp.DidSaveNotebookDocumentParams) -> None:
    await _saved(ls)


@server.feature(lsp.NOTEBOOK_DOCUMENT_DID_CLOSE)
def notebook_closed(ls: LanguageServer, params: lsp.DidCloseNotebookDocumentParams) -> None:
    _closed(ls, params.notebook_document.uri, [cell.uri for cell in params.cell_text_documents])


# Settings -----------------------------------------------------------------------------------------------------------


@server.feature(lsp.INITIALIZE)
def initialized(ls: LanguageServer, params: lsp.InitializeParams) -> None:
    settings.begin(params)


@server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
async def configured(ls: LanguageServer, params: lsp.DidChangeConfigurationParams) -> None:
    settings.take(params.settings)
    _versions.clear()
    await _saved(ls)


# Fixes --------------------------------------------------------------------------------------------------------------


_KINDS = [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll]


@server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(_KINDS))
async def actions(ls: LanguageServer, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """Return the fixes of the findings in a range of a document, which are tried now, and comments that silence them,
    if it has not changed since they were found; all safe fixes of the document only if they are asked for."""
    program = program_of(ls.workspace, params.text_document.uri)
    document = program.documents[program.number(params.text_document.uri)]
    known = _known.get(program.uri)
    wanted, made = params.context.only, []
    is_quick = wanted is None or _includes(wanted, lsp.CodeActionKind.QuickFix)
    is_for_all = wanted is not None and _includes(wanted, lsp.CodeActionKind.SourceFixAll)
    if known is None or known.version != program.version or not (is_quick or is_for_all):
        return []
    around = _whole(document) if is_for_all else params.range
    if not known.has_fixes and any(_near(program, document, known.findings, around)):
        tried = await _analysed(ls, _fixes_in, program)
        if tried is None or version_of(ls.workspace, program.uri) != program.version:
            return []
        known.findings, known.has_fixes = tried.findings, True
    if is_quick:
        near = list(_near(program, document, known.findings, params.range))
        made += [_fix_action(program, document, finding, fix) for finding in near for fix in finding.fixes]
        made += [action for finding in near for action in _silencing_actions(program, document, finding)]
    if is_for_all:
        made += _all_fixes(document, list(_near(program, document, known.findings, around)))
    return made


def _near(
    program: Program, document: TextDocument, findings: Iterable[Finding], around: lsp.Range
) -> Iterator[Finding]:
    """Yield the findings that touch a range of a document."""
    here = (finding for finding in findings if program.document(finding.place) is document)
    return (finding for finding in here if _touch(range_of(document, finding.place), around))


def _whole(document: TextDocument) -> lsp.Range:
    return lsp.Range(lsp.Position(0, 0), lsp.Position(len(document.lines), 0))


def _includes(wanted: Sequence[lsp.CodeActionKind | str], kind: lsp.CodeActionKind) -> bool:
    """Return whether a kind of action is wanted, or one that it belongs to."""
    return any(f"{kind.value}.".startswith(f"{getattr(one, 'value', one)!s}.") for one in wanted)


def _fix_action(program: Program, document: TextDocument, finding: Finding, fix: Fix) -> lsp.CodeAction:
    return lsp.CodeAction(
        f"shapecheck: {fix.title}",
        lsp.CodeActionKind.QuickFix,
        [_diagnostic(program, document, finding)],
        is_preferred=fix is finding.fix,
        edit=_edit(document, fix.edits),
    )


def _silencing_actions(program: Program, document: TextDocument, finding: Finding) -> Iterator[lsp.CodeAction]:
    """Yield the action that adds a comment, if the text of the document can be read."""
    if finding.category == ENGINE:
        return
    try:
        row, line = silenced(document.source, finding)
    except (SyntaxError, TokenError):
        return
    codec = document.position_codec
    begin, end = lsp.Position(row - 1, 0), lsp.Position(row - 1, len(document.lines[row - 1].rstrip("\r\n")))
    whole = lsp.Range(begin, codec.position_to_client_units(document.lines, end))
    edit = lsp.WorkspaceEdit({document.uri: [lsp.TextEdit(whole, line)]})
    told = [_diagnostic(program, document, finding)]
    yield lsp.CodeAction(f"shapecheck: silence {finding.code} here", lsp.CodeActionKind.QuickFix, told, edit=edit)


def _all_fixes(document: TextDocument, findings: Iterable[Finding]) -> list[lsp.CodeAction]:
    """Return the action that applies all safe fixes of a document."""
    fixes = without_overlaps(fix for finding in findings if (fix := finding.fix) is not None and fix.is_safe)
    if not fixes:
        return []
    edit = _edit(document, [edit for fix in fixes for edit in fix.edits])
    return [lsp.CodeAction("shapecheck: apply all safe fixes", lsp.CodeActionKind.SourceFixAll, edit=edit)]


def _edit(document: TextDocument, edits: Iterable[Edit]) -> lsp.WorkspaceEdit:
    return lsp.WorkspaceEdit(
        {document.uri: [lsp.TextEdit(range_of(document, each.place), each.text) for each in edits]}
    )


def _touch(one: lsp.Range, other: lsp.Range) -> bool:
    return one.start <= other.end and other.start <= one.end


# Shapes -------------------------------------------------------------------------------------------------------------


async def _shapes_in(ls: LanguageServer, uri: str) -> tuple[TextDocument, list[Revealed]]:
    """Return a document and the shapes in it; while its program does not parse, those of its unchanged lines."""
    program = program_of(ls.workspace, uri)
    version, known = _shapes.get(program.uri, (None, Shapes((), {})))
    analysis = await _analysis_of(ls, uri) if version != program.version else None
    if analysis is not None:
        found = await _analysed(ls, _shapes_of, program)
        known = known if found is None else found
        _shapes[program.uri] = program.version, known
    program = program_of(ls.workspace, uri)
    number = program.number(uri)
    document = program.documents[number]
    return document, known.still_in(document, number)


@server.feature(lsp.TEXT_DOCUMENT_HOVER)
async def hover(ls: LanguageServer, params: lsp.HoverParams) -> lsp.Hover | None:
    document, shapes = await _shapes_in(ls, params.text_document.uri)
    position = document.position_codec.position_from_client_units(document.lines, params.position)
    item = at(shapes, position.line + 1, position.character + 1)
    if item is None:
        return None
    shown = " ".join(item.text.split())
    told = f"```python\n{shown}: {item.shape} {item.dtype or ''}".rstrip() + "\n```"
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, told), range_of(document, item))


@server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
async def hints(ls: LanguageServer, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
    if not settings.inlay_hints:
        return []
    document, shapes = await _shapes_in(ls, params.text_document.uri)
    rows = range(params.range.start.line + 1, params.range.end.line + 2)
    return [
        lsp.InlayHint(range_of(document, item).end, f": {item.shape}", lsp.InlayHintKind.Type, tooltip=item.dtype)
        for item in named(shapes, document.lines)
        if item.end_row in rows
    ]
