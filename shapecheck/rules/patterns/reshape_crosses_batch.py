"""A reshape makes other rows of a batch: parts of a sample become samples, or samples are mixed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, takewhile
from operator import mul

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Tensor
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule
from shapecheck.shapes.facts import AnyOf, Divides, Equal
from shapecheck.shapes.size import Size, is_open


@rule("SHP202", Severity.WARNING, on={ClashKind.ROWS_CHANGED})
def reshape_crosses_batch(call: Call) -> Words | None:
    """Merging whole axes into the batch, splitting whole axes off it and cutting one axis into windows are common
    idioms; anything else cannot be intended."""
    result = call.step.result
    before = call.arguments[0].shape if call.arguments else None
    after = call.shape(result) if isinstance(result, Tensor) else None
    if before is None or after is None or before.rank is None or before.rank < 2 or after.rank is None:
        return None
    if is_open(after.sizes[0]):  # rows that were cut out of samples become samples again
        return None
    row, new = _tails(before.sizes[1:]), _tails(after.sizes[1:])
    merged = [Equal(new[-1], tail) for tail in row]
    split = [Equal(row[-1], tail) for tail in new]
    cut = [Divides(new[-1], tail) for tail in row[1 : _kept(before.sizes[1:], after.sizes[1:]) + 2]]
    if not call.surely_not(AnyOf((*merged, *split, *cut))):
        return None
    whole, part = row[-1], new[-1]
    said = f"a sample has {whole} elements, a row of the result has {part}, so samples are mixed"
    is_known = isinstance(whole, int) and isinstance(part, int)
    return call.says(f"(-1, {whole}) keeps the batch" if isinstance(whole, int) else "", said if is_known else "")


def _kept(before: Sequence[Size], after: Sequence[Size]) -> int:
    """Return how many axes at the end have the same sizes before and after."""
    pairs = zip(reversed(before), reversed(after), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _tails(sizes: Sequence[Size]) -> tuple[Size, ...]:
    """Return the number of elements in the last 0, 1, 2 … axes."""
    return tuple(accumulate(reversed(sizes), mul, initial=1))
