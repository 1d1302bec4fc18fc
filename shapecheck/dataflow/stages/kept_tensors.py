"""Tensors of graphs of Keras that an object of the program keeps, such as an attribute that `call` assigns.

They have no value outside of the graph. When the layer runs eagerly, a real tensor takes their place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.dataflow.state.eager_runs import EagerRuns
from shapecheck.dataflow.state.stage import KERAS
from shapecheck.domain.values import NONE, Tensor
from shapecheck.models.lang.settings import EAGER_FUNCTIONS, EVER_EAGER, RUN_EAGERLY, SETTINGS

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

IN_GRAPHS = frozenset("fit evaluate predict train_on_batch test_on_batch predict_on_batch".split())
"""Methods of models that run layers in graphs."""


def note_run(t: Tracer) -> None:
    """Note that the present step runs the layers of a model again."""
    is_in_graph = t.step is not None and t.step.name.rpartition(".")[2] in IN_GRAPHS
    has_callbacks = t.step is not None and dict(t.step.keywords).get("callbacks", NONE) != NONE
    if t.stage.is_eager and (has_callbacks or not is_in_graph):
        t.component(EagerRuns).latest = len(t.graph.steps)


def is_kept(t: Tracer, tensor: Tensor) -> bool:
    """Return whether a tensor of a graph of Keras is used eagerly, and no layer has run eagerly since it was made.

    Tensors of a re-execution are those of the run itself, in which the layers are connected again.
    """
    if tensor.trace != KERAS or not t.stage.is_eager or tensor.library != "tf" or t.target.keras == 2:
        return False
    if tensor.step and t.graph[tensor.step].replayed:
        return False
    if tensor.step <= t.component(EagerRuns).latest or tensor.role not in ("tensor", "run-time"):
        return False
    t.program.is_version_decisive |= t.target.is_unmarked
    names = (RUN_EAGERLY, EAGER_FUNCTIONS, *((EVER_EAGER,) if t.is_standalone else ()))
    return all(t.heap.get((SETTINGS.address, name)) in (None, NONE) for name in names)
