"""Axes that are merged: sizes that are products of other sizes, as those of a reshaped array may be."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from shapecheck.shapes.size import Size

MOST_AXES = 6
"""The number of axes up to which all ways to merge them are tried."""


def merges_in_order(parts: Sequence[Size], wholes: Sequence[Size]) -> bool:
    """Return whether each of `wholes` is the product of the next ones of `parts`, and none is left."""
    left = iter(parts)
    for whole in wholes:
        product = next(left, None)
        while product is not None and product != whole:
            following = next(left, None)
            product = None if following is None else product * following
        if product is None:
            return False
    return next(left, None) is None


def merges(parts: Sequence[Size], wholes: Sequence[Size]) -> bool:
    """Return whether each of `wholes` is a product of some of `parts`, each of which is in one of them."""
    if len(parts) > MOST_AXES:
        return False
    if not wholes:
        return not parts
    for count in range(1, len(parts) - len(wholes) + 2):
        for taken in itertools.combinations(range(len(parts)), count):
            rest = [part for at, part in enumerate(parts) if at not in taken]
            if math.prod(parts[at] for at in taken) == wholes[0] and merges(rest, wholes[1:]):
                return True
    return False


def merging_order(parts: Sequence[Size], wholes: Sequence[Size]) -> tuple[int, ...] | None:
    """Return an order of the axes of `parts` in which neighbours merge into `wholes`."""
    if not len(wholes) <= len(parts) <= MOST_AXES:
        return None
    orders = itertools.permutations(range(len(parts)))
    return next((order for order in orders if merges_in_order([parts[axis] for axis in order], wholes)), None)
