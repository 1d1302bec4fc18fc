"""Graphs of Keras models that a test builds and does not run: what only a run refuses may be intended."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.graph.clash import Assumption, Clash
from shapecheck.dataflow.stages.kept_tensors import IN_GRAPHS
from shapecheck.dataflow.state.stage import KERAS
from shapecheck.shapes.facts import Verdict
from shapecheck.shapes.size import Kind

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

MODEL = "keras.Model."
CALL = "__call__"
SUBSCRIPT = "tf.[]"


def suppose_runs(t: Tracer, begin: int) -> None:
    """Note of each clash of a test since number `begin` that it needs a run of a graph which the test only builds."""
    for at in range(begin, len(t.clashes)):
        if _is_seen_when_run(t.clashes[at]) and not _is_run(t, t.clashes[at]):
            t.clashes[at] = replace(t.clashes[at], assumed=Assumption.RUN)


def _is_seen_when_run(clash: Clash) -> bool:
    """Return whether TensorFlow refuses an operation only when its graph is run.

    While the graph is built, it does not compare indices with sizes, nor the elements of a tensor whose batch is open.
    """
    operands = [tensor for _, tensor in clash.step.operands()]
    is_built = any(tensor.trace == KERAS for tensor in operands)
    if clash.verdict is not Verdict.NEVER or not is_built or not clash.step.name.startswith("tf."):
        return False
    if clash.kind is ClashKind.ELEMENTS:
        return any(symbol.kind is Kind.DYNAMIC for tensor in operands for symbol in tensor.shape.symbols())
    return clash.kind is ClashKind.INDEX_RANGE and clash.step.name != SUBSCRIPT


def _is_run(t: Tracer, clash: Clash) -> bool:
    """Return whether the program runs a model after it has built the operation."""
    later = (step.name.removeprefix(MODEL) for step in t.graph.steps[clash.step.id :] if step.name.startswith(MODEL))
    return any(name == CALL or name in IN_GRAPHS for name in later)
