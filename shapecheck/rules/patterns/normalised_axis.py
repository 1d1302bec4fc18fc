"""Maps that are normalised along another axis than that of their channels."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP240", Severity.WARNING, on={ClashKind.CHANNELS_NORMALISED})
def normalised_axis(call: Call) -> Words | None:
    """Calls of the model that the layer is in repeat its first call."""
    owner = call.step.owner
    is_first = owner is not None and call.graph.calls_of[owner][0] is call.step
    axis = call.clash.message.rpartition(" ")[2]
    return call.says(f"axis={axis} normalises each channel") if is_first and call.is_everywhere else None
