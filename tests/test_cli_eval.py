"""Evaluation against labels, on programs made for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from shapecheck.cli import run
from shapecheck.evaluation import labels
from shapecheck.evaluation.match import match
from shapecheck.findings import Certainty, Finding, Severity
from shapecheck.source import Place, Source

BUG = "import tensorflow as tf\n\ny = tf.matmul(tf.zeros([2, 3]), tf.zeros([5, 7]))\n"
CLEAN = BUG.replace("5, 7", "3, 7")
CASE = """
title = "Sizes differ"
framework = "tf2"
kind = "axis"
raises = "InvalidArgumentError"
lines = [3]
expect = "found"
rule = "axis-mismatch"
"""


def entry(**changes: object) -> dict[str, object]:
    whole: dict[str, object] = {
        "id": "A-1",
        "kind": "shape",
        "buggy_files": ["a/buggy.py"],
        "fixed_files": ["a/fixed.py"],
        "failing_op": {"op": {"file": "a/buggy.py", "lines": [3]}, "acceptable_report_lines": [1, 3]},
    }
    return {**whole, **changes}


def write_labels(folder: Path, *entries: object) -> str:
    path = folder / "labels.json"
    path.write_text(json.dumps(entries))
    return str(path)


def test_labels_are_read(tmp_path: Path) -> None:
    by_name = {"op": {"file": "a/buggy.py"}, "acceptable_report_lines": {"buggy.py": [3], "other.py": [9]}}
    path = write_labels(
        tmp_path,
        entry(),
        entry(id="A-2", failing_op=by_name, known_fixed_findings=[7]),
        {"id": "B", "kind": "non-shape"},
    )
    first, second = labels.read(Path(path))
    assert first.lines == {"a/buggy.py": {1, 3}}
    assert first.known_on_fixed == {}
    assert second.lines == {"a/buggy.py": {3}, "other.py": {9}}
    assert second.known_on_fixed == {"a/fixed.py": {7}}


@pytest.mark.parametrize("entries", [[{"kind": "shape"}], [entry(failing_op=None)], [entry(buggy_files="x")], [7]])
def test_bad_labels_are_a_usage_error(
    tmp_path: Path, entries: list[object], capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_labels(tmp_path, *entries)
    assert run(["eval", "--labels", path, "--root", str(tmp_path)]) == 2
    assert "not a list of labels" in capsys.readouterr().err


def test_a_finding_matches_by_file_and_any_of_its_rows(tmp_path: Path) -> None:
    source = Source(str(tmp_path / "x.py"), "f(\n1,\n)\n")
    finding = Finding("S", "n", "c", Severity.ERROR, Certainty.PROVED, Place(source, 0, 7), "m")
    assert match([finding], {tmp_path / "x.py": {2}}).hits == (finding,)
    assert match([finding], {tmp_path / "x.py": {4}}).others == (finding,)
    assert match([finding], {tmp_path / "y.py": {2}}).others == (finding,)


def test_table_and_totals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "buggy.py").write_text(BUG)
    (tmp_path / "a" / "fixed.py").write_text(CLEAN)
    listed = {"op": {"file": "a/fixed.py"}, "acceptable_report_lines": [3]}
    path = write_labels(
        tmp_path,
        entry(),
        entry(id="A-2", buggy_files=["a/fixed.py"], fixed_files=["a/buggy.py"], failing_op=listed),
        entry(id="A-3", fixed_files=["a/buggy.py"], known_fixed_findings={"buggy.py": [3]}),
    )
    assert run(["eval", "--labels", path, "--root", str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "A-1  found   buggy.py:3 error[axis-mismatch]",
        "A-2  missed",
        "     on fixed, FALSE: buggy.py:3 error[axis-mismatch]",
        "A-3  found   buggy.py:3 error[axis-mismatch]",
        "     on fixed, listed: buggy.py:3 error[axis-mismatch]",
        "",
        "recall 66.7% (2 of 3 bugs reported on a labelled line)",
        "precision 66.7% (1 fixed programs with a finding that no label lists)",
        "0 findings on buggy programs outside the labelled lines",
    ]


def test_findings_on_a_mended_program_can_be_accepted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "buggy.py").write_text(BUG)
    path = write_labels(tmp_path, entry(fixed_files=["a/buggy.py"]))
    arguments = ["eval", "--labels", path, "--root", str(tmp_path), "--accept"]
    assert run([*arguments, "A-1=axis-mismatch"]) == 0
    assert "on fixed, listed: buggy.py:3" in capsys.readouterr().out
    assert run([*arguments, "A-1=rank-mismatch"]) == 0
    assert "on fixed, FALSE: buggy.py:3" in capsys.readouterr().out
    assert run([*arguments, "A-1"]) == 2
    assert "not of the form ID=RULE" in capsys.readouterr().err


def test_missing_programs_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["eval", "--labels", write_labels(tmp_path, entry()), "--root", str(tmp_path)]) == 2
    assert "buggy.py: no such file" in capsys.readouterr().out


def corpus(folder: Path, case: str = CASE, buggy: str = BUG, fixed: str = CLEAN) -> Path:
    pair = folder / "bugs" / "axis-mismatch" / "sizes"
    pair.mkdir(parents=True)
    (pair / "case.toml").write_text(case)
    (pair / "buggy.py").write_text(buggy)
    (pair / "fixed.py").write_text(fixed)
    (folder / "clean" / "one").mkdir(parents=True)
    (folder / "clean" / "one" / "main.py").write_text(CLEAN)
    return folder


def test_a_corpus_as_labelled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["eval", str(corpus(tmp_path))]) == 0
    out = capsys.readouterr().out
    assert out.endswith(
        "\n1 of 1 bugs found, 1 of 1 clean programs silent, 0 not as labelled\n"
        "0 of 1 errors have a fix that was tried, 0 of these exactly as the author mended the program, "
        "0 with the same operations\n"
    )


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"buggy": CLEAN}, "expected axis-mismatch in line 3, got nothing"),
        ({"case": CASE.replace("[3]", "[1]")}, "expected axis-mismatch in line 1, got axis-mismatch at buggy.py:3"),
        ({"case": CASE.replace("axis-mismatch", "rank-mismatch")}, "expected rank-mismatch"),
        ({"case": CASE.replace('"found"', '"missed"')}, "expected to be missed, but it is found"),
        ({"fixed": BUG}, "false alarm axis-mismatch at fixed.py:3"),
    ],
)
def test_deviations(tmp_path: Path, capsys: pytest.CaptureFixture[str], changes: dict[str, str], told: str) -> None:
    assert run(["eval", str(corpus(tmp_path, **changes))]) == 1
    assert told in capsys.readouterr().out


@pytest.mark.parametrize(
    ("case", "told"),
    [
        (CASE + "lnes = [3]\n", "unknown key 'lnes'; did you mean 'lines'?"),
        (CASE.replace("kind", "# kind"), "'kind' is missing"),
        (CASE.replace('"found"', '"fond"'), "expect must be one of"),
        (CASE.replace("rule", "# rule"), "needs a rule"),
        ("title = ", "case.toml: "),
    ],
)
def test_bad_cases(tmp_path: Path, capsys: pytest.CaptureFixture[str], case: str, told: str) -> None:
    assert run(["eval", str(corpus(tmp_path, case=case))]) == 2
    assert told in capsys.readouterr().err


def test_plots_by_rule(tmp_path: Path) -> None:
    page = tmp_path / "plots.html"
    assert run(["eval", str(corpus(tmp_path / "corpus", fixed=BUG)), "--report", str(page)]) == 1
    text = page.read_text()
    assert "<title>axis-mismatch: 1 of 1 faults are found (100.0%)" in text
    assert "1 findings in working programs (precision 50.0%)" in text
    assert run(["eval", "--report", str(page)]) == 2
