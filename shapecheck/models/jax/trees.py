"""Pytrees: nested lists, tuples and dictionaries of arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain import values
from shapecheck.domain.values import NONE, Const, Dict, Int, Library, Partial, Ref, Scalar, Seq, Value
from shapecheck.models.jax.tree_objects import bare, closed, is_object, opened
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.ops import mapped as ops
from shapecheck.models.ops.nest import flatten
from shapecheck.shapes.claims import FALSE as NEVER
from shapecheck.shapes.claims import Equal
from shapecheck.shapes.shape import UNRANKED, Shape

UNRAVEL = "jax.flatten_util.unravel"
OPAQUE = ("jax.Weights", "optax.State")
"""The classes of objects that are trees, whose leaves are not known."""
MAP = "jax.{tree.map,tree_map,tree_util.tree_map}"


@behaviour(MAP)
def tree_map(ctx: Context, f: Value, tree: Value = NONE, *rest: Value, is_leaf: Value = NONE) -> Value:
    """Call a function on all leaves at the same position; None is no leaf."""
    trees = [opened(ctx, each) for each in (tree, *rest)]
    return ctx.lost("a mapped tree") if is_leaf != NONE else closed(ctx, _mapped(ctx, f, trees))


def _mapped(ctx: Context, f: Value, trees: Sequence[Value]) -> Value:
    """Return the results of a function for the leaves at each position."""
    if not have_same_containers(ctx, trees):
        return ctx.lost("trees that differ")
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
        case leaf if is_plain(leaf):
            return ctx.freeze(ctx.call(f, list(trees)))
    return ctx.lost("a mapped tree")


def have_same_containers(ctx: Context, trees: Sequence[Value]) -> bool:
    """State that where the first tree has a container, the others have one of the same kind and length."""
    wanted = _container(trees[0])
    for other in trees[1:] if wanted else ():
        found = _container(other) or _leaf(other)
        if found and found != wanted:
            ctx.require(ClashKind.AXIS, NEVER, f"one tree has {wanted} where another has {found}", other)
            return False
    return True


def _container(value: Value) -> str:
    """Return what kind of container a value is, in words; "" for what is none."""
    match value:
        case Seq(kind="list" | "tuple" as kind, items=items):
            return f"a {kind} of {len(items)} parts"
        case Dict(rest=None):
            return "an object" if is_object(value) else "a dictionary"
    return ""


def _leaf(value: Value) -> str:
    return "an array" if isinstance(value, values.Tensor) else ""


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
    whole = bare(opened(ctx, tree))
    return flatten(ctx, whole) if is_leaf == NONE and is_plain(whole) else ctx.lost("the leaves of a tree")


def is_plain(value: Value) -> bool:
    """Return whether a tree has arrays and numbers for its leaves, all of which are known."""
    match value:
        case Seq(kind="list" | "tuple", items=items):
            return all(map(is_plain, items))
        case Dict(items=pairs, rest=None):
            return all(is_plain(item) for _, item in pairs)
        case Const(value=None):
            return False
    return isinstance(value, (values.Tensor, Const, Int, Scalar))


@behaviour("jax.flatten_util.ravel_pytree")
def ravel(ctx: Context, pytree: Value) -> Value:
    """Return all leaves as one row, and a function that makes such a tree of a row."""
    tree = ctx.freeze(pytree)
    found = flatten(ctx, tree) if is_plain(tree) else None
    if not isinstance(found, Seq):
        return Seq("tuple", (ctx.lost("the leaves of a tree"), ctx.lost("a function that makes a tree")))
    row = _row([as_tensor(leaf, ctx) for leaf in found.items])
    return Seq("tuple", (row, Partial(Library(UNRAVEL), (tree,), ())))


def _row(leaves: Sequence[values.Tensor]) -> values.Tensor:
    counts = [leaf.shape.elements() for leaf in leaves]
    dtypes = {leaf.dtype for leaf in leaves}
    total = UNRANKED if None in counts else Shape((sum((count for count in counts if count is not None), 0),))
    return values.Tensor(total, dtypes.pop() if len(dtypes) == 1 else None, "jax")


@behaviour(UNRAVEL)
def unravel(ctx: Context, tree: Value, flat: Value) -> Value:
    """Return a tree of the elements of a row, which has as many as the leaves."""
    leaves = flatten(ctx, tree)
    given = ctx.freeze(flat)
    wanted = _row([as_tensor(leaf, ctx) for leaf in leaves.items]).shape.size(0) if isinstance(leaves, Seq) else None
    have = given.shape.size(0) if isinstance(given, values.Tensor) else None
    if have is not None and wanted is not None:
        ctx.require(ClashKind.ELEMENTS, Equal(have, wanted), f"{have} elements are given for a tree of {wanted}", given)
    return each_leaf(ctx, tree, lambda leaf: anew(as_tensor(leaf, ctx)))


def anew(tensor: values.Tensor) -> values.Tensor:
    """Return an array of JAX like another one."""
    return values.Tensor(tensor.shape, tensor.dtype, "jax")


def each_leaf(ctx: Context, value: Value, change: Callable[[Value], Value]) -> Value:
    """Return a tree with other leaves; objects that are trees whose leaves are not known are kept."""
    return closed(ctx, ops.each_leaf(ctx, opened(ctx, value), change, _opaque))


def _opaque(ctx: Context, value: Ref) -> Value:
    return value if value.cls in OPAQUE else ctx.lost("a tree of other objects")
