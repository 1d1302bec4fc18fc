"""equinox: modules are data classes whose layers take one sample, without a batch."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Value
from shapecheck.models.lang import Answer, Context, Need, Size, Tensor, base, behaviour, equal
from shapecheck.models.lang.constraints import Refused
from shapecheck.models.lang.registry import layer, lookup

MODULE = "equinox.Module"
BASES = (MODULE,)
base(MODULE, "object")
WRAPPERS = {
    "filter_jit": "jax.named_call",
    "filter_vmap": "jax.vmap",
    "filter_grad": "jax.grad",
    "filter_value_and_grad": "jax.value_and_grad",
    "filter_checkpoint": "jax.named_call",
}


def _register(name: str, of: str) -> None:
    def wrap(ctx: Context, *args: Value, **options: Value) -> Value:
        model = lookup(of)
        return ctx.lost("a wrapper") if model is None else model.run(ctx, args, options)

    wrap.__module__ = __name__
    behaviour(f"equinox.{name}")(wrap)


for _name, _of in WRAPPERS.items():
    _register(_name, _of)


def _of_one_sample(x: Tensor, wanted: object) -> list[Need]:
    if x.rank is not None and x.rank != 1:
        raise Refused(ClashKind.RANK, f"{x.name} has rank {x.rank}, the layer takes one sample without a batch")
    have = x.shape.size(0)
    said = f"{x.name} has {have} features, the layer takes {wanted}"
    return [] if have is None or have == wanted else [equal(ClashKind.AXIS, have, wanted, said)]  # type: ignore[arg-type]


@layer("equinox.nn.Linear", dtype="?", bases=BASES)
def linear(x: Tensor, in_features: Size, out_features: Size) -> Answer:
    return "n -> {out_features}", *_of_one_sample(x, in_features)


@layer("equinox.nn.MLP", dtype="?", bases=BASES)
def mlp(x: Tensor, in_size: Size, out_size: Size) -> Answer:
    return "n -> {out_size}", *_of_one_sample(x, in_size)


@layer("equinox.nn.{LayerNorm,RMSNorm,GroupNorm,Dropout,Identity}", bases=BASES)
def kept(x: Tensor) -> Answer:
    return "*S -> *S"


@behaviour("equinox.apply_updates")
def updated(ctx: Context, model: Value, updates: Value) -> Value:
    return model


@behaviour("equinox.filter")
def filtered(ctx: Context, pytree: Value, *rest: Value, **options: Value) -> Value:
    return pytree
