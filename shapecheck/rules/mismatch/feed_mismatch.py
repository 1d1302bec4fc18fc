"""Data does not have the shape that a placeholder or a model's input declares."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.findings import Severity
from shapecheck.rules.call import Argument, Call, Words
from shapecheck.rules.rule import rule
from shapecheck.shapes.size import Kind, Size, symbols


@rule("SHP109", Severity.ERROR, on={"feed"})
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
    """What to do with the data so that it fits, where one simple change does it."""
    what = data.text if data.text.isidentifier() else "the data"
    if len(sizes) == len(wanted) - 1 and _fits(call, (1, *sizes), wanted):
        return f"np.expand_dims({what}, 0) makes it a batch of one"
    if len(sizes) != len(wanted) or len(sizes) < 2:
        return ""
    if len(sizes) == 2 and _fits(call, sizes[::-1], wanted):
        return f"np.transpose({what}) fits"
    if len(sizes) > 3 and _fits(call, (sizes[0], *sizes[2:], sizes[1]), wanted):
        return f"np.moveaxis({what}, 1, -1) fits: its channels come first"
    return ""


def _fits(call: Call, sizes: Sequence[Size], wanted: Sequence[Size]) -> bool:
    """Whether sizes are surely those that are declared, where any are."""
    pairs = zip(sizes, wanted, strict=True)
    return all(_is_open(declared) or call.always(size, declared) for size, declared in pairs)


def _is_open(size: Size) -> bool:
    return any(symbol.kind is Kind.DYNAMIC for symbol in symbols(size))
