"""Repairs of what a reshape is given: the size that is left open, or is what the number of elements leaves for it."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Sequence
from itertools import islice

from shapecheck.domain.values import NONE, as_size
from shapecheck.repairs.situation import Candidate, Situation, callee
from shapecheck.repairs.sizes import counts_samples
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Size

_TAKEN = 12  # a shape that other maps of the program have
_MOST_NAMES = 2
_TABLE = 2
_PADS = "the element has shape (), it is padded to"


def size_left_open(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a reshape computes the number of rows, which are not those that there are."""
    if not isinstance(s.node, ast.Call):
        return
    for argument in s.node.args:
        sizes = argument.elts if isinstance(argument, (ast.Tuple, ast.List)) else []
        is_open = any(s.text.number(size) == -1 for size in sizes)
        if sizes and not is_open and (s.text.number(sizes[0]) is None or counts_samples(s, sizes[0])):
            rows = as_size(s.text.value(sizes[0]) or NONE)
            if rows is not None and rows == _rows(s):
                continue
            yield s.candidate(0, sizes[0], "-1")


def reshaped(s: Situation) -> Iterator[Candidate]:
    """Yield programs that reshape a tensor instead of stating another shape of it."""
    match s.node:
        case ast.Call(func=ast.Attribute(attr="set_shape", value=ast.Name(id=name)), args=[shape]) if s.tensorflow:
            if isinstance(s.text.statement_around(s.node), ast.Expr):
                yield s.candidate(0, s.node, f"{name} = {s.tensorflow}.reshape({name}, {s.text.text(shape)})")


def reshape_fitted(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which one written size of a reshape is what the number of elements leaves for it."""
    total = _elements(s)
    sizes = [node for node in shape_given(s) if s.text.number(node) not in (None, -1)]
    if not isinstance(total, int) or len(sizes) != len(list(shape_given(s))):
        return
    for node in reversed(sizes):
        others = math.prod(s.text.number(other) or 1 for other in sizes if other is not node)
        if not others or total % others:
            continue
        far = _TAKEN if _is_flattened_elsewhere(s, sizes) else 0
        if isinstance(node, ast.Constant):
            keeps_rows = node is sizes[0] and not _is_of_sample(s) and s.text.number(node) == _rows(s)
            yield s.candidate(far + 4 * keeps_rows, node, str(total // others))
        elif isinstance(node, ast.Name | ast.Attribute) and (node is not sizes[0] or _is_of_sample(s)):
            for at, name in enumerate(islice(_names_beside(s, node, total // others, sizes), _MOST_NAMES)):
                texts = [name if each is node else s.text.text(each) for each in sizes]
                is_said = " * ".join(texts) in s.text.source.code
                yield s.candidate(far + at - is_said, node, name)
            defined = s.text.definition(node)
            if isinstance(defined, ast.Constant) and node is sizes[-1]:
                yield s.candidate(far + _MOST_NAMES, defined, str(total // others))
            now = s.text.number(node) or 0
            rest = total // others // now if now and total // others % now == 0 else 0
            factors = _names_beside(s, node, rest, sizes) if rest > 1 else iter(())
            yield from (
                s.candidate(far + _MOST_NAMES, node, f"{s.text.text(node)} * {each}") for each in islice(factors, 1)
            )


def _rows(s: Situation) -> Size | None:
    """Return the number of rows of what gets another shape."""
    shape = next((operand.argument.shape for operand in s.operands), None)
    return shape.sizes[0] if shape is not None and shape.is_ranked and shape.sizes else None


def _is_of_sample(s: Situation) -> bool:
    """Return whether a shape is that of a sample, as a layer takes it, without the batch."""
    return isinstance(s.node, ast.Call) and isinstance(s.node.func, ast.Call)


def _names_beside(s: Situation, node: ast.expr, value: int, sizes: Sequence[ast.expr]) -> Iterator[str]:
    """Yield the names of a size that may stand in the place of another one, and not yet beside it."""
    found = (each for each in s.text.visible_from(node) if s.text.number(each) == value)
    texts = (s.text.text(each) for each in found if not counts_samples(s, each))
    return (text for text in texts if text not in map(s.text.text, sizes))


def _is_flattened_elsewhere(s: Situation, sizes: Sequence[ast.expr]) -> bool:
    """Return whether maps of a shape are flattened in the program, so that a decoder gives them back their shape."""
    wanted = tuple(s.text.number(size) for size in sizes)
    flattened = (step for step in s.call.graph.steps if ".Flatten" in step.name)
    return any(
        tensor.shape.is_ranked and tensor.shape.sizes[1:] == wanted
        for each in flattened
        for _, tensor in each.operands()
    )


def _elements(s: Situation) -> Size | None:
    """Return the number of elements of an operand; of a sample of it for a layer, which takes the shape of a sample."""
    shape = next((operand.argument.shape for operand in s.operands), None)
    if shape is None or not isinstance(s.node, ast.Call) or not isinstance(s.node.func, ast.Call):
        return None if shape is None else shape.elements()
    return Shape(shape.head[1:], shape.tail).elements()


def flattened_size_counted(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which maps are flattened to as many numbers as they have, and so wherever that is written."""
    shape = next((operand.argument.shape for operand in s.operands if operand.argument.rank), None)
    given = list(shape_given(s))
    sizes = shape.sizes[1:] if shape is not None else ()
    if len(given) != 2 or s.text.number(given[0]) != -1 or len(sizes) < 2:
        return
    known = [size for size in sizes if isinstance(size, int)]
    if len(known) == len(sizes):
        text = s.text.text(given[1])
        gap = " * " if " " in text else "*"
        is_product = isinstance(given[1], ast.BinOp)
        new = gap.join(map(str, known)) if is_product else str(math.prod(known))
        same = [node for node in s.text.nodes if isinstance(node, ast.expr) and s.text.text(node) == text]
        defined = s.text.definition(given[1])
        if isinstance(given[1], ast.Name) and defined is not None:
            yield s.candidate(0, defined, gap.join(map(str, known)) if isinstance(defined, ast.BinOp) else new)
        elif isinstance(given[1], (ast.BinOp, ast.Constant)):
            yield Candidate(0, tuple(s.text.replaced(node, new) for node in same))


def shape_given(s: Situation) -> Iterator[ast.expr]:
    """Yield the sizes of the shape that a reshape is given, or that the name stands for which it is given."""
    layer = s.node.func if isinstance(s.node, ast.Call) else None
    call = layer if isinstance(layer, ast.Call) else s.node
    for argument in call.args if isinstance(call, ast.Call) else ():
        defined = argument if isinstance(argument, (ast.Tuple, ast.List)) else s.text.definition(argument)
        if isinstance(defined, (ast.Tuple, ast.List)):
            yield from defined.elts
            return
    yield from s.node.args if isinstance(s.node, ast.Call) and not s.text.is_module(_owner(s.node)) else ()


def _owner(call: ast.Call) -> ast.expr:
    return call.func.value if isinstance(call.func, ast.Attribute) else call.func


def units_multiplied(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a dense layer gives as many numbers as the layer after it makes a shape of."""
    for node in s.text.nodes:
        given = node.args[0] if isinstance(node, ast.Call) and callee(node) == "Reshape" and node.args else None
        sizes = given.elts if isinstance(given, ast.Tuple | ast.List) else []
        wanted = math.prod(s.text.number(size) or 0 for size in sizes)
        are_named = any(not isinstance(size, ast.Constant) for size in sizes)
        for a, b in s.unequal if wanted > 0 and are_named else ():
            layers = (each for each in s.text.nodes if isinstance(each, ast.Call) and callee(each) == "Dense")
            for units in (each.args[0] for each in layers if each.args):
                if {s.text.number(units), wanted} == {a, b} and not isinstance(units, ast.BinOp):
                    yield s.candidate(0, units, " * ".join(_factor(s, size) for size in sizes))


def _factor(s: Situation, size: ast.expr) -> str:
    return f"({s.text.text(size)})" if isinstance(size, ast.BinOp) else s.text.text(size)


def rows_viewed(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which each sample becomes a row, however many numbers it has, and the layer after it takes as
    many, where a written number of columns makes another number of rows."""
    for distance, site in enumerate(s.sites if s.is_of_torch else ()):
        match site.node:
            case ast.Call(func=ast.Attribute(attr="view" | "reshape", value=value), args=[rows, columns]):
                shape, taken = s.text.shape(value), s.text.number(columns)
                sizes = shape.sizes if shape is not None and shape.is_ranked else ()
                known = [size for size in sizes[1:] if isinstance(size, int)]
                if s.text.number(rows) != -1 or len(sizes) < 3 or len(known) != len(sizes) - 1:
                    continue
                place = s.text.span(rows)[0], s.text.span(columns)[1]
                view = s.replaced_text(0, *place, f"{s.text.text(value)}.size(0), -1").edits
                layers = [node for node in s.text.nodes if isinstance(node, ast.Call) and callee(node) == "Linear"]
                for layer in layers:
                    if layer.args and s.text.number(layer.args[0]) == taken:
                        inputs = s.text.replaced(layer.args[0], " * ".join(map(str, known)))
                        yield Candidate(distance, (inputs, *view))


def rest_left_out(s: Situation) -> Iterator[Candidate]:
    """Yield programs that leave out the last values of a series, which fill no whole row."""
    sizes = [s.text.number(size) for size in shape_given(s)]
    total, operand = _elements(s), next(iter(s.operands), None)
    if operand is None or operand.argument.rank != 1 or sizes[:1] != [-1] or not isinstance(total, int):
        return
    known = [size for size in sizes[1:] if size is not None and size > 0]
    row = math.prod(known)
    if isinstance(operand.node, ast.Name) and len(known) == len(sizes) - 1 and 1 < row < total:
        name = operand.node.id
        yield s.followed(0, operand.node, f"[: len({name}) // {row} * {row}]")


def padded_as_number(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the shape that numbers are padded to has no axis."""
    for given in s.node.keywords if isinstance(s.node, ast.Call) and _PADS in s.call.clash.message else ():
        for part in s.text.parts(given.value) if given.arg == "padded_shapes" else ():
            if isinstance(part, ast.List) and len(part.elts) == 1:
                yield s.candidate(0, part, "[]")


def weights_as_maps(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the weights of all pixels of a picture, one after the other, have its height and
    width."""
    for operand in s.operands if "the losses have shape" in s.call.clash.message else ():
        others = [each.shape.sizes[1:-1] for each in s.call.arguments if each is not operand.argument]
        for sizes in others if operand.argument.rank == _TABLE else ():
            known = [size for size in sizes if isinstance(size, int)]
            if len(known) == len(sizes) > 1 and operand.argument.shape.sizes[1] == math.prod(known):
                yield s.followed(0, operand.node, f".reshape(-1, {', '.join(map(str, known))})")
