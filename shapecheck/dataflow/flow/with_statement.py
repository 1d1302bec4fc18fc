"""`with` statements."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.flow import context_managers
from shapecheck.dataflow.flow.context_managers import Entered, leave
from shapecheck.dataflow.flow.expected_failures import called_name, expects_failure, tolerate_built
from shapecheck.dataflow.flow.patched_names import patched
from shapecheck.dataflow.objects.attributes import find_attribute
from shapecheck.dataflow.stages.own_graphs import building
from shapecheck.dataflow.stages.plain_graphs import stage_within
from shapecheck.dataflow.state.frame import Frame
from shapecheck.dataflow.state.heap import AMBIENT
from shapecheck.domain.values import CONTAINERS, BoundLibraryMethod, Choice, HomogeneousSeq, Lost, Partial, Ref, Value
from shapecheck.models.lang.scopes import CREATED

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


CREATORS = re.compile(r"_?variable_creator_scope(?:_v1)?")


def with_(t: Tracer, node: ir.With, frame: Frame) -> bool:
    """Trace a `with` statement; return whether control reaches its end."""
    expected = 0
    ambient = t.heap.get(AMBIENT)
    entered: list[Entered] = []
    for item, target in node.items:
        mark, newest = t.heap.mark(), t.heap.address()
        manager = t.evaluate(item, frame)
        if expects_failure(item):
            expected += 1
        value = _bound_value(t, manager)
        entered.append(context_managers.enter(t, manager, mark, newest, frame))
        if isinstance(item, ir.Call) and CREATORS.fullmatch(called_name(item)):
            t.heap.set(AMBIENT, Lost(CREATED))
        if target is not None:
            t.assign(target, value, frame)
    if expected and frame.kind == "function":
        tolerate_built(t, node, frame)
    t.tolerance += expected
    stage = t.stage
    managers = [each.manager for each in entered]
    t.stage = stage_within(t, managers, frame)
    try:
        with building(t, managers), patched(t, node, managers, frame):
            alive = t.execute(node.body, frame)
    finally:
        t.tolerance -= expected
        t.stage = stage
        t.heap.restore(AMBIENT, ambient)
    for left in reversed(entered):
        leave(t, left, frame, alive=alive)
    return alive or expected > 0


def _bound_value(t: Tracer, manager: Value) -> Value:
    """Return the value that `with manager as …` binds."""
    if isinstance(manager, Ref) and manager.cls not in CONTAINERS:
        enter = find_attribute(t, manager, "__enter__")
        if isinstance(enter, (BoundLibraryMethod, Partial)) or enter is not None:
            return t.call_here(enter, [])
        return manager
    if isinstance(manager, (Lost, Choice, HomogeneousSeq)):
        t.heap.set(AMBIENT, Lost("state set by an unknown context manager"))
    if isinstance(manager, HomogeneousSeq) and manager.kind == "generator":
        return manager.element  # a function decorated with contextmanager
    return manager
