"""The GitHub action: it is well-formed and pinned, and its steps do what they should in a shell as GitHub starts it."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.support.runner import Run

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "action.yml").read_text(encoding="utf-8")
ACTION = yaml.safe_load(TEXT)
BUG = "import tensorflow as tf\n\ny = tf.matmul(tf.zeros([2, 3]), tf.zeros([5, 7]))\n"
FILES = {"a/bug.py": BUG, "b/clean.py": "x = 1\n", "with blanks/bug.py": BUG, "settings/bad.toml": "slct = []\n"}
COMMITTED = re.compile(r"[\w-]+/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")
PYTHON3 = """#!/bin/sh
if [ "$1 $2" = "-m venv" ]; then mkdir -p "$3/bin" && ln -s "$0" "$3/bin/python"
elif [ "$1 $2" = "-m pip" ]; then echo "$@"
else exec PYTHON "$@"; fi
"""


def test_it_is_as_github_wants_it() -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-actions", "action.yml"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_what_it_uses_is_pinned_to_commits() -> None:
    used = re.findall(r"uses: (.*)", TEXT)
    assert len(used) == 2
    assert all(COMMITTED.fullmatch(each) for each in used), used


def test_the_example_of_a_workflow_is_pinned_too() -> None:
    page = (ROOT / "docs" / "integrations.md").read_text(encoding="utf-8")
    used = re.findall(r"uses: (actions/.*)", page)
    assert len(used) == 2
    assert all(COMMITTED.fullmatch(each) for each in used), used


@pytest.mark.skipif(importlib.util.find_spec("zizmor") is None and not shutil.which("zizmor"), reason="needs zizmor")
def test_zizmor_finds_nothing(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "integrations.md").read_text(encoding="utf-8")
    (workflow,) = re.findall(r"^```yaml\n(on:.*?)^```", page, re.MULTILINE | re.DOTALL)
    (tmp_path / "action.yml").write_text(TEXT)
    (tmp_path / ".github" / "workflows").mkdir(parents=True)
    own = workflow.replace("OWNER/shapecheck@v0.1.0", f"OWNER/shapecheck@{'0' * 40}")
    (tmp_path / ".github" / "workflows" / "shapecheck.yml").write_text(own)
    zizmor = shutil.which("zizmor", path=str(Path(sys.executable).parent)) or "zizmor"
    ran = subprocess.run([zizmor, "--offline", "."], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def run(tmp_path: Path, **inputs: str) -> Run:
    """Run the action on the files; the environment that it makes has the Python of these tests."""
    for name, text in FILES.items():
        (tmp_path / "workspace" / name).parent.mkdir(parents=True)
        (tmp_path / "workspace" / name).write_text(text)
    (tmp_path / "bin").mkdir()
    (tmp_path / "temp").mkdir()
    python = tmp_path / "bin" / "python3"
    python.write_text(PYTHON3.replace("PYTHON", sys.executable))
    python.chmod(0o755)
    runner = {
        "PATH": f"{python.parent}:/usr/bin:/bin",
        "PYTHONPATH": str(ROOT),
        "GITHUB_ACTION_PATH": str(ROOT),
        "RUNNER_OS": "Linux",
        "RUNNER_ARCH": "X64",
    }
    return Run(ACTION, tmp_path, {name.replace("_", "-"): text for name, text in inputs.items()}, runner).all_steps()


@pytest.mark.parametrize(
    ("inputs", "status", "told"),
    [
        ({"paths": "a/bug.py"}, 1, "::error file=a/bug.py,line=3,endLine=3,col=5,"),
        ({"paths": "a/bug.py b", "args": "--ignore SHP1"}, 0, ""),
        ({"paths": "b gone.py"}, 2, ""),
        ({"paths": "a b", "sarif_file": "found.sarif"}, 1, "::error file=a/bug.py"),
        ({"paths": "b\na/bug.py\n"}, 1, "::error file=a/bug.py,line=3,endLine=3,col=5,"),
        ({"paths": "with blanks\n"}, 1, "::error file=with blanks/bug.py,line=3,endLine=3,col=5,"),
        ({"paths": "a b", "args": "--config settings/bad.toml", "sarif_file": "bad.sarif"}, 2, ""),
    ],
)
def test_a_run(tmp_path: Path, inputs: dict[str, str], status: int, told: str) -> None:
    ran = run(tmp_path, **inputs)
    assert ran.status == status, ran.printed
    assert ran.output("status") == str(status)
    assert ran.printed["Check"].startswith(told)
    assert ran.printed["Install"] == f"-m pip install --quiet {ROOT}\n"
    sarif = inputs.get("sarif_file") if inputs.get("sarif_file") != "bad.sarif" else None
    assert ran.used.get("github/codeql-action/upload-sarif", {}).get("sarif_file") == sarif
    assert (tmp_path / "workspace" / "found.sarif").exists() == (sarif is not None)
    assert ran.summary.startswith("### shapecheck\n```\n")
    assert ran.summary.endswith("\n```\n")
    assert ("Checked " in ran.summary) == ("--config" not in inputs.get("args", ""))


def test_packages_and_results_are_kept(tmp_path: Path) -> None:
    ran = run(tmp_path, paths="b")
    kept = ran.used["actions/cache"]
    assert re.fullmatch(r"shapecheck-Linux-X64-3\.\d+\.\d+-\d+-\d+-0123abc", kept["key"])
    assert kept["key"].startswith(kept["restore-keys"])
    assert (Path(kept["path"]) / "results").is_dir()


def test_nothing_is_kept_without_a_cache(tmp_path: Path) -> None:
    assert run(tmp_path, paths="b", cache="false").used == {}
