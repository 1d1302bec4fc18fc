"""An argmax over the samples of a batch, where the class of each sample is wanted."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rewriting import with_argument
from shapecheck.rules.rule import rule
from shapecheck.shapes.size import is_open


@rule("SHP209", Severity.WARNING, on={ClashKind.ARGMAX_ROWS})
def argmax_default_axis(call: Call) -> Words | None:
    """An explicit first axis of a known number of samples is intended."""
    is_named = len(call.step.args) > 1 or any(name in ("axis", "dimension") for name, _ in call.step.keywords)
    rows = call.arguments[0].shape.size(0) if call.arguments else None
    if not call.is_everywhere or (is_named and (rows is None or not is_open(rows))):
        return None
    position = 0 if call.name.startswith("np.ndarray.") else 1
    fix = with_argument(call, ("axis", "dimension"), position, "-1")
    return call.says("axis=-1 gives the class of each sample", fix=fix)
