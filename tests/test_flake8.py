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
    assert "shapecheck: " in " ".join(flake8(tmp_path, "--version")[1])


def test_beside_other_plugins(tmp_path: Path) -> None:
    (tmp_path / "bug.py").write_text(BUG + "def f(a=[]):\n    pass\n")
    codes = [line.split()[1] for line in flake8(tmp_path, "--extend-select=B", "bug.py")[1]]
    assert {"SHP101", "B006", "E302"} <= set(codes)
    assert [line.split()[1] for line in flake8(tmp_path, "--select=SHP", "bug.py")[1]] == ["SHP101"]
    assert "SHP101" not in str(flake8(tmp_path, "--select=B,E", "bug.py"))


def test_several_processes_find_what_one_finds(tmp_path: Path) -> None:
    for number in range(6):
        (tmp_path / f"bug{number}.py").write_text("x = 1\n" * number + BUG)
    one = flake8(tmp_path, "--select=SHP", ".")
    command = [sys.executable, "-m", "flake8", "--isolated", "--jobs=3", "--select=SHP", "."]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, sorted(ran.stdout.splitlines())) == (one[0], sorted(one[1]))
    assert len(one[1]) == 6


def test_configuration_of_both_sides(tmp_path: Path) -> None:
    (tmp_path / "bug.py").write_text(BUG)
    assert flake8(tmp_path, "--per-file-ignores=bug.py:SHP1", "bug.py") == (0, [])
    (tmp_path / "shapecheck.toml").write_text('ignore = ["axis-mismatch"]\n')
    assert flake8(tmp_path, "bug.py") == (0, [])


def test_a_bad_configuration_is_a_finding_beside_those_of_others(tmp_path: Path) -> None:
    (tmp_path / "bug.py").write_text(BUG + "import os\n")
    (tmp_path / "shapecheck.toml").write_text('selct = ["SHP1"]\n')
    _, lines = flake8(tmp_path, "bug.py")
    assert "bug.py:1:1: SHP904 shapecheck.toml:1: unknown key 'selct'; did you mean 'select'?" in lines
    assert any("F401" in line for line in lines)


def test_a_rule_that_is_off_by_default_is_enabled_by_its_code(tmp_path: Path) -> None:
    (tmp_path / "vector.py").write_text("import numpy as np\n\nx = np.zeros(3).T\n")
    assert flake8(tmp_path, "--select=SHP", "vector.py") == (0, [])
    for option in ("--select=SHP223", "--extend-select=SHP223"):
        (line,) = flake8(tmp_path, option, "vector.py")[1]
        assert line.startswith("vector.py:3:5: SHP223 ")


def test_what_a_file_imports_is_followed(tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text("import tensorflow as tf\n\n\ndef make():\n    return tf.zeros([5, 7])\n")
    (tmp_path / "use.py").write_text(
        "import tensorflow as tf\nfrom net import make\n\ny = tf.matmul(tf.zeros([2, 3]), make())\n"
    )
    assert [line.split()[:2] for line in flake8(tmp_path, "use.py")[1]] == [["use.py:4:5:", "SHP101"]]


def test_a_stale_noqa_is_reported(tmp_path: Path) -> None:
    (tmp_path / "clean.py").write_text("import tensorflow as tf\n\ny = tf.zeros([2])  # noqa: SHP101\n")
    (line,) = flake8(tmp_path, "clean.py")[1]
    assert "SHP902 nothing to ignore in this statement: SHP101" in line


def test_broken_code_is_flake8s_own_business(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("def f(:\n")
    assert "SHP" not in str(flake8(tmp_path, "broken.py"))


def test_a_fault_in_another_file_is_told_at_the_call_that_leads_there(tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text("import numpy as np\n\n\ndef f(x):\n    return x @ np.zeros((4, 5))\n")
    (tmp_path / "use.py").write_text("import numpy as np\nfrom net import f\n\n\ny = f(np.zeros((2, 3)))\n")
    (line,) = flake8(tmp_path, "use.py", "net.py")[1]
    assert line.startswith("use.py:5:5: SHP101 x @ np.zeros((4, 5)): ")
    assert line.endswith(", in net.py:5")
