"""Statements that throw away what they compute: `x.reshape(2, 3)` leaves `x` as it is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.paths.constraints import notice
from shapecheck.dataflow.state.frame import Frame
from shapecheck.domain.values import CONTAINERS, Ref, Tensor, Value
from shapecheck.ir.liveness import Liveness
from shapecheck.models.lang.traits import has
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

RESULT_ONLY = "has no effect but its result"
LAYER = "is made to be called"
_SHOWN = re.compile(r"\s*#\s*(reveal:|shape\b|[-=]>|[(\[])")
_WRITING = ("out", "inplace", "name")
"""Arguments of calls whose result can be had in another way."""


class _Liveness:
    """The live names of modules and functions, by their nodes."""

    def __init__(self) -> None:
        self.of: dict[int, Liveness] = {}


def check_discarded(t: Tracer, node: ir.Evaluate, value: Value, frame: Frame) -> None:
    """Note a statement that only computes something of a variable which is used unchanged later, or makes a layer."""
    call = node.value
    if not isinstance(call, ir.Call) or t.tolerance or frame.name.startswith("test") or _is_shown(frame, node):
        return
    place = Place(frame.source, call.start, call.end)
    name = _operation(t, call, value, place)
    if name is None or any(argument.keyword in _WRITING for argument in call.args):
        return
    if isinstance(value, Ref) and has(name, LAYER):
        said = "the layer is not used"
    elif has(name, RESULT_ONLY) or (isinstance(call.func, ir.Call) and has(name, LAYER)):
        changed = _operand(t, call, frame)
        if changed is None or changed not in _live_after(t, node, frame):
            return
        said = f"the result is not used, {changed} stays as it is"
    else:
        return
    with t.during(t.add_step("op", name, [], {}, place)):
        notice(t, ClashKind.DISCARDED, said)


def _operation(t: Tracer, call: ir.Call, value: Value, place: Place) -> str | None:
    """Return the name of what a call did: an operation, a method, or the class of a layer that it made."""
    if isinstance(value, Tensor) and value.step:
        step = t.graph[value.step]
        return step.name if step.place == place else None
    if not isinstance(value, Ref) or not isinstance(call.func, ir.Name | ir.Attribute):
        return None
    called = call.func.id if isinstance(call.func, ir.Name) else call.func.name
    if value.cls.rpartition(".")[2] == called:
        return value.cls
    return None if has(value.cls, LAYER) else f"{value.cls}.{called}"


def _operand(t: Tracer, call: ir.Call, frame: Frame) -> str | None:
    """Return the variable that a call computes something of, unless the call writes to it, too."""
    owner = call.func.value if isinstance(call.func, ir.Attribute) else call.func
    if isinstance(owner, ir.Subscript) and isinstance(owner.value, ir.Attribute):  # x.at[0].set(1)
        owner = owner.value.value
    given = [argument.value.id for argument in call.args if isinstance(argument.value, ir.Name)]
    of_method = [owner.id] if isinstance(owner, ir.Name) else []
    names = of_method + [name for name in given[:1] if given.count(name) == 1]
    return next((name for name in names if _is_array(frame.variable(t.heap, name))), None)


def _is_array(value: Value | None) -> bool:
    return isinstance(value, Tensor) or (isinstance(value, Ref) and value.cls not in CONTAINERS)


def _is_shown(frame: Frame, node: ir.Evaluate) -> bool:
    """Return whether a statement is there for its value: a notebook shows that of the last in a cell, and lessons have
    a comment on its shape.
    """
    row, _ = frame.source.position(node.end)
    cell = frame.source.cell(row) if frame.source.cells else None
    if cell is not None and not frame.source.text[node.end : frame.source.extent(cell)[1]].strip():
        return True
    rest = frame.source.text[node.end :].partition("\n")[0]
    return _SHOWN.match(rest) is not None


def _live_after(t: Tracer, node: ir.Evaluate, frame: Frame) -> frozenset[str]:
    """Return the names that may be read after a statement."""
    is_module = frame.kind == "module"
    if not is_module and (frame.kind != "function" or not t.call_stack.functions):
        return frozenset()
    scope = t.program.parsed.lowered(frame.source) if is_module else t.functions[t.call_stack.functions[-1]].node
    if scope is None or isinstance(scope, ir.Lambda):
        return frozenset()
    known = t.component(_Liveness).of
    if id(scope) not in known:
        known[id(scope)] = Liveness(scope.body)
    return known[id(scope)].after(node)
