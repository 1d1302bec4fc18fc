"""A softmax or argmax over an axis of size 1, whose result does not depend on the data."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Lost
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule

_NEAR = 50  # how many steps around, in which the largest of the same numbers is looked for


@rule("SHP203", Severity.WARNING, on={ClashKind.SIZE1_AXIS})
def constant_softmax(call: Call) -> Words | None:
    """Code that several callers share may meet the size 1 by chance, so all of them must."""
    if not call.is_everywhere or _wants_largest_too(call) or _may_be_chosen(call) or _is_filled_by_class(call):
        return None
    is_dense = call.name == "keras.layers.Dense"
    return call.says('activation="sigmoid" gives the probability of one class' if is_dense else "")


def _may_be_chosen(call: Call) -> bool:
    """Return whether the function has tested an unknown value before: another branch may handle the size 1."""
    return bool(call.step.frames) and any(isinstance(condition, Lost) for condition, _ in call.clash.guards)


def _is_filled_by_class(call: Call) -> bool:
    """Return whether the program fills the array item by item: it made the axis for any number of classes."""
    made = [source for argument in call.arguments if (source := call.source_of(argument.tensor))]
    return any(
        step.name.endswith(".[]=") and call.source_of(owner) in made
        for step in call.graph.steps[: call.step.id]
        for _, owner in list(step.operands())[:1]
    )


def _wants_largest_too(call: Call) -> bool:
    """Return whether an argmax stands beside the max of the same tensor: a class and its score, for any number of
    classes."""
    if not call.name.endswith("argmax"):
        return False
    given = {(tensor.step, tensor.output) for _, tensor in call.step.operands() if tensor.step}
    near = call.graph.steps[max(0, call.step.id - _NEAR) : call.step.id + _NEAR]
    return any(
        step.name.rsplit(".", 1)[-1] in ("max", "amax", "reduce_max") and (tensor.step, tensor.output) in given
        for step in near
        for _, tensor in step.operands()
    )
