"""The hook under the real pre-commit, in a repository made for it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
BUG = "import tensorflow as tf\n\ny = tf.matmul(tf.zeros([2, 3]), tf.zeros([5, 7]))\n"
(HOOK,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
CONFIG = """\
repos:
- repo: local
  hooks:
  - id: shapecheck
    name: shapecheck
    entry: {python} -m {entry}
    language: system
    types: [python]
    require_serial: true
    verbose: true
"""


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    home = {
        "PRE_COMMIT_HOME": str(folder.parent / "home"),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
    }
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return subprocess.run(command, cwd=folder, env={**env, **home}, capture_output=True, text=True, check=False)


def pre_commit(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run(folder, sys.executable, "-m", "pre_commit", *arguments)


def repository(folder: Path, **files: str) -> Path:
    work = folder / "work"
    work.mkdir()
    (work / ".pre-commit-config.yaml").write_text(CONFIG.format(python=sys.executable, entry=HOOK["entry"]))
    for name, text in files.items():
        (work / f"{name}.py").write_text(text)
    assert run(work, "git", "init", "-q").returncode == 0
    assert run(work, "git", "add", "-A").returncode == 0
    return work


def test_the_hook_is_well_formed() -> None:
    checked = pre_commit(ROOT, "validate-manifest", ".pre-commit-hooks.yaml")
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_hook_fails_on_a_fault_and_runs_once(tmp_path: Path) -> None:
    many = {f"clean{index}": "x = 1\n" for index in range(40)}
    ran = pre_commit(repository(tmp_path, bug=BUG, **many), "run", "--all-files")
    assert ran.returncode == 1
    assert "bug.py:3:5: error[axis-mismatch]" in ran.stdout
    assert ran.stdout.count("Checked 41 files: 1 error.") == 1


def test_the_hook_passes_clean_code_and_an_empty_list(tmp_path: Path) -> None:
    work = repository(tmp_path, clean="x = 1\n")
    ran = pre_commit(work, "run", "--all-files")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "Checked 1 file: nothing found." in ran.stdout
    assert pre_commit(work, "run", "--files", ".pre-commit-config.yaml").returncode == 0


def test_excluded_files_are_not_checked(tmp_path: Path) -> None:
    work = repository(tmp_path, bug=BUG, clean="x = 1\n")
    (work / "shapecheck.toml").write_text('exclude = ["bug.py"]\n')
    ran = pre_commit(work, "run", "--all-files")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "Checked 1 file: nothing found." in ran.stdout
