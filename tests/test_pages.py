"""The commands of the documentation print what it shows."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support import pages

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
RUNNABLE = [page for page in PAGES if any(part.commands for part in pages.parts(page.read_text(encoding="utf-8")))]


def prepared(folder: Path) -> Path:
    """A folder like a reader's clone, with the files that pages name."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    return folder


def wrong(page: Path, folder: Path, slow: bool) -> str:
    return "\n".join(pages.disagreements(page.read_text(encoding="utf-8"), prepared(folder), slow))


@pytest.mark.parametrize("page", RUNNABLE, ids=lambda page: page.stem)
def test_commands(page: Path, tmp_path: Path) -> None:
    assert wrong(page, tmp_path, slow=False) == ""


@pytest.mark.slow
@pytest.mark.parametrize("page", RUNNABLE, ids=lambda page: page.stem)
def test_all_commands(page: Path, tmp_path: Path) -> None:
    if not any(command.is_slow for part in pages.parts(page.read_text(encoding="utf-8")) for command in part.commands):
        pytest.skip("no command of it is slow")
    assert wrong(page, tmp_path, slow=True) == ""


def test_pages_that_sell_are_run() -> None:
    assert {"README", "tutorial", "configuration", "integrations"} <= {page.stem for page in RUNNABLE}


@pytest.mark.parametrize(
    ("expected", "told", "same"),
    [
        ("a\n", "a\n", True),
        ("a\n", "a  \n", True),
        ("a\n", "b\n", False),
        ("a … c\n", "a b c\n", True),
        ("a\n…\nd\n", "a\nb\nc\nd\n", True),
        ("a\n…\n", "a\n", True),
        ("a\n", "a\nb\n", False),
        ("", "", True),
    ],
)
def test_agreement(expected: str, told: str, same: bool) -> None:
    assert pages.agrees(expected, told) is same


def test_parts_of_a_page(tmp_path: Path) -> None:
    page = "`a/x.txt`:\n\n```text\none\ntwo\n```\n\n```console\n$ cat a/x.txt\none\ntwo\n$ echo $((1 + 2))\n4\n```\n"
    assert list(pages.disagreements(page, tmp_path, slow=False)) == ["row 12: $ echo $((1 + 2))\n3\n"]
