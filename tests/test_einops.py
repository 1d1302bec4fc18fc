"""The model of einops compared with einops itself, on patterns that fit and patterns that do not."""

from __future__ import annotations

from typing import Any

import pytest

from shapecheck.domain.values import Tensor
from shapecheck.models.lang.registry import lookup
from shapecheck.shapes.shape import Shape
from tests.support.seed import draws
from tests.support.stub_context import StubContext, value_of

einops = pytest.importorskip("einops")
np = pytest.importorskip("numpy")

PATTERNS = {
    "rearrange": [
        "b h w c -> b c h w", "b (h p) (w q) c -> b (h w) (p q c)", "b n (h d) -> b h n d", "... c -> c ...",
        "b ... -> b (...)", "b c -> c b", "b h w -> b (h w)", "(a b) c -> a b c", "b h -> b 1 h", "b 1 h -> b h",
        "b h w c -> b h w", "b () h -> b h", "a b -> (a c) b", "... (a b) -> ... a b",
    ],
    "repeat": ["h w -> h w c", "b h w -> b (h p) (w q)", "b -> b n", "... -> ... c", "b c -> (b 2) c", "b -> b n m"],
    "reduce": ["b h w c -> b c", "b (h p) (w q) c -> b h w c", "b h w c -> b 1 1 c", "... c -> c", "b h ->"],
}  # fmt: skip
LENGTHS = ("p", "q", "d", "c", "n", "a", "m")
CASES = [(verb, pattern) for verb, patterns in PATTERNS.items() for pattern in patterns]


@pytest.mark.parametrize(("verb", "pattern"), CASES)
def test_patterns(verb: str, pattern: str) -> None:
    rng = draws(pattern)
    accepted = 0
    for _ in range(200):
        shape = tuple(rng.choice([1, 2, 3, 4, 6]) for _ in range(rng.choice([1, 2, 3, 4, 4])))
        lengths = {name: rng.choice([1, 2, 3]) for name in LENGTHS if name in pattern and rng.random() < 0.6}
        accepted += compare(verb, pattern, shape, lengths)
    assert accepted or verb == "rearrange"  # some of which have an axis on one side only


def compare(verb: str, pattern: str, shape: tuple[int, ...], lengths: dict[str, int]) -> bool:
    """Return whether the library accepts the call; the model must agree, with the same shape."""
    extra = {"reduction": "max"} if verb == "reduce" else {}
    try:
        real = getattr(einops, verb)(np.zeros(shape), pattern, **extra, **lengths).shape
    except einops.EinopsError:
        real = None
    ctx = StubContext()
    model = lookup(f"einops.{verb}")
    assert model is not None
    keywords: dict[str, Any] = {name: value_of(value) for name, value in {**extra, **lengths}.items()}
    found = model.run(ctx, [Tensor(Shape(shape), "float32", "np"), value_of(pattern)], keywords)
    assert isinstance(found, Tensor)
    told = f"{verb}({shape}, {pattern!r}, {lengths})"
    if real is None:
        assert ctx.clashes or found.shape.tail is not None, f"{told} fails, the model gives {found.shape}"
    else:
        assert not ctx.clashes, f"{told} gives {real}, the model says {ctx.clashes}"
        assert found.shape == Shape(real), f"{told} gives {real}, the model {found.shape}"
    return real is not None
