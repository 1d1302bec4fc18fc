"""The benchmark of notebooks that hold the results of a run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import recorded


def _cell(text: str, raised: tuple[str, str] | None, number: int | None = 1) -> dict[str, object]:
    errors = [{"output_type": "error", "ename": raised[0], "evalue": raised[1], "traceback": []}] if raised else []
    return {"cell_type": "code", "source": text, "execution_count": number, "outputs": errors, "metadata": {}}


def test_cells_that_failed_and_ran(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cells = [
        _cell("import numpy as np\na, b = np.zeros((2, 3)), np.zeros((4, 5))", None),
        _cell("a @ b", ("ValueError", "shapes (2,3) and (4,5) not aligned")),
        _cell("c @ b", ("ValueError", "operands could not be broadcast together")),
        _cell("b @ d", ("NameError", "name 'd' of shape is not defined")),
        _cell("b @ a", None),
        _cell("a @ b", None, number=None),
    ]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "run.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["recorded", str(tmp_path)])
    assert recorded.main() == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(": ")[2] for line in lines[:3]] == [
        "cell 2: ValueError: shapes (2,3) and (4,5) not aligned -> a @ b: a has 3 columns, b has 4 rows",
        "cell 3: ValueError: operands could not be broadcast together -> nothing is found",
        "cell 5 ran, but [axis-mismatch] b @ a: b has 5 columns, a has 2 rows",
    ]
    assert lines[3] == "something is found in 1 of 2 cells that failed; 1 errors in 2 cells that ran"
