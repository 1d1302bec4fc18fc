"""Mutants: each kind of change is made, each mutant is run and checked."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from shapecheck.evaluation.mutate import mutants
from shapecheck.evaluation.mutation import Row, evaluate, programs
from shapecheck.source import Source

TEXT = """\
import numpy as np

points = np.zeros([3, 4], dtype="float32")
weights = np.ones((4, 5))
hidden = np.matmul(points, weights)
hidden = np.tanh(hidden)
total = np.sum(hidden, axis=1, keepdims=True)
scaled = hidden / total
for epoch in range(20):
    pass
"""
HIDDEN = """\
import numpy as np

def shape():
    return eval("4")

table = np.zeros((shape(), 3)) + np.ones((4, 1))
"""


def test_every_kind_of_change_is_made() -> None:
    found = mutants(Source("a.py", TEXT), 100)
    changes = {(mutant.row, mutant.change) for mutant in found}
    assert {
        (3, "3 -> 4"),
        (3, "3, 4 -> 4, 3"),
        (4, "5 -> 6"),
        (5, "points, weights -> weights, points"),
        (6, "hidden = np.tanh(hidden) -> pass"),
        (7, "1 -> 0"),
        (7, "True -> False"),
    } <= changes
    assert all(row != 9 for row, _ in changes), "the iterations of a loop are not a size"
    for mutant in found:
        assert ast.dump(ast.parse(mutant.text)) != ast.dump(ast.parse(TEXT))


def test_mutants_are_the_same_each_time() -> None:
    source = Source("a.py", TEXT)
    assert mutants(source, 4) == mutants(source, 4)
    assert len(mutants(source, 4)) == 4


@pytest.mark.slow
def test_mutants_are_run_and_checked(tmp_path: Path) -> None:
    (tmp_path / "hidden.py").write_text(HIDDEN)
    (tmp_path / "plain.py").write_text(TEXT)
    (tmp_path / "wrong.py").write_text("import numpy as np\nnp.zeros(3) + np.zeros(4)\n")
    hidden, plain, wrong = evaluate(programs(tmp_path), 30)
    assert plain.those("killed", True) and not plain.those("killed", False)
    assert plain.those("survived", False) and not plain.those("survived", True)
    assert _missed(hidden) == {(6, "4 -> 5")}
    assert wrong.problem.startswith("does not run as it is: ValueError")


def _missed(row: Row) -> set[tuple[int, str]]:
    return {(verdict.mutant.row, verdict.mutant.change) for verdict in row.those("killed", False)}
