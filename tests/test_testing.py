"""Shapes asserted in tests of other programs, and the interface for programs."""

from __future__ import annotations

from pathlib import Path

import pytest

import shapecheck
from shapecheck.testing.shapes import assert_shapes, disagreements

RIGHT = """\
import numpy as np

x = np.zeros((2, 3))  # reveal: (2, 3)
y = x.T @ x  # reveal: (3,3) float64
# reveal: (6,)
z = np.reshape(
    x, -1
)
w = np.concatenate(
    [x, x]
)  # reveal: (4, 3)
def f(a):
    return a + x  # reveal: (2, 3)
f(x)
"""


def test_what_is_so_passes(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(RIGHT)
    assert_shapes(tmp_path / "model.py")
    assert disagreements(tmp_path / "model.py") == []


def test_what_is_not_so_is_told_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text(RIGHT.replace("(3,3)", "(3, 4)") + "n = 3  # reveal: (3,)\n")
    with pytest.raises(AssertionError) as caught:
        assert_shapes(path)
    assert str(caught.value) == (
        f"{path}:4: claimed (3, 4) float64, found (3, 3) float64\n{path}:15: claimed (3,), found no tensor"
    )


def test_a_test_that_claims_nothing_fails(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text("s = '# reveal: (2,)'\n")
    with pytest.raises(AssertionError, match="no comment"):
        assert_shapes(tmp_path / "model.py")


def test_the_interface_for_programs(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import numpy as np\nnp.ones(2) @ np.ones(3)\n")
    (finding,) = shapecheck.check([tmp_path])
    assert (finding.code, finding.place.row, finding.severity) == ("SHP101", 2, shapecheck.Severity.ERROR)
    assert shapecheck.check([str(tmp_path)], shapecheck.Config(ignore=("SHP101",))) == []
    (tmp_path / "shapecheck.toml").write_text('ignore = ["mismatch"]\n')
    assert shapecheck.check([tmp_path]) == []
