"""Sizes: the normal form has the meaning of the expression, and equal sizes have the same form."""

from __future__ import annotations

import pickle
from itertools import product as combinations
from typing import Any

import pytest
from hypothesis import assume, example, given, seed, settings
from hypothesis import strategies as st

from shapecheck.shapes.size import (
    Expr,
    Kind,
    Size,
    Symbol,
    ceildiv,
    evaluate,
    expr_of,
    fresh,
    is_lost,
    maximum,
    minimum,
    product,
    substitute,
    symbols,
)
from tests.support.seed import SEED

B, H, n = fresh("B", Kind.DYNAMIC), fresh("H", Kind.FREE), fresh("n", Kind.FREE)
positive, anything = fresh("p", Kind.FREE, low=1), fresh("z", Kind.FREE, low=None)
NAMED: dict[str, Expr] = {"B": B, "H": H, "n": n, "p": positive, "z": anything}
quick = settings(deadline=None, derandomize=True, max_examples=400)

# A tree is a number, a name, or an operation on trees.
Tree = Any
numbers = st.integers(-6, 9)
leaves = st.one_of(numbers, st.sampled_from([*NAMED]), st.sampled_from([*NAMED]))


def _grown(children: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    divided = st.tuples(st.sampled_from(["//", "%", "ceil"]), children, st.one_of(st.integers(1, 6), children))
    return st.tuples(st.sampled_from(["+", "-", "*", "min", "max"]), children, children) | divided | divided


trees = st.recursive(leaves, _grown, max_leaves=9)
assignments = st.fixed_dictionaries(
    {"B": st.integers(0, 9), "H": st.integers(0, 9), "n": st.integers(0, 9)}
    | {"p": st.integers(1, 9), "z": st.integers(-9, 9)}
)


def build(tree: Tree) -> Size:
    """Return the tree as a size in normal form."""
    if isinstance(tree, int):
        return tree
    return NAMED[tree] if isinstance(tree, str) else apply(tree[0], build(tree[1]), build(tree[2]))


def apply(operator: str, a: Size, b: Size) -> Size:
    if operator in "+-*":
        return a + b if operator == "+" else a - b if operator == "-" else a * b
    if operator in ("min", "max"):
        return minimum(a, b) if operator == "min" else maximum(a, b)
    if b == 0:
        assume(False)
    return a // b if operator == "//" else a % b if operator == "%" else ceildiv(a, b)


def compute(tree: Tree, values: dict[str, int]) -> int:
    """Return the tree's value, computed by Python."""
    if isinstance(tree, int):
        return tree
    if isinstance(tree, str):
        return values[tree]
    a, b = compute(tree[1], values), compute(tree[2], values)
    plain = {"+": a + b, "-": a - b, "*": a * b, "min": min(a, b), "max": max(a, b)}
    if tree[0] in plain:
        return plain[tree[0]]
    return a // b if tree[0] == "//" else a % b if tree[0] == "%" else -(-a // b)


def named(values: dict[str, int]) -> dict[Symbol, int]:
    return {next(iter(symbols(size))): values[name] for name, size in NAMED.items()}


@quick
@seed(SEED)
@given(trees, st.lists(assignments, min_size=4, max_size=4))
@example(("//", ("+", ("//", "z", 2), 5), 3), [{"B": 1, "H": 1, "n": 1, "p": 1, "z": -7}])
def test_the_normal_form_has_the_value_of_the_expression(tree: Tree, rows: list[dict[str, int]]) -> None:
    size = build(tree)
    assume(not is_lost(size))
    for values in rows:
        try:
            expected = compute(tree, values)
        except ZeroDivisionError:
            continue
        assert evaluate(size, named(values)) == expected
        if isinstance(size, Expr):
            low, high = size.bounds()
            assert low is None or low <= expected
            assert high is None or high >= expected


@pytest.mark.parametrize(("inner", "outer"), combinations(["//", "%", "ceil"], repeat=2))
def test_divisions_in_divisions(inner: str, outer: str) -> None:
    for first, second, shift in combinations(range(1, 7), range(1, 7), (-2, 0, 3)):
        tree = (outer, ("+", (inner, ("*", 2, "z"), first), shift), second)
        size = build(tree)
        for value in range(-13, 14):
            assert evaluate(size, dict.fromkeys(symbols(anything), value)) == compute(tree, {"z": value})


@quick
@seed(SEED)
@given(trees, trees, st.sampled_from([*NAMED]), assignments)
def test_substitution_has_the_value_of_the_replaced(tree: Tree, other: Tree, name: str, values: dict[str, int]) -> None:
    size, value = build(tree), build(other)
    assume(not is_lost(size))
    assume(not is_lost(value))
    try:
        inner = compute(other, values)
        expected = compute(tree, {**values, name: inner})
    except ZeroDivisionError:
        return
    assume(name == "z" or inner >= (name == "p"))
    replaced = substitute(size, dict.fromkeys(symbols(NAMED[name]), value))
    assume(not is_lost(replaced))
    assert evaluate(replaced, named(values)) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((H // 2) // 2, H // 4),
        ((H // 2 + 3) // 5, (H + 6) // 10),
        (ceildiv(ceildiv(H, 2), 3), ceildiv(H, 6)),
        ((H + 1) // 2, ceildiv(H, 2)),
        ((H - 1) // 2 + 1, ceildiv(H, 2)),
        (-(-H // 2), ceildiv(H, 2)),
        ((6 * H) // 6, H),
        ((6 * H + 7) // 6, H + 1),
        ((6 * H) // 4, (3 * H) // 2),
        ((6 * H + 7) % 6, 1),
        ((5 * H) % 4, H % 4),
        ((H % 6) % 3, H % 3),
        ((B * H * 6) // (H * 2), 3 * B),
        (B * (H + 1) // (H + 1), B),
        ((B * H) % H, 0),
        ((n + B - 1) // B, ceildiv(n, B)),
        (ceildiv(B * n, n), B),
        (B * H - H * B, 0),
        (maximum(H, maximum(n, 0)), maximum(n, H)),
        (maximum(H, H + 1, 1), H + 1),
        (minimum(H + 2, H + 1, H * 2 + 5), H + 1),
        (product([2, B, 3, H]), 6 * B * H),
        (7 % (-3 * H // H), -2),
        (H // -1, -H),
    ],
)
def test_equal_meanings_have_one_normal_form(one: Size, other: Size) -> None:
    assert one == other
    assert hash(one) == hash(other)


def test_symbols_of_one_name_differ() -> None:
    twin = fresh("B", Kind.DYNAMIC)
    assert twin != B
    assert str(twin - B) == "B - B"


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (4 * B, "4*B"),
        (H // 2, "H//2"),
        (ceildiv(H, 2), "ceil(H/2)"),
        (ceildiv(n, B), "ceil(n/B)"),
        (7 * B + 1, "7*B + 1"),
        (maximum(n, H), "max(H, n)"),
        (10 - B, "10 - B"),
        (-B, "-B"),
        (3 * (H // 2), "3*(H//2)"),
        ((B * H) // 3, "B*H//3"),
        ((B + H) // 3, "(B + H)//3"),
        (H // (B + 1), "H//(B + 1)"),
        (H % 2, "H % 2"),
        (2 * minimum(B, H) * n, "2*n*min(B, H)"),
    ],
)
def test_sizes_read_like_written_by_hand(size: Size, text: str) -> None:
    assert str(size) == text


def test_division_by_zero_is_lost() -> None:
    for size in (H // 0, H % 0, ceildiv(5, 0), ceildiv(H, 0)):
        assert is_lost(size)


def test_what_grows_too_large_is_lost() -> None:
    wide: Size = 1
    for _ in range(12):
        wide = wide * (fresh("s", Kind.FREE) + 1)
    assert is_lost(wide)
    deep: Size = H
    for step in range(2, 200):
        deep = maximum(deep // step, n % step)
    assert len(str(deep)) < 10_000


def test_bounds() -> None:
    assert (H + 3).low() == 3
    assert (H % 8).high() == 7
    assert (-H).high() == 0
    assert anything.low() is None
    assert (positive * positive).low() == 1
    assert maximum(H, 4) // 2 != 2


def test_evaluation_covers_all_small_sizes() -> None:
    size = ceildiv(H * 3 + n, 4) - minimum(H, n) % 3
    for h, m in combinations(range(8), repeat=2):
        values = {**dict.fromkeys(symbols(H), h), **dict.fromkeys(symbols(n), m)}
        assert evaluate(size, values) == -(-(h * 3 + m) // 4) - min(h, m) % 3
    with pytest.raises(KeyError):
        evaluate(size, {})
    with pytest.raises(ZeroDivisionError):
        evaluate(n // H, {**dict.fromkeys(symbols(H), 0), **dict.fromkeys(symbols(n), 1)})


def test_an_expression_of_one_atom_is_that_atom() -> None:
    (atom,) = B.atoms()
    assert expr_of(atom) == B


def test_sizes_can_be_sent_to_other_processes() -> None:
    size = maximum(ceildiv(H, 2) * n, B % 3)
    again = pickle.loads(pickle.dumps(size))
    assert again == size
    assert hash(again) == hash(size)
