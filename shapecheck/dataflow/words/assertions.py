"""`assert x.shape == (…)`: an assertion about a shape that cannot hold is a fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.paths.constraints import require
from shapecheck.dataflow.state.frame import Frame
from shapecheck.domain.values import Seq, Value, as_size, as_sizes
from shapecheck.ir.walk import nodes_in
from shapecheck.shapes.facts import FALSE
from shapecheck.shapes.shape import of, show, show_size
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

_OF_SHAPES = ("shape", "ndim", "rank")
_NOT = {"==": "not", "!=": "", "<": "not less than", "<=": "not at most", ">": "not more than", ">=": "not at least"}


def check_assertion(t: Tracer, test: ir.Compare, frame: Frame) -> None:
    """Report an assertion that compares a shape, a size or a rank, and is known to be false."""
    left, rights = test.left, test.rights
    if len(rights) != 1 or test.ops[0] not in _NOT or not any(map(_is_about_shapes, (left, *rights))):
        return
    values = [t.freeze(t.evaluate(side, frame)) for side in (left, rights[0])]
    shown = [_shown(value) for value in values]
    if None in shown:
        return
    said = f"{frame.source.text[left.start : left.end]} is {shown[0]}, {_NOT[test.ops[0]]} {shown[1]}".replace(
        ",  ", ", "
    )
    step = t.add_step("op", "assert", values, {}, Place(frame.source, test.start, test.end))
    with t.during(step):
        require(t, ClashKind.ASSERTED, FALSE, said)


def _is_about_shapes(node: ir.Expr) -> bool:
    return any(isinstance(inner, ir.Attribute) and inner.name in _OF_SHAPES for inner in nodes_in(node))


def _shown(value: Value) -> str | None:
    size = as_size(value)
    if size is not None:
        return show_size(size)
    sizes = as_sizes(value) if isinstance(value, Seq) else None
    return None if sizes is None else show(of(sizes))
