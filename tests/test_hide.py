"""Hidden values: each kind is made, and programs without errors have none when some of their values are hidden."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from benchmarks.hiding import violations
from shapecheck.evaluation.cases import clean
from shapecheck.evaluation.hide import hidden
from shapecheck.source import Source
from tests.support.seed import SEED

CORPUS = Path(__file__).resolve().parents[1] / "corpus"
TEXT = """\
import numpy as np
from math import sqrt

def scaled(rows, factor: tuple[int, int]):
    sizes = [len(rows), 4]
    return np.reshape(rows * factor, sizes)

first, (second, third) = scaled(np.ones((2, 4)), 3), (1, 2)
if second > 0:
    print(sqrt(second))
np.set_printoptions(3)
"""


def test_every_kind_of_value_is_hidden() -> None:
    found = {change for program in hidden(Source("a.py", TEXT), 100) for change in program.changes}
    assert {
        (1, "import numpy as np"),
        (2, "from math import"),
        (5, ""),  # a parameter, at the start of the body
        (5, "len("),
        (5, "4"),
        (6, "rows"),
        (6, "np.reshape("),
        (8, "scaled("),
        (10, "sqrt("),
    } <= found
    hid = {code for _, code in found}
    assert not hid & {"[len(rows), 4]", "first", "third", "int", "second > 0", "np.set_printoptions("}


def test_programs_with_hidden_values_keep_their_rows() -> None:
    for program in hidden(Source("a.py", TEXT), 100, at_once=3):
        assert len(program.text.splitlines()) == len(TEXT.splitlines())
        assert ast.dump(ast.parse(program.text)) != ast.dump(ast.parse(TEXT))


def test_hidden_programs_are_the_same_each_time() -> None:
    source = Source("a.py", TEXT)
    assert list(hidden(source, 4, 2)) == list(hidden(source, 4, 2))


@pytest.mark.slow
@pytest.mark.parametrize("program", list(filter(Path.is_dir, clean(CORPUS)))[SEED % 4 :: 4], ids=lambda path: path.name)
def test_what_is_hidden_accuses_nobody(program: Path) -> None:
    found = [str(violation) for violation in violations(program / "main.py", 4, 2) if violation is not None]
    assert not found
