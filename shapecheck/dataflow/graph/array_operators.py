"""Operators of arrays, whose operands may be objects of any library."""

from __future__ import annotations

from shapecheck.dataflow.graph.steps import Graph, Step
from shapecheck.domain.values import BoundLibraryMethod, Class, Function, Lost, Method, ModuleValue, Partial
from shapecheck.models.lang.traits import has

OPAQUE = (Lost, Function, Method, Partial, BoundLibraryMethod, Class, ModuleValue)
"""Values through which a result may depend on anything."""


def may_be_tensor(graph: Graph, step: Step) -> bool:
    """Return whether an operator of arrays may have been one of an unknown operand, as that of a tensor is.

    So may be a function of NumPy that calls a method of its argument, such as `np.clip`.
    """
    todo, seen = [step], {step.id}
    while todo:
        now = todo.pop()
        if now.kind == "op" and not _is_operator(now) and not has(now.name, "keeps the kind of arrays"):
            continue
        if any(isinstance(arg, OPAQUE) for arg in now.args):
            return True
        for _, operand in now.operands():
            if operand.step and operand.step not in seen:
                seen.add(operand.step)
                todo.append(graph[operand.step])
    return False


def _is_operator(step: Step) -> bool:
    """Return whether a step is `+` or another operator, by its name such as `np.+`."""
    return not step.name.rpartition(".")[2].isidentifier()
