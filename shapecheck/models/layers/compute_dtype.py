"""The dtype in which a layer computes: from its own policy, or from the policy of the whole program."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.domain.values import NONE, Const, Ref, Tensor, Value
from shapecheck.models.lang.arguments import dtype_name
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.dtypes import is_float
from shapecheck.models.lang.registry import attribute, behaviour
from shapecheck.models.lang.settings import SETTINGS, setting
from shapecheck.models.layers.structure import as_tensors, change, data
from shapecheck.shapes.dtype import canonical

POLICY = "policy"
MIXED = {"mixed_float16": "float16", "mixed_bfloat16": "bfloat16"}


def taken(ctx: Context, layer: Value, given: Value) -> Value:
    """Return the inputs as a layer's `call` sees them: floating inputs are cast to its compute dtype."""
    inputs = as_tensors(data(ctx.freeze(given)))
    if ctx.target.tensorflow == 1:
        return inputs
    dtype = computed_in(ctx, layer)
    return change(inputs, lambda tensor: cast(tensor, dtype) if is_float(tensor.dtype) else tensor)


def made(ctx: Context, layer: Value, result: Value) -> Value:
    """Return the output of a layer with its usual dtype."""
    dtype = computed_in(ctx, layer)
    return change(result, lambda tensor: cast(tensor, dtype) if tensor.dtype == "float32" else tensor)


def cast(tensor: Tensor, dtype: str | None) -> Tensor:
    return tensor if tensor.dtype == dtype else replace(tensor, dtype=dtype)


def computed_in(ctx: Context, layer: Value) -> str | None:
    """Return the name of the compute dtype; None where it is not known."""
    own = ctx.get(layer, "dtype") if isinstance(layer, Ref) else None
    if own is None or own == NONE:
        own = setting(ctx, POLICY)
    return "float32" if own is None or own == NONE else _meant(ctx, own)


def _meant(ctx: Context, policy: Value) -> str | None:
    """Return the compute dtype of a policy, given as an object or by name."""
    while isinstance(policy, Ref):
        policy = ctx.get(policy, "name") or ctx.lost("a policy")
    name = dtype_name(policy)
    return MIXED.get(name or "") or canonical(name or "")


@behaviour("keras.mixed_precision.{Policy,DTypePolicy}", "keras.mixed_precision.experimental.Policy")
@behaviour("keras.{DTypePolicy,dtype_policies.DTypePolicy}")
def policy(ctx: Context, name: Value = NONE, *rest: Value, **others: Value) -> Value:
    return ctx.new("keras.DTypePolicy", name=name)


@attribute("keras.DTypePolicy.compute_dtype")
def compute_dtype(ctx: Context, self: Value) -> Value:
    name = _meant(ctx, self)
    return ctx.lost("a dtype") if name is None else Const(name)


@behaviour("keras.mixed_precision.{set_global_policy,set_dtype_policy}", "keras.config.{set_dtype_policy,set_floatx}")
@behaviour("keras.mixed_precision.experimental.set_policy", "keras.backend.set_floatx")
def set_policy(ctx: Context, policy: Value = NONE, *rest: Value, **others: Value) -> Value:
    ctx.set(SETTINGS, POLICY, policy if policy != NONE else others.get("value", others.get("floatx", NONE)))
    return NONE
