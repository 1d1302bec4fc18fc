"""A softmax over the samples that a layer has computed scores of, or over a single score."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.models.lang import Tensor
from shapecheck.models.lang.suspicious import over_batch


def over_samples(input: Tensor, axis: int) -> Sequence[tuple[ClashKind, str]]:
    """Notice a softmax over an axis of size 1, or over the rows of a batch: of one that is open, or of several scores
    of a layer for each row.
    """
    if input.shape.size(axis) == 1:
        return [(ClashKind.SIZE1_AXIS, f"axis {axis} of {input.name} has size 1")]
    found = over_batch(input, axis)
    if found or input.rank != 2 or axis not in (0, -2) or input.nature != "linear":
        return found
    rows, scores = input.shape.head
    if rows == 1 or not isinstance(scores, int) or scores < 2:
        return []
    return [(ClashKind.BATCH_SOFTMAX, f"axis 0 of {input.name} {input.shape} is the batch")]
