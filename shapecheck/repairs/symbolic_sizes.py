"""Repairs of sizes that are names, such as the parameters of a constructor: twice as many, or a part of a product."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from shapecheck.domain.values import Int, as_size
from shapecheck.repairs.situation import Candidate, Situation
from shapecheck.repairs.sizes import sizes_at
from shapecheck.shapes.claims import AtLeast, Equal
from shapecheck.shapes.size import Size

_FACTORS = range(2, 9)


def size_multiplied(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a size that is a name is another name, a multiple of it, or a factor of it."""
    claim = s.call.clash.claim
    if not isinstance(claim, Equal | AtLeast) or (isinstance(claim.a, int) and isinstance(claim.b, int)):
        return
    for distance, site in enumerate(s.sites):
        for node in sizes_at(s, site.node):
            size = _size(s, node)
            for mine, wanted in ((claim.a, claim.b), (claim.b, claim.a)):
                if size is not None and size == mine:
                    yield from _made(s, node, mine, wanted, distance)


def _made(s: Situation, node: ast.expr, size: Size, wanted: Size, weight: int) -> Iterator[Candidate]:
    """Yield ways to write a size in place of an expression of another size."""
    parts = [node.left, node.right] if isinstance(node, ast.BinOp) else []
    for other in (*parts, *s.text.visible_from(node)):
        if _size(s, other) == wanted:
            yield s.candidate(weight, node, s.text.text(other))
    for factor in _FACTORS:
        if size * factor == wanted:
            text = s.text.text(node)
            yield s.candidate(weight, node, f"({text}) * {factor}" if parts else f"{text} * {factor}")


def _size(s: Situation, node: ast.expr) -> Size | None:
    """Return the size that an expression is, if it is a symbol or computed from one."""
    value = s.text.value(node)
    return as_size(value) if isinstance(value, Int) else None
