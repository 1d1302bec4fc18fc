"""The table of integrations: each row has a test, and names the versions that are tried here."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

from shapecheck.cli import COMMANDS
from shapecheck.toml import loads

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "integrations.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.split("## ")[0].splitlines()
    if line.startswith("| ") and not line.startswith("| integration")
]
VERSION = re.compile(
    r"\b(flake8(?:-bugbear)?|pre-commit|check-jsonschema|jsonschema|junitparser|pytest(?:-lsp)?|pygls|mkdocs-material"
    r"|zizmor|pandas) (\d+)"
)


def test_the_table_is_read() -> None:
    assert len(ROWS) > 10
    assert {len(row) for row in ROWS} == {5}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_each_row_has_a_test(row: list[str]) -> None:
    (name,) = re.findall(r"`(test_\w+\.py)`", row[-1])
    assert "def test_" in (ROOT / "tests" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_versions_are_those_that_are_tried(row: list[str]) -> None:
    for package, major in VERSION.findall(row[2]):
        try:
            installed = version(package)
        except PackageNotFoundError:
            continue
        assert installed.split(".")[0] == major, package


def test_what_helix_reads_starts_the_server() -> None:
    (text,) = re.findall(r"^```toml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    told = loads(text)
    (server,) = told["language-server"].items()
    assert server == ("shapecheck", {"command": "shapecheck", "args": ["server"]})
    assert server[0] in told["language"][0]["language-servers"]
    assert "server" in COMMANDS
