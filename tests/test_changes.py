"""`--changed-since`: only files that changes can affect are checked."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from shapecheck.cli import run

FILES = {
    "pkg/helper.py": "import numpy as np\n\n\ndef scaled(x):\n    return x @ np.ones((3, 4))\n",
    "pkg/__init__.py": "",
    "use.py": "import numpy as np\nfrom pkg.helper import scaled\n\nscaled(np.ones((2, 3)))\n",
    "top.py": "import use\n",
    "data.py": "import numpy as np\n\ntable = np.load('table.npy')\n",
    "other.py": "import numpy as np\n\nnp.zeros(3) + np.zeros(4)\n",
    "table.npy": "",
}


def git(folder: Path, *arguments: str) -> None:
    isolated = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    author = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    env = {**{name: value for name, value in os.environ.items() if not name.startswith("GIT_")}, **isolated}
    subprocess.run(["git", *author, *arguments], cwd=folder, env=env, check=True, capture_output=True)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "first")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "text", "checked"),
    [
        ("other.py", "import numpy as np\n", ["other.py"]),
        ("pkg/helper.py", FILES["pkg/helper.py"].replace("3", "5"), ["pkg/helper.py", "top.py", "use.py"]),
        ("use.py", "import numpy as np\n", ["top.py", "use.py"]),
        ("table.npy", "x", ["data.py"]),
        ("new.py", "import use\n", ["new.py"]),
        ("requirements.txt", "keras>=3\n", sorted(name for name in FILES if name.endswith(".py"))),
        ("README.md", "text\n", []),
    ],
)
def test_what_a_change_can_affect_is_checked(
    folder: Path, name: str, text: str, checked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / name).write_text(text)
    run(["--changed-since", "HEAD", "-v", "."])
    told = capsys.readouterr().err.splitlines()
    assert [line.removeprefix("checked ") for line in told] == checked
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "second")
    run(["--changed-since", "HEAD", "-v", "."])
    assert capsys.readouterr().err == ""
    run(["--changed-since", "HEAD~1", "-v", "."])
    assert capsys.readouterr().err.splitlines() == told


def test_importers_of_a_removed_module_are_checked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "use.py").unlink()
    run(["--changed-since", "HEAD", "-v", "."])
    assert capsys.readouterr().err == "checked top.py\n"


def test_a_fault_that_a_change_makes_elsewhere_is_found(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "use.py").write_text(FILES["use.py"].replace("(2, 3)", "(2, 7)"))
    assert run(["--changed-since", "HEAD", "--output-format", "concise", "."]) == 1
    assert capsys.readouterr().out.startswith("pkg/helper.py:5:12: error[axis-mismatch]")


def test_what_git_does_not_know_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--changed-since", "gone", "."]) == 2
    assert capsys.readouterr().err == "shapecheck: changed-since: fatal: bad revision 'gone'\n"
