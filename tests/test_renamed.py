"""Rules are still found under their former names."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from shapecheck.cli import run
from shapecheck.renamed import FORMER_NAMES, current_name
from shapecheck.rules.rule import all_rules, find

OLD, NEW, CODE = "unkept-axis", "missing-keepdims", "SHP227"
LINE = "shares = counts / counts.sum(axis=1)"
PROGRAM = f"import numpy as np\n\ncounts = np.ones((4, 4))\n{LINE}\n"

Call = Callable[..., tuple[int, str]]


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text(PROGRAM)

    def called(*arguments: str) -> tuple[int, str]:
        return run([*arguments, "--no-cache"] if arguments[0] == "a.py" else arguments), capsys.readouterr().out

    return called


@pytest.mark.parametrize(("old", "new"), FORMER_NAMES.items())
def test_former_names_lead_to_rules_and_are_no_names_of_rules(old: str, new: str) -> None:
    names = {rule.name for rule in all_rules()}
    assert new in names
    assert old not in names
    assert find(old) is find(new)


def test_other_words_stay() -> None:
    assert current_name(NEW) == NEW
    assert current_name("mismatch") == "mismatch"


def test_findings_and_pages_have_the_present_name(call: Call) -> None:
    assert NEW in call("a.py")[1]
    assert call("explain", OLD) == call("explain", NEW)
    assert call("rule", OLD) == call("rule", CODE)


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["--select", OLD], 1),
        (["--ignore", OLD], 0),
        (["--per-file-ignores", f"a.py:{OLD}"], 0),
    ],
)
def test_options(call: Call, arguments: list[str], status: int) -> None:
    assert call("a.py", *arguments)[0] == status


@pytest.mark.parametrize("table", [f'ignore = ["{OLD}"]', f'[per-file-ignores]\n"a.py" = ["{OLD}"]'])
def test_configuration(call: Call, table: str) -> None:
    Path("shapecheck.toml").write_text(table)
    assert call("a.py")[0] == 0


@pytest.mark.parametrize("comment", [f"# shapecheck: ignore[{OLD}]", f"# shapecheck: ignore[{NEW}]", f"# noqa: {CODE}"])
def test_comments(call: Call, comment: str) -> None:
    Path("a.py").write_text(PROGRAM.replace(LINE, f"{LINE}  {comment}"))
    assert call("a.py")[0] == 0


def test_an_unused_comment_is_reported_as_it_is_written(call: Call) -> None:
    Path("a.py").write_text(f"x = 1  # shapecheck: ignore[{OLD}]\n")
    status, out = call("a.py")
    assert status == 1
    assert f"nothing to ignore in this statement: {OLD}" in out


def test_a_baseline_of_before(call: Call) -> None:
    assert call("baseline", "a.py")[0] == 0
    path = Path("shapecheck-baseline.json")
    assert NEW in path.read_text()
    path.write_text(path.read_text().replace(NEW, OLD))
    assert json.loads(path.read_text())
    assert call("a.py", "--baseline", str(path))[0] == 0
