"""The language server with pytest-lsp as the editor, which behaves as known editors do."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from lsprotocol import types as lsp
from pygls.uris import to_fs_path

from shapecheck.rules.rule import all_rules
from shapecheck.server import page_of

pytest_lsp = pytest.importorskip("pytest_lsp")
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities  # noqa: E402

CODE = "import numpy as np\n\nx = np.zeros((2, 3))\ny = x @ np.zeros((4, 5))\nz = np.zeros(3, 4)\n"
EDITORS = ("visual_studio_code", "emacs")


def test_each_rule_has_the_page_that_is_linked() -> None:
    for rule in all_rules():
        page = Path(to_fs_path(page_of(rule.name)) or "")
        assert page.read_text(encoding="utf-8").startswith(f"# {rule.name}\n")


@pytest_lsp.fixture(  # type: ignore[untyped-decorator]
    config=ClientServerConfig(server_command=[sys.executable, "-m", "shapecheck", "server"]), params=EDITORS
)
async def client(request: pytest.FixtureRequest, lsp_client: LanguageClient, tmp_path: Path):  # type: ignore[no-untyped-def]
    able = client_capabilities(request.param)
    folder = lsp.WorkspaceFolder(tmp_path.as_uri(), "project")
    await lsp_client.initialize_session(lsp.InitializeParams(able, root_uri=folder.uri, workspace_folders=[folder]))
    yield lsp_client
    await lsp_client.shutdown_session()


async def found(client: LanguageClient, uri: str, text: str = CODE) -> list[lsp.Diagnostic]:
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


@pytest.mark.asyncio
async def test_findings_actions_and_shapes(client: LanguageClient, tmp_path: Path) -> None:
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


@pytest.mark.asyncio
async def test_mistakes_in_the_configuration_are_told(client: LanguageClient, tmp_path: Path) -> None:
    (tmp_path / "shapecheck.toml").write_text('slct = ["SHP1"]\n')
    (told,) = await found(client, (tmp_path / "main.py").as_uri())
    assert told.code == "bad-configuration"
    assert "did you mean 'select'?" in told.message


@pytest.mark.asyncio
async def test_faults_of_imported_files_and_of_notebooks_that_come_as_json(
    client: LanguageClient, tmp_path: Path
) -> None:
    (tmp_path / "helper.py").write_text("def product(a, b):\n    return a @ b\n")
    told = await found(client, (tmp_path / "use.py").as_uri(), CALLER)
    assert [(each.code, each.range.start.line) for each in told] == [("axis-mismatch", 2)]
    cells = [{"cell_type": "code", "source": CODE}]
    await found(client, (tmp_path / "cells.ipynb").as_uri(), json.dumps({"cells": cells}))
    assert not client.messages


CALLER = "import numpy as np, helper\n\nhelper.product(np.zeros((2, 3)), np.zeros((4, 5)))\n"
