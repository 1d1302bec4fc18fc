"""`--add-noqa` silences the findings, and changes nothing else."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from shapecheck.checker.pipeline import check
from shapecheck.cli import run
from shapecheck.config import Config
from shapecheck.diagnostics import ENGINE

ROOT = Path(__file__).resolve().parent.parent
HEAD = "import numpy as np\n"
BAD = "np.ones((2, 3)) @ np.ones((5, 7))"
MULTIPLE = sorted((ROOT / "corpus").rglob("buggy.py"))[::8]


def annotated(path: Path, text: str) -> str:
    """Return the annotated program, which has no findings any more."""
    path.write_bytes(text.encode())
    assert run([str(path), "--add-noqa"]) == 0
    assert check([path], Config()).findings == []
    return path.read_bytes().decode()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (f"x = {BAD}", f"x = {BAD}  # noqa: SHP101"),
        (f"x = {BAD}  # why", f"x = {BAD}  # why  # noqa: SHP101"),
        (f"x = {BAD}  # noqa: E501", f"x = {BAD}  # noqa: E501, SHP101"),
        (f"x = {BAD}  # noqa:E501,S101 - long", f"x = {BAD}  # noqa:E501,S101, SHP101 - long"),
        (f"x = (\n    {BAD}  # left\n    + 1\n)", f"x = (\n    {BAD}  # left\n    + 1\n)  # noqa: SHP101"),
        (f"x = 1 + \\\n    {BAD}", f"x = 1 + \\\n    {BAD}  # noqa: SHP101"),
        (f"x = '''\n# noqa\n''', {BAD}", f"x = '''\n# noqa\n''', {BAD}  # noqa: SHP101"),
        (f"if {BAD} is None:\n    pass", f"if {BAD} is None:  # noqa: SHP101\n    pass"),
        (f"x = {BAD}; y = {BAD}", f"x = {BAD}; y = {BAD}  # noqa: SHP101"),
    ],
)
def test_the_comment_goes_to_the_end_of_the_statement(tmp_path: Path, line: str, expected: str) -> None:
    assert annotated(tmp_path / "x.py", f"{HEAD}{line}\n") == f"{HEAD}{expected}\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"\ufeff{HEAD}x = {BAD}\n", f"\ufeff{HEAD}x = {BAD}  # noqa: SHP101\n"),
        (
            f"import numpy as np\r\nx = {BAD}\r\ny = 1\r\n",
            f"import numpy as np\r\nx = {BAD}  # noqa: SHP101\r\ny = 1\r\n",
        ),
        (f"{HEAD}x = {BAD}", f"{HEAD}x = {BAD}  # noqa: SHP101"),
        (f"{HEAD}s = '\u2028 é'\nx = {BAD}\n", f"{HEAD}s = '\u2028 é'\nx = {BAD}  # noqa: SHP101\n"),
        (f"{HEAD}s = '\x0c'\n\x0c\nx = {BAD}\n", f"{HEAD}s = '\x0c'\n\x0c\nx = {BAD}  # noqa: SHP101\n"),
    ],
    ids=["byte-order mark", "carriage returns", "no last newline", "line separator", "form feed"],
)
def test_bytes_elsewhere_stay(tmp_path: Path, before: str, after: str) -> None:
    assert annotated(tmp_path / "x.py", before) == after


def test_a_reason_stands_behind_new_comments(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_text(f"{HEAD}x = {BAD}\ny = {BAD}  # noqa: E501\n")
    assert run([str(path), "--add-noqa", "--noqa-reason", "SHP101 is meant"]) == 0
    assert path.read_text() == f"{HEAD}x = {BAD}  # noqa: SHP101  # SHP101 is meant\ny = {BAD}  # noqa: E501, SHP101\n"
    assert check([path], Config()).findings == []


def test_the_encoding_stays(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_bytes(f"# coding: latin-1\n{HEAD}s = 'é'\nx = {BAD}\n".encode("latin-1"))
    assert run([str(path), "--add-noqa"]) == 0
    assert path.read_bytes() == f"# coding: latin-1\n{HEAD}s = 'é'\nx = {BAD}  # noqa: SHP101\n".encode("latin-1")


@pytest.mark.parametrize("program", MULTIPLE, ids=lambda path: path.parent.name)
def test_real_programs_are_silent_afterwards(tmp_path: Path, program: Path) -> None:
    text = program.read_text(encoding="utf-8")
    path = tmp_path / "buggy.py"
    path.write_text(text, encoding="utf-8")
    assert run([str(path), "--add-noqa"]) == 0
    assert [finding for finding in check([path], Config()).findings if finding.category != ENGINE] == []
    assert ast.dump(ast.parse(path.read_text(encoding="utf-8"))) == ast.dump(ast.parse(text))


def test_what_cannot_be_annotated_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.py").write_text(f"{HEAD}x = {BAD}\nprint 'two'\ns = (\n")
    (tmp_path / "y.py").write_text(f"{HEAD}x = {BAD}\n")
    run([str(tmp_path), "--add-noqa"])
    told = capsys.readouterr()
    assert told.out == "Silenced 1 finding in 1 file.\n"
    assert "noqa" in (tmp_path / "y.py").read_text()


def test_files_that_were_not_named_are_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    net = "import numpy as np\n\n\ndef f(x):\n    return x @ np.zeros((4, 5))\n"
    (tmp_path / "net.py").write_text(net)
    (tmp_path / "use.py").write_text("import numpy as np\nfrom net import f\n\nf(np.zeros((2, 3)))\n")
    assert run([str(tmp_path / "use.py"), "--add-noqa"]) == 1
    assert (tmp_path / "net.py").read_text() == net
    assert capsys.readouterr().out == (
        f"Silenced 0 findings in 0 files.\n{tmp_path}/net.py:5: not in a checked file, left unchanged\n"
    )
