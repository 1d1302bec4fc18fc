"""The language server, with the requests of an editor."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient
from pygls.uris import to_fs_path

from shapecheck.cli import run

TEXT = """import tensorflow as tf

name = "ÄÖ𝒳"; x = tf.zeros([2, 3])
y = tf.matmul(x, tf.zeros([4, 5]))
z = tf.transpose(
    x
)
"""
Told = list[lsp.PublishDiagnosticsParams]


def talk(
    folder: Path,
    dialogue: Callable[[LanguageClient, str, Told], Awaitable[None]],
    capabilities: lsp.ClientCapabilities | None = None,
    options: object = None,
    long: float | None = None,
) -> None:
    """Open a document in an editor and run the dialogue; `long` is the time in seconds after which a check is shown."""
    begun = "" if long is None else f"server.LONG = {long}; "
    path = folder / "main.py"
    path.write_text(TEXT)

    async def speak() -> None:
        client = LanguageClient("editor", "1")
        told: Told = []
        client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda params: told.append(params))
        await client.start_io(sys.executable, "-c", f"from shapecheck import server; {begun}server.main()")
        able = capabilities or lsp.ClientCapabilities()
        client.feature(lsp.WORKSPACE_DIAGNOSTIC_REFRESH)(lambda params: None)
        await client.initialize_async(
            lsp.InitializeParams(able, root_uri=folder.as_uri(), initialization_options=options)
        )
        client.initialized(lsp.InitializedParams())
        document = lsp.TextDocumentItem(path.as_uri(), "python", 1, TEXT)
        client.text_document_did_open(lsp.DidOpenTextDocumentParams(document))
        await dialogue(client, path.as_uri(), told)
        await client.shutdown_async(None)
        client.exit(None)
        await client.stop()

    asyncio.run(asyncio.wait_for(speak(), 120))


async def until(condition: Callable[[], object]) -> None:
    while not condition():
        await asyncio.sleep(0.05)


def change(client: LanguageClient, uri: str, version: int, text: str) -> None:
    identifier = lsp.VersionedTextDocumentIdentifier(version, uri)
    whole = lsp.TextDocumentContentChangeWholeDocument(text)
    client.text_document_did_change(lsp.DidChangeTextDocumentParams(identifier, [whole]))


def test_findings_follow_the_text(tmp_path: Path) -> None:
    async def dialogue(client: LanguageClient, uri: str, told: Told) -> None:
        await until(lambda: told)
        (found,) = told[-1].diagnostics
        assert (found.code, found.source, found.severity) == (
            "axis-mismatch",
            "shapecheck",
            lsp.DiagnosticSeverity.Error,
        )
        assert found.range == lsp.Range(lsp.Position(3, 4), lsp.Position(3, 34))
        (origin,) = found.related_information or ()
        assert (origin.message, origin.location.range.start) == ("x: (2, 3)", lsp.Position(2, 19))
        for version, text in enumerate(("y = (", TEXT.replace("4", "3")), 2):
            change(client, uri, version, text)
        await until(lambda: told[-1].version == 3)
        assert [params.version for params in told] == [1, 3]
        assert not told[-1].diagnostics

    talk(tmp_path, dialogue)


def test_findings_have_the_page_of_their_rule(tmp_path: Path) -> None:
    async def dialogue(client: LanguageClient, uri: str, told: Told) -> None:
        await until(lambda: told)
        (found,) = told[-1].diagnostics
        assert found.code_description is not None
        page = Path(to_fs_path(found.code_description.href) or "")
        assert page.read_text(encoding="utf-8").startswith("# axis-mismatch")

    talk(tmp_path, dialogue)


_PULLS = lsp.TextDocumentClientCapabilities(diagnostic=lsp.DiagnosticClientCapabilities())
PULLING = lsp.ClientCapabilities(lsp.WorkspaceClientCapabilities(), _PULLS)


def test_an_editor_may_ask_for_findings_itself(tmp_path: Path) -> None:
    async def dialogue(client: LanguageClient, uri: str, told: Told) -> None:
        async def asked(known: str | None = None) -> lsp.DocumentDiagnosticReport:
            identifier = lsp.TextDocumentIdentifier(uri)
            return await client.text_document_diagnostic_async(
                lsp.DocumentDiagnosticParams(identifier, previous_result_id=known)
            )

        first = await asked()
        assert isinstance(first, lsp.RelatedFullDocumentDiagnosticReport)
        assert [found.code for found in first.items] == ["axis-mismatch"]
        again = await asked(first.result_id)
        assert isinstance(again, lsp.RelatedUnchangedDocumentDiagnosticReport)
        assert again.result_id == first.result_id
        change(client, uri, 2, TEXT.replace("4", "3"))
        last = await asked(first.result_id)
        assert isinstance(last, lsp.RelatedFullDocumentDiagnosticReport)
        assert not last.items
        assert not told

    talk(tmp_path, dialogue, PULLING)


def test_settings_select_rules_and_shapes(tmp_path: Path) -> None:
    async def dialogue(client: LanguageClient, uri: str, told: Told) -> None:
        await until(lambda: told)
        assert not told[-1].diagnostics
        everything = lsp.Range(lsp.Position(0, 0), lsp.Position(9, 0))
        asked = lsp.InlayHintParams(lsp.TextDocumentIdentifier(uri), everything)
        assert not await client.text_document_inlay_hint_async(asked)
        settings = {"shapecheck": {"ignore": [], "inlayHints": True, "unknown": 1}}
        client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams(settings))
        await until(lambda: told[-1].diagnostics)
        assert await client.text_document_inlay_hint_async(asked)

    talk(tmp_path, dialogue, options={"ignore": ["SHP101"], "inlayHints": False})


SLOW_TEXT = "import numpy as np\nx = np.zeros((4, 4))\n" + "x = x @ x.T + x[0]\n" * 3000
SHOWING = lsp.ClientCapabilities(window=lsp.WindowClientCapabilities(work_done_progress=True))


def test_long_checks_are_shown_and_stale_ones_are_left_out(tmp_path: Path) -> None:
    shown: list[object] = []

    def kinds() -> list[object]:
        return [getattr(value, "kind", None) or value["kind"] for value in shown]  # type: ignore[index]

    async def dialogue(client: LanguageClient, uri: str, told: Told) -> None:
        client.feature(lsp.WINDOW_WORK_DONE_PROGRESS_CREATE)(lambda params: None)
        client.feature(lsp.PROGRESS)(lambda params: shown.append(params.value))
        await until(lambda: kinds().count("end") == 1)
        change(client, uri, 2, SLOW_TEXT)
        await until(lambda: kinds().count("begin") == 2)
        for version in range(3, 8):
            change(client, uri, version, TEXT + "\n" * version)
        await until(lambda: told and told[-1].version == 7)
        await until(lambda: kinds().count("begin") == kinds().count("end"))
        assert not {params.version for params in told} & {3, 4, 5, 6}

    talk(tmp_path, dialogue, SHOWING, long=0)


def test_fixes_are_offered(tmp_path: Path) -> None:
    async def dialogue(client: LanguageClient, uri: str, told: Told) -> None:
        change(client, uri, 2, 'import numpy as np\n"𝒳", np.zeros(3, 4)\n')
        await until(lambda: told and told[-1].version == 2)
        here = lsp.Range(lsp.Position(1, 10), lsp.Position(1, 10))
        asked = lsp.CodeActionParams(lsp.TextDocumentIdentifier(uri), here, lsp.CodeActionContext([]))
        action, silencing = await client.text_document_code_action_async(asked) or ()
        assert isinstance(action, lsp.CodeAction) and action.edit is not None and action.edit.changes is not None
        assert (action.title, action.is_preferred) == ("shapecheck: write np.zeros([3, 4])", True)
        (edit,) = action.edit.changes[uri]
        assert (edit.range.start, edit.new_text) == (lsp.Position(1, 15), "[3, 4]")
        assert (
            isinstance(silencing, lsp.CodeAction) and silencing.edit is not None and silencing.edit.changes is not None
        )
        (edit,) = silencing.edit.changes[uri]
        assert edit.range == lsp.Range(lsp.Position(1, 0), lsp.Position(1, 20))
        assert edit.new_text == '"𝒳", np.zeros(3, 4)  # noqa: SHP102'
        elsewhere = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
        asked = lsp.CodeActionParams(lsp.TextDocumentIdentifier(uri), elsewhere, lsp.CodeActionContext([]))
        assert not await client.text_document_code_action_async(asked)

    talk(tmp_path, dialogue)


def test_actions_are_of_the_kind_that_is_wanted(tmp_path: Path) -> None:
    async def dialogue(client: LanguageClient, uri: str, told: Told) -> None:
        change(client, uri, 2, "import numpy as np\nnp.zeros(3, 4)\nx = np.ones(5, 6)\n")
        await until(lambda: told and told[-1].version == 2)
        line = lsp.Range(lsp.Position(1, 0), lsp.Position(1, 9))

        async def titles(*kinds: lsp.CodeActionKind) -> list[str]:
            context = lsp.CodeActionContext([], list(kinds))
            asked = lsp.CodeActionParams(lsp.TextDocumentIdentifier(uri), line, context)
            return [action.title for action in await client.text_document_code_action_async(asked) or ()]

        assert await titles(lsp.CodeActionKind.Refactor) == []
        assert await titles(lsp.CodeActionKind.SourceFixAll) == ["shapecheck: apply all safe fixes"]
        assert await titles(lsp.CodeActionKind.Source) == ["shapecheck: apply all safe fixes"]
        quick = ["shapecheck: write np.zeros([3, 4])", "shapecheck: silence SHP102 here"]
        assert await titles(lsp.CodeActionKind.QuickFix) == quick

    talk(tmp_path, dialogue)


def test_a_fault_in_another_file_is_reported_at_the_call(tmp_path: Path) -> None:
    helper = "import numpy as np\n\n\ndef product(a, b):\n    return np.matmul(a, b)\n"
    (tmp_path / "helper.py").write_text(helper)

    async def dialogue(client: LanguageClient, uri: str, told: Told) -> None:
        text = "import numpy as np\nfrom helper import product\n\nproduct(np.ones((2, 3)), np.ones((4, 5)))\n"
        change(client, uri, 2, text)
        await until(lambda: told and told[-1].version == 2)
        (found,) = told[-1].diagnostics
        assert (found.code, found.range.start) == ("axis-mismatch", lsp.Position(3, 0))
        assert found.message.splitlines()[0].endswith(f"in {tmp_path / 'helper.py'}:5")

    talk(tmp_path, dialogue)


def test_a_bad_configuration_is_reported_in_the_document(tmp_path: Path) -> None:
    (tmp_path / "shapecheck.toml").write_text('selct = ["SHP1"]\n')

    async def dialogue(client: LanguageClient, uri: str, told: Told) -> None:
        await until(lambda: told)
        (found,) = told[-1].diagnostics
        assert (found.code, found.range.start) == ("bad-configuration", lsp.Position(0, 0))
        assert "shapecheck.toml:1: unknown key 'selct'; did you mean 'select'?" in found.message

    talk(tmp_path, dialogue)


def test_the_code_of_a_notebook_may_be_one_document(tmp_path: Path) -> None:
    async def dialogue(client: LanguageClient, _: str, told: Told) -> None:
        uri = (tmp_path / "cells.ipynb").as_uri()
        client.text_document_did_open(lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, "python", 1, TEXT)))
        await until(lambda: any(params.uri == uri for params in told))
        (found,) = next(params.diagnostics for params in told if params.uri == uri)
        assert (found.code, found.range.start) == ("axis-mismatch", lsp.Position(3, 4))

    talk(tmp_path, dialogue)


def test_cells_may_come_without_their_text(tmp_path: Path) -> None:
    async def dialogue(client: LanguageClient, _: str, told: Told) -> None:
        uri = (tmp_path / "cells.ipynb").as_uri()
        code, prose = f"{uri}#code", f"{uri}#prose"
        kinds = lsp.NotebookCellKind
        cells = [lsp.NotebookCell(kinds.Markup, prose), lsp.NotebookCell(kinds.Code, code)]
        notebook = lsp.NotebookDocument(uri, "jupyter-notebook", 1, cells)
        documents = [lsp.TextDocumentItem(code, "python", 1, TEXT)]
        client.notebook_document_did_open(lsp.DidOpenNotebookDocumentParams(notebook, documents))
        await until(lambda: any(params.uri == code for params in told))
        (found,) = next(params.diagnostics for params in told if params.uri == code)
        assert found.code == "axis-mismatch"

    talk(tmp_path, dialogue)


def test_shapes_are_shown(tmp_path: Path) -> None:
    async def dialogue(client: LanguageClient, uri: str, told: Told) -> None:
        identifier = lsp.TextDocumentIdentifier(uri)
        asked = lsp.HoverParams(identifier, lsp.Position(5, 4))
        hover = await client.text_document_hover_async(asked)
        assert hover is not None
        assert "x: (2, 3) float32" in str(hover.contents)
        assert hover.range == lsp.Range(lsp.Position(5, 4), lsp.Position(5, 5))
        assert await client.text_document_hover_async(lsp.HoverParams(identifier, lsp.Position(0, 2))) is None
        everything = lsp.InlayHintParams(identifier, lsp.Range(lsp.Position(0, 0), lsp.Position(9, 0)))
        hints = await client.text_document_inlay_hint_async(everything) or []
        assert [(hint.label, hint.position) for hint in hints] == [
            (": (2, 3)", lsp.Position(2, 16)),
            (": (3, 2)", lsp.Position(4, 1)),
        ]
        change(client, uri, 2, TEXT + "w = (")
        hints = await client.text_document_inlay_hint_async(everything) or []
        assert len(hints) == 2
        change(client, uri, 3, f"def f(:\n{TEXT}")  # everything is one line below
        hints = await client.text_document_inlay_hint_async(everything) or []
        assert [(hint.label, hint.position.line) for hint in hints] == [(": (2, 3)", 3), (": (3, 2)", 5)]

    talk(tmp_path, dialogue)


def test_notebooks_are_one_program(tmp_path: Path) -> None:
    uri = (tmp_path / "nb.ipynb").as_uri()
    texts = [
        "import numpy as np\nx = np.ones([2, 3])\n",
        "%matplotlib inline\ny = x @ np.ones([4, 5])",
        "np.zeros(3, 4)",
    ]
    uris = [f"{uri.replace('file', 'vscode-notebook-cell')}#{number}" for number in range(len(texts))]
    documents = [lsp.TextDocumentItem(name, "python", 1, text) for name, text in zip(uris, texts, strict=True)]
    cells = [lsp.NotebookCell(lsp.NotebookCellKind.Code, name) for name in uris]
    notebook = lsp.NotebookDocument(uri, "jupyter-notebook", 1, cells)

    async def dialogue(client: LanguageClient, _: str, told: Told) -> None:
        client.notebook_document_did_open(lsp.DidOpenNotebookDocumentParams(notebook, documents))
        await until(lambda: len({params.uri for params in told}) == 4)
        found = {params.uri: params.diagnostics for params in told}
        assert [[item.code for item in found[name]] for name in uris] == [[], ["axis-mismatch"], ["rank-mismatch"]]
        (fault,) = found[uris[1]]
        assert fault.range == lsp.Range(lsp.Position(1, 4), lsp.Position(1, 23))
        (origin,) = fault.related_information or ()
        assert (origin.message, origin.location.uri) == ("x: (2, 3)", uris[0])
        asked = lsp.HoverParams(lsp.TextDocumentIdentifier(uris[0]), lsp.Position(1, 0))
        assert "x: (2, 3)" in str(await client.text_document_hover_async(asked))
        whole = lsp.Range(lsp.Position(0, 0), lsp.Position(9, 0))
        wanted = lsp.CodeActionParams(lsp.TextDocumentIdentifier(uris[2]), whole, lsp.CodeActionContext([]))
        action, _ = await client.text_document_code_action_async(wanted) or ()
        assert action.title == "shapecheck: write np.zeros([3, 4])"
        now = lsp.TextDocumentContentChangeWholeDocument(texts[0].replace("3", "4"))
        changed = lsp.NotebookDocumentCellContentChanges(lsp.VersionedTextDocumentIdentifier(2, uris[0]), [now])
        event = lsp.NotebookDocumentChangeEvent(cells=lsp.NotebookDocumentCellChanges(text_content=[changed]))
        version = lsp.VersionedNotebookDocumentIdentifier(2, uri)
        client.notebook_document_did_change(lsp.DidChangeNotebookDocumentParams(version, event))
        await until(lambda: not {params.uri: params for params in told}[uris[1]].diagnostics)

    talk(tmp_path, dialogue)


def test_an_editor_says_goodbye() -> None:
    def message(method: str, **more: object) -> bytes:
        body = json.dumps({"jsonrpc": "2.0", "method": method, **more}).encode()
        return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)

    asked = message("initialize", id=1, params={"capabilities": {}, "processId": None, "rootUri": None})
    asked += message("initialized", params={}) + message("shutdown", id=2) + message("exit")
    command = [sys.executable, "-m", "shapecheck", "server"]
    told = subprocess.run(command, input=asked, capture_output=True, timeout=60, check=False)
    assert (told.returncode, told.stderr) == (0, b"")


def test_without_the_protocol_the_command_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "shapecheck.server", None)
    assert run(["server"]) == 2
    assert "pip install 'pygls>=2'" in capsys.readouterr().err
