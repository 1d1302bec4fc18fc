"""The GitHub action: it is well-formed, and its steps do what they should in a shell."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
BUG = "import tensorflow as tf\n\ny = tf.matmul(tf.zeros([2, 3]), tf.zeros([5, 7]))\n"


def test_it_is_as_github_wants_it() -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-actions", "action.yml"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_every_input_reaches_a_step() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    assert all(f"${{{{ inputs.{name} }}}}" in text for name in ACTION["inputs"])


def environment(folder: Path) -> Path:
    """Return a folder with the Python of these tests where an environment has its own."""
    (folder / "venv" / "bin").mkdir(parents=True)
    python = folder / "venv" / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    return folder / "venv"


@pytest.mark.parametrize(
    ("inputs", "status", "told"),
    [
        ({"PATHS": "a/bug.py"}, 1, "::error file=a/bug.py,line=3,endLine=3,col=5,"),
        ({"PATHS": "a/bug.py b", "ARGS": "--ignore SHP1"}, 0, ""),
        ({"PATHS": "b gone.py"}, 2, ""),
        ({"PATHS": "a b", "SARIF": "found.sarif"}, 1, "::error file=a/bug.py"),
        ({"PATHS": "b\na/bug.py\n"}, 1, "::error file=a/bug.py,line=3,endLine=3,col=5,"),
        ({"PATHS": "with blanks\n"}, 1, "::error file=with blanks/bug.py,line=3,endLine=3,col=5,"),
        ({"PATHS": "a b", "ARGS": "--config settings/bad.toml", "SARIF": "bad.sarif"}, 2, ""),
    ],
)
def test_the_check_step(tmp_path: Path, inputs: dict[str, str], status: int, told: str) -> None:
    files = {"a/bug.py": BUG, "b/clean.py": "x = 1\n", "with blanks/bug.py": BUG, "settings/bad.toml": "slct = []\n"}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text)
    (step,) = (step for step in ACTION["runs"]["steps"] if step.get("id") == "check")
    given = {
        "VENV": str(environment(tmp_path)),
        **{name: inputs.get(name, "") for name in step["env"] if name != "VENV"},
    }
    written = {"GITHUB_OUTPUT": str(tmp_path / "output"), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary")}
    ran = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=tmp_path,
        env={**os.environ, **given, **written},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == status, ran.stderr
    assert ran.stdout.startswith(told)
    is_uploaded = inputs.get("SARIF") == "found.sarif"
    assert (tmp_path / "output").read_text() == "sarif=found.sarif\n" * is_uploaded + f"status={status}\n"
    assert (tmp_path / "found.sarif").exists() == is_uploaded
    summary = (tmp_path / "summary").read_text()
    assert summary.startswith("### shapecheck\n```\n") and summary.endswith("\n```\n")
    assert ("Checked " in summary) == ("--config" not in inputs.get("ARGS", ""))
