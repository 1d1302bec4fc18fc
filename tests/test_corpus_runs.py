"""Runs the corpus on the real libraries, to check its labels."""

from pathlib import Path

import pytest

from tests.support.cases import BUGS, CLEAN, CORPUS, Case, read_case, setting_of
from tests.support.generated import skip_if_other_release
from tests.support.programs import LEGACY, Parents
from tests.support.recorded_runs import unless_recorded

FRAMEWORKS = {"tf1", "tf2", "keras2", "keras3", "numpy", "jax", "torch"}
KINDS = {
    "axis",
    "axis-range",
    "broadcast",
    "cross-entropy",
    "dtype",
    "element-count",
    "feed",
    "index-range",
    "layer-state",
    "negative-size",
    "pattern",
    "rank",
    "set-shape",
    "staging",
}


def test_names_are_unique() -> None:
    """A case is identified by the name of its folder alone."""
    assert len({folder.name for folder in BUGS}) == len(BUGS)


def test_every_program_belongs_to_a_case() -> None:
    assert {path.parent for path in (CORPUS / "bugs").rglob("*.py")} == set(BUGS)


@pytest.mark.parametrize("folder", BUGS, ids=lambda folder: folder.name)
def test_case_is_well_formed(folder: Path) -> None:
    case = read_case(folder)
    buggy, fixed = (folder / "buggy.py").read_text(), (folder / "fixed.py").read_text()
    assert {path.name for path in folder.iterdir()} - {"__pycache__"} == {"buggy.py", "case.toml", "fixed.py"}
    assert case.framework in FRAMEWORKS and case.kind in KINDS
    assert case.expect in {"found", "missed", "out-of-scope"}
    assert bool(case.reason) == (case.expect != "found")
    assert case.rule or case.expect != "found"
    assert bool(case.why) != case.runs, "give the reason if and only if the case is not executed"
    assert case.env in (None, LEGACY)
    assert buggy != fixed
    assert case.lines and all(buggy.splitlines()[line - 1].strip() for line in case.lines)


@pytest.mark.slow
@pytest.mark.parametrize("folder", BUGS, ids=lambda folder: folder.name)
def test_buggy_program_fails_as_labelled(folder: Path, parents: Parents) -> None:
    case, program = read_case(folder), folder / "buggy.py"
    case.skip_if_not_run()
    setting = setting_of(program.read_text(), case)
    with unless_recorded(program.read_text(), setting, case.raises, case.lines):
        outcome = parents.run(program, setting)
        is_elsewhere = case.raises != "none" and not set(outcome.lines) & set(case.lines)
        if is_elsewhere or outcome.raised != case.raises:
            skip_if_other_release(outcome.raised)
        assert outcome.raised == case.raises, outcome.output
        assert not is_elsewhere, outcome.output


@pytest.mark.slow
@pytest.mark.parametrize("folder", BUGS, ids=lambda folder: folder.name)
def test_fixed_program_runs(folder: Path, parents: Parents) -> None:
    case = read_case(folder)
    case.skip_if_not_run()
    ends_well(folder / "fixed.py", case, parents)


@pytest.mark.slow
@pytest.mark.parametrize("folder", CLEAN, ids=lambda folder: folder.name)
def test_clean_program_runs(folder: Path, parents: Parents) -> None:
    ends_well(folder / "main.py", None, parents)


def ends_well(program: Path, case: Case | None, parents: Parents) -> None:
    setting = setting_of(program.read_text(), case)
    with unless_recorded(program.read_text(), setting):
        outcome = parents.run(program, setting)
        if outcome.raised != "none":
            skip_if_other_release(outcome.raised)
        assert outcome.raised == "none", outcome.output
