"""Structures of trees apart from their leaves, and classes that are registered as trees."""

from __future__ import annotations

from shapecheck.domain.values import NONE, Ref, Scalar, Seq, Value
from shapecheck.models.jax.tree_objects import bare, opened
from shapecheck.models.jax.trees import is_plain
from shapecheck.models.lang import Context, base, behaviour
from shapecheck.models.ops.nest import flatten, pack_sequence_as

STRUCTURE, TREE = "jax.tree_util.PyTreeDef", "_tree"
base(STRUCTURE, "builtins.object")
_REGISTERED = "register_pytree_node_class register_static register_dataclass"
_NOTED = "register_pytree_node register_pytree_with_keys"
_UNKNOWN = """
tree_flatten_with_path tree_leaves_with_path tree_map_with_path tree_transpose tree_broadcast keystr treedef_children
treedef_tuple flatten_one_level tree_reduce_associative flatten_one_level_with_keys
"""


@behaviour("jax.{tree.flatten,tree_flatten,tree_util.tree_flatten}")
def flattened(ctx: Context, tree: Value, is_leaf: Value = NONE) -> Value:
    """Return the leaves, and the structure to put others in."""
    whole = ctx.freeze(tree)
    if is_leaf != NONE or not is_plain(whole):
        return Seq("tuple", (ctx.lost("the leaves of a tree"), ctx.lost("the structure of a tree")))
    return Seq("tuple", (flatten(ctx, whole), ctx.new(STRUCTURE, **{TREE: whole})))


@behaviour("jax.{tree.structure,tree_structure,tree_util.tree_structure}")
def structure(ctx: Context, tree: Value, is_leaf: Value = NONE) -> Value:
    whole = ctx.freeze(tree)
    is_known = is_leaf == NONE and is_plain(whole)
    return ctx.new(STRUCTURE, **{TREE: whole}) if is_known else ctx.lost("the structure of a tree")


@behaviour("jax.{tree.unflatten,tree_unflatten,tree_util.tree_unflatten}")
def unflattened(ctx: Context, treedef: Value, leaves: Value) -> Value:
    """Return the leaves in the positions of a structure."""
    whole = ctx.get(treedef, TREE) if isinstance(treedef, Ref) and treedef.cls == STRUCTURE else None
    return ctx.lost("a tree") if whole is None else pack_sequence_as(ctx, whole, leaves)


@behaviour(f"{STRUCTURE}.unflatten")
def unflatten(ctx: Context, self: Ref, leaves: Value) -> Value:
    return unflattened(ctx, self, leaves)


@behaviour("jax.{tree.reduce,tree_reduce,tree_util.tree_reduce}")
def reduced(ctx: Context, function: Value, tree: Value, initializer: Value = NONE, is_leaf: Value = NONE) -> Value:
    """Combine the leaves one after the other."""
    whole = bare(opened(ctx, tree))
    leaves = flatten(ctx, whole) if is_leaf == NONE and is_plain(whole) else NONE
    if not isinstance(leaves, Seq):
        return ctx.lost("what leaves are combined to")
    items = leaves.items if initializer == NONE else (initializer, *leaves.items)
    result: Value = items[0] if items else ctx.lost("no leaves")
    for item in items[1:]:
        result = ctx.freeze(ctx.call(function, [result, item]))
    return result


@behaviour("jax.{tree.all,tree_util.tree_all}", "equinox.tree_equal")
def all_leaves(ctx: Context, *trees: Value, **options: Value) -> Value:
    return Scalar("bool")


@behaviour(f"jax.tree_util.{{{','.join(_REGISTERED.split())}}}")
def registered(ctx: Context, cls: Value = NONE, *rest: Value, **options: Value) -> Value:
    """Return the class, which is a tree from here on."""
    return cls if cls != NONE else ctx.lost("a decorator")


@behaviour(f"jax.tree_util.{{{','.join(_NOTED.split())}}}")
def noted(ctx: Context, *args: Value, **options: Value) -> Value:
    return NONE


@behaviour(f"jax.tree_util.{{{','.join(_UNKNOWN.split())}}}", "jax.tree.{flatten_with_path,map_with_path,transpose}")
@behaviour("jax.tree.{leaves_with_path,broadcast}")
def not_followed(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.lost("leaves with their paths")
