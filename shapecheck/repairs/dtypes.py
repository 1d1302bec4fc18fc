"""Repairs that convert an operand to another dtype."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from shapecheck.domain.values import Tensor
from shapecheck.repairs.situation import Candidate, Situation, callee

_ROUNDING = frozenset({"ceil", "floor", "round", "rint", "trunc"})


def operand_cast(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which one operand has the dtype of another."""
    module = s.text.aliases.get("tensorflow")
    if not module:
        return
    dtypes = [operand.argument.tensor.dtype for operand in s.operands]
    for weight, operand in enumerate(s.operands):
        for dtype in dtypes:
            if dtype and dtype != operand.argument.tensor.dtype:
                text = f"{module}.cast({s.text.text(operand.node)}, {module}.{dtype})"
                likely = 0 if "float" in dtype else 4
                yield s.candidate(likely + weight, operand.node, text)


def number_truncated(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a quotient, or what a float was rounded to, is an integer."""
    parts = () if s.node is None else [node for node in s.text.parts(s.node) if isinstance(node, ast.expr)]
    rounded: list[ast.expr] = [node for node in parts if callee(node) in _ROUNDING]
    rounded += [made for node in parts if (made := s.text.definition(node)) is not None and callee(made) in _ROUNDING]
    for node in rounded:
        shape = s.text.shape(node)
        if shape is None or shape.rank == 0:
            yield s.candidate(0, node, f"int({s.text.text(node)})")
    inside = {id(part) for node in rounded for part in s.text.parts(node)}
    for node in parts:
        if id(node) not in inside and not isinstance(s.text.value(node), Tensor):
            for weight, part in enumerate((node, s.text.definition(node))):
                if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Div):
                    yield s.candidate(weight, part, _floor_divided(s, part))
                elif weight and part is not None and isinstance(part, (ast.BinOp, ast.Call)):
                    yield s.candidate(3, part, f"int({s.text.text(part)})")
    for operand in s.operands:
        if s.text.aliases.get("tensorflow") and operand.argument.tensor.library == "tf":
            module = s.text.aliases["tensorflow"]
            text = f"{module}.cast({s.text.text(operand.node)}, {module}.int32)"
            yield s.candidate(2, operand.node, text)
        elif operand.argument.tensor.library == "np":
            base = s.text.text(operand.node)
            yield s.candidate(2, operand.node, f"({base}).astype(int)" if " " in base else f"{base}.astype(int)")


def _floor_divided(s: Situation, node: ast.BinOp) -> str:
    return f"{s.text.text(node.left)} // {s.text.text(node.right)}"
