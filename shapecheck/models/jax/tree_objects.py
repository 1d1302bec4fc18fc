"""Objects that are trees, as named tuples and data classes of flax are: as dictionaries of their parts, and back."""

from __future__ import annotations

from typing import TypeAlias

from shapecheck.domain.values import FALSE, NONE, Class, Const, Dict, Library, Partial, Ref, Seq, Value, as_str
from shapecheck.models.lang import Context

OBJECT = Library("jax.tree_util.object")
"""The key of what makes an object again of its parts: its class, with the attributes that are no parts."""
NAMED_TUPLE = "collections.namedtuple"
STATE = "flax.training.train_state.TrainState"
Names: TypeAlias = tuple[str, ...]
PARTS_OF_STATE: Names = ("step", "params", "opt_state")
OTHERS_OF_STATE: Names = ("apply_fn", "tx")
DEEPEST = 12


def opened(ctx: Context, value: Value, depth: int = 0) -> Value:
    """Return a tree with dictionaries for the objects in it."""
    whole = ctx.freeze(value)
    match whole:
        case Seq(kind="list" | "tuple" as kind, items=items):
            return Seq(kind, tuple(opened(ctx, item, depth) for item in items))
        case Dict(items=pairs, rest=None):
            return Dict(tuple((key, opened(ctx, item, depth)) for key, item in pairs))
        case Ref() if depth < DEEPEST:
            return _opened(ctx, whole, depth + 1)
    return whole


def _opened(ctx: Context, value: Ref, depth: int) -> Value:
    parts, others = _attributes(ctx, value)
    if not parts:
        return value
    cls = ctx.get(value, "__class__") or NONE
    made = Partial(OBJECT, (cls,), tuple(others.items()))
    return Dict(((made, NONE), *((Const(name), opened(ctx, part, depth)) for name, part in parts.items())))


def _attributes(ctx: Context, value: Ref) -> tuple[dict[str, Value], dict[str, Value]]:
    """Return the parts of an object that is a tree, and its other attributes; none for another object."""
    if value.cls == STATE:
        parts, others = PARTS_OF_STATE, OTHERS_OF_STATE
    else:
        listed = next((found for name in _LISTS if isinstance(found := ctx.get(value, name), Seq)), None)
        names = [name for item in (listed.items if listed else ()) if (name := as_str(item)) is not None]
        cls = ctx.get(value, "__class__") or NONE
        others = tuple(name for name in names if _is_static(ctx.get(cls, name)))
        parts = tuple(name for name in names if name not in others)
    return _values(ctx, value, parts), _values(ctx, value, others)


_LISTS = ("__tree__", "__items__", "_fields")


def _values(ctx: Context, owner: Ref, names: tuple[str, ...]) -> dict[str, Value]:
    return {name: found for name in names if (found := ctx.get(owner, name)) is not None}


def _is_static(default: Value | None) -> bool:
    return isinstance(default, Partial) and dict(default.keywords).get("pytree_node") == FALSE


def is_object(tree: Value) -> bool:
    """Return whether a dictionary stands for an object."""
    return isinstance(tree, Dict) and bool(tree.items) and _maker(tree) is not None


def _maker(tree: Dict) -> Partial | None:
    key = tree.items[0][0] if tree.items else NONE
    return key if isinstance(key, Partial) and key.function == OBJECT else None


def closed(ctx: Context, tree: Value) -> Value:
    """Return a tree with new objects for the dictionaries that stand for some."""
    match tree:
        case Seq(kind="list" | "tuple" as kind, items=items):
            return Seq(kind, tuple(closed(ctx, item) for item in items))
        case Dict(items=pairs, rest=None):
            maker = _maker(tree)
            parts = [(key, closed(ctx, item)) for key, item in pairs if key != maker]
            return Dict(tuple(parts)) if maker is None else _made(ctx, maker, parts)
    return tree


def _made(ctx: Context, maker: Partial, parts: list[tuple[Value, Value]]) -> Value:
    named = {name: part for key, part in parts if (name := as_str(key)) is not None} | dict(maker.keywords)
    match maker.args[0]:
        case Class() as cls:
            return ctx.new("user", __class__=cls, **named)
        case Library(name=name) if name == NAMED_TUPLE:
            items = Seq("tuple", tuple(named.values()))
            return ctx.new(name, _items=items, _fields=Seq("tuple", tuple(map(Const, named))), **named)
        case Library(name=name):
            return ctx.new(name, **named)
    return ctx.lost("an object that is a tree")


def bare(tree: Value) -> Value:
    """Return a tree with tuples in place of its objects."""
    match tree:
        case Seq(kind="list" | "tuple" as kind, items=items):
            return Seq(kind, tuple(map(bare, items)))
        case Dict(items=pairs, rest=None) if is_object(tree):
            return Seq("tuple", tuple(bare(item) for _, item in pairs[1:]))
        case Dict(items=pairs, rest=None):
            return Dict(tuple((key, bare(item)) for key, item in pairs))
    return tree
