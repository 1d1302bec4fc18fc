"""Known findings stay known after edits that do not concern them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from shapecheck.cli import run

PROGRAM = """\
import numpy as np


def first(n):
    return np.ones((2, 3)) @ np.ones((5, 7))


def second(n):
    return np.ones((2, 3)) @ np.ones((5, 7))
"""
CLEAN = "import numpy as np\nx = np.ones((2, 3))\n"

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text(PROGRAM)
    (tmp_path / "src" / "b.py").write_text(PROGRAM)

    def called(*arguments: str) -> tuple[int, str, str]:
        return run(arguments), *capsys.readouterr()

    return called


def listed(folder: Path) -> dict[str, int]:
    told = json.loads((folder / "shapecheck-baseline.json").read_text(encoding="utf-8"))
    return {name: len(entries) for name, entries in told["files"].items()}


def test_known_findings_are_not_reported(call: Call, tmp_path: Path) -> None:
    status, out, _ = call("baseline", "src")
    assert (status, out.splitlines()[0]) == (0, "shapecheck-baseline.json: 4 findings, 0 before.")
    assert out.splitlines()[1].startswith("It is used with --baseline shapecheck-baseline.json,")
    assert listed(tmp_path) == {"src/a.py": 2, "src/b.py": 2}
    status, out, _ = call("src", "--baseline", "shapecheck-baseline.json")
    assert (status, out) == (0, "Checked 2 files: nothing found.\n4 findings ignored (listed in the baseline).\n")
    assert call("src")[0] == 1


@pytest.mark.parametrize(
    "edited",
    [
        '"""New."""\nimport os\n' + PROGRAM,
        PROGRAM.replace("def second", "def third(n):\n    return n\n\n\ndef second"),
        PROGRAM.replace("    return", "    if n:\n        return"),
        PROGRAM.replace("((2, 3))", "(\n        (2, 3),\n    )"),
    ],
)
def test_a_baseline_survives_edits_elsewhere(call: Call, tmp_path: Path, edited: str) -> None:
    call("baseline", "src")
    (tmp_path / "src" / "a.py").write_text(edited)
    assert call("src", "--baseline", "shapecheck-baseline.json")[0] == 0


def test_what_is_new_is_reported(call: Call, tmp_path: Path) -> None:
    call("baseline", "src")
    (tmp_path / "src" / "a.py").write_text(PROGRAM + "\n\nx = np.ones((2, 3)) @ np.ones((9, 7))\n")
    status, out, _ = call("src", "--baseline", "shapecheck-baseline.json", "--output-format", "concise")
    assert status == 1
    assert out.startswith("src/a.py:12:5: ")
    assert "\nChecked 2 files: 1 error.\n4 findings ignored (listed in the baseline).\n" in out


def test_the_same_fault_once_more_is_new(call: Call, tmp_path: Path) -> None:
    call("baseline", "src")
    (tmp_path / "src" / "a.py").write_text(
        PROGRAM.replace("    return", "    print(np.ones((2, 3)) @ np.ones((5, 7)))\n    return", 1)
    )
    assert "1 error" in call("src", "--baseline", "shapecheck-baseline.json")[1]


def test_prune_only_removes_and_update_renews(call: Call, tmp_path: Path) -> None:
    call("baseline", "src")
    (tmp_path / "src" / "a.py").write_text(CLEAN)
    (tmp_path / "src" / "b.py").write_text(PROGRAM + "\n\nx = np.ones((2, 3)) @ np.ones((9, 7))\n")
    out = call("src", "--baseline", "shapecheck-baseline.json", "--exit-zero")[1]
    assert out.endswith("2 findings of the baseline no longer found; run shapecheck baseline --prune.\n")
    assert call("baseline", "src", "--prune")[1] == "shapecheck-baseline.json: 2 findings, 4 before.\n"
    assert call("src", "--baseline", "shapecheck-baseline.json")[0] == 1
    assert call("baseline", "src", "--update")[1] == "shapecheck-baseline.json: 3 findings, 2 before.\n"
    assert call("src", "--baseline", "shapecheck-baseline.json")[0] == 0


def test_files_that_were_not_checked_keep_their_entries(call: Call, tmp_path: Path) -> None:
    call("baseline", "src")
    assert call("baseline", "src/a.py", "--update")[0] == 0
    assert listed(tmp_path) == {"src/a.py": 2, "src/b.py": 2}
    assert "no longer there" not in call("src/a.py", "--baseline", "shapecheck-baseline.json")[1]
    (tmp_path / "src" / "b.py").unlink()
    assert call("baseline", "src/a.py", "--prune")[0] == 0
    assert listed(tmp_path) == {"src/a.py": 2}


def test_the_configuration_names_it_from_anywhere(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shapecheck.toml").write_text('baseline = "known.json"\n')
    assert call("baseline", "src")[1].endswith("known.json: 4 findings, 0 before.\n")
    monkeypatch.chdir(tmp_path / "src")
    assert call("a.py")[0] == 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (None, "No such file"),
        ("{", "line 1 column 2"),
        ("[]", "not a baseline of this version"),
        ('{"version": 2, "files": {}}', "not a baseline of this version"),
        ('{"version": 1, "files": {"a.py": []}}', "not a baseline of this version"),
    ],
)
def test_a_baseline_that_is_none(call: Call, tmp_path: Path, text: str | None, told: str) -> None:
    if text is not None:
        (tmp_path / "known.json").write_text(text)
    status, out, err = call("src", "--baseline", "known.json")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("shapecheck: known.json: ")
    assert told in err


def test_an_old_baseline_is_not_lost_by_accident(call: Call) -> None:
    call("baseline", "src")
    status, _, err = call("baseline", "src")
    assert status == 2
    assert "shapecheck-baseline.json already exists; use --update or --prune" in err
    assert call("baseline", "src", "--update", "--prune")[0] == 2
