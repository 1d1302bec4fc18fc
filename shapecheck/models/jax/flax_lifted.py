"""flax: transformations of modules, partitions and boxes, and dictionaries that are not changed."""

from __future__ import annotations

from shapecheck.domain.values import NONE, Value
from shapecheck.models.jax.flax import BASES
from shapecheck.models.lang import Answer, AnyValue, Blind, Context, Tensor, behaviour, op
from shapecheck.models.lang.registry import layer

_LIFTED = """
scan remat_scan vmap cond switch while_loop jvp vjp custom_vjp grad value_and_grad map_variables fold_rngs share_scope
tabulate apply init init_with_output intercept_methods merge_param get_partition_spec get_sharding logical_to_mesh
logical_to_mesh_axes logical_to_mesh_sharding get_logical_axis_rules unbox add_metadata_axis named_call
dot_product_attention_weights pool
"""
_BOXES = "with_partitioning with_logical_partitioning"
_NOTHING = "set_logical_axis_rules enable_named_call disable_named_call override_named_call"


@behaviour(
    f"flax.linen.{{{','.join(_LIFTED.split())}}}", "flax.linen.{logical_axis_rules,Partitioned,LogicallyPartitioned}"
)
def lifted(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.lost("a transformed module")


@behaviour("flax.nnx.{scan,vmap,pmap,cond,switch,while_loop,fori_loop,jvp,vjp,custom_vjp,shard_map,map,jit_partial}")
def lifted_in_nnx(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.lost("a transformed function of modules")


@behaviour(f"flax.{{linen,nnx}}.{{{','.join(_BOXES.split())}}}")
def partitioned(ctx: Context, init_fn: Value, *rest: Value, **options: Value) -> Value:
    """Return the function that makes weights, with the names of their axes."""
    return init_fn


@behaviour(f"flax.linen.{{{','.join(_NOTHING.split())}}}")
def noted(ctx: Context, *args: Value, **options: Value) -> Value:
    return NONE


@behaviour("flax.linen.with_logical_constraint", "jax.reshard")
def placed(ctx: Context, x: Value, *rest: Value, **options: Value) -> Value:
    return x


@behaviour(
    "flax.core.{freeze,unfreeze,FrozenDict,copy,frozen_dict.freeze,frozen_dict.unfreeze}", "flax.linen.FrozenDict"
)
def same_dictionary(ctx: Context, xs: Value = NONE, *rest: Value, **options: Value) -> Value:
    """Return the dictionary, which may not be changed from here on, or may again."""
    return ctx.lost("a dictionary") if rest or options or xs == NONE else ctx.apply("copy.deepcopy", xs)


@layer("flax.nnx.{LinearGeneral,Einsum,SpectralNorm,WeightNorm,LoRALinear}", dtype="?", bases=("flax.nnx.Module",))
@layer(
    "flax.linen.{SpectralNorm,WeightNorm,Einsum,ConvLocal,BatchApply,ConvLSTMCell,Bidirectional}",
    dtype="?",
    bases=BASES,
)
def not_followed(inputs: Tensor) -> Answer:
    raise Blind("axes that are named")


@layer("flax.nnx.PReLU", dtype="?", bases=("flax.nnx.Module",))
@layer("flax.linen.PReLU", dtype="?", bases=BASES)
def activation(inputs: Tensor) -> Answer:
    return "*S -> *S"


@op("optax.losses.{dice_loss,binary_dice_loss,multiclass_generalized_dice_loss}", oracle="none: sums of axes")
@op("optax.losses.{make_fenchel_young_loss,multiclass_sparsemax_loss,ranking_softmax_loss}", oracle="none: other axes")
@op("optax.{losses.,}ctc_loss_with_forward_probs", "optax.losses.ctc_loss", oracle="none: other axes")
def other_losses(inputs: AnyValue) -> Answer:
    raise Blind("a loss of other axes")
