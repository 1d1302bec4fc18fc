"""Samples that a loss or a metric takes out of a batch by their numbers, as if the batch were one sample."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Const, Seq, Tensor, Value, walk
from shapecheck.models.lang.context import Context

SUBSCRIPT = "[]"
ONLY_SIZES = ("shape", "size", "rank", "ones_like", "zeros_like")
"""Operations whose results do not depend on the elements."""


def notice_samples(ctx: Context, result: Value, batches: Sequence[Tensor], since: int) -> None:
    """Notice that a result, computed since a moment, comes from some samples of the outputs only, told by numbers.

    The batches are those of targets and outputs. The samples of a loop over all of them are meant, and so is the only
    sample of a batch of one.
    """
    picked = _picked(ctx, result, batches, since)
    numbers, output = {number for number, _ in picked}, batches[-1].shape
    rows = output.size(0)
    if rows == 1 or (isinstance(rows, int) and {number % rows for number in numbers} == set(range(rows))):
        return
    if len(numbers) > 1 or (numbers and isinstance(rows, int)):
        samples = f"sample{'s' * (len(numbers) > 1)} {', '.join(map(str, sorted(numbers)))}"
        batch = f"the batch {output}" if output.is_ranked else "the batch"
        first = min((tensor for _, tensor in picked), key=lambda tensor: tensor.step)
        ctx.notice_of(first, ClashKind.SAMPLE_PICKED, f"only {samples} of {batch} count")


def _picked(ctx: Context, result: Value, batches: Sequence[Tensor], since: int) -> list[tuple[int, Tensor]]:
    """Return the numbers of samples that a result comes from, each with what was taken; none if it comes from the
    whole outputs, too.
    """
    whole = {(batch.step, batch.output) for batch in batches if batch.step}
    picked: list[tuple[int, Tensor]] = []
    found = [part for part in walk(result) if isinstance(part, Tensor) and part.step > since]
    for tensor in found:  # extended within the loop
        name, args = ctx.operation(tensor)
        operation, parts = name.rpartition(".")[2], [part for arg in args for part in walk(arg)]
        given = [part for part in parts if isinstance(part, Tensor)]
        number = _number(args[1]) if operation == SUBSCRIPT and len(args) > 1 else None
        if number is not None and given and (given[0].step, given[0].output) in whole:
            picked.append((number, tensor))
        elif operation not in ONLY_SIZES:
            if any((part.step, part.output) == (batches[-1].step, batches[-1].output) for part in given):
                return []
            found += [part for part in given if part.step > since and part not in found]
    return picked


def _number(index: Value) -> int | None:
    """Return the number of the sample that an index asks for."""
    first = index.items[0] if isinstance(index, Seq) and index.kind == "tuple" and index.items else index
    return first.value if isinstance(first, Const) and type(first.value) is int else None
