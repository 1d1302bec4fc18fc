"""The plugin under the real flake8."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

BUG = "import tensorflow as tf\n\ny = tf.matmul(tf.zeros([2, 3]), tf.zeros([5, 7]))\n"


def flake8(folder: Path, *arguments: str, stdin: str | None = None) -> tuple[int, list[str]]:
    command = [sys.executable, "-m", "flake8", "--isolated", "--jobs=1", *arguments]
    ran = subprocess.run(command, cwd=folder, input=stdin, capture_output=True, text=True, check=False)
    assert ran.stderr == ""
    return ran.returncode, ran.stdout.splitlines()


def test_findings_have_flake8s_form(tmp_path: Path) -> None:
    (tmp_path / "bug.py").write_text(BUG)
    status, lines = flake8(tmp_path, "bug.py")
    assert status == 1
    (line,) = lines
    assert line.startswith("bug.py:3:5: SHP101 tf.matmul: ")


def test_selection_and_noqa_are_flake8s(tmp_path: Path) -> None:
    (tmp_path / "bug.py").write_text(BUG)
    assert flake8(tmp_path, "--extend-ignore=SHP1", "bug.py") == (0, [])
    (tmp_path / "bug.py").write_text(
        BUG.replace(")))\n", ")))  # noqa: SHP101\n").replace("]))\n", "]))  # noqa: SHP101\n")
    )
    assert flake8(tmp_path, "bug.py") == (0, [])
    assert len(flake8(tmp_path, "--disable-noqa", "bug.py")[1]) == 1


def test_standard_input(tmp_path: Path) -> None:
    _, (line,) = flake8(tmp_path, "--stdin-display-name=cell.py", "-", stdin=BUG)
    assert line.startswith("cell.py:3:5: SHP101 ")


def test_flake8_names_the_plugin(tmp_path: Path) -> None:
    assert "shapecheck: " in flake8(tmp_path, "--version")[1][0]
