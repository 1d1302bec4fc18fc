"""Clashes: constraints that cannot hold and suspicious patterns, from which rules make findings."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.graph.steps import Step
from shapecheck.domain.values import Guard, Value
from shapecheck.shapes.facts import Claim, Facts, Verdict


class Assumption(Enum):
    """What a clash may depend on that is likely, but not certain."""

    ANNOTATION = "an annotation, which nothing checks when the program runs"
    OLD_KERAS = "a version of Keras that is older than the present one, and not told: not all have the constraint"
    OLD_NUMPY = "a version of NumPy for Python 2: the first ones take floats for integers"
    NEW_TORCH = "PyTorch 0.5 or later: before, a loss had one axis, or could be indexed as if it had"
    DEFAULTS = "that an object of a class that the program does not make there is made with defaults"
    BATCHES = "that layers which take single samples, too, are given batches"
    RUN = "that a graph is run which a test only builds"


@dataclass(frozen=True, slots=True)
class Clash:
    """A constraint of `step` that can never hold (verdict NEVER), or a pattern that a model noticed (claim None).

    `kind` names the constraint or the pattern and selects the rule. `message` is a sentence without the name of the
    operation. `guards` is the path condition. `tolerated` says that the program handles the failure (by a `try` that
    catches it, or `assertRaises`), or may not take the path. `assumed` is on what it depends that may not hold, if
    anything. `trace` is the key of the graph that is being built, for data of known sizes if it `knows_sizes`.
    """

    kind: ClashKind
    message: str
    step: Step
    operands: tuple[Value, ...] = ()
    claim: Claim | None = None
    facts: Facts | None = None
    verdict: Verdict | None = None
    guards: Guard = ()
    tolerated: bool = False
    assumed: Assumption | None = None
    trace: int = 0
    knows_sizes: bool = False
