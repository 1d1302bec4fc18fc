"""Functions that AutoGraph leaves as they are, with all that they call: those with `else` after a loop."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.ir.walk import nodes_in

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


@dataclass(slots=True)
class Conversions:
    """Whether AutoGraph can convert a function, by the identity of its definition."""

    known: dict[int, bool] = field(default_factory=dict)


def can_convert(t: Tracer, node: ir.FunctionDef | ir.Lambda) -> bool:
    """Return whether AutoGraph has a conversion for each statement of a function; it has none for generators."""
    known = t.component(Conversions).known
    found = known.get(id(node))
    if found is None:
        found = known[id(node)] = isinstance(node, ir.Lambda) or not _is_refused(node)
    return found


def _is_refused(node: ir.FunctionDef) -> bool:
    loops = (part for part in nodes_in(node.body) if isinstance(part, (ir.For, ir.While)))
    return node.is_generator or any(loop.orelse for loop in loops)
