"""Lowers the statements that hold no other statements.

It knows nothing of blocks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

import libcst as cst

from shapecheck import ir
from shapecheck.frontend.cst_walk import LowerStmt, Walk

_AUGMENTED: Final[dict[type[cst.CSTNode], str]] = {
    cst.AddAssign: "+",
    cst.SubtractAssign: "-",
    cst.MultiplyAssign: "*",
    cst.MatrixMultiplyAssign: "@",
    cst.DivideAssign: "/",
    cst.FloorDivideAssign: "//",
    cst.ModuloAssign: "%",
    cst.PowerAssign: "**",
    cst.LeftShiftAssign: "<<",
    cst.RightShiftAssign: ">>",
    cst.BitAndAssign: "&",
    cst.BitOrAssign: "|",
    cst.BitXorAssign: "^",
}

_JUMPS: Final[dict[type[cst.CSTNode], Literal["pass", "break", "continue"]]] = {
    cst.Pass: "pass",
    cst.Break: "break",
    cst.Continue: "continue",
}


def expression(walk: Walk, node: cst.Expr) -> ir.Stmt:
    start, end = walk.spans[id(node)]
    return ir.Evaluate(start, end, walk.expr(node.value))


def assign(walk: Walk, node: cst.Assign) -> ir.Stmt:
    start, end = walk.spans[id(node)]
    targets = tuple(walk.target(each.target) for each in node.targets)
    return ir.Assign(start, end, targets, walk.expr(node.value))


def annotated(walk: Walk, node: cst.AnnAssign) -> ir.Stmt:
    start, end = walk.spans[id(node)]
    target = walk.target(node.target)
    annotation = walk.expr(node.annotation.annotation)
    return ir.Annotated(start, end, target, annotation, walk.optional(node.value))


def augmented(walk: Walk, node: cst.AugAssign) -> ir.Stmt:
    start, end = walk.spans[id(node)]
    return ir.Augmented(start, end, walk.target(node.target), _AUGMENTED[type(node.operator)], walk.expr(node.value))


def return_(walk: Walk, node: cst.Return) -> ir.Stmt:
    start, end = walk.spans[id(node)]
    return ir.Return(start, end, walk.optional(node.value))


def raise_(walk: Walk, node: cst.Raise) -> ir.Stmt:
    start, end = walk.spans[id(node)]
    cause = None if node.cause is None else walk.expr(node.cause.item)
    return ir.Raise(start, end, walk.optional(node.exc), cause)


def assert_(walk: Walk, node: cst.Assert) -> ir.Stmt:
    start, end = walk.spans[id(node)]
    return ir.Assert(start, end, walk.expr(node.test), walk.optional(node.msg))


def delete(walk: Walk, node: cst.Del) -> ir.Stmt:
    start, end = walk.spans[id(node)]
    target = walk.target(node.target)
    if isinstance(target, ir.Display) and isinstance(node.target, cst.Tuple) and not node.target.lpar:
        return ir.Delete(start, end, target.items)
    return ir.Delete(start, end, (target,))


def jump(walk: Walk, node: cst.Pass | cst.Break | cst.Continue) -> ir.Stmt:
    start, end = walk.spans[id(node)]
    return ir.Jump(start, end, _JUMPS[type(node)])


def scope(walk: Walk, node: cst.Global | cst.Nonlocal) -> ir.Stmt:
    start, end = walk.spans[id(node)]
    names = tuple(item.name.value for item in node.names)
    walk.frames.declare(names)
    return ir.Scope(start, end, "global" if isinstance(node, cst.Global) else "nonlocal", names)


def type_alias(walk: Walk, node: cst.TypeAlias) -> ir.Stmt:
    """Lower `type X = …`, which binds a name to an unknown value."""
    start, end = walk.spans[id(node)]
    return ir.Assign(start, end, (walk.target(node.name),), ir.Opaque(start, end, "a type alias"))


def dotted(node: cst.BaseExpression) -> str:
    """Return the path of a dotted name."""
    parts: list[str] = []
    while isinstance(node, cst.Attribute):
        parts.append(node.attr.value)
        node = node.value
    parts.append(node.value if isinstance(node, cst.Name) else "")
    return ".".join(reversed(parts))


def _aliases(nodes: Sequence[cst.ImportAlias]) -> tuple[tuple[str, str | None], ...]:
    lowered = []
    for node in nodes:
        alias = node.asname.name if node.asname is not None else None
        lowered.append((dotted(node.name), alias.value if isinstance(alias, cst.Name) else None))
    return tuple(lowered)


def import_(walk: Walk, node: cst.Import | cst.LazyImport) -> ir.Stmt:
    start, end = walk.spans[id(node)]
    names = _aliases(node.names)
    for path, alias in names:
        walk.frames.bind(alias or path.partition(".")[0])
    return ir.Import(start, end, names)


def import_from(walk: Walk, node: cst.ImportFrom | cst.LazyImportFrom) -> ir.Stmt:
    start, end = walk.spans[id(node)]
    module = "" if node.module is None else dotted(node.module)
    names = None if isinstance(node.names, cst.ImportStar) else _aliases(node.names)
    for name, alias in names or ():
        walk.frames.bind(alias or name)
    return ir.ImportFrom(start, end, module, len(node.relative), names)


SIMPLE: Final[Mapping[type[cst.CSTNode], LowerStmt]] = {
    cst.Expr: expression,
    cst.Assign: assign,
    cst.AnnAssign: annotated,
    cst.AugAssign: augmented,
    cst.Return: return_,
    cst.Raise: raise_,
    cst.Assert: assert_,
    cst.Del: delete,
    cst.Pass: jump,
    cst.Break: jump,
    cst.Continue: jump,
    cst.Global: scope,
    cst.Nonlocal: scope,
    cst.TypeAlias: type_alias,
    cst.Import: import_,
    cst.LazyImport: import_,
    cst.ImportFrom: import_from,
    cst.LazyImportFrom: import_from,
}
