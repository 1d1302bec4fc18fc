"""Maps and vectors that are normalised along other axes than that of their features."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP240", Severity.WARNING, on={ClashKind.CHANNELS_NORMALISED, ClashKind.ROWS_NORMALISED})
def normalised_axis(call: Call) -> Words | None:
    """Calls of the model that the layer is in repeat its first call."""
    if call.clash.kind is ClashKind.ROWS_NORMALISED:
        return call.says("axis=-1 normalises each row") if call.is_everywhere else None
    owner = call.step.owner
    is_first = owner is not None and call.graph.calls_of[owner][0] is call.step
    axis = call.clash.message.rpartition(" ")[2]
    return call.says(f"axis={axis} normalises each channel") if is_first and call.is_everywhere else None
