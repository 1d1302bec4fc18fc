"""The batch of one operand is broadcast along another axis of the other."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.graph.steps import Step
from shapecheck.domain.values import Tensor
from shapecheck.findings import Severity
from shapecheck.rules.call import Argument, Call, Words
from shapecheck.rules.rule import rule

_DEEPEST = 12
_REDUCTIONS = ("sum", "mean", "max", "min", "amax", "amin", "std", "var", "norm", "[]", "logsumexp")


@rule("SHP207", Severity.WARNING, on={ClashKind.BATCH_CROSSED, ClashKind.ROWS_CROSSED, ClashKind.BIAS_COLUMN})
def batch_axis_broadcast(call: Call) -> Words | None:
    """One axis is missing: that of the heads, for a mask, or one that a reduction has removed."""
    if not call.is_everywhere:
        return None
    if call.clash.kind == ClashKind.BIAS_COLUMN:
        return call.says("use a bias with one axis, which is added to each row")
    if call.clash.kind == ClashKind.ROWS_CROSSED:
        short, long = sorted(call.arguments, key=lambda argument: argument.shape.min_rank)
        said = "use keepdims=True, or add an axis of size 1 at the end"
        return call.says(said) if _is_of_rows(call, short, long) else None
    return call.says("add an axis of size 1 after the batch axis")


def _is_of_rows(call: Call, short: Argument, long: Argument) -> bool:
    """Return whether an operand has one number for each row of the other, or of what that is computed from."""
    step = _made(call, short.tensor, _DEEPEST)
    sources = () if step is None else tuple(tensor for _, tensor in step.operands())[:1]
    return any(_family(call, source, _DEEPEST) & _family(call, long.tensor, _DEEPEST) for source in sources)


def _made(call: Call, tensor: Tensor, depth: int) -> Step | None:
    """Return the reduction that a tensor is computed from element by element."""
    step = call.maker(tensor)
    if step is None or not depth:
        return None
    operands = [operand for _, operand in step.operands() if operand.step]
    if step.name.rsplit(".", 1)[-1].removeprefix("reduce_") in _REDUCTIONS:
        is_last = bool(operands) and operands[0].shape.head[:-1] == tensor.shape.head
        return step if is_last and operands[0].shape.is_ranked else None
    same = [operand for operand in operands if operand.shape == tensor.shape]
    return _made(call, same[0], depth - 1) if len(same) == 1 else None


def _family(call: Call, tensor: Tensor, depth: int) -> set[int]:
    """Return the steps that a tensor is computed from element by element."""
    step = call.maker(tensor)
    if step is None or not depth:
        return {tensor.step} - {0}
    same = [operand for _, operand in step.operands() if operand.step and operand.shape == tensor.shape]
    return {step.id}.union(*(_family(call, operand, depth - 1) for operand in same))
