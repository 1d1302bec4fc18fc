"""Pictures that are resized to the height of an array as their width."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule
from shapecheck.rules.size_origins import Scope


@rule("SHP245", Severity.WARNING, on={ClashKind.SIDES})
def swapped_sides(call: Call) -> Words | None:
    """Where axes are exchanged before or after, the sides may be right."""
    scope = Scope(call.step.place)
    texts = (*call.written.arguments, *call.written.keywords.values())
    axes = next((found for text in texts if (found := scope.pair_of_axes(text))), None)
    if axes is None or scope.is_turned(axes[0][0]):
        return None
    (array, height), (other, width) = axes
    if array != other or height < 0 or width != height + 1:
        return None
    said = f"the width is computed from {array}.shape[{height}], the height from {array}.shape[{width}]"
    return call.says("the size is (width, height)", said)
