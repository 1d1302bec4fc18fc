"""Gradients that are certainly None: of what is not watched, or is not connected with the target."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from shapecheck.domain.values import FALSE, HomogeneousSeq, Ref, Seq, Tensor, Value, as_str, walk
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.gradients import Cut, Flow, Recording, has_derivative
from shapecheck.models.layers.weight_shapes import weights_of

WITHOUT_VARIABLES = (
    "keras.losses.",
    "keras.metrics.",
    "keras.optimizers.",
    "keras.initializers.",
    "keras.random.",
    "tf.data.",
    "tf.random.",
    "tf.GradientTape",
    "np.",
)
"""The classes of objects whose calls read no variables that are watched."""

CREATIONS = ("tf.Variable", "keras.Variable")
SHARED = "tf.get_variable"


class Derivatives:
    """The derivatives of some targets, as far as a recording knows them."""

    def __init__(self, ctx: Context, recording: Recording, targets: Sequence[Tensor], *, watches: bool = True) -> None:
        self.ctx = ctx
        self.recording = recording
        self.watches = watches
        self.flow = ctx.gradient_flow(recording, targets)

    def reason(self, source: Value, name: str) -> str | None:
        """Return why the gradient of a source is certainly None; None where there may be one."""
        if isinstance(source, HomogeneousSeq):
            variables = all(part.role == "variable" for part in walk(source) if isinstance(part, Tensor))
            return self.unconnected([]) if variables else None
        if not isinstance(source, Tensor) or source.library != "tf" or not source.step or source.is_ambiguous:
            return None
        if not has_derivative(source.dtype):
            return f"{name} is {source.dtype}, which has no gradient"
        return self._of_variable(source, name) if source.role == "variable" else self._of_tensor(source, name)

    def _of_variable(self, source: Tensor, name: str) -> str | None:
        if not self._may_be_watched(source):
            return f"{name} is not watched"
        return self.unconnected([source]) or self._unrelated(source, name)

    def _of_tensor(self, source: Tensor, name: str) -> str | None:
        if source.role not in ("tensor", "run-time"):
            return None
        known = self.ctx.gradient_flow(self.recording, [source])
        if known.is_complete and not self._has_ends(known):
            return f"{name} is not watched"
        return self.unconnected([source]) or self._unrelated(source, name)

    def reason_in_graph(self, source: Value, name: str) -> str | None:
        """Return why a gradient that a graph of TensorFlow 1 computes is certainly None, whatever is watched."""
        if not isinstance(source, Tensor) or not source.step or source.is_ambiguous or source.dtype is None:
            return None
        if any(cut.why == "operation" and not cut.name.endswith("stop_gradient") for cut in self.flow.cuts):
            return None  # the program may have registered another gradient
        return self._unrelated(source, name)

    def unconnected(self, sources: Sequence[Tensor]) -> str | None:
        """Return why no variable and no watched tensor has a gradient."""
        if not self.flow.is_complete or self._has_ends(self.flow):
            return None
        cut = self.ctx.culprit(self.flow.cuts, sources)
        return "the target depends on nothing that is watched" if cut is None else worded(cut)

    def _unrelated(self, source: Tensor, name: str) -> str | None:
        """Return why a source has no gradient although others have."""
        flow = self.flow
        if not flow.is_complete or self.ctx.same_objects(source) & flow.reached or not self._are_distinct(source):
            return None
        cut = self.ctx.culprit(flow.cuts, [source]) if source.role != "variable" else None
        return f"the target does not depend on {name}" if cut is None else worded(cut)

    def _are_distinct(self, source: Tensor) -> bool:
        """Return whether a source is certainly another variable than all that the target depends on."""
        if source.role != "variable":
            return True
        owners_are_known = all(owner.cls.startswith("keras.") for owner in self.flow.objects)
        return owners_are_known and all(self._are_two(source, other) for other in self.flow.variables)

    def _are_two(self, variable: Tensor, other: Tensor) -> bool:
        """Return whether two variables that different steps made are certainly not the same."""
        (made, args), (made_other, others) = map(self.ctx.operation, (variable, other))
        if not {made, made_other} <= {*CREATIONS, SHARED}:
            return False
        names = [as_str(given[0]) if given else None for given in (args, others)]
        return {made, made_other} != {SHARED} or (None not in names and _last(names[0]) != _last(names[1]))

    def _has_ends(self, flow: Flow) -> bool:
        """Return whether derivatives reach what is watched, or what may be."""
        return bool(
            flow.watched
            or any(map(self._may_be_watched, flow.variables))
            or any(_may_hold_variables(self.ctx, owner) for owner in flow.objects)
        )

    def _may_be_watched(self, variable: Tensor) -> bool:
        """Return whether a variable is watched, by itself or because it is trainable."""
        if not has_derivative(variable.dtype):
            return False
        if self.recording.watched:
            return True
        return self.watches and self.ctx.keyword(variable, "trainable") != FALSE


def _may_hold_variables(ctx: Context, owner: Ref) -> bool:
    """Return whether an object that was called may have variables."""
    return not owner.cls.startswith(WITHOUT_VARIABLES) and weights_of(ctx, owner) != []


def _last(name: str | None) -> str:
    return (name or "").rpartition("/")[2]


def worded(cut: Cut) -> str:
    """Return the words for a place where no derivative passes."""
    name = cut.name.removesuffix(".__call__")
    last = name.rpartition(".")[2]
    what = f"{name if last.isidentifier() else last} in line {cut.place.row}"
    match cut.why:
        case "array":
            return f"{what} gives a NumPy array"
        case "dtype":
            return f"{what} gives {cut.dtype}"
        case "early":
            return f"{what} is computed before the tape records"
        case "late":
            return f"{what} is computed after the tape has stopped"
    return f"{what} has no gradient"


def with_missing(
    ctx: Context, reason: Callable[[Value, str], str | None], sources: Value, result: Value, name: str = "sources"
) -> tuple[Value, list[str]]:
    """Return the gradients with those that are None, and the reasons for these."""
    if not isinstance(sources, Seq) or not isinstance(result, Seq) or len(sources.items) != len(result.items):
        why = reason(sources, name)
        return (result, []) if why is None else (_missing(ctx, result, why), [why])
    reasons: list[str] = []
    parts: list[Value] = []
    for at, (source, part) in enumerate(zip(sources.items, result.items, strict=True)):
        why = reason(source, f"{name}[{at}]")
        reasons += [] if why is None else [why]
        parts.append(part if why is None else _missing(ctx, part, why))
    return replace(result, items=tuple(parts)), reasons


def _missing(ctx: Context, result: Value, why: str) -> Value:
    absent = ctx.missing("the gradient", why)
    return replace(result, element=absent) if isinstance(result, HomogeneousSeq) else absent
