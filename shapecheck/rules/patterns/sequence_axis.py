"""Layers of sequences that take another axis for the batch than the program does."""

from __future__ import annotations

from collections.abc import Iterator

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.graph.steps import Step
from shapecheck.domain.values import NONE, Const, Seq, SliceValue, Tensor, Value, items_of
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule

_HELP = "pass batch_first=True when the layer is made, or exchange the first two axes"
_AXES = ("dim", "axis", "start_dim")
_REDUCTIONS = {
    "mean": "averages over it",
    "sum": "adds up all of it",
    "max": "compares all of it",
    "flatten": "makes it features",
}
_MOVING = ("permute", "transpose", "swapaxes", "swapdims", "movedim", "moveaxis", "rearrange", "reshape", "view")
_LATEST = 200
_WHOLE = SliceValue(NONE, NONE, NONE)


@rule("SHP243", Severity.WARNING, on={ClashKind.BATCH_AXIS, ClashKind.STEPS_FIRST})
def sequence_axis(call: Call) -> Words | None:
    """What the program does with the outputs tells as well which axis it takes for the steps."""
    if not call.is_everywhere:
        return None
    if call.clash.kind is ClashKind.BATCH_AXIS:
        return call.says(_HELP)
    used = next((said for step in _users(call) if (said := _picked(step))), None)
    return None if used is None else call.says(_HELP, f"{call.clash.message}, but {used}")


def _users(call: Call) -> Iterator[Step]:
    """Yield the later steps that read the outputs of the layer, or these element by element."""
    outputs = {call.step.id}
    for step in call.graph.steps[call.step.id : call.step.id + _LATEST]:
        read = [operand for _, operand in step.operands() if operand.step in outputs and operand.output == 0]
        if not read:
            continue
        yield step
        is_alike = isinstance(step.result, Tensor) and step.result.shape == read[0].shape
        if is_alike and _last_name(step) not in _MOVING:
            outputs.add(step.id)


def _last_name(step: Step) -> str:
    return step.name.rpartition(".")[2]


def _picked(step: Step) -> str:
    """Return words for a step that treats the second axis of its operand as the steps of a sequence."""
    name = _last_name(step)
    axes = [value for key, value in step.keywords if key in _AXES] or [*step.args[1:2]]
    if name in _REDUCTIONS and axes == [Const(1)]:
        return f"{step.place.text} {_REDUCTIONS[name]}"
    is_last = name == "[]" and len(step.args) == 2 and _is_last_step(step.args[1])
    return f"{step.place.text} takes the last one" if is_last else ""


def _is_last_step(index: Value) -> bool:
    entries = items_of(index) if isinstance(index, Seq) else None
    return entries is not None and tuple(entries) == (_WHOLE, Const(-1), _WHOLE)
