"""`with` statements that expect a failure, such as `with self.assertRaises(ValueError):`."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.state.frame import Frame
from shapecheck.ir.walk import nodes_in

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

EXPECTING = re.compile(r"\w*[Rr]aises\w*|suppress")  # of unittest, pytest, NumPy, absl, contextlib
RUNNING = frozenset("run eval evaluate next get_next list iter as_numpy_iterator get_single_element reduce".split())
"""Functions and methods that run a graph, or the functions of a data set, which have been built before."""


def expects_failure(item: ir.Expr) -> bool:
    """Return whether a context manager expects or suppresses an exception."""
    return isinstance(item, ir.Call) and EXPECTING.fullmatch(called_name(item)) is not None


def called_name(node: ir.Call) -> str:
    """Return the last name of what is called; "" if it has none."""
    match node.func:
        case ir.Attribute(name=name) | ir.Name(id=name):
            return name
    return ""


def tolerate_built(t: Tracer, node: ir.With, frame: Frame) -> None:
    """Note that what the present function has built may fail, if the body of a statement that expects it runs it."""
    functions, parts = t.call_stack.functions, list(nodes_in(node.body))
    if not functions or not any(
        isinstance(part, ir.For) or (isinstance(part, ir.Call) and called_name(part) in RUNNING) for part in parts
    ):
        return
    since = t.functions[functions[-1]].node.start
    for at, clash in enumerate(t.clashes):
        place = clash.step.place
        if place.source is frame.source and since <= place.start < node.start:
            t.clashes[at] = replace(clash, tolerated=True)
