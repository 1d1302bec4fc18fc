"""The language server with the client of pytest-lsp, which behaves as editors do and compares what it is told with the
protocol. Its plugin is not used (`-p no:pytest-lsp`): it stops tests that are no functions, as those of pages."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.uris import to_fs_path

from shapecheck.rules.rule import all_rules
from shapecheck.server import page_of

pytest_lsp = pytest.importorskip("pytest_lsp")

CODE = "import numpy as np\n\nx = np.zeros((2, 3))\ny = x @ np.zeros((4, 5))\nz = np.zeros(3, 4)\n"
EDITORS = ("visual_studio_code", "emacs")


def test_each_rule_has_the_page_that_is_linked() -> None:
    for rule in all_rules():
        page = Path(to_fs_path(page_of(rule.name)) or "")
        assert page.read_text(encoding="utf-8").startswith(f"# {rule.name}\n")


Dialogue = Callable[[Any], Awaitable[None]]


def talk(editor: str, folder: Path, dialogue: Dialogue) -> None:
    """Open a folder in an editor and run the dialogue."""

    async def spoken() -> None:
        client = pytest_lsp.make_test_lsp_client()
        await client.start_io(sys.executable, "-m", "shapecheck", "server")
        able = pytest_lsp.client_capabilities(editor)
        folders = [lsp.WorkspaceFolder(folder.as_uri(), "project")]
        await client.initialize_session(lsp.InitializeParams(able, root_uri=folder.as_uri(), workspace_folders=folders))
        await dialogue(client)
        await client.shutdown_session()
        await client.stop()

    asyncio.run(asyncio.wait_for(spoken(), 120))


async def found(client: Any, uri: str, text: str = CODE) -> list[lsp.Diagnostic]:
    """Open a document and return what is found, told or asked for, as the editor has it."""
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, "python", 1, text)))
    assert client.capabilities.text_document is not None
    if client.capabilities.text_document.diagnostic is None:
        await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        return list(client.diagnostics[uri])
    asked = lsp.DocumentDiagnosticParams(lsp.TextDocumentIdentifier(uri))
    report = await client.text_document_diagnostic_async(asked)
    assert isinstance(report, lsp.RelatedFullDocumentDiagnosticReport)
    return list(report.items)


@pytest.mark.parametrize("editor", EDITORS)
def test_findings_actions_and_shapes(tmp_path: Path, editor: str) -> None:
    async def dialogue(client: Any) -> None:
        uri = (tmp_path / "main.py").as_uri()
        told = await found(client, uri)
        assert [(each.code, each.range.start) for each in told] == [
            ("axis-mismatch", lsp.Position(3, 4)),
            ("rank-mismatch", lsp.Position(4, 4)),
        ]
        here = lsp.TextDocumentIdentifier(uri)
        whole = lsp.Range(lsp.Position(0, 0), lsp.Position(9, 0))
        for wanted, kinds in ((None, {"quickfix"}), (["source.fixAll"], {"source.fixAll"}), (["refactor"], set())):
            context = lsp.CodeActionContext(told, only=wanted)
            actions = await client.text_document_code_action_async(lsp.CodeActionParams(here, whole, context)) or []
            assert {each.kind for each in actions if isinstance(each, lsp.CodeAction)} == kinds
        hover = await client.text_document_hover_async(lsp.HoverParams(here, lsp.Position(3, 4)))
        assert hover is not None
        assert "x: (2, 3) float64" in str(hover.contents)
        hints = await client.text_document_inlay_hint_async(lsp.InlayHintParams(here, whole)) or []
        assert [hint.label for hint in hints] == [": (2, 3)"]

    talk(editor, tmp_path, dialogue)


@pytest.mark.parametrize("editor", EDITORS)
def test_configurations_other_files_and_notebooks(tmp_path: Path, editor: str) -> None:
    (tmp_path / "helper.py").write_text("def product(a, b):\n    return a @ b\n")
    wrong = tmp_path / "wrong" / "shapecheck.toml"
    wrong.parent.mkdir()
    wrong.write_text('slct = ["SHP1"]\n')

    async def dialogue(client: Any) -> None:
        told = await found(client, (tmp_path / "use.py").as_uri(), CALLER)
        assert [(each.code, each.range.start.line) for each in told] == [("axis-mismatch", 2)]
        (mistake,) = await found(client, (wrong.parent / "main.py").as_uri())
        assert mistake.code == "bad-configuration"
        assert "did you mean 'select'?" in mistake.message
        cells = [{"cell_type": "code", "source": CODE}]
        await found(client, (tmp_path / "cells.ipynb").as_uri(), json.dumps({"cells": cells}))
        assert not client.messages

    talk(editor, tmp_path, dialogue)


CALLER = "import numpy as np, helper\n\nhelper.product(np.zeros((2, 3)), np.zeros((4, 5)))\n"
