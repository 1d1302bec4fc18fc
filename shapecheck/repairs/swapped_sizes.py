"""Repairs in which two sizes that are written beside each other change places."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Tensor
from shapecheck.repairs.axes import promises
from shapecheck.repairs.situation import Candidate, Situation, callee
from shapecheck.repairs.sizes import DATA, counts_samples

_FILLED = ("zeros", "ones", "full", "normal", "uniform", "random_normal", "random_uniform", "randn", "truncated_normal")
_NEAR = 8
_CHOSEN = 24  # a number that the author has chosen for a model, or the shape of data
_WEIGHT = "add_weight"
_VARIABLES = ("Variable", "get_variable", "Parameter")


def neighbours_swapped(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which two sizes or values beside each other change places."""
    for distance, site in enumerate(s.sites):
        for node in s.text.parts(site.node):
            match node:
                case ast.Tuple(elts=[first, second]) | ast.List(elts=[first, second]) if _is_read(s, node):
                    if _may_change_places(s, first, second) and _would_fit(s, site.node, first, second):
                        is_weight = s.kind is ClashKind.AXIS and _is_weight(s, site.node)
                        is_open = _is_open(s, first, second)
                        is_variable = any(_is_variable_of(each, site.node) for each in s.text.nodes)
                        likely = (
                            _CHOSEN
                            if _is_transposed(s)
                            else -8
                            if is_open or is_variable or callee(site.node) == _WEIGHT
                            else -3
                        )
                        is_data = callee(site.node) in DATA and isinstance(first, ast.Constant)
                        far = distance + (_CHOSEN if is_data and not is_weight else 0)
                        yield _swapped(s, likely if is_weight and distance < _NEAR else far, first, second)
                case ast.Call(args=[first, second], keywords=[]) if node is site.node and callee(node) in (
                    "randn",
                    "rand",
                ):
                    if s.kind is ClashKind.AXIS and _is_weight(s, node) and _may_change_places(s, first, second):
                        yield _swapped(s, -8 if _is_open(s, first, second) else distance, first, second)
                case ast.List(elts=[_, _, first, second]) if s.kind is ClashKind.AXIS and s.text.number(node.elts[-3]):
                    if _may_change_places(s, first, second) and callee(site.node) in _FILLED:  # channels of a filter
                        yield _swapped(s, -3 if distance < _NEAR else distance, first, second)
                case ast.Dict(values=[first, second]) if distance == 0 and _may_change_places(s, first, second):
                    yield _swapped(s, distance, first, second)


def _is_transposed(s: Situation) -> bool:
    """Return whether the operation that fails transposes what it is given, so that weights are meant as they are."""
    return any(
        isinstance(part, ast.keyword) and str(part.arg).startswith("transpose_")
        for part in s.text.parts(s.node or s.text.tree)
    )


def _is_open(s: Situation, first: ast.expr, second: ast.expr) -> bool:
    """Return whether two sizes are those of each turn of a comprehension, or parameters."""
    if s.text.number(first) is None:
        return True
    return isinstance(first, ast.Name) and isinstance(second, ast.Name) and s.text.are_numbers_given(first, second)


def _would_fit(s: Situation, made: ast.expr | ast.AugAssign, first: ast.expr, second: ast.expr) -> bool:
    """Return whether sizes that change places may help: they are among those that differ, and an operand that is made
    of them may fit then."""
    numbers = s.text.number(first), s.text.number(second)
    if None not in numbers and s.unequal and {each for pair in s.unequal for each in pair}.isdisjoint(numbers):
        return False
    a, b = numbers
    if a is None or b is None:
        return True
    made_here = [each for each in s.operands if each.node is made or _is_made_of(s, each.argument.tensor, made)]
    return all(each.argument.shape.sizes != (a, b) or promises(s, each, (b, a)) for each in made_here)


def _is_made_of(s: Situation, tensor: Tensor, made: ast.expr | ast.AugAssign) -> bool:
    value = s.text.value(made) if isinstance(made, ast.expr) else None
    return isinstance(value, Tensor) and (value.step, value.output) == (tensor.step, tensor.output)


def _is_read(s: Situation, node: ast.Tuple | ast.List) -> bool:
    return isinstance(node.ctx, ast.Load) and not any(s.text.number(item) == -1 for item in node.elts)


def _is_weight(s: Situation, made: ast.AST) -> bool:
    """Return whether a call makes noise or zeros that are bound to a name before they are used."""
    lists = (node for node in s.text.nodes if isinstance(node, ast.ListComp) and node.elt is made)
    variable = next((node for node in s.text.nodes if _is_variable_of(node, made)), made)
    return (
        (s.text.assignment_to(variable) is not None or any(s.text.assignment_to(each) is not None for each in lists))
        and callee(made) in {*_FILLED, _WEIGHT} - {"ones"}
        and s.node is not None
        and all(part is not made for part in s.text.parts(s.node))
    )


def _is_variable_of(node: ast.AST, made: ast.AST) -> bool:
    """Return whether a call makes a variable of a value."""
    return callee(node) in _VARIABLES and isinstance(node, ast.Call) and node.args[:1] == [made]


def _may_change_places(s: Situation, first: ast.expr, second: ast.expr) -> bool:
    if counts_samples(s, first) or counts_samples(s, second):
        return False
    a, b = s.text.number(first), s.text.number(second)
    if a is not None and b is not None:
        return a != b
    match first, second:
        case ast.Name(), ast.Name() if s.text.are_counted(first, second) or s.text.are_numbers_given(first, second):
            return True
    shapes = s.text.shape(first), s.text.shape(second)
    return None not in shapes and shapes[0] != shapes[1]


def _swapped(s: Situation, weight: int, first: ast.expr, second: ast.expr) -> Candidate:
    edits = s.text.replaced(first, s.text.text(second)), s.text.replaced(second, s.text.text(first))
    return Candidate(weight, edits)
