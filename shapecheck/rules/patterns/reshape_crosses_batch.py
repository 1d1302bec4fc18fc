"""A reshape makes other rows of a batch: parts of a sample become samples, or samples are mixed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
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
    """Merging whole axes into the batch, splitting whole axes off it and cutting the last axis into rows are common
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
    if not call.surely_not(AnyOf((*merged, *split, Divides(new[-1], row[1])))):
        return None
    whole, part = row[-1], new[-1]
    said = f"a sample has {whole} elements, a row of the result has {part}, so samples are mixed"
    is_known = isinstance(whole, int) and isinstance(part, int)
    return call.says(f"(-1, {whole}) keeps the batch" if isinstance(whole, int) else "", said if is_known else "")


def _tails(sizes: Sequence[Size]) -> tuple[Size, ...]:
    """Return the number of elements in the last 0, 1, 2 … axes."""
    return tuple(accumulate(reversed(sizes), mul, initial=1))
