"""Agreement between the items of a generator and the declared elements of a dataset."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from shapecheck.domain.agreement import dtype_difference, structure_difference
from shapecheck.domain.values import NONE, Dict, HomogeneousSeq, Ref, Seq, Tensor, Value, items_of
from shapecheck.models.lang import Context
from shapecheck.models.ops.py_functions import with_value
from shapecheck.models.tf_data.dataset import either, structure
from shapecheck.shapes.claims import Equal
from shapecheck.shapes.facts import Verdict
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size, symbols

MOST_ITEMS = 32


def items(ctx: Context, generator: Value, args: Value) -> Value | None:
    """Return what the items of a generator have in common; None if they are not known."""
    produced = ctx.call_eagerly(generator, [with_value(arg, is_numpy=True) for arg in items_of(ctx.freeze(args)) or ()])
    if not isinstance(produced, (HomogeneousSeq, Seq, Ref)):
        return None
    found = [ctx.freeze(item) for item in (ctx.elements(produced) or (ctx.element(produced),))[:MOST_ITEMS]]
    return reduce(lambda a, b: either(ctx, a, b), found)


def agreed(ctx: Context, declared: Value, given: Value) -> Value:
    """Return the declared element with the shapes of the items where no shape was declared."""
    match declared, given:
        case Seq(items=wanted), Seq(kind="tuple", items=parts) if len(wanted) == len(parts):
            return Seq("tuple", tuple(agreed(ctx, *pair) for pair in zip(wanted, parts, strict=True)))
        case Dict(items=pairs), Dict():
            return Dict(tuple((key, agreed(ctx, item, given.get(key) or NONE)) for key, item in pairs))
        case Tensor(), _ if given != NONE:
            made = structure(ctx, given)
            return _leaf(declared, made) if isinstance(made, Tensor) else declared
    return declared


def disagreement(ctx: Context, declared: Value, given: Value) -> str | None:
    """Return how the items of a generator do not agree with the declared element; None if they may."""
    if isinstance(declared, Tensor):
        return None if given == NONE else _leaf_disagreement(ctx, declared, given)
    differ = structure_difference(_outline(declared), _outline(given))
    if differ is not None:
        return f"the generator yields {differ[1]}, an element is declared as {differ[0]}"
    pairs: list[tuple[Value, Value]] = []
    if isinstance(declared, Seq) and isinstance(given, Seq):
        pairs = list(zip(declared.items, given.items, strict=False))
    elif isinstance(declared, Dict) and isinstance(given, Dict):
        pairs = [(item, given.get(key) or NONE) for key, item in declared.items]
    return next((said for wanted, item in pairs if (said := disagreement(ctx, wanted, item))), None)


def _outline(value: Value) -> Value:
    """Return a structure without the values in it."""
    if isinstance(value, Seq) and value.kind in ("tuple", "list"):
        return Seq(value.kind, (Tensor(),) * len(value.items))
    if isinstance(value, Dict) and value.rest is None:
        return Dict(tuple((key, Tensor()) for key, _ in value.items))
    return value


def _leaf_disagreement(ctx: Context, declared: Tensor, given: Value) -> str | None:
    differ = None if isinstance(given, Tensor) else dtype_difference(declared, given)
    if differ is not None and "string" in differ:
        return f"the generator yields {differ[1]}, an element is declared as {differ[0]}"
    made = structure(ctx, given)
    if not isinstance(made, Tensor) or not _is_followed(made) or not declared.shape.is_ranked:
        return None
    said = f"the generator yields {made.shape}, an element is declared as {declared.shape}"
    if declared.shape.rank != made.shape.rank:
        return said
    for wanted, size in zip(declared.shape.sizes, made.shape.sizes, strict=True):
        if not _is_open(wanted) and ctx.known(Equal(wanted, size)) is Verdict.NEVER:
            return said
    return None


def _is_followed(made: Tensor) -> bool:
    return made.shape.is_ranked and made.role in ("tensor", "variable")


def _leaf(declared: Tensor, made: Tensor) -> Tensor:
    if not _is_followed(made):
        return declared
    if declared.shape == UNRANKED:
        return replace(declared, shape=made.shape, static=False)
    if not declared.shape.is_ranked or declared.shape.rank != made.shape.rank:
        return declared
    pairs = zip(declared.shape.sizes, made.shape.sizes, strict=True)
    sizes = [size if _is_open(wanted) else wanted for wanted, size in pairs]
    return (
        declared if sizes == list(declared.shape.sizes) else replace(declared, shape=Shape(tuple(sizes)), static=False)
    )


def _is_open(size: Size) -> bool:
    """Return whether a size was declared as None."""
    return any(symbol.kind is Kind.DYNAMIC for symbol in symbols(size))
