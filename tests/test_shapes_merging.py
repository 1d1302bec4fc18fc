"""Axes that are merged, compared with what reshapes do to the places of elements."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecheck.shapes.merging import merges, merges_in_order, merging_order

PRIMES = (2, 3, 5, 7, 11)
quick = settings(deadline=None, derandomize=True, max_examples=200)


@st.composite
def merged(draw: st.DrawFn) -> tuple[list[int], list[list[int]]]:
    """Return sizes, and their axes in groups."""
    sizes = list(PRIMES[: draw(st.integers(2, 5))])
    order = draw(st.permutations(range(len(sizes))))
    ends = [*sorted(draw(st.sets(st.integers(1, len(sizes) - 1)))), len(sizes)]
    return sizes, [list(order[start:end]) for start, end in zip([0, *ends], ends, strict=False)]


def _keeps_together(sizes: list[int], groups: list[list[int]], wholes: list[int]) -> bool:
    """Return whether a reshape gives what a transposition to the order of the groups and a reshape give."""
    elements = np.arange(math.prod(sizes)).reshape(sizes)
    moved = elements.transpose([axis for group in groups for axis in group]).reshape(wholes)
    return np.array_equal(elements.reshape(wholes), moved)


@quick
@given(merged())
def test_products_of_neighbours_need_no_transposition(case: tuple[list[int], list[list[int]]]) -> None:
    sizes, groups = case
    groups = [sorted(group) for group in groups]
    wholes = [math.prod(sizes[axis] for axis in group) for group in groups]
    assert merges(sizes, wholes)
    assert merges_in_order(sizes, wholes) == _keeps_together(sizes, groups, wholes)


@quick
@given(merged())
def test_an_order_brings_together_what_is_merged(case: tuple[list[int], list[list[int]]]) -> None:
    sizes, groups = case
    wholes = [math.prod(sizes[axis] for axis in group) for group in groups]
    order = merging_order(sizes, wholes)
    assert order is not None
    moved = np.ones(sizes).transpose(order)
    assert merges_in_order(moved.shape, wholes)


@quick
@given(merged(), st.sampled_from(PRIMES))
def test_other_sizes_are_no_products(case: tuple[list[int], list[list[int]]], factor: int) -> None:
    sizes, groups = case
    wholes = [math.prod(sizes[axis] for axis in group) for group in groups]
    wholes[-1] *= factor
    assert not merges(sizes, wholes)
    assert not merges_in_order(sizes, wholes)
    assert merging_order(sizes, wholes) is None
