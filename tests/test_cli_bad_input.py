"""Invalid input of all kinds: one clear line, the right exit status, and the findings of every other file."""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import NamedTuple

import pytest

from shapecheck.cli import run

BUG = "import tensorflow as tf\n\ny = tf.matmul(tf.zeros([2, 3]), tf.zeros([5, 7]))\n"
CELL = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}


@dataclass(frozen=True)
class Case:
    """The files of a case, the expected message, and the exit status when checked beside a faulty program.

    `findings` are the codes and rows in the files of the case itself.
    """

    make: Callable[[Path], object]
    told: str = ""
    findings: tuple[tuple[str, int], ...] = ()
    status: int = 1
    arguments: tuple[str, ...] = (".",)


def text(content: str, name: str = "odd.py") -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_text(content, encoding="utf-8")


def data(content: bytes, name: str = "odd.py") -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_bytes(content)


def notebook(*cells: str) -> Callable[[Path], object]:
    told = [{**CELL, "source": cell} for cell in cells]
    return text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": told}), "odd.ipynb")


def locked(name: str) -> Callable[[Path], object]:
    def make(folder: Path) -> None:
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(BUG)
        (path if path.parent == folder else path.parent).chmod(0)

    return make


def cycle(folder: Path) -> None:
    (folder / "one.py").write_text("import numpy as np\nimport two\nx = np.zeros(3)\ny = two.f(x)\n")
    (folder / "two.py").write_text("import numpy as np\nimport one\n\n\ndef f(x):\n    return x @ np.zeros(4)\n")


def link(target: str, name: str = "odd.py") -> Callable[[Path], object]:
    return lambda folder: (folder / name).symlink_to(target)


NP = "import numpy as np\n"
WRONG = "np.zeros((2, 3)) @ np.zeros((4, 5))\n"

CASES = {
    "missing path": Case(lambda folder: None, "gone.py: no such file or folder", status=2, arguments=("gone.py", ".")),
    "unreadable file": Case(locked("odd.py"), "odd.py: Permission denied", status=2),
    "folder without permission": Case(locked("odd/x.py"), "odd: Permission denied", status=2),
    "file in such a folder": Case(
        locked("odd/x.py"), "odd/x.py: Permission denied", status=2, arguments=("odd/x.py", "bug.py")
    ),
    "file below a file": Case(
        text("x"), "odd.py/x.py: no such file or folder", status=2, arguments=("odd.py/x.py", ".")
    ),
    "name that is too long": Case(text("x"), "no such file or folder", status=2, arguments=("x" * 5_000 + ".py", ".")),
    "odd patterns to ignore": Case(text("!\n[\n/\n\\\n", ".gitignore")),
    "not UTF-8": Case(data(b"x = '\xe9'\n"), "odd.py: cannot decode: ", status=2),
    "unknown encoding": Case(
        data(b"# coding: klingon\n"), "odd.py: cannot decode: unknown encoding: klingon", status=2
    ),
    "declared encoding": Case(
        data(f"# coding: latin-1\n{NP}s = 'é'\n{WRONG}".encode("latin-1")), findings=(("SHP101", 4),)
    ),
    "byte-order mark": Case(data(f"\ufeff{NP}{WRONG}".encode()), findings=(("SHP101", 2),)),
    "UTF-16": Case(data(BUG.encode("utf-16")), "odd.py: cannot decode: ", status=2),
    "zero bytes": Case(data(b"x = 1\n\0\0\n"), findings=(("SHP901", 2),)),
    "binary": Case(data(bytes(range(256)) * 40), "odd.py: cannot decode: ", status=2),
    "carriage returns": Case(data(f"{NP}{WRONG}".replace("\n", "\r\n").encode()), findings=(("SHP101", 2),)),
    "old carriage returns": Case(data(f"{NP}{WRONG}".replace("\n", "\r").encode()), findings=(("SHP101", 2),)),
    "syntax error": Case(text("import numpy as np\n\ndef f(:\n"), findings=(("SHP901", 3),)),
    "unclosed bracket": Case(text("x = (1,\n"), findings=(("SHP901", 1),)),
    "unclosed string": Case(text('x = """never\n'), findings=(("SHP901", 1),)),
    "bad indentation": Case(text("if x:\n    y = 1\n  z = 2\n"), findings=(("SHP901", 3),)),
    "Python 2": Case(text(f"{NP}print 'a', 1\nexec 'x = 1'\n{WRONG}"), findings=(("SHP101", 4),)),
    "odd escapes": Case(text("x = '\\d' if 1else 2\n")),
    "empty": Case(text("")),
    "blank": Case(text("\n\n  \n\t\n# nothing\n")),
    "no last newline": Case(text(NP + WRONG.rstrip()), findings=(("SHP101", 2),)),
    "50,000 lines": Case(text(NP + "x = np.zeros((2, 3)) + 1\n" * 49_998 + WRONG), findings=(("SHP101", 50_000),)),
    "one long line": Case(text(NP + "x = [" + "1, " * 200_000 + "]\n" + WRONG), findings=(("SHP101", 3),)),
    "deep brackets": Case(text(NP + "x = " + "(" * 3_000 + "1" + ")" * 3_000 + "\n"), findings=(("SHP901", 2),)),
    "deep blocks": Case(
        text(NP + "".join(" " * depth + "if x:\n" for depth in range(150)) + " " * 150 + "pass\n"),
        findings=(("SHP901", 102),),
    ),
    "long chain": Case(
        text(NP + "x = " + " + ".join(["1"] * 2_000) + "\n"),
        "odd.py:2: not checked: an expression of more than 1,500 terms",
        status=2,
    ),
    "endless recursion": Case(text(f"{NP}def f(n):\n    return f(n + 1)\nf(0)\n{WRONG}"), findings=(("SHP101", 5),)),
    "endless loop": Case(
        text(f"{NP}while True:\n    x = np.zeros(3)\n"),
    ),
    "import cycle": Case(cycle, findings=(("SHP101", 6),)),
    "itself imported": Case(text(f"import odd\nfrom odd import *\n{NP}{WRONG}"), findings=(("SHP101", 4),)),
    "broken link": Case(link("nowhere.py"), "odd.py: broken symbolic link", status=2),
    "link to itself": Case(link("odd.py"), "odd.py: broken symbolic link", status=2),
    "link to a folder above": Case(link("..", "above")),
    "folder like a file": Case(lambda folder: (folder / "odd.py").mkdir()),
    "pipe": Case(lambda folder: os.mkfifo(folder / "odd.py")),
    "notebook": Case(notebook(NP, "%matplotlib inline\n!ls\n" + WRONG), findings=(("SHP101", 3),)),
    "notebook that is not JSON": Case(text("{", "odd.ipynb"), "odd.ipynb: ", status=2),
    "notebook that is a list": Case(text("[]", "odd.ipynb"), "odd.ipynb: ", status=2),
    "empty notebook": Case(text("", "odd.ipynb"), "odd.ipynb: ", status=2),
    "odd file name": Case(
        text(NP + WRONG, "o\udcffd\n.py".encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")),
        findings=(("SHP101", 2),),
    ),
}


class Ran(NamedTuple):
    """The result of a run."""

    returncode: int
    stdout: str
    stderr: str


Check = Callable[..., Ran]


@pytest.fixture
def check(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Check:
    """Run the command in the folder; for tests of permissions, as a user without special rights."""
    monkeypatch.chdir(folder)

    def checked(*arguments: str, unprivileged: bool = False) -> Ran:
        if unprivileged:
            return _apart(folder, arguments)
        return Ran(run(["check", *arguments]), *capsys.readouterr())

    return checked


def _apart(folder: Path, arguments: Sequence[str]) -> Ran:
    ran = subprocess.run(
        [sys.executable, "-m", "shapecheck", "check", *arguments],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        timeout=120,
        check=False,
        preexec_fn=_give_up_special_rights if os.geteuid() == 0 else None,
    )
    return Ran(ran.returncode, ran.stdout, ran.stderr)


def _give_up_special_rights() -> None:
    """Make permissions apply to the superuser too: drop the capabilities that bypass them (see capabilities(7))."""
    for right in (1, 2):
        ctypes.CDLL(None).prctl(24, right, 0, 0, 0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a faulty program."""
    (tmp_path / "bug.py").write_text(BUG)
    return tmp_path


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=name, marks=[pytest.mark.slow] if name.startswith("50,000") else [])
        for name, case in CASES.items()
    ],
)
def test_bad_input(folder: Path, check: Check, case: Case) -> None:
    case.make(folder)
    unprivileged = case.told.endswith("Permission denied")
    ran = check(*case.arguments, "--output-format", "jsonl", "--quiet", "--no-cache", unprivileged=unprivileged)
    found = [
        (item["filename"], item["code"], item["location"]["row"]) for item in map(json.loads, ran.stdout.splitlines())
    ]
    assert ("bug.py", "SHP101", 3) in found, ran.stderr
    assert sorted((code, row) for name, code, row in found if name != "bug.py") == sorted(case.findings)
    assert ran.returncode == case.status
    assert case.told in ran.stderr
    assert ran.stderr.count("\n") == (case.status == 2)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("select = [", "shapecheck.toml: "),
        ("selct = []", "shapecheck.toml:1: unknown key 'selct'; did you mean 'select'?"),
        ("select = 1", "shapecheck.toml:1: select must be a list of strings"),
        ('select = ["SHP999"]', "unknown rule 'SHP999'"),
        ('target = {tensorflow = "two"}', "target.tensorflow: 'two' is not a version"),
        ('baseline = "gone.json"', "gone.json: No such file"),
        ("\udcff", "shapecheck.toml: "),
        ('exclude = ["!"]', "not a valid .gitignore pattern: "),
        ('per-file-ignores = {"!" = ["SHP1"]}', "not a valid .gitignore pattern: "),
    ],
)
def test_bad_configuration(folder: Path, check: Check, content: str, told: str) -> None:
    (folder / "shapecheck.toml").write_text(content, errors="surrogateescape")
    ran = check(".")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert told in ran.stderr
    assert "Traceback" not in ran.stderr
    assert ran.stderr.splitlines()[-1].count(told)


@pytest.mark.parametrize(
    ("command", "status", "told"),
    [
        ("graph latin.py", 2, "latin.py: cannot decode: "),
        ("graph bad.ipynb", 2, "bad.ipynb: not a notebook: "),
        ("graph gone.py", 2, "'gone.py' does not exist"),
        ("reveal latin.py", 2, "latin.py: cannot decode: "),
        ("reveal bad.ipynb", 2, "bad.ipynb: not a notebook: "),
        ("reveal .", 2, ".: no such file"),
        ("reveal bug.py:99", 0, ""),
        ("repro latin.py:1", 2, "latin.py: cannot decode: "),
        ("repro bug.py:99", 2, "bug.py:99: no finding there"),
        ("baseline gone.py", 2, "gone.py: no such file or folder"),
        ("baseline bug.py --baseline no/such", 2, "no/such: No such file"),
        ("check bug.py --output-file no/such", 2, "no/such: No such file"),
        ("check - bug.py --stdin-filename a.ipynb", 2, "a.ipynb: not a notebook"),
        ("check bug.py --jobs 0", 2, "--jobs"),
        ("check bug.py --cache-dir bug.py", 2, "--cache-dir"),
        ("explain SHP9", 2, "did you mean 'SHP90"),
    ],
)
def test_bad_input_of_other_commands(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
    status: int,
    told: str,
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO()))
    (folder / "latin.py").write_bytes(b"x = '\xe9'\n")
    (folder / "syntax.py").write_text("def f(:\n")
    (folder / "bad.ipynb").write_text("{")
    ran = Ran(run(command.split()), *capsys.readouterr())
    assert ran.returncode == status, ran.stderr
    assert told in ran.stderr
    assert "Traceback" not in ran.stderr
    assert "internal error" not in ran.stderr
    if command.startswith("check - "):
        assert ran.stdout.startswith("bug.py:3:5: error[axis-mismatch]")
