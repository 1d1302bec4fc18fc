"""Shapes: joining, broadcasting, element types, and shapes as text."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, example, given, seed, settings
from hypothesis import strategies as st

from shapecheck.shapes import dtype
from shapecheck.shapes.broadcast import broadcast
from shapecheck.shapes.facts import AnyOf, Claim, Equal, claim_symbols, holds
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape, join, of, ranked, substitute_shape
from shapecheck.shapes.size import Kind, Size, Symbol, ceildiv, fresh, is_lost, lost, maximum, minimum, symbols
from shapecheck.shapes.text import parse, show, show_size
from tests.support.seed import SEED

quick = settings(deadline=None, derandomize=True, max_examples=300)
B, n, p = fresh("B", Kind.DYNAMIC), fresh("n", Kind.FREE), fresh("p", Kind.FREE, low=1)
ALL = sorted(symbols(B + n + p), key=lambda symbol: symbol.serial)

small = st.one_of(st.integers(0, 4), st.sampled_from([B, n, p, B + 2, n + 1]))
axes = st.lists(small, max_size=3).map(tuple)
shapes = st.one_of(axes.map(Shape), st.builds(Shape, axes, axes))


def symbol(size: Size) -> Symbol:
    (found,) = symbols(size)
    return found


def covers(shape: Shape, concrete: tuple[int, ...], values: dict[Symbol, int], anything: frozenset[Symbol]) -> bool:
    """Return whether a shape can be this one; symbols in `anything` can be any number."""
    if not (len(concrete) == shape.rank if shape.is_ranked else len(concrete) >= shape.min_rank):
        return False
    tail = shape.tail or ()
    pairs = [*zip(shape.head, concrete, strict=False), *zip(tail, concrete[len(concrete) - len(tail) :], strict=True)]
    return all(bool(symbols(size) & anything) or holds(Equal(size, number), values) for size, number in pairs)


def instances(shape: Shape, values: dict[Symbol, int], middles: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return concrete shapes that a shape stands for."""
    numbers = [
        tuple(int(size) for size in substitute_shape(Shape(part), dict(values)).sizes)  # type: ignore[arg-type]
        for part in (shape.head, shape.tail or ())
    ]
    return [numbers[0] + middle + numbers[1] for middle in (middles if shape.tail is not None else [()])]


MIDDLES = [(), (1,), (3,), (2, 1)]
valuations = [dict(zip(ALL, row, strict=True)) for row in product((0, 1, 2, 3), (0, 1, 3), (1, 3))]


@quick
@seed(SEED)
@given(st.lists(shapes, min_size=1, max_size=3), st.sampled_from(valuations))
def test_broadcasting_is_numpys(operands: list[Shape], values: dict[Symbol, int]) -> None:
    result, claims = broadcast(operands)
    unknown = frozenset(result.symbols() - set(ALL))
    assert all(claim_symbols(claim) <= set(ALL) for claim in claims)
    fits = all(holds(claim, values) for claim in claims)
    for concrete in product(*(instances(shape, values, MIDDLES) for shape in operands)):
        expected = broadcast_by_numpy(concrete)
        if expected is None:
            assert not fits or not all(shape.is_ranked for shape in operands)
        else:
            assert fits
            assert covers(result, expected, values, unknown)


def broadcast_by_numpy(operands: tuple[tuple[int, ...], ...]) -> tuple[int, ...] | None:
    try:
        return np.broadcast_shapes(*operands)
    except ValueError:
        return None


@pytest.mark.parametrize(
    ("operands", "expected"),
    [
        ([ranked(B, 1, 5), ranked(4, 1)], ranked(B, 4, 5)),
        ([ranked(B, 128), ranked(128)], ranked(B, 128)),
        ([ranked(B, n), ranked(3)], ranked(B, 3)),
        ([ranked(p), ranked(n + 1)], ranked(maximum(p, n + 1))),
        ([ranked(n), ranked(B + 2)], ranked(B + 2)),
        ([Shape((B,), (128,)), ranked(128)], Shape((B,), (128,))),
        ([Shape((B,), (n,)), ranked(3, 1)], Shape((), (3, n))),
        ([UNRANKED, ranked(2, 3, 4)], Shape((), (2, 3, 4))),
        ([UNRANKED, SCALAR], UNRANKED),
        ([], SCALAR),
    ],
)
def test_broadcast_results(operands: list[Shape], expected: Shape) -> None:
    assert broadcast(operands)[0] == expected


@pytest.mark.parametrize("other", [UNRANKED, Shape((), (4,)), Shape((2,), (4,))])
def test_broadcast_keeps_the_axes_that_an_unknown_rank_may_stretch(other: Shape) -> None:
    result = broadcast([other, ranked(2, 1, 4)])[0]
    assert not result.is_ranked
    assert result.tail is not None
    assert (result.min_rank, result.tail[0], result.tail[2], is_lost(result.tail[1])) == (3, 2, 4, True)


@pytest.mark.parametrize(
    ("operands", "expected"),
    [
        ([ranked(3), ranked(4)], (Equal(3, 4),)),
        ([ranked(B), ranked(4)], (AnyOf((Equal(B, 4), Equal(B, 1))),)),
        ([ranked(B, 1), ranked(B, 4)], ()),
        ([ranked(B), ranked(n)], (AnyOf((Equal(B, n), Equal(B, 1), Equal(n, 1))),)),
    ],
)
def test_broadcast_claims(operands: list[Shape], expected: tuple[Claim, ...]) -> None:
    assert broadcast(operands)[1] == expected


def test_two_unknown_sizes_broadcast_to_a_lost_one() -> None:
    (size,) = broadcast([ranked(B), ranked(n)])[0].sizes
    assert is_lost(size)


@quick
@seed(SEED)
@given(shapes, shapes, st.sampled_from(valuations))
@example(ranked(2, 2), ranked(2, 2, 2), valuations[0])
@example(Shape((2,), (2, 2)), ranked(2, 2, 2, 2), valuations[0])
def test_joins_cover_both(a: Shape, b: Shape, values: dict[Symbol, int]) -> None:
    joined = join(a, b, lambda *_: lost("differs", 0))
    unknown = frozenset(joined.symbols() - set(ALL))
    for shape in (a, b):
        for concrete in instances(shape, values, MIDDLES):
            assert covers(joined, concrete, values, unknown)
    assert join(a, a, lambda *_: pytest.fail("nothing differs")) == a


def test_joins_keep_what_agrees() -> None:
    assert show(join(ranked(B, 28, 3), ranked(B, 14, 3), lambda *_: lost("", 0))) == "(B, ?, 3)"
    assert join(ranked(B, 128), ranked(B, 7, 128), lambda *_: lost("", 0)) == Shape((B,), (128,))
    assert show(join(ranked(2, 3), ranked(2, 3, 4), lambda *_: lost("", 0))) == "(2, 3, ...)"
    assert join(UNRANKED, ranked(2), lambda *_: lost("", 0)) == UNRANKED


def test_axes_of_shapes() -> None:
    shape, partial = of([B, 4, 5]), Shape((B, 2), (7,))
    assert [shape.size(axis) for axis in (0, -1, 3, -4)] == [B, 5, None, None]
    assert [partial.size(axis) for axis in (0, 1, 2, -1, -2)] == [B, 2, None, 7, None]
    assert (shape.rank, partial.rank, partial.min_rank) == (3, None, 3)
    assert (shape.elements(), partial.elements(), SCALAR.elements()) == (20 * B, None, 1)
    assert substitute_shape(partial, {symbol(B): 9}) == Shape((9, 2), (7,))
    assert partial.symbols() == symbols(B)
    with pytest.raises(ValueError, match="rank"):
        _ = partial.sizes


TEXTS = [
    *("(32, 128)", "(B, 128)", "(32,)", "()", "?", "(B, ..., 128)", "(...,)", "(..., 3)", "(B, ...)", "(?, 128)"),
    "(7*B + 1, ceil(H/2), H//2, 2*H - 1, 10 - H, -H)",
    "((B + H)//3, ceil((B + H)/n), max(B, H, 3), B*min(B, n), H % 2)",
    "(3*(H//2), B*H//3, H//(B + 1), ceil(n/B), 3*ceil(n/(2*B)))",
]


@pytest.mark.parametrize("text", TEXTS)
def test_texts_show_what_was_parsed(text: str) -> None:
    shown = show(parse(text))
    assert show(parse(shown)) == shown
    assert shown == text.replace("(...,)", "?")


def test_one_name_is_one_symbol() -> None:
    first, second, third = parse("(n, n, m)").sizes
    assert first == second != third
    assert [show_size(size) for size in parse("(4|5, n*?, _, 4|4)").sizes] == ["?", "?", "?", "4"]


OTHERS = ["", "(", "(1", "1, 2", "(1 2)", "(,)", "(a/2,)", "(1,) x", "(f('os'),)", "(..., ..., 1)", "(" * 500]


@pytest.mark.parametrize("text", [*OTHERS, "(ceil(1),)", "(-,)", "(max(),)", "(1.5,)"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a shape"):
        parse(text)


def mixed(choice: int, a: Size, b: Size) -> Size:
    k = choice + 1
    options = (a + k * b, a * b, a - b * k, a // k, a % k, ceildiv(a, k), maximum(a, b) - minimum(a, 3) // (b * b + 1))
    return (*options, ceildiv(a, b + 1) * (a % (b + 2)))[choice]


written = st.recursive(
    st.one_of(st.integers(0, 9), st.sampled_from([B, n])),
    lambda inner: st.builds(mixed, st.integers(0, 7), inner, inner),
    max_leaves=6,
)


@quick
@seed(SEED)
@given(st.lists(written, max_size=2), st.none() | st.lists(written, max_size=2))
def test_parsing_is_the_inverse_of_showing(head: list[Size], tail: list[Size] | None) -> None:
    shape = Shape(tuple(head), None if tail is None else tuple(tail))
    assume(not any(map(is_lost, shape.known)))
    again = parse(show(shape))
    originals: dict[str, Size] = {"B": B, "n": n}
    assert substitute_shape(again, {own: originals[own.name] for own in again.symbols()}) == shape


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *(
            ("float", "float32"),
            ("tf.float32", "float32"),
            ("double", "float64"),
            ("half", "float16"),
            ("<f4", "float32"),
        ),
        *(
            ("int", "int64"),
            ("np.int_", "int64"),
            ("numpy.uint8", "uint8"),
            ("bool_", "bool"),
            ("jnp.bfloat16", "bfloat16"),
        ),
        *(("str", "string"), ("tf.string", "string"), ("complex", "complex128"), ("category", None), ("", None)),
    ],
)
def test_names_of_element_types(name: str, expected: str | None) -> None:
    assert dtype.canonical(name) == expected


NUMPY = ["bool", *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))]
NUMPY += ["float16", "float32", "float64", "complex64", "complex128"]


@pytest.mark.parametrize("name", NUMPY)
def test_promotion_is_numpys(name: str) -> None:
    for other in NUMPY:
        assert dtype.promote(name, other) == np.promote_types(name, other).name
    kinds = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}
    assert dtype.kind(name) == kinds[np.dtype(name).kind]


def test_promotion_that_numpy_does_not_know() -> None:
    assert dtype.promote("bfloat16", "float16") == "float32"
    assert dtype.promote("bfloat16", "int8") == "bfloat16"
    assert dtype.promote("string", "int8") is None
    assert dtype.promote("category", "category") is None
