"""Gradients that are certainly None: of what is not watched, or is not connected with the target."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from shapecheck.domain.values import FALSE, Dict, HomogeneousSeq, Lost, Ref, Seq, Tensor, Value, as_str, walk
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.gradients import WITHOUT_VARIABLES, Cut, Flow, Output, Recording, has_derivative
from shapecheck.models.layers.inner_layers import called_layers
from shapecheck.models.layers.weight_shapes import trainable_weights, weights_of

CREATIONS = ("tf.Variable", "keras.Variable")
SHARED = "tf.get_variable"
WEIGHTS = ("trainable_variables", "trainable_weights", "variables", "weights")
MAX_PARTS = 400


Part: TypeAlias = Ref | Output
"""An object that may have variables, or a variable."""


class Derivatives:
    """The derivatives of some targets, as far as a recording knows them."""

    def __init__(self, ctx: Context, recording: Recording, targets: Sequence[Tensor]) -> None:
        self.ctx = ctx
        self.recording = recording
        self.flow = ctx.gradient_flow(recording, targets)
        held = [value for owner in self.flow.objects if owner.cls != "user" for value in ctx.held(owner)]
        if any(isinstance(value, Tensor) and value.step and value.library == "tf" for value in held):
            self.flow.is_complete = False  # a weight may have been replaced by what the program has computed

    def reason(self, source: Value, name: str) -> str | None:
        """Return why the gradient of a source is certainly None; None where there may be one."""
        if isinstance(source, Lost):
            return self.unconnected([])
        if isinstance(source, HomogeneousSeq):
            variables = all(part.role == "variable" for part in walk(source) if isinstance(part, Tensor))
            return self.unconnected([]) or self._of_other_layers(source.element, name) if variables else None
        if not isinstance(source, Tensor) or source.library != "tf" or not source.step or source.is_ambiguous:
            return None
        if not has_derivative(source.dtype):
            return f"{name} is {source.dtype}, which has no gradient"
        made, args = self.ctx.operation(source)
        if made == "loop" and isinstance(args[-1], Tensor) and not self.recording.watched:
            source = args[-1]  # what the first iteration has left
        return self._of_variable(source, name) if source.role == "variable" else self._of_tensor(source, name)

    def reason_in_graph(self, source: Value, name: str) -> str | None:
        """Return why a gradient that a graph of TensorFlow 1 computes is certainly None, whatever is watched."""
        if not isinstance(source, Tensor) or not source.step or source.is_ambiguous or source.dtype is None:
            return None
        return None if self._may_be_overridden() else self._unrelated(source, name)

    def reason_in_training(self) -> str | None:
        """Return why a loss in a graph of TensorFlow 1 has no gradient for any variable."""
        return None if self._may_be_overridden() else self.unconnected([])

    def _may_be_overridden(self) -> bool:
        """Return whether a program may have registered a gradient for an operation that has none."""
        return any(cut.why == "operation" and not cut.name.endswith("stop_gradient") for cut in self.flow.cuts)

    def unconnected(self, sources: Sequence[Tensor]) -> str | None:
        """Return why no variable and no watched tensor has a gradient."""
        if not self.flow.is_complete or self._has_ends(self.flow):
            return None
        cut = self.ctx.culprit(self.flow.cuts, sources)
        return "the target depends on nothing that is watched" if cut is None else worded(cut)

    def _of_variable(self, source: Tensor, name: str) -> str | None:
        if not self._may_be_watched(source):
            return f"{name} is not watched"
        return self.unconnected([source]) or self._unrelated(source, name) or self._of_other_layers(source, name)

    def _of_tensor(self, source: Tensor, name: str) -> str | None:
        if source.role not in ("tensor", "run-time"):
            return None
        known = self.ctx.gradient_flow(self.recording, [source])
        if known.is_complete and not self._has_ends(known):
            return f"{name} is not watched"
        return self.unconnected([source]) or self._unrelated(source, name)

    def _unrelated(self, source: Tensor, name: str) -> str | None:
        """Return why a source has no gradient although others have."""
        flow = self.flow
        if not flow.is_complete or self.ctx.same_objects(source) & flow.reached:
            return None
        if source.role == "variable":
            return f"the target does not depend on {name}" if self._is_distinct(source) else None
        cut = self.ctx.culprit(flow.cuts, [source])
        return f"the target does not depend on {name}" if cut is None else worded(cut)

    def _is_distinct(self, source: Tensor) -> bool:
        """Return whether a variable is certainly none of those that the target depends on."""
        used = self._used()
        if used is None or self.ctx.operation(source)[0] not in (*CREATIONS, SHARED):
            return False
        is_held = (source.step, source.output) in used
        return not is_held and all(self._are_two(source, other) for other in self.flow.variables)

    def _used(self) -> set[Part] | None:
        """Return all objects and variables that the target may depend on, if they are known."""
        found: set[Part] = {(variable.step, variable.output) for variable in self.flow.variables}
        for owner in self.flow.objects:
            parts = parts_of(self.ctx, owner)
            if parts is None or not owner.cls.startswith("keras."):
                return None
            found |= parts
        return found

    def _are_two(self, variable: Tensor, other: Tensor) -> bool:
        """Return whether two variables that different steps made are certainly not the same."""
        (made, args), (made_other, others) = map(self.ctx.operation, (variable, other))
        if not {made, made_other} <= {*CREATIONS, SHARED}:
            return False
        names = [as_str(given[0]) if given else None for given in (args, others)]
        return {made, made_other} != {SHARED} or (None not in names and _last(names[0]) != _last(names[1]))

    def _of_other_layers(self, source: Value, name: str) -> str | None:
        """Return why the weights of layers have no gradient, where the target depends on others."""
        used, parts = self._used(), owners_of(self.ctx, source)
        if used is None or parts is None or not self.flow.is_complete:
            return None
        if not all(self.ctx.operation(variable)[0] in CREATIONS for variable in self.flow.variables):
            return None
        return None if parts & used else f"the target does not depend on {name}"

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
        if self.recording.watches_variables:
            return True
        return self.recording.is_automatic and self.ctx.keyword(variable, "trainable") != FALSE


def owners_of(ctx: Context, source: Value) -> set[Part] | None:
    """Return the objects and variables that a weight may be of; None where they are not known."""
    made, args = ctx.operation(source) if isinstance(source, Tensor) and not source.is_ambiguous else ("", ())
    if made.rpartition(".")[2] not in WEIGHTS or not isinstance(source, Tensor) or not isinstance(args[0], Ref):
        return None
    known = trainable_weights(ctx, args[0]) if "trainable" in made else None
    return {known[source.output][0]} if known and source.output < len(known) else parts_of(ctx, args[0])


def parts_of(ctx: Context, root: Ref) -> set[Part] | None:
    """Return an object with all objects and variables that it holds; None where they are not all known."""
    found: dict[Part, None] = {root: None}
    todo = [root]
    for owner in todo:  # extended within the loop
        values = [part for value in ctx.held(owner) for part in walk(ctx.freeze(value))]
        if len(found) > MAX_PARTS or (owner.cls == "user" and any(isinstance(part, Lost) for part in values)):
            return None
        refs = [part for part in (*values, *called_layers(ctx, owner)) if isinstance(part, Ref)]
        new = [ref for ref in dict.fromkeys(refs) if ref not in found]
        found.update(dict.fromkeys(new))
        found.update({(part.step, part.output): None for part in values if isinstance(part, Tensor)})
        todo += new
    return set(found)


def _may_hold_variables(ctx: Context, owner: Ref) -> bool:
    """Return whether an object that was called may have variables."""
    return not owner.cls.startswith(WITHOUT_VARIABLES) and weights_of(ctx, owner) != []


def _last(name: str | None) -> str:
    return (name or "").rpartition("/")[2]


def worded(cut: Cut) -> str:
    """Return the words for a place where no derivative passes."""
    owner, _, last = cut.name.removesuffix(".__call__").rpartition(".")
    is_short = not last.isidentifier() or owner.rpartition(".")[2][:1].isupper()
    name, row = last if is_short else f"{owner}.{last}", cut.place.row
    match cut.why:
        case "array":
            return f"{name} in line {row} gives a NumPy array"
        case "converted":
            return f"the result of line {row} is converted to a NumPy array"
        case "dtype":
            return f"{name} in line {row} gives {cut.dtype}"
        case "early":
            return f"line {row} computes it before the tape records"
        case "late":
            return f"line {row} computes it after the tape has stopped"
    return f"{name} in line {row} has no gradient"


def with_missing(
    ctx: Context, reason: Callable[[Value, str], str | None], sources: Value, result: Value, name: str
) -> tuple[Value, list[str]]:
    """Return the gradients with those that are None, and the reasons for these."""
    parts: list[tuple[str, Value, Value]]
    match sources, result:
        case Dict(items=given), Dict(items=made) if len(given) == len(made):
            pairs = zip(given, made, strict=True)
            parts = [(f"{name}[{as_str(key)!r}]", part, out) for (key, part), (_, out) in pairs]
        case Seq(items=of), Seq(items=to) if len(of) == len(to):
            parts = [(f"{name}[{at}]", part, out) for at, (part, out) in enumerate(zip(of, to, strict=True))]
        case _:
            why = reason(sources, name)
            return (result, []) if why is None else (_missing(ctx, result, why), [why])
    found = [with_missing(ctx, reason, part, out, said) for said, part, out in parts]
    values, reasons = tuple(value for value, _ in found), [why for _, whys in found for why in whys]
    if len(reasons) == len(parts) > 1:
        reasons[0] = reasons[0].replace(parts[0][0], name)  # of all sources
    if isinstance(result, Dict):
        return Dict(tuple((key, value) for (key, _), value in zip(result.items, values, strict=True))), reasons
    return replace(result, items=values), reasons


def _missing(ctx: Context, result: Value, why: str) -> Value:
    absent = ctx.missing("the gradient", why)
    if isinstance(result, Lost):
        return result  # one or several
    return replace(result, element=absent) if isinstance(result, HomogeneousSeq) else absent
