"""What programs say of their shapes: the notation of jaxtyping beside jaxtyping itself."""

from __future__ import annotations

import random
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from shapecheck import Config, check
from shapecheck.models.lang.written_shapes import Bindings, demands
from shapecheck.shapes.claims import FALSE, TRUE, simplify
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.written import Unreadable, of_jaxtyping, of_list
from tests.support.seed import SEED

jaxtyping = pytest.importorskip("jaxtyping")
WORDS = ["a", "b", "c", "2", "3", "1", "_", "_x", "a=3", "#a", "#b", "#2", "*s", "*s", "*#s", "*r", "...", "*_", "a+1"]
ODD = ["a,", "##a", "*2", "_3", "#_", "a#", "?a", "x...", "**s", "a*b", "(a+b)", "-1", ""]


def _annotation(rng: random.Random, words: list[str]) -> str:
    return " ".join(rng.choice(words) for _ in range(rng.randint(0, 4)))


@lru_cache(maxsize=2000)
def _type(text: str) -> object:
    return jaxtyping.Float[np.ndarray, text]


def _accepted_by_jaxtyping(texts: list[str], shapes: list[tuple[int, ...]]) -> list[bool | None]:
    """Return for each array whether jaxtyping takes it after those before it; None if it cannot tell."""
    taken: list[bool | None] = []
    with jaxtyping.jaxtyped("context"):
        for text, shape in zip(texts, shapes, strict=True):
            try:
                taken.append(isinstance(np.zeros(shape), _type(text)))  # type: ignore[arg-type]
            except jaxtyping.AnnotationError:
                taken.append(None)
    return taken


def _accepted_here(texts: list[str], shapes: list[tuple[int, ...]]) -> list[bool]:
    bound, taken = Bindings(), []
    for text, shape in zip(texts, shapes, strict=True):
        tried = bound.copy()
        claims = [simplify(demand.claim) for demand in demands(of_jaxtyping(text), Shape(shape), text, "x", tried)]
        assert all(claim in (TRUE, FALSE) for claim in claims)
        taken.append(FALSE not in claims)
        bound = tried if taken[-1] else bound
    return taken


def test_arrays_are_taken_as_jaxtyping_takes_them() -> None:
    rng, taken, refused = random.Random(SEED), 0, 0
    for _ in range(4000):
        texts = [_annotation(rng, WORDS) for _ in range(3)]
        try:
            for text in texts:
                _type(text)
        except ValueError:
            continue
        shapes = [tuple(rng.choice((1, 2, 3, 4)) for _ in range(rng.randint(0, 4))) for _ in texts]
        expected = _accepted_by_jaxtyping(texts, shapes)
        if None in expected:
            continue
        assert _accepted_here(texts, shapes) == expected, (texts, shapes)
        taken += expected.count(True)
        refused += expected.count(False)
    assert taken > 500
    assert refused > 500


def test_texts_are_refused_as_jaxtyping_refuses_them() -> None:
    rng = random.Random(SEED)
    for text in [*ODD, *(_annotation(rng, WORDS + ODD) for _ in range(2000))]:
        try:
            _type(text)
        except ValueError:
            with pytest.raises(Unreadable):
                of_jaxtyping(text)
        else:
            of_jaxtyping(text)


@pytest.mark.parametrize("text", ["(B, T", "a b; c", "a=b", "f(x) 'y'", "1.5, 2", "*a *b"])
def test_other_texts_are_no_lists_of_axes(text: str) -> None:
    with pytest.raises(Unreadable):
        of_list(text)


def test_check_tells_a_wrong_comment_that_reveals(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text("import numpy as np\nx = np.zeros((2, 3))\n# reveal: (2, 3)\ny = x.T\nz = x.T  # reveal: (3, 2)\n")
    found = check([path], Config())
    assert [(each.name, each.place.row) for each in found] == [("stale-shape-comment", 3)]
