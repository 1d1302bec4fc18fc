"""`values[labels == 1]`, where `labels` is a list: the comparison is one bool, and no mask."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.paths.constraints import notice
from shapecheck.dataflow.state.frame import Frame
from shapecheck.domain.values import Const, HomogeneousSeq, Int, Seq, Value
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def check_masks(t: Tracer, nodes: Iterable[ir.Expr], frame: Frame) -> None:
    """Notice the comparisons of lists with each other, or with a number or text, among masks."""
    for node in nodes:
        if not isinstance(node, ir.Compare) or node.ops not in (("==",), ("!=",)):
            continue
        sides = (node.left, node.rights[0])
        if not all(isinstance(side, (ir.Name, ir.Attribute, ir.Const)) for side in sides):
            continue  # which would be evaluated again
        values = [t.evaluate(side, frame) for side in sides]
        kinds = [_kind(t.freeze(value, deep=False)) for value in values]
        if None in kinds or "list" not in kinds:
            continue
        said = "lists are" if kinds == ["list", "list"] else "a list is"
        with t.during(t.add_step("op", node.ops[0], values, {}, Place(frame.source, node.start, node.end))):
            notice(t, ClashKind.NEVER_EQUAL, f"{said} compared as a whole, the result is one bool", *values)


def _kind(value: Value) -> str | None:
    """Return whether a value is a list of several items, or a number or text; None for others."""
    match value:
        case Seq(kind="list", items=items):
            return "list" if len(items) > 1 else None
        case HomogeneousSeq(kind="list"):
            return "list"
        case Int() | Const(value=int() | float() | str()):
            return "item"
    return None
