"""Repairs that call a related function, which takes what is given."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from shapecheck.clash_kind import ClashKind
from shapecheck.repairs.situation import TORCH, Candidate, Situation, callee

_RELATED = {"mm": "matmul", "bmm": "matmul"}
_MODES = {3: "linear", 4: "bilinear", 5: "trilinear"}
_NORMS = {2: "1d", 3: "1d", 4: "2d", 5: "3d"}


def relative_called(s: Situation) -> Iterator[Candidate]:
    """Yield programs that call a function, or make a layer, for operands of the ranks that they have."""
    match s.node:
        case ast.Call(func=ast.Attribute(attr=name, value=module) as function) if name in _RELATED:
            yield s.candidate(0, function, f"{s.text.text(module)}.{_RELATED[name]}")
    rank = next((argument.rank for argument in s.call.arguments), None) or 0
    for node in s.text.parts(s.node) if s.node is not None else ():
        match node:
            case ast.keyword(arg="mode", value=ast.Constant(value=str(mode)) as given):
                if mode in _MODES.values() and rank in _MODES:
                    quote = s.text.text(given)[0]
                    yield s.candidate(0, given, f"{quote}{_MODES[rank]}{quote}")
    for node in s.text.nodes if "BatchNorm" in s.call.clash.message or "BatchNorm" in s.call.step.name else ():
        match node:
            case ast.Call(func=ast.Attribute(attr=name, value=module) as function) if name.startswith("BatchNorm"):
                yield s.candidate(0, function, f"{s.text.text(module)}.BatchNorm{_NORMS.get(rank, '2d')}")


def values_taken(s: Situation) -> Iterator[Candidate]:
    """Yield programs that take the values of a maximum or minimum, not its places as well."""
    for node in s.text.nodes if "is a tuple of 2 values" in s.call.clash.message else ():
        if callee(node) in ("max", "min", "sort", "topk", "median") and isinstance(node, ast.Call):
            yield s.candidate(0, node, f"{s.text.text(node)}.values")


def dtype_of_torch(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a tensor of PyTorch is converted to the dtype that is taken."""
    for operand in s.operands:
        if operand.argument.tensor.library == TORCH:
            base, plain = s.text.text(operand.node), (ast.Name, ast.Attribute, ast.Call, ast.Subscript)
            whole = base if isinstance(operand.node, plain) else f"({base})"
            method = "long" if s.kind is ClashKind.NOT_INTEGER else "float"
            yield s.candidate(0, operand.node, f"{whole}.{method}()")
