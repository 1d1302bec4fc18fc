"""Graphs of Keras models that a test does not run: what only a run refuses may be intended."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.graph.clash import Assumption, Clash
from shapecheck.dataflow.state.stage import KERAS
from shapecheck.models.lang.traits import has
from shapecheck.shapes.facts import Verdict
from shapecheck.shapes.size import Kind

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

_K = ClashKind
STAGING = frozenset(
    {
        _K.SYMBOLIC_BOOL, _K.SYMBOLIC_ITERATION, _K.SYMBOLIC_NUMPY, _K.SYMBOLIC_PYTHON, _K.LEAKED_SYMBOLIC,
        _K.BRANCHES, _K.LOOP_SHAPE, _K.LOOP_TYPE, _K.LOOP_STATE, _K.STATIC_SIZE,
    }
)  # fmt: skip
"""What is refused only where graphs are built."""


def suppose_runs(t: Tracer, begin: int, first: int) -> None:
    """Note of each clash of a test that it needs a run of a graph which the test only builds.

    The test has the clashes since number `begin` and the steps since number `first`.
    """
    for at in range(begin, len(t.clashes)):
        clash = t.clashes[at]
        is_told = clash.trace == KERAS and clash.knows_sizes
        if (is_told or _is_seen_when_run(clash)) and not _is_run(t, clash, first, is_told):
            t.clashes[at] = replace(clash, assumed=Assumption.RUN)


def _is_seen_when_run(clash: Clash) -> bool:
    """Return whether TensorFlow refuses an operation only when its graph is run.

    While the graph is built, it does not compare indices with sizes, nor the elements of a tensor whose batch is open.
    """
    if clash.verdict is not Verdict.NEVER or clash.trace != KERAS:
        return False
    if clash.kind is ClashKind.ELEMENTS and has(clash.step.name, "counts elements when run"):
        operands = [tensor for _, tensor in clash.step.operands()]
        return any(symbol.kind is Kind.DYNAMIC for tensor in operands for symbol in tensor.shape.symbols())
    return clash.kind is ClashKind.INDEX_RANGE and has(clash.step.name, "compares indices when run")


def _is_run(t: Tracer, clash: Clash, first: int, is_told: bool) -> bool:
    """Return whether the test runs a model in a graph, or calls it after it has built the operation.

    Where layers tell the shape of their output, as `is_told`, Keras 3 does not build their graph for symbolic tensors,
    and an eager call does not show what is refused only while one is built.
    """
    steps = t.graph.steps
    if any(has(step.name, "runs a model in graphs") for step in steps[first:]):
        return True
    is_staged = is_told and clash.kind in STAGING
    return not is_staged and any(has(step.name, "calls a model") for step in steps[clash.step.id :])
