"""What `apply` offers the layers of flax beside weights: running averages, which may change or not, and keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import FALSE, NONE, TRUE, Const, Dict, Ref, Seq, Value, as_bool, as_str
from shapecheck.models.jax.weights import NETWORKS
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.registry import REGISTRY
from shapecheck.shapes.claims import FALSE as IMPOSSIBLE

OFFER = "_offer_of_apply"
STATISTICS = "batch_stats"


def offering(ctx: Context, offer: Value, run: Callable[[], Value]) -> Value:
    """Return the result of a module while `apply` offers something; NONE where `init` makes what is missing."""
    before = ctx.get(NETWORKS, OFFER) or NONE
    ctx.set(NETWORKS, OFFER, offer)
    result = run()
    ctx.set(NETWORKS, OFFER, before)
    return result


def offer_of(ctx: Context, variables: Value, options: Mapping[str, Value]) -> Value:
    """Return what a call of `apply` offers: the variables, those that may change, and the keys."""
    mutable, keys = (ctx.freeze(options.get(name, default)) for name, default in (("mutable", FALSE), ("rngs", NONE)))
    return Seq("tuple", (ctx.freeze(variables), mutable, keys))


def checked(name: str, check: Callable[[Context, Ref, tuple[Value, ...], Mapping[str, Value], Seq], None]) -> None:
    """Check what a layer is offered before each call."""
    model = REGISTRY[f"{name}.__call__"]

    def call(ctx: Context, self: Ref, *args: Value, **options: Value) -> Value:
        offer = ctx.get(NETWORKS, OFFER)
        if isinstance(offer, Seq):
            check(ctx, self, args, options, offer)
        return model.run(ctx, (self, *args), options)

    call.__module__ = __name__
    behaviour(f"{name}.__call__", anew=True)(call)


def _flag(ctx: Context, self: Ref, args: tuple[Value, ...], options: Mapping[str, Value], name: str) -> bool | None:
    """Return a flag that a layer has, or is called with beside its input; None if it is not known."""
    given = args[1] if len(args) > 1 else options.get(name, NONE)
    return as_bool((ctx.get(self, name) or NONE) if given == NONE else given)


def _names(value: Value) -> set[str | None] | None:
    """Return the collections that `mutable` names, or those of a dict; None if they are not known."""
    match value:
        case Const(value=False):
            return set()
        case Const(value=str(name)):
            return {name}
        case Seq(items=items):
            found = {as_str(item) for item in items}
        case Dict(items=pairs, rest=None):
            found = {as_str(key) for key, _ in pairs}
        case _:
            return None
    return None if None in found else found


def has_statistics(ctx: Context, self: Ref, args: tuple[Value, ...], options: Mapping[str, Value], offer: Seq) -> None:
    """State that there are running averages, and that they may change where the layer does not use them."""
    variables, mutable, _ = offer.items
    given, changing = _names(variables) if isinstance(variables, Dict) else None, _names(mutable)
    if mutable == TRUE or changing is None or STATISTICS in changing:
        return
    if given is not None and STATISTICS not in given:
        said = f"apply is given no {STATISTICS}, the running averages of the layer"
        ctx.require(ClashKind.SIGNATURE, IMPOSSIBLE, said)
    elif _flag(ctx, self, args, options, "use_running_average") is False:
        said = f"the layer changes its running averages: apply needs mutable=['{STATISTICS}']"
        ctx.require(ClashKind.SIGNATURE, IMPOSSIBLE, said)


def has_key(ctx: Context, self: Ref, args: tuple[Value, ...], options: Mapping[str, Value], offer: Seq) -> None:
    """State that there is a key where the layer drops something."""
    is_plain = ctx.get(self, "rng_collection") is None and "rng" not in options and len(args) < 3
    rate = ctx.get(self, "rate")
    drops = isinstance(rate, Const) and isinstance(rate.value, float) and 0 < rate.value < 1
    keys = set() if offer.items[2] == NONE else _names(offer.items[2])
    is_keyless = keys is not None and not keys & {"dropout", "params"}
    if is_plain and drops and is_keyless and _flag(ctx, self, args, options, "deterministic") is False:
        said = "the layer draws what it drops: apply needs rngs={'dropout': key}"
        ctx.require(ClashKind.SIGNATURE, IMPOSSIBLE, said)
