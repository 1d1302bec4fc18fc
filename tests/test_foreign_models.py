"""Models that a project provides are imported only if the command line allows it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

MODELS = """
from pathlib import Path

Path(__file__).with_name("ran").write_text("")

from shapecheck.models.lang import Answer, Size, Tensor, op


@op("mylib.pair")
def pair(x: Tensor, y: Tensor) -> Answer:
    return "*B n, *B n -> *B n 2"


@op("mylib.windows")
def windows(x: Tensor, width: Size = 3) -> Answer:
    return "n -> {m} {width}", {"m": "n - width + 1"}, "n >= width"
"""
PROGRAM = """
import mylib
import numpy as np

mylib.windows(np.zeros(2))
mylib.pair(np.zeros((4, 3)), np.zeros((4, 5)))
np.ones((2, 3)) @ mylib.windows(np.zeros(8), width=2)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "shapecheck.toml").write_text('models = ["our_models.py"]\n')
    (tmp_path / "our_models.py").write_text(MODELS)
    (tmp_path / "program.py").write_text(PROGRAM)
    return tmp_path


def check(project: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "shapecheck", "check", "--output-format", "concise", *options, "program.py"]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)


def test_models_of_a_project_are_used(project: Path) -> None:
    found = check(project, "--allow-project-models")
    assert found.returncode == 1, found.stderr
    assert [line.split("[")[1].split("]")[0] for line in found.stdout.splitlines() if "[" in line] == [
        "negative-size",
        "axis-mismatch",
        "axis-mismatch",
    ]


def test_nothing_of_a_project_runs_otherwise(project: Path) -> None:
    found = check(project)
    assert found.returncode == 0
    assert "--allow-project-models" in found.stderr
    assert not (project / "ran").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 / 0", "ZeroDivisionError"),
        (MODELS.replace("mylib.pair", "np.matmul"), "np.matmul has"),
    ],
)
def test_bad_models_are_a_usage_error(project: Path, text: str, said: str) -> None:
    (project / "our_models.py").write_text(text)
    found = check(project, "--allow-project-models")
    assert found.returncode == 2
    assert said in found.stderr
