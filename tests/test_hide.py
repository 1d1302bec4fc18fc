"""Hidden values: each kind is made, and programs without errors have none when some of their values are hidden."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from benchmarks.hiding import violations
from shapecheck.checker.inspect import shapes_in
from shapecheck.config import Config
from shapecheck.evaluation.cases import clean
from shapecheck.evaluation.hide import hidden
from shapecheck.shapes.shape import Shape
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


@pytest.mark.slow
@pytest.mark.parametrize(
    "program", sorted(CORPUS.glob("bugs/*/*/fixed.py"))[SEED % 60 :: 60], ids=lambda path: path.parent.name
)
def test_what_is_known_remains_possible_where_less_is_known(program: Path) -> None:
    """Calls that are not followed are left out: they are taken to leave objects of libraries as they are."""
    source = Source(str(program), program.read_text(encoding="utf-8"))
    known = shapes_by_place(source)
    for variant in hidden(source, 4):
        if not any(change.endswith("(") for _, change in variant.changes):
            told = shapes_by_place(Source(str(program), variant.text))
            wrong = [place for place, shapes in known.items() if not all(map(may_be, told.get(place, shapes), shapes))]
            assert not wrong, f"{wrong} with {variant.changes} hidden"


def shapes_by_place(source: Source) -> dict[tuple[int, str], list[Shape]]:
    """Return the shapes of the tensors in each row, by their text."""
    found: dict[tuple[int, str], list[Shape]] = {}
    for item in shapes_in(source, Config()):
        found.setdefault((item.row, item.text), []).append(item.tensor.shape)
    return found


def may_be(told: Shape, known: Shape) -> bool:
    """Return whether a shape may be one whose sizes are numbers; any shape may be another."""
    sizes = [size for size in known.head if isinstance(size, int)]
    if known.tail is not None or len(sizes) < len(known.head):
        return True
    if told.min_rank > len(sizes) or (told.tail is None and len(told.head) < len(sizes)):
        return False
    pairs = [*zip(told.head, sizes, strict=False), *zip(reversed(told.tail or ()), reversed(sizes), strict=False)]
    return all(not isinstance(size, int) or size == number for size, number in pairs)
