"""Agreement between the items of a generator and the declared elements of a dataset."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Dict, HomogeneousSeq, Ref, Seq, Tensor, Value, items_of
from shapecheck.models.lang import Context
from shapecheck.models.tf_data.dataset import either, structure
from shapecheck.shapes.claims import FALSE, Equal
from shapecheck.shapes.facts import Verdict
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size, symbols

MOST_ITEMS = 32


def checked(ctx: Context, declared: Value, generator: Value, args: Value) -> Value:
    """Return the declared element, with which the items of the generator must agree; where no shape was declared, that
    of the items is used.
    """
    produced = ctx.call(generator, items_of(ctx.freeze(args)) or ())
    if not isinstance(produced, (HomogeneousSeq, Seq, Ref)):
        return declared
    items = [ctx.freeze(item) for item in (ctx.elements(produced) or (ctx.element(produced),))[:MOST_ITEMS]]
    return _agreed(ctx, declared, reduce(lambda a, b: either(ctx, a, b), items))


def _agreed(ctx: Context, declared: Value, given: Value) -> Value:
    match declared, given:
        case Seq(items=wanted), Seq(kind="tuple", items=items) if len(wanted) == len(items):
            return Seq("tuple", tuple(_agreed(ctx, *pair) for pair in zip(wanted, items, strict=True)))
        case Dict(items=pairs), Dict():
            return Dict(tuple((key, _agreed(ctx, item, given.get(key) or NONE)) for key, item in pairs))
        case Tensor(), _ if given != NONE:
            made = structure(ctx, given)
            return _leaf(ctx, declared, made) if isinstance(made, Tensor) else declared
    return declared


def _leaf(ctx: Context, declared: Tensor, made: Tensor) -> Tensor:
    if not made.shape.is_ranked or made.role not in ("tensor", "variable"):
        return declared
    if declared.shape == UNRANKED:
        return replace(declared, shape=made.shape, static=False)
    if not declared.shape.is_ranked:
        return declared
    said = f"the generator yields {made.shape}, an element is declared as {declared.shape}"
    if declared.shape.rank != made.shape.rank:
        ctx.require(ClashKind.SET_SHAPE, FALSE, said, made)
        return declared
    pairs = list(zip(declared.shape.sizes, made.shape.sizes, strict=True))
    for wanted, size in pairs:
        if not _is_open(wanted) and ctx.require(ClashKind.SET_SHAPE, Equal(wanted, size), said, made) is Verdict.NEVER:
            return declared
    sizes = [size if _is_open(wanted) else wanted for wanted, size in pairs]
    return (
        declared if sizes == list(declared.shape.sizes) else replace(declared, shape=Shape(tuple(sizes)), static=False)
    )


def _is_open(size: Size) -> bool:
    """Return whether a size was declared as None."""
    return any(symbol.kind is Kind.DYNAMIC for symbol in symbols(size))
