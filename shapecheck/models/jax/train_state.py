"""Data classes that are trees, and flax's `TrainState`: one with the weights of a network, and what updates them."""

from __future__ import annotations

from shapecheck.domain.values import NONE, Class, Const, Library, Partial, Ref, Value
from shapecheck.models.jax.trees import each_leaf
from shapecheck.models.lang import Context, base, behaviour
from shapecheck.models.lang.arguments import as_tensor

FIELD = Library("dataclasses.field")
STATE = "flax.training.train_state.TrainState"
base(STATE, "builtins.object")
base("flax.struct.PyTreeNode", "builtins.object")
base("flax.struct.dataclass", "builtins.object")


@behaviour("flax.struct.field", "equinox.field")
def field(ctx: Context, **options: Value) -> Value:
    """Return the declaration of a field of a data class."""
    return Partial(FIELD, (), tuple(options.items()))


@behaviour(f"{STATE}.create")
def create(ctx: Context, *cls: Value, **fields: Value) -> Value:
    """Return a state, whose class may be one of the program that derives from the library's."""
    known: dict[str, Value] = {"step": Const(0), "opt_state": ctx.lost("the state of an optimizer")}
    known |= fields
    if cls and isinstance(cls[0], Class):
        return ctx.new("user", __class__=cls[0], **known)
    return ctx.new(STATE, **known)


@behaviour(f"{STATE}.apply_gradients")
def apply_gradients(ctx: Context, self: Ref, *, grads: Value = NONE, **fields: Value) -> Value:
    """Return the state after an update, with weights of the same shapes."""
    former = ctx.freeze(ctx.get(self, "params") or NONE)
    changed: dict[str, Value] = {
        "step": ctx.lost("the number of steps"),
        "opt_state": ctx.lost("the state of an optimizer"),
        "params": each_leaf(ctx, former, lambda leaf: as_tensor(leaf, ctx)),
    }
    return replace(ctx, self, **changed, **fields)


@behaviour(f"{STATE}.replace", "flax.struct.{dataclass,PyTreeNode}.replace")
def replace(ctx: Context, self: Ref, **fields: Value) -> Value:
    copy = ctx.apply("copy.copy", self)
    for name, value in fields.items():
        ctx.set(copy, name, value)
    return copy
