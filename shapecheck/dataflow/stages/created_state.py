"""Variables that a traced function creates: TensorFlow allows that in the first trace of a function alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.paths.constraints import require
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.heap import AMBIENT
from shapecheck.dataflow.state.path import PathEnds
from shapecheck.dataflow.state.stage import KERAS
from shapecheck.domain.values import Lost, Ref, Value
from shapecheck.ir.walk import nodes_in
from shapecheck.models.lang.scopes import CREATED
from shapecheck.models.lang.traits import has
from shapecheck.shapes.facts import FALSE

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

METHODS = ("__init__", "build", "call")
"""Methods of layers that add weights, or must not."""
APPLYING = (".apply_gradients", ".apply", ".minimize")


@dataclass(slots=True)
class CreatedState:
    """The number of variables that traced functions have created.

    `newest` is the last heap address before the present trace, `guards` are those of its path, `handlers` and `depth`
    the numbers of exception handlers and of functions around it.
    """

    count: int = 0
    newest: int = 0
    guards: Mapping[Value, bool] = field(default_factory=dict)
    handlers: int = 0
    depth: int = 0

    def begin(self, t: Tracer) -> None:
        """Note where a trace begins."""
        self.newest, self.guards = t.heap.address(), t.path.guards
        self.handlers, self.depth = t.call_stack.handlers, len(t.call_stack.functions)

    def is_certain(self, t: Tracer) -> bool:
        """Return whether each trace comes to the present place."""
        is_handled = t.call_stack.handlers > self.handlers
        inner = (t.functions[key].node for key in t.call_stack.functions[self.depth :])
        return not (is_handled or t.path.guards.keys() - self.guards.keys() or any(map(_is_memoized, inner)))


def _is_memoized(node: ir.FunctionDef | ir.Lambda) -> bool:
    """Return whether a decorator keeps the results of a function, as its name tells."""
    decorators = node.decorators if isinstance(node, ir.FunctionDef) else ()
    parts = list(nodes_in(decorators))
    names = [part.id for part in parts if isinstance(part, ir.Name)]
    names += [part.name for part in parts if isinstance(part, ir.Attribute)]
    return any("cache" in name or "memo" in name for name in names)


def check_weight(t: Tracer, name: str) -> None:
    """Refuse a weight that a layer adds in its `call`, when Keras 3 has built it already."""
    if not has(name, "adds a weight") or t.target.tensorflow == 1 or t.target.keras == 2:
        return
    names = (t.functions[key].node for key in reversed(t.call_stack.functions))
    method = next((node.name for node in names if isinstance(node, ir.FunctionDef) and node.name in METHODS), "")
    if method != "call":
        return
    if t.target.keras == 3:
        require(t, ClashKind.STATE, FALSE, "the layer is built already, and Keras 3 adds no weights to it")
        raise PathEnds
    t.program.is_version_decisive |= t.target.is_unmarked


def check_state(t: Tracer, name: str, given: Arguments) -> None:
    """Count an operation that creates variables in a trace; refuse it in a trace that is not the first."""
    state, ambient = t.component(CreatedState), t.heap.get(AMBIENT)
    if isinstance(ambient, Lost) and ambient.reason == CREATED:
        return
    if not _creates(t, state, name, given) or not state.is_certain(t):
        return
    state.count += 1
    if t.stage.is_retrace:
        function = t.stage.function
        traced = function if function and function != "<lambda>" else "its function"
        require(t, ClashKind.STATE, FALSE, f"creates variables when {traced} is traced again")
        raise PathEnds


def _creates(t: Tracer, state: CreatedState, name: str, given: Arguments) -> bool:
    """Return whether an operation certainly creates variables, each time that the present function is traced."""
    if has(name, "creates variables"):
        return True
    if has(name, "creates variables in Keras 3"):
        t.program.is_version_decisive |= t.target.is_unmarked and t.stage.is_retrace
        return t.target.keras == 3
    if has(name, "owns variables"):
        last = name.rpartition(".")[2]
        if name.count(".") == 2 and last[0].isupper() and last not in ("Metric", "Optimizer"):
            return True
        owner = given.args[0] if given.args else None
        return t.stage.is_retrace and name.endswith(APPLYING) and _is_first_use(t, owner)
    if has(name, "creates variables when called") and t.stage.trace != KERAS:
        layer = given.args[0] if given.args else None
        return isinstance(layer, Ref) and layer.address > state.newest
    return False


def _is_first_use(t: Tracer, owner: Value | None) -> bool:
    """Return whether an optimizer with slot variables has not been applied before."""
    if not isinstance(owner, Ref) or not has(owner.cls, "creates variables when applied"):
        return False
    earlier = (step for step in t.graph.steps if step.kind == "op" and step is not t.step)
    return not any(owner in step.args or any(owner == value for _, value in step.keywords) for step in earlier)
