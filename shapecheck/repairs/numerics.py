"""Repairs of numeric programs: products of matrices, spectra, histograms, decompositions."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

from shapecheck.domain.values import Tensor
from shapecheck.repairs.situation import Candidate, Situation, callee
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Size, is_open

_NEAR = 8
_TABLE = 2
_PRODUCTS = ("dot", "matmul", "mm")
_NAMES = {"pow": "power", "fabs": "abs", "asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2"}
_SPECTRA = {"fftfreq": "rfftfreq", "rfftfreq": "fftfreq"}


def product_meant(s: Situation) -> Iterator[Candidate]:
    """Yield programs that multiply matrices where elements are multiplied, and do not fit."""
    for distance, site in enumerate(s.sites[:_NEAR]):
        for node in s.text.parts(site.node):
            match node:
                case ast.BinOp(op=ast.Mult(), left=left, right=right) if _multiply(s, left, right):
                    yield _product(s, node, left, right, distance)
                case ast.Call(func=ast.Attribute(attr="multiply", value=module) as name, args=[left, right]):
                    if s.text.is_module(module) and _multiply(s, left, right):
                        yield s.candidate(distance, name, f"{s.text.text(module)}.matmul")


def _multiply(s: Situation, left: ast.expr, right: ast.expr) -> bool:
    """Return whether a matrix and a matrix or vector have a product, and are no tables of the same kind."""
    a, b = s.shape_here(left), s.shape_here(right)
    if a is None or b is None or not (a.is_ranked and b.is_ranked) or a.rank != 2 or b.rank not in (1, 2):
        return False
    is_beside = s.call.always(a.sizes[0], b.sizes[0])  # rows of the same samples
    return not is_beside and 1 not in a.sizes and s.call.always(a.sizes[-1], b.sizes[0])


def _product(s: Situation, node: ast.BinOp, left: ast.expr, right: ast.expr, weight: int) -> Candidate:
    shape = s.text.shape(right)
    is_numpy = all(s.module_of(each.tensor.library) == s.text.numpy for each in s.call.arguments)
    if s.tensorflow and shape is not None and shape.rank == 2 and not is_numpy:
        return s.candidate(weight, node, f"{s.tensorflow}.matmul({s.text.text(left)}, {s.text.text(right)})")
    start, end = s.text.span(left)[1], s.text.span(right)[0]
    between = s.text.source.code[start:end]
    return s.replaced_text(weight, start, end, between.replace("*", "@", 1))


def factors_exchanged(s: Situation) -> Iterator[Candidate]:
    """Yield products of matrices in the other order, if only that fits."""
    match s.node:
        case ast.BinOp(op=ast.MatMult(), left=left, right=right):
            if any(isinstance(each, ast.BinOp) and each.left is s.node for each in s.text.nodes):
                return  # a chain, whose other factors must fit, too
        case ast.Call(func=ast.Attribute(value=owner), args=[left, right], keywords=[]) if s.text.is_module(owner):
            if callee(s.node) not in _PRODUCTS:
                return
        case _:
            return
    a, b = s.text.shape(left), s.text.shape(right)
    if a is None or b is None or not (a.is_ranked and b.is_ranked) or {a.rank, b.rank} - {1, 2} or a == b:
        return
    is_square = a.sizes[0] == a.sizes[-1] or b.sizes[0] == b.sizes[-1]
    would_transpose = a.rank == b.rank == 2 and not is_square and s.call.always(a.sizes[0], b.sizes[0])
    if s.call.always(b.sizes[-1], a.sizes[0]) and not would_transpose:
        first, second = s.text.text(left), s.text.text(right)
        edits = s.text.replaced(left, _in_brackets(right, second)), s.text.replaced(right, _in_brackets(left, first))
        are_named = isinstance(left, ast.Name) and isinstance(right, ast.Name)
        if is_square and are_named and a.rank == b.rank:
            yield Candidate(-3, edits)
        else:
            yield Candidate(2 if b.rank == 1 else 0, edits)  # a matrix before a vector is rather transposed


def _in_brackets(node: ast.expr, text: str) -> str:
    return f"({text})" if isinstance(node, ast.BinOp) else text


def multiplied_elementwise(s: Situation) -> Iterator[Candidate]:
    """Yield programs that multiply the elements of two matrices of the same shape, as objects of `np.matrix`."""
    module, shapes = s.text.numpy, [argument.shape for argument in s.call.arguments]
    match s.node:
        case _ if not module or len(shapes) != 2 or shapes[0] != shapes[1]:
            return
        case ast.BinOp(op=ast.Mult(), left=left, right=right):
            yield s.candidate(0, s.node, f"{module}.multiply({s.text.text(left)}, {s.text.text(right)})")
        case ast.Call(func=name, args=[_, _], keywords=[]) if callee(s.node) in ("dot", "matmul"):
            yield s.candidate(3, name, f"{module}.multiply")


def bias_left_out(s: Situation) -> Iterator[Candidate]:
    """Yield programs that leave the first of some values out, where a one is put before the values that they meet."""
    vectors = [each for each in s.operands if each.argument.rank == 1]
    for operand, other in permutations(vectors, 2):
        longer, shorter = operand.argument.shape.sizes[0], other.argument.shape.sizes[0]
        if isinstance(longer, int) and longer - 1 == shorter and _has_one_before(s, other.node):
            yield s.followed(0, operand.node, "[1:]")


def _has_one_before(s: Situation, values: ast.expr) -> bool:
    """Return whether the program puts a number before some values, as that of a bias."""
    text = s.text.text(values)
    for node in s.text.nodes:
        match node:
            case ast.Call(args=[first, second]) if callee(node) == "append":
                if isinstance(first, ast.Constant | ast.List) and s.text.text(second) == text:
                    return True
            case ast.Call(args=[ast.List(elts=[first, second, *_]) | ast.Tuple(elts=[first, second, *_]), *_]):
                if callee(node) in ("concatenate", "hstack") and s.text.text(second) == text:
                    return isinstance(first, ast.List) or callee(first) == "ones"
            case ast.Call(args=[first, ast.Constant(value=0), ast.Constant()]) if callee(node) == "insert":
                if s.text.text(first) == text:
                    return True
    return False


def polynomial_evaluated(s: Situation) -> Iterator[Candidate]:
    """Yield programs that compare values with those of the polynomial that was fitted to them, not with its
    coefficients."""
    module = s.text.numpy
    for operand in s.operands if module else ():
        made = s.text.definition(operand.node) if isinstance(operand.node, ast.Name) else operand.node
        match made:
            case ast.Call(args=[places, _, _]) if callee(made) == "polyfit":
                values = f"{module}.polyval({s.text.text(operand.node)}, {s.text.text(places)})"
                yield s.candidate(0, operand.node, values)


def convolved_to_same_size(s: Situation) -> Iterator[Candidate]:
    """Yield programs that compare a series with as many averages as it has values, not with those beyond its ends as
    well."""
    for operand in s.operands:
        made = s.text.definition(operand.node) if isinstance(operand.node, ast.Name) else operand.node
        match made:
            case ast.Call(args=[ast.Name() as series, _], keywords=[]) if callee(made) in ("convolve", "correlate"):
                if any(s.text.text(each.node) == series.id for each in s.operands):
                    yield s.with_keyword(0, made, "mode", '"same"')


def first_place_left_out(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which differences stand at the places where each of them ends."""
    vectors = [each for each in s.operands if each.argument.rank == 1]
    for places, values in permutations(vectors, 2):
        made = s.text.definition(values.node) if isinstance(values.node, ast.Name) else values.node
        parts = s.text.parts(made) if made is not None else []
        longer, shorter = places.argument.shape.sizes[0], values.argument.shape.sizes[0]
        if isinstance(longer, int) and longer - 1 == shorter and any(callee(part) == "diff" for part in parts):
            yield s.followed(0, places.node, "[1:]")


def column_made(s: Situation) -> Iterator[Candidate]:
    """Yield programs that reshape a vector to a column instead of a row, or the other way round."""
    for distance, site in enumerate(s.sites[:_NEAR]):
        for node in s.text.parts(site.node):
            items = node.args if callee(node) == "reshape" and isinstance(node, ast.Call) else []
            for pair in (items, *(each.elts for each in items if isinstance(each, (ast.Tuple, ast.List)))):
                numbers = [s.text.number(item) for item in pair]
                turned = [str(number) for number in reversed(numbers)]
                if numbers in ([1, -1], [-1, 1]):
                    yield Candidate(distance, tuple(s.text.replaced(*each) for each in zip(pair, turned, strict=True)))


def gram_turned(s: Situation) -> Iterator[Candidate]:
    """Yield programs that multiply a table with itself along its rows instead of its columns, or the other way
    round."""
    for distance, site in enumerate(s.sites[:_NEAR]):
        for node in s.text.parts(site.node):
            match node:
                case ast.BinOp(left=left, op=ast.MatMult(), right=right) if node is not s.node:
                    first, second = s.text.text(left), s.text.text(right)
                    if first == f"{second}.T" or second == f"{first}.T":
                        yield s.candidate(distance, node, f"{second} @ {first}")
                case ast.Call(args=[left, right], keywords=[]) if callee(node) == "matmul":
                    first, second = s.text.text(left), s.text.text(right)
                    if s.tensorflow and f"{s.tensorflow}.transpose({first})" == second:
                        yield Candidate(distance, (s.text.replaced(left, second), s.text.replaced(right, first)))


def update_turned_back(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a variable that is updated by its own transposition keeps its shape."""
    for node in s.text.nodes:
        match node:
            case ast.Assign(targets=[target], value=ast.BinOp() as value):
                turned = f"{s.text.text(target)}.T"
                parts = (part for part in s.text.parts(value) if isinstance(part, ast.Attribute))
                if any(s.text.text(part) == turned for part in parts):
                    yield s.candidate(0, value, f"({s.text.text(value)}).T")


def letters_exchanged(s: Situation) -> Iterator[Candidate]:
    """Yield sums of products in which two axes of an operand change places in the written specification."""
    spec = s.node.args[0] if isinstance(s.node, ast.Call) and callee(s.node) == "einsum" and s.node.args else None
    if not isinstance(s.node, ast.Call) or not isinstance(spec, ast.Constant) or not isinstance(spec.value, str):
        return
    inputs, arrow, output = spec.value.partition("->")
    terms, shapes = inputs.replace(" ", "").split(","), [s.text.shape(given) for given in s.node.args[1:]]
    for at, term in enumerate(terms):
        for first, second in combinations(range(len(term)), 2):
            letters = list(term)
            letters[first], letters[second] = letters[second], letters[first]
            changed = [*terms[:at], "".join(letters), *terms[at + 1 :]]
            if _may_be_summed(changed, shapes):
                quote = s.text.text(spec)[0]
                yield s.candidate(second - first, spec, f"{quote}{','.join(changed)}{arrow}{output}{quote}")


def _may_be_summed(terms: list[str], shapes: Sequence[Shape | None]) -> bool:
    """Return whether each letter certainly stands for one size."""
    sizes: dict[str, Size] = {}
    for term, shape in zip(terms, shapes, strict=False):
        if shape is None or not shape.is_ranked or len(shape.sizes) != len(term):
            return False
        for letter, size in zip(term, shape.sizes, strict=True):
            if sizes.setdefault(letter, size) != size:
                return False
    return len(terms) == len(shapes)


def edges_centred(s: Situation) -> Iterator[Candidate]:
    """Yield programs that use the middle of each bin of a histogram, of which there are as many as counts."""
    edges = {name.id for name in _unpacked_from(s, "histogram", 1)}
    for node in s.text.parts(s.node) if s.node is not None and edges else ():
        if isinstance(node, ast.Name) and node.id in edges:
            yield s.candidate(0, node, f"({node.id}[:-1] + {node.id}[1:]) / 2")


def diagonal_made(s: Situation) -> Iterator[Candidate]:
    """Yield programs that make a matrix of the singular values, which are a vector."""
    module, values = s.text.numpy, {name.id for name in _unpacked_from(s, "svd", 1)}
    for operand in s.operands if module else ():
        if isinstance(operand.node, ast.Name) and operand.node.id in values and operand.argument.rank == 1:
            yield s.candidate(0, operand.node, f"{module}.diag({operand.node.id})")


def _unpacked_from(s: Situation, function: str, position: int) -> Iterator[ast.Name]:
    """Yield the names that are bound to one of several results of a function."""
    for node in s.text.nodes:
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=value) if callee(value) == function:
                yield from (name for name in names[position : position + 1] if isinstance(name, ast.Name))


def frequencies_matched(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the frequencies are those of the other kind of spectrum."""
    for node in s.text.nodes:
        match node:
            case ast.Call(func=ast.Attribute(attr=name, value=module) as function) if name in _SPECTRA:
                yield s.candidate(0, function, f"{s.text.text(module)}.{_SPECTRA[name]}")
        match node:
            case ast.Call(args=[ast.Call(func=ast.Name(id="len"), args=[ast.Name() as measured]), *_]):
                for other in s.text.visible_from(measured) if callee(node) in ("fftfreq", "rfftfreq") else ():
                    length = _length(s, other)
                    many = length // 2 + 1 if callee(node) == "rfftfreq" else length
                    if (
                        isinstance(other, ast.Name)
                        and other.id != measured.id
                        and any(many in pair for pair in s.unequal)
                    ):
                        yield s.candidate(0, measured, s.text.text(other))


def _length(s: Situation, node: ast.expr) -> int:
    """Return the length of a vector; 0 if it is none, or not known."""
    shape = s.text.shape(node)
    size = shape.sizes[0] if shape is not None and shape.rank == 1 else 0
    return size if isinstance(size, int) else 0


def numpy_called(s: Situation) -> Iterator[Candidate]:
    """Yield programs that compute with NumPy where a function of Python's `math` takes one number."""
    name = callee(s.node)
    if isinstance(s.node, ast.Call) and s.text.numpy and "no single number" in s.call.clash.message:
        yield s.candidate(0, s.node.func, f"{s.text.numpy}.{_NAMES.get(name, name)}")


def axes_left_unpadded(s: Situation) -> Iterator[Candidate]:
    """Yield programs that pad the first axes only, where widths are given for these."""
    rank = next((argument.rank for argument in s.call.arguments), None) or 0
    match s.node:
        case ast.Call(args=[_, ast.Tuple(elts=[*widths]) | ast.List(elts=[*widths]) as given, *_]):
            if callee(s.node) == "pad" and 0 < len(widths) < rank and isinstance(widths[-1], ast.Tuple | ast.List):
                more = ", (0, 0)" * (rank - len(widths))
                yield s.inserted(0, s.text.span(given)[1] - 1, more)


def rows_multiplied(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which each row of a batch is multiplied by the row of another batch beside it, not by all."""
    for distance, node in enumerate(s.text.nodes if s.tensorflow else ()):
        match node:
            case ast.Call(func=ast.Attribute(attr="matmul"), args=[left, ast.Call(args=[right]) as turned]) if (
                callee(turned) == "transpose"
            ):
                a, b = s.text.shape(left), s.text.shape(right)
                are_tables = a is not None and b is not None and a.is_ranked and a.rank == b.rank == _TABLE
                if a and b and are_tables and is_open(a.sizes[0]) and is_open(b.sizes[0]) and a.sizes[1] == b.sizes[1]:
                    product = f"{s.text.text(left)} * {s.text.text(right)}"
                    yield s.candidate(distance, node, f"{s.tensorflow}.reduce_sum({product}, axis=-1, keepdims=True)")


def turned_before(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a row that met a column before, with which it made a table, is a column as well."""
    for distance, site in enumerate(s.sites):
        match site.node:
            case ast.BinOp(op=ast.Add() | ast.Sub(), left=left, right=right):
                for row, column in ((left, right), (right, left)):
                    a, b = s.text.shape(row), s.text.shape(column)
                    if a is None or b is None or not a.is_ranked or not b.is_ranked:
                        continue
                    if a.rank == _TABLE and a.sizes == b.sizes[::-1] and a.sizes[0] == 1 != a.sizes[1]:
                        yield from _turned(s, row, distance)


def _turned(s: Situation, row: ast.expr, distance: int) -> Iterator[Candidate]:
    """Yield a row as a column: where it is given to the functions around it, and there."""
    value = s.text.value(row)
    step = value.step if isinstance(value, Tensor) else None
    for node in s.text.nodes:
        match node:
            case ast.Assign(value=made):
                other = s.text.value(made)
                if isinstance(other, Tensor) and other.step == step and isinstance(made, ast.Call):
                    yield s.followed(distance, made, ".T")
    if isinstance(row, ast.Name):
        yield s.followed(distance + 1, row, ".T")
