"""A sum over the whole batch where each row is meant to have its own: one that is averaged, or added to each row."""

from __future__ import annotations

import re

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.graph.steps import Step
from shapecheck.domain.values import Tensor
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.common_rows import have_rows_in_common
from shapecheck.rules.rule import rule
from shapecheck.shapes.size import is_open
from shapecheck.source import Place

_SUM = re.compile(r".*\b(reduce_)?sum")
_DEEPEST = 8


@rule("SHP242", Severity.WARNING, on={ClashKind.NUMBER_AVERAGED, ClashKind.NUMBER_ADDED})
def sum_over_batch(call: Call) -> Words | None:
    tensors = [argument.tensor for argument in call.arguments]
    number = next((tensor for tensor in tensors if not tensor.shape.rank), None)
    found = _sum_behind(call, number) if number is not None and call.is_everywhere else None
    if found is None:
        return None
    step, batch = found
    advice = "axis=-1 gives each row its own sum" if batch.shape.rank == 2 else "an axis keeps a sum for each row"
    if call.clash.kind is ClashKind.NUMBER_AVERAGED:
        said = f"the mean changes nothing, since the sum is one number for the whole batch {batch.shape}"
        return call.says(advice, said) if _is_inside(step.place, call.step.place) else None
    others = next(tensor for tensor in tensors if tensor.shape.rank)
    rows, summed = others.shape.sizes[0], batch.shape.sizes[0]
    is_same = rows == summed and rows != 1 and have_rows_in_common(call.graph, others, batch)
    if not (is_same or (is_open(rows) and is_open(summed))) or _is_summed_apart(call, others, batch):
        return None
    return call.says(advice, f"the sum of the whole batch {batch.shape} is combined with each row of {others.shape}")


def _sum_behind(call: Call, number: Tensor) -> tuple[Step, Tensor] | None:
    """Return the step that sums all of a table or more, and that, if a number is such a sum with a sign and a scale."""
    for _ in range(_DEEPEST):
        step = call.maker(number)
        operands = [operand for _, operand in step.operands()] if step is not None else []
        if step is None or not operands:
            return None
        if _SUM.fullmatch(step.name):
            is_plain = len(step.given) == 1 and (operands[0].shape.rank or 0) > 1
            return (step, operands[0]) if is_plain else None
        number = next((operand for operand in operands if operand.nature == number.nature), number)
    return None


def _is_summed_apart(call: Call, array: Tensor, table: Tensor) -> bool:
    """Return whether an array is computed from sums of a table along an axis, so that the sum of all is meant, too."""
    behind = call.graph.ancestors([array.step])
    return any(
        _SUM.fullmatch(step.name)
        and isinstance(step.result, Tensor)
        and step.result.shape.rank
        and any((given.step, given.output) == (table.step, table.output) for _, given in step.operands())
        for step in behind
    )


def _is_inside(inner: Place, outer: Place) -> bool:
    return inner.source is outer.source and outer.start <= inner.start and inner.end <= outer.end
