"""What is passed over as repetition is unknown, so it accuses no program that works, however early that begins."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.dataflow.state.budget import Budget
from tests.support.cases import BUGS, CLEAN, read_case
from tests.support.promises import checked

EVERY = 8  # of the mended programs one in so many is checked


def found_in(program: Path, keras: str = "") -> list[str]:
    return [str(found.place) for found in checked(program.read_text(), str(program), keras, fixes=0)]


@pytest.mark.parametrize("folder", CLEAN, ids=lambda folder: folder.name)
def test_loops_that_are_passed_over_at_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Budget, "is_repetitive", True)
    monkeypatch.setattr(Budget, "is_much", lambda self, steps: True)
    assert found_in(folder / "main.py") == []


@pytest.mark.parametrize("folder", BUGS[::EVERY], ids=lambda folder: folder.name)
def test_functions_that_are_followed_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("is_repetitive", "is_stuck"):
        monkeypatch.setattr(Budget, name, True)
    monkeypatch.setattr(Budget, "is_much", lambda self, steps: True)
    assert found_in(folder / "fixed.py", "2" if read_case(folder).env else "") == []
