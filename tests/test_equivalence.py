"""Programs are equivalent if they compute the same, whatever they are written like."""

from __future__ import annotations

import pytest

from shapecheck.config import Config
from shapecheck.evaluation.equivalence import are_equivalent
from shapecheck.source import Source


@pytest.mark.parametrize(
    ("other", "are_same"),
    [
        ("x.reshape(-1, 1)", True),
        ("x[:, None]", True),
        ("np.expand_dims(x, axis=1)", True),
        ("x[None]", False),
        ("x[:3, None]", False),
        ("np.log(x)[:, None]", False),
    ],
)
def test_programs_of_the_same_operations(other: str, are_same: bool) -> None:
    first, second = (
        Source("-", f"import numpy as np\nx = np.ones(5)\nprint(np.exp({text}))\n")
        for text in ("x[..., np.newaxis]", other)
    )
    assert are_equivalent(first, second, Config()) is are_same


@pytest.mark.parametrize(
    ("one", "other", "are_same"),
    [
        ("np.exp(x.T)", "np.exp(np.transpose(x))", True),
        ("np.exp(x[:, :2])", "np.exp(x[:, :2, ...])", True),
        ("np.exp(x[:, :2])", "np.exp(x[:2, :])", False),
        ("x.mean(axis=1)", "np.mean(x, axis=-1)", True),
        ("x.mean(axis=1)", "np.mean(x, axis=0)", False),
        ("(x[:, None] + 1.0) * 2", "(x + 1.0)[:, None] * 2", True),
        ("x[:, None] + 1.0", "x[None] + 1.0", False),
        ("x[:, None] + x", "x[None] + x", False),
        ("x @ np.ones((4, 1))", "x @ np.ones(4)", False),
        ("np.ones((4, x.shape[0]))", "np.ones((4, 3))", True),
        ("np.exp(x[1][None])", "np.exp(x[1:2])", True),
        ("np.exp(x[1][None])", "np.exp(x[2:3])", False),
    ],
)
def test_programs_of_the_same_operations_by_other_names(one: str, other: str, are_same: bool) -> None:
    first, second = (Source("-", f"import numpy as np\nx = np.ones((3, 4))\nprint({text})\n") for text in (one, other))
    assert are_equivalent(first, second, Config()) is are_same
