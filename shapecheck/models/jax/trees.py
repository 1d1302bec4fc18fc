"""Pytrees: nested lists, tuples and dictionaries of arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain import values
from shapecheck.domain.values import NONE, Const, Dict, Int, Ref, Scalar, Seq, Value
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.ops import mapped as ops
from shapecheck.models.ops.nest import flatten
from shapecheck.shapes.claims import FALSE as NEVER

MAP = "jax.{tree.map,tree_map,tree_util.tree_map}"


@behaviour(MAP)
def tree_map(ctx: Context, f: Value, tree: Value = NONE, *rest: Value, is_leaf: Value = NONE) -> Value:
    """Call a function on all leaves at the same position; None is no leaf."""
    trees = [ctx.freeze(each) for each in (tree, *rest)]
    return ctx.lost("a mapped tree") if is_leaf != NONE else _mapped(ctx, f, trees)


def _mapped(ctx: Context, f: Value, trees: Sequence[Value]) -> Value:
    """Return the results of a function for the leaves at each position."""
    match trees[0]:
        case Seq(kind="list" | "tuple" as kind, items=items):
            columns = [each.items for each in trees if isinstance(each, Seq) and len(each.items) == len(items)]
            if len(columns) == len(trees):
                return Seq(kind, tuple(_mapped(ctx, f, leaves) for leaves in zip(*columns, strict=True)))
        case Dict(items=pairs, rest=None):
            if not _have_same_keys(ctx, trees):
                return ctx.lost("trees that differ")
            found = [[each.get(key) if isinstance(each, Dict) else None for each in trees] for key, _ in pairs]
            rows = [[leaf for leaf in leaves if leaf is not None] for leaves in found]
            if all(len(row) == len(trees) for row in rows):
                return Dict(tuple((key, _mapped(ctx, f, row)) for (key, _), row in zip(pairs, rows, strict=True)))
        case Const(value=None):
            return NONE
        case leaf if _is_plain(leaf):
            return ctx.freeze(ctx.call(f, list(trees)))
    return ctx.lost("a mapped tree")


def _have_same_keys(ctx: Context, trees: Sequence[Value]) -> bool:
    """State that dictionaries at the same position have the same keys."""
    known = [each for each in trees if isinstance(each, Dict) and each.rest is None]
    keys = [{key for key, _ in each.items} for each in known]
    other = next((each for each in keys if each != keys[0]), None)
    if other is None or not all(isinstance(key, Const) for each in keys for key in each):
        return True
    first, second = ([str(key.value) for key in each if isinstance(key, Const)] for each in (keys[0], other))
    said = f"one tree has the keys {', '.join(sorted(first))}, another has {', '.join(sorted(second))}"
    ctx.require(ClashKind.AXIS, NEVER, said)
    return False


@behaviour("jax.{tree.leaves,tree_leaves,tree_util.tree_leaves}")
def leaves(ctx: Context, tree: Value, is_leaf: Value = NONE) -> Value:
    if is_leaf != NONE or not _is_plain(ctx.freeze(tree)):
        return ctx.lost("the leaves of a tree")
    return flatten(ctx, tree)


def _is_plain(value: Value) -> bool:
    """Return whether a tree has arrays and numbers for its leaves, all of which are known."""
    match value:
        case Seq(kind="list" | "tuple", items=items):
            return all(map(_is_plain, items))
        case Dict(items=pairs, rest=None):
            return all(_is_plain(item) for _, item in pairs)
        case Const(value=None):
            return False
    return isinstance(value, (values.Tensor, Const, Int, Scalar))


def each_leaf(ctx: Context, value: Value, change: Callable[[Value], Value]) -> Value:
    """Return a tree with other leaves; the weights of a network are kept."""
    return ops.each_leaf(ctx, value, change, _weights)


def _weights(ctx: Context, value: Ref) -> Value:
    return value if value.cls == "jax.Weights" else ctx.lost("a tree of other objects")
