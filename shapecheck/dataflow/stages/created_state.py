"""Variables that a traced function creates: TensorFlow allows that in the first trace of a function alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.paths.constraints import require
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.path import PathEnds
from shapecheck.dataflow.state.stage import KERAS
from shapecheck.domain.values import Ref, Value
from shapecheck.shapes.facts import FALSE

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

MAKERS = frozenset(
    "tf.Variable keras.Variable keras.random.SeedGenerator tf.random.Generator.from_seed "
    "tf.random.Generator.from_non_deterministic_state".split()
)
OWNERS = ("keras.metrics.", "keras.optimizers.")
WEIGHTED = frozenset(
    f"keras.layers.{name}.__call__"
    for name in (
        "BatchNormalization Conv1D Conv1DTranspose Conv2D Conv2DTranspose Conv3D Conv3DTranspose Dense DepthwiseConv2D "
        "EinsumDense Embedding GRU LSTM LayerNormalization MultiHeadAttention SeparableConv2D SimpleRNN"
    ).split()
)
"""Calls of layers that create variables when they are first called."""
WITH_SLOTS = frozenset(
    f"keras.optimizers.{name}" for name in "Adadelta Adagrad Adam AdamW Adamax Ftrl Lion Nadam RMSprop".split()
)
"""Optimizers that create variables when they are first applied."""
APPLYING = (".apply_gradients", ".apply", ".minimize", ".build")


@dataclass(slots=True)
class CreatedState:
    """The number of variables that traced functions have created.

    `newest` is the last heap address before the present trace, `guards` are those of its path.
    """

    count: int = 0
    newest: int = 0
    guards: Mapping[Value, bool] = field(default_factory=dict)


def check_state(t: Tracer, name: str, given: Arguments) -> None:
    """Count an operation that creates variables in a trace; refuse it in a trace that is not the first."""
    state = t.component(CreatedState)
    if not _creates(t, state, name, given) or t.path.guards.keys() - state.guards.keys():
        return
    state.count += 1
    if t.stage.is_retrace:
        function = t.stage.function
        traced = function if function and function != "<lambda>" else "its function"
        require(t, ClashKind.STATE, FALSE, f"creates variables when {traced} is traced again")
        raise PathEnds


def _creates(t: Tracer, state: CreatedState, name: str, given: Arguments) -> bool:
    """Return whether an operation certainly creates variables, each time that the present function is traced."""
    if name in MAKERS:
        return True
    if name.startswith(OWNERS):
        last = name.rpartition(".")[2]
        if name.count(".") == 2 and last[0].isupper() and last not in ("Metric", "Optimizer"):
            return True
        owner = given.args[0] if given.args else None
        return t.stage.is_retrace and name.endswith(APPLYING[:3]) and _is_first_use(t, owner)
    if name in WEIGHTED and t.stage.trace != KERAS:
        layer = given.args[0] if given.args else None
        return isinstance(layer, Ref) and layer.address > state.newest
    return False


def _is_first_use(t: Tracer, owner: Value | None) -> bool:
    """Return whether an optimizer with slot variables has not been applied before."""
    if not isinstance(owner, Ref) or owner.cls not in WITH_SLOTS:
        return False
    uses = (step for step in t.graph.steps if step is not t.step and step.args and step.args[0] == owner)
    return not any(step.name.endswith(APPLYING) for step in uses)
