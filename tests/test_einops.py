"""The model of einops compared with einops itself, on patterns that fit and patterns that do not."""

from __future__ import annotations

from typing import Any

import pytest

from shapecheck.domain.values import Lost, Seq, Tensor, Value
from shapecheck.models.lang.registry import lookup
from shapecheck.shapes.shape import UNRANKED, Shape
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


SUMS = ["a b, b c -> a c", "row inner, inner column -> column row", "a b, a b -> a", "... a, a b -> ... b", "a b, c ->"]
PACKED = ["b *", "* c", "b * c", "*", "b c *"]


@pytest.mark.parametrize("pattern", SUMS)
def test_sums_of_products(pattern: str) -> None:
    rng = draws(pattern)
    for _ in range(100):
        shapes = [tuple(rng.choice([1, 2, 3]) for _ in range(rng.choice([1, 2, 2, 3]))) for _ in range(2)]
        arrays = [np.zeros(shape) for shape in shapes]
        compare_results("einsum", (*arrays, pattern), f"einsum of {shapes}, {pattern!r}")


@pytest.mark.parametrize("pattern", PACKED)
def test_packing_and_unpacking(pattern: str) -> None:
    rng = draws(pattern)
    for _ in range(100):
        shapes = [tuple(rng.choice([2, 3]) for _ in range(rng.choice([1, 2, 3, 4]))) for _ in range(rng.choice([1, 2]))]
        told = f"{shapes}, {pattern!r}"
        if compare_results("pack", ([np.zeros(shape) for shape in shapes], pattern), f"pack of {told}"):
            packed, sizes = einops.pack([np.zeros(shape) for shape in shapes], pattern)
            for array in (packed, packed[:-1], packed[..., 1:]):
                compare_results("unpack", (array, sizes, pattern), f"unpack of {told}")


def compare_results(verb: str, args: tuple[Any, ...], told: str) -> bool:
    """Return whether the library accepts the call; the model must agree, with the same shapes."""
    try:
        real = getattr(einops, verb)(*args)
    except Exception:  # einsum raises what its library raises
        real = None
    ctx = StubContext()
    model = lookup(f"einops.{verb}")
    assert model is not None
    found = model.run(ctx, [abstract(arg) for arg in args], {})
    if real is None:
        is_open = isinstance(found, Lost) or shapes_in(found) == UNRANKED
        assert ctx.clashes or is_open, f"{told} fails, the model gives {found}"
        return False
    assert not ctx.clashes, f"{told}: the model says {ctx.clashes}"
    assert shapes_in(found) in (shapes_in(abstract(real)), UNRANKED), told
    return True


def abstract(value: Any) -> Value:
    if isinstance(value, (np.ndarray, np.float64)):
        return Tensor(Shape(value.shape), "float64", "np")
    if isinstance(value, (list, tuple)):
        return Seq("list" if isinstance(value, list) else "tuple", tuple(map(abstract, value)))
    return value_of(value)


def shapes_in(value: Value) -> object:
    """Return the shapes and numbers in a result."""
    if isinstance(value, Seq):
        return [shapes_in(item) for item in value.items]
    return value.shape if isinstance(value, Tensor) else value
