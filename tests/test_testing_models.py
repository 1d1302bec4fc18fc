"""The results of models are compared with those of functions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from shapecheck.models.lang import Answer, Size, Tensor, op
from shapecheck.models.lang.loading import MODELS
from shapecheck.testing.models import assert_agrees


@pytest.fixture
def wrong_model() -> Iterator[str]:
    @op("mylib.rows")
    def rows(x: Tensor, count: Size = 2) -> Answer:
        return "n *S -> *S", "n >= count"

    yield "mylib.rows"
    del MODELS["mylib.rows"]


def test_models_agree() -> None:
    assert_agrees("np.matmul", np.matmul, np.zeros((2, 3)), np.zeros((3, 5)))
    assert_agrees("np.matmul", np.matmul, np.zeros((2, 3)), np.zeros((4, 5)))
    assert_agrees("np.split", np.split, np.zeros((6, 2)), 3)
    assert_agrees("np.sum", np.sum, np.zeros((6, 2)), axis=1)


def test_a_wrong_shape_is_told(wrong_model: str) -> None:
    with pytest.raises(AssertionError, match=r"mylib\.rows: the model gives \(3,\), the library \(2, 3\)"):
        assert_agrees(wrong_model, lambda x, count=2: x[:count], np.zeros((4, 3)))


def test_a_false_rejection_is_told(wrong_model: str) -> None:
    with pytest.raises(AssertionError, match="the model refuses"):
        assert_agrees(wrong_model, lambda x, count=2: x[0], np.zeros((1, 3)))


def test_a_missed_rejection_is_told(wrong_model: str) -> None:
    def refuse(x: np.ndarray) -> None:
        raise ValueError("no such rows")

    with pytest.raises(AssertionError, match="the library refuses: no such rows"):
        assert_agrees(wrong_model, refuse, np.zeros((4, 3)))


def test_a_name_without_a_model_is_told() -> None:
    with pytest.raises(AssertionError, match="has no model"):
        assert_agrees("mylib.nothing", len)
