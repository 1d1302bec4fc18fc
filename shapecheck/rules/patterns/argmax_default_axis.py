"""An argmax over the samples of a batch, where the class of each sample is wanted."""

from __future__ import annotations

import re

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.graph.steps import Step
from shapecheck.domain.values import Const, Value
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rewriting import with_argument
from shapecheck.rules.rule import rule
from shapecheck.shapes.size import is_open

_EQUAL = re.compile(r"(tf|np|keras\.ops)\.(math\.)?(equal|==)")


@rule("SHP209", Severity.WARNING, on={ClashKind.ARGMAX_ROWS})
def argmax_default_axis(call: Call) -> Words | None:
    """An explicit first axis of a known number of samples is intended, unless the result is compared with another
    argmax."""
    is_named = len(call.step.args) > 1 or any(name in ("axis", "dimension") for name, _ in call.step.keywords)
    rows = call.arguments[0].shape.size(0) if call.arguments else None
    if not call.is_everywhere or (is_named and (rows is None or not is_open(rows)) and not _is_compared(call)):
        return None
    position = 0 if call.name.startswith("np.ndarray.") else 1
    fix = with_argument(call, ("axis", "dimension"), position, "-1")
    return call.says("axis=-1 gives the class of each sample", fix=fix)


def _is_compared(call: Call) -> bool:
    """Return whether the result is compared with another argmax over the first axis, as in an accuracy."""
    for step in call.graph.steps[call.step.id :]:
        makers = [call.graph[operand.step] for _, operand in step.operands() if operand.step]
        if _EQUAL.fullmatch(step.name) and call.step.id in [maker.id for maker in makers] and len(makers) == 2:
            return all(maker.name.endswith(".argmax") and _axis(maker) == Const(0) for maker in makers)
    return False


def _axis(step: Step) -> Value | None:
    given = {"axis": step.args[1]} if len(step.args) > 1 else {}
    return {**given, **dict(step.keywords)}.get("axis")
