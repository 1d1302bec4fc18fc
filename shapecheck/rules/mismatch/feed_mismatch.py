"""Data does not have the shape that a placeholder or a model's input declares."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Argument, Call, Words
from shapecheck.rules.rule import rule
from shapecheck.shapes.size import Size, is_open, product


@rule("SHP109", Severity.ERROR, on={ClashKind.FEED})
def feed_mismatch(call: Call) -> Words:
    if len(call.arguments) != 2:
        return call.says()
    data, declared = call.arguments
    if data.tensor.role == "placeholder":
        data, declared = declared, data
    if not (data.shape.is_ranked and declared.shape.is_ranked):
        return call.says()
    return call.says(_rearranged(call, data, data.shape.sizes, declared.shape.sizes))


def _rearranged(call: Call, data: Argument, sizes: Sequence[Size], wanted: Sequence[Size]) -> str:
    """Return a hint to rearrange the data, if one simple change makes it fit."""
    what = data.text if data.text.isidentifier() else "…"
    if call.fits((1, *sizes), wanted):
        return f"np.expand_dims({what}, 0) makes it a batch of one"
    if len(sizes) == 2 and call.fits(sizes[::-1], wanted):
        return f"np.transpose({what}) fits"
    if len(sizes) > 3 and call.fits((sizes[0], *sizes[2:], sizes[1]), wanted):
        return f"np.moveaxis({what}, 1, -1) moves the channels to the last axis"
    row = tuple(size for size in wanted[1:] if isinstance(size, int))
    if not sizes or len(row) < len(wanted) - 1 or not is_open(wanted[0]):
        return ""
    return f"reshape{(-1, *row)} fits" if call.always(product(sizes[1:]), product(row)) else ""
