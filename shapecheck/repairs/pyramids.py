"""Repairs of networks that halve their maps, or double them: sizes that come out as they went in."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from itertools import product

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Edit
from shapecheck.repairs.layers import declared_shapes
from shapecheck.repairs.situation import Candidate, Situation, callee
from shapecheck.repairs.sizes import DATA
from shapecheck.shapes.size import Size

_HALVED = (4, 8, 16, 32)  # what sizes must be a multiple of that are halved two to five times
_LEAST = 16
_TWO = 2
_GREY, _COLOURED = 3, 4  # axes of batches of pictures without channels, and with them
_NAMES = ("size", "height", "width", "rows", "cols", "shape", "default")


def sizes_rounded(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the size of the pictures can be halved often enough."""
    if not any(0 < abs(a - b) <= 2 for a, b in s.unequal):
        return
    nodes = {s.text.span(node): node for each in s.text.nodes for node in _declared(s, each)}
    for weight, (multiple, is_nearest) in enumerate(product(_HALVED, (True, False))):
        edits = []
        for _, node in sorted(nodes.items()):
            size = s.text.number(node) or 0
            is_up = (size % multiple >= multiple // 2) == is_nearest
            rounded = (size // multiple + is_up) * multiple
            if size % multiple and rounded:
                edits.append(s.text.replaced(node, str(rounded)))
        if edits:
            yield Candidate(weight, tuple(edits))


def _declared(s: Situation, node: ast.AST) -> Iterator[ast.Constant]:
    """Yield the heights and widths that an expression declares: in a shape, as an argument, or under a name."""
    found: list[ast.expr] = []
    match node:
        case ast.Call(args=args, keywords=keywords) if callee(node) not in DATA:
            for given in (*args, *(each.value for each in keywords if _is_named(each.arg or ""))):
                is_shape = isinstance(given, ast.Tuple) and len(given.elts) in (2, 3)
                found += given.elts[:2] if is_shape and isinstance(given, ast.Tuple) else ()
            found += [each.value for each in keywords if _is_named(each.arg or "")]
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_named(name):
            found.append(value)
    for each in found:
        if isinstance(each, ast.Constant) and (s.text.number(each) or 0) >= _LEAST:
            yield each


def _is_named(name: str) -> bool:
    return any(word in name.lower() for word in _NAMES)


def maps_scaled(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the maps that a generator or decoder begins with are so large that its pictures have the
    size that is wanted: in the `Reshape`, and in the layer before it."""
    for got, wanted in _pictures(s):
        for node in s.text.nodes:
            if isinstance(node, ast.Call) and callee(node) == "Reshape":
                yield from _scaled(s, node, got, wanted)


def stride_of_others_taken(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which one more of the transposed convolutions of a generator doubles its maps, as others do."""
    strides = [
        (node, next((each.value for each in node.keywords if each.arg == "strides"), None))
        for node in s.text.nodes
        if isinstance(node, ast.Call) and callee(node) == "Conv2DTranspose"
    ]
    other = next((each for _, each in strides if each is not None and _doubles(s, each)), None)
    for weight, (node, given) in enumerate(reversed(strides)):
        if other is not None and (given is None or not _doubles(s, given)):
            yield s.with_keyword(weight, node, "strides", s.text.text(other))


def _doubles(s: Situation, strides: ast.expr) -> bool:
    parts = strides.elts if isinstance(strides, ast.Tuple | ast.List) else [strides]
    return all(s.text.number(each) == _TWO for each in parts)


def _pictures(s: Situation) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield the heights and widths of two batches of pictures with the same channels, or without, in both orders."""
    shapes = [argument.shape for argument in s.call.arguments]
    sizes: list[tuple[Size | None, ...]] = [
        shape.sizes[1:] for shape in shapes if shape.is_ranked and shape.rank in (_GREY, _COLOURED)
    ]
    if s.kind is ClashKind.LAYER_INPUT:  # of a model: what it is given, and what it is declared for
        given = [shape.sizes[1:] for each in s.operands if (shape := s.text.shape(each.node)) and shape.is_ranked]
        declared = [tuple(map(s.text.number, shape.elts)) for node in s.text.nodes for shape in declared_shapes(node)]
        sizes = [*given[:1], *(each for each in declared if given and len(each) == len(given[0]))][:2]
    if s.kind is ClashKind.CROSS_ENTROPY:  # flattened, of square pictures
        flat = [shape.sizes[1] for shape in shapes if shape.is_ranked and shape.rank == _TWO]
        sides = [math.isqrt(each) for each in flat if isinstance(each, int) and math.isqrt(each) ** 2 == each > 1]
        sizes = sizes or [(side, side) for side in sides]
    if len(sizes) == 2 and sizes[0][2:] == sizes[1][2:] and sizes[0] != sizes[1]:
        known = [tuple(size for size in each[:2] if isinstance(size, int)) for each in sizes]
        if all(len(each) == 2 for each in known):
            yield from ((known[0], known[1]), (known[1], known[0]))


def _scaled(s: Situation, reshape: ast.Call, got: tuple[int, ...], wanted: tuple[int, ...]) -> Iterator[Candidate]:
    given = reshape.args[0] if reshape.args else None
    if not isinstance(given, ast.Tuple) or len(given.elts) not in (_TWO, _GREY):
        return
    sizes = [s.text.number(each) for each in given.elts]
    old, channels = tuple(size for size in sizes[:2] if size is not None), [*sizes[2:], 1][0]
    if len(old) != 2 or channels is None or any(a * w % g for a, w, g in zip(old, wanted, got, strict=True)):
        return
    new = tuple(a * w // g for a, w, g in zip(old, wanted, got, strict=True))
    count = old[0] * old[1] * channels
    for node in s.text.nodes:
        match node:
            case ast.Call(args=[units, *_]) if callee(node) == "Dense" and s.text.number(units) == count:
                edits = [*_resized(s, units, old, new, channels)]
                edits += [s.text.replaced(each, str(size)) for each, size in zip(given.elts[:2], new, strict=True)]
                yield Candidate(0, tuple(edits))


def _resized(
    s: Situation, units: ast.expr, old: tuple[int, ...], new: tuple[int, ...], channels: int
) -> Iterator[Edit]:
    """Yield the edits that make a number of units that of the larger maps, factor by factor where it is a product."""
    factors = [node for node in s.text.parts(units) if isinstance(node, ast.Constant)]
    sides = [node for node in sorted(factors, key=s.text.span) if node.value in old]
    if isinstance(units, ast.BinOp) and len(sides) == 2 and old[0] == old[1]:
        yield from (s.text.replaced(node, str(size)) for node, size in zip(sides, new, strict=True))
    else:
        yield s.text.replaced(units, f"{new[0]} * {new[1]}{f' * {channels}' if channels > 1 else ''}")


_BORDERS = 8  # what the rounding up of a few halved sizes adds at most


def border_left_out(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a convolution of a decoder leaves out the border that the encoder has rounded up."""
    is_larger = any(0 < b - a <= _BORDERS for a, b in s.unequal) and "Up" in s.text.source.code
    layers = [node for node in s.text.nodes if isinstance(node, ast.Call) and callee(node) == "Conv2D"]
    for weight, node in enumerate(sorted(layers, key=s.text.span, reverse=True) if is_larger else ()):
        if any(each.arg == "padding" and s.text.text(each.value)[1:-1] == "same" for each in node.keywords):
            yield s.without_keyword(weight, node, "padding")
