"""Functions that a runner of tests calls as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck import ir

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def is_in_test(t: Tracer) -> bool:
    """Return whether a test is being traced on its own."""
    functions = t.call_stack.functions
    node = t.functions[functions[0]].node if t.is_standalone and functions else None
    return isinstance(node, ir.FunctionDef) and node.name.startswith("test")
