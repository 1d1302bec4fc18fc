"""Repairs that keep what a statement computes and throws away."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Ref, Tensor
from shapecheck.repairs.situation import Candidate, Situation


def result_kept(s: Situation) -> Iterator[Candidate]:
    """Yield programs that assign the result of a statement to the variable of which it is computed: the statement that
    is reported, or one before the failing expression."""
    if s.node is None:
        return
    used = {name.id for operand in s.operands for name in s.text.parts(operand.node) if isinstance(name, ast.Name)}
    end, _ = s.text.span(s.node)
    for statement in s.text.nodes:
        if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
            continue
        name, start = _operand(s, statement.value), s.text.span(statement)[0]
        is_reported = s.kind is ClashKind.DISCARDED and statement.value is s.node
        if name and (is_reported or (name in used and start < end and _is_other(s, statement.value))):
            yield s.inserted(0, start, f"{name} = ")


def _is_other(s: Situation, call: ast.Call) -> bool:
    """Return whether a call gives an array of another shape than that which it is computed from."""
    given = (call.func.value,) if isinstance(call.func, ast.Attribute) else ()
    before = [shape for shape in map(s.text.shape, (*given, *call.args)) if shape is not None]
    after = s.text.shape(call)
    return after is not None and bool(before) and before[0] != after


def _operand(s: Situation, call: ast.Call) -> str:
    """Return the variable that a call computes something of; "" if it is none."""
    of_method = [call.func.value] if isinstance(call.func, ast.Attribute) else []
    names = [node for node in (*of_method, *call.args[:1]) if isinstance(node, ast.Name)]
    return next((name.id for name in names if isinstance(s.text.value(name), (Tensor, Ref))), "")
