"""The last batch of a dataset, where it is certainly smaller than the others.

It is represented by its rows and by the functions that are applied to the elements. These are only called when a
program takes all elements, since elements that are not taken are not computed.
"""

from __future__ import annotations

from dataclasses import replace

from shapecheck.domain.values import FALSE, NONE, Const, Ref, Seq, Value, as_size, items_of
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.tf_data.dataset import DATASET, applied, each, element_of, length_of, returned, stacked


def with_remainder(ctx: Context, made: Value, before: Value, batch_size: Value, drop_remainder: Value) -> Value:
    """Return the batched dataset with the number of rows of its last batch."""
    length, size = length_of(ctx, before), as_size(batch_size)
    if not isinstance(made, Ref) or not isinstance(length, int) or not isinstance(size, int) or drop_remainder != FALSE:
        return made
    if 0 < size < length and length % size:
        left = length % size
        element = each(element_of(ctx, before), lambda tensor: replace(stacked(tensor, left), static=False))
        ctx.set(made, "_remainder", element)
        ctx.set(made, "_functions", Seq("tuple", ()))
    return made


def carried(ctx: Context, made: Value, before: Value, function: Value = NONE) -> Value:
    """Return the dataset made of another one batch by batch, by a function if one is given."""
    left = ctx.get(before, "_remainder")
    if isinstance(made, Ref) and ctx.get(before, "_endless") is not None:
        ctx.set(made, "_endless", ctx.get(before, "_endless") or NONE)
    if left is not None and isinstance(made, Ref):
        functions = items_of(ctx.get(before, "_functions") or NONE) or ()
        ctx.set(made, "_remainder", left)
        ctx.set(made, "_functions", Seq("tuple", functions if function == NONE else (*functions, function)))
    return made


@behaviour(f"{DATASET}.__last__")
def last(ctx: Context, self: Value) -> Value:
    """Return the last element for a program that takes all of them; None if it is like the others."""
    element = ctx.get(self, "_remainder")
    if element is None:
        return Const(None)
    for function in items_of(ctx.get(self, "_functions") or NONE) or ():
        element = returned(ctx, applied(ctx, function, element))
    return element
