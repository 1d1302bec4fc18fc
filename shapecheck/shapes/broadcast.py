"""Broadcasting by the rules of NumPy, on shapes that need not be known completely."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from shapecheck.shapes.claims import FALSE, TRUE, AllOf, AnyOf, AtLeast, Claim, Equal, simplify
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Kind, Size, fresh, is_open, maximum, symbols, unknown


def broadcast(shapes: Sequence[Shape]) -> tuple[Shape, tuple[Claim, ...]]:
    """Return the shape that the shapes broadcast to, and the claims that must hold for aligned axes."""
    sides = [shape.head if shape.tail is None else shape.tail for shape in shapes]
    claims: dict[Claim, None] = {}
    sizes: list[Size] = []  # from the last axis on
    for axis in range(1, max(map(len, sides), default=0) + 1):
        known = dict.fromkeys(side[-axis] for side in sides if axis <= len(side))
        known.pop(1, None)
        claims.update(dict.fromkeys(_compatibility(x, y) for x, y in combinations(known, 2)))
        hidden = any(len(shape.tail) < axis for shape in shapes if shape.tail is not None)
        sizes.append(_broadcast_size(list(known), hidden=hidden))
    claims.pop(TRUE, None)
    return _result_shape(shapes, sizes), tuple(claims)


def _broadcast_size(known: list[Size], *, hidden: bool) -> Size:
    """Return the size that different sizes, all of them not the number 1, broadcast to.

    If some shapes hide an axis of unknown size there (`hidden`), only a size that certainly is not 1 is known to be the
    result.
    """
    certain = next((size for size in known if simplify(Equal(size, 1)) == FALSE), None)
    if certain is not None:
        return certain
    if hidden:
        return fresh("?", Kind.LOST, why="an axis that an operand of unknown rank may stretch")
    if len(known) < 2:
        return known[0] if known else 1
    if simplify(AllOf(tuple(AtLeast(size, 1) for size in known))) == TRUE:
        return maximum(*known)
    may_be_static = any(symbol.kind is Kind.FREE for size in known for symbol in symbols(size))
    kind = Kind.LOST if may_be_static else unknown(known)
    name, kind = (str(known[0]), Kind.DYNAMIC) if all(map(is_open, known)) else ("?", kind)
    return fresh(name, kind, why=f"whichever of {' and '.join(map(str, known))} is not 1")


def _compatibility(x: Size, y: Size) -> Claim:
    """Return the claim that two aligned sizes are compatible.

    It does not decide more than necessary, and if it cannot hold, it contains both sizes.
    """
    claims = (Equal(x, y), Equal(x, 1), Equal(y, 1))
    possible = tuple(claim for claim in claims if simplify(claim) != FALSE)
    if any(simplify(claim) == TRUE for claim in possible):
        return TRUE
    return AnyOf(possible) if len(possible) > 1 else (possible or claims)[0]


def _result_shape(shapes: Sequence[Shape], sizes: Sequence[Size]) -> Shape:
    """Return the shape with these sizes, given from the last axis on, and further axes if some shapes may have them."""
    partial = [shape for shape in shapes if shape.tail is not None]
    result = tuple(reversed(sizes))
    if not partial:
        return Shape(result)
    rest = [shape for shape in shapes if shape.tail is None]
    (only,), length = partial[:1], len(partial[0].tail or ())
    fits = len(partial) == 1 and all(len(shape.head) <= length for shape in rest)
    return Shape(only.head if fits else (), result)
