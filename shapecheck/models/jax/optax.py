"""optax: updates of weights."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, TRUE, Const, Dict, Library, Ref, Seq, Tensor, Value, walk
from shapecheck.models.jax.trees import each_leaf, have_same_containers
from shapecheck.models.lang import Context, base, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.shapes.claims import FALSE as NEVER
from shapecheck.shapes.shape import SCALAR

MISSING = Const("the state that is not given")


_OPTIMIZERS = """
adabelief adadelta adafactor adagrad adam adamax adamaxw adamw adan amsgrad fromage lamb lars lion nadam nadamw
noisy_sgd novograd polyak_sgd radam rmsprop rprop sgd sign_sgd sm3 yogi
add_decayed_weights add_noise apply_if_finite centralize chain clip clip_by_block_rms clip_by_global_norm
identity masked multi_transform partition scale scale_by_adam scale_by_learning_rate scale_by_rms scale_by_schedule
set_to_zero trace MultiSteps adaptive_grad_clip apply_every conditionally_mask conditionally_transform ema freeze
keep_params_nonnegative lbfgs lookahead named_chain normalize_by_update_norm optimistic_adam optimistic_adam_v2
optimistic_gradient_descent selective_transform snapshot stateless stateless_with_tree_map zero_nans signum
with_extra_args_support scale_by_adadelta scale_by_adamax scale_by_adan scale_by_amsgrad scale_by_belief
scale_by_backtracking_linesearch scale_by_distance_over_gradients scale_by_factored_rms scale_by_lbfgs scale_by_lion
scale_by_novograd scale_by_optimistic_gradient scale_by_param_block_norm scale_by_param_block_rms scale_by_polyak
scale_by_radam scale_by_rprop scale_by_rss scale_by_sign scale_by_sm3 scale_by_stddev scale_by_trust_ratio
scale_by_yogi scale_by_zoom_linesearch flatten monitor measure_with_ema skip_large_updates skip_not_finite microbatch
"""
TRANSFORMATION, STATE = "optax.GradientTransformation", "optax.State"
base(TRANSFORMATION, "builtins.object")
base(STATE, "builtins.tuple")


_HAVE_MOMENTS = frozenset("adabelief adadelta adam adamax adamaxw adamw lamb lion nadam nadamw radam".split())
"""Those whose state has a tree like that of the weights, whatever their options are."""
MOMENTS, TREE = "_has_moments", "_tree"


@behaviour(f"optax.{{{','.join(sorted({*_OPTIMIZERS.split()} - _HAVE_MOMENTS))}}}")
def optimizer(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.new(TRANSFORMATION)


@behaviour(f"optax.{{{','.join(sorted(_HAVE_MOMENTS))}}}")
def optimizer_with_moments(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.new(TRANSFORMATION, **{MOMENTS: TRUE})


@behaviour("optax.{dpsgd,differentially_private_aggregate}", "optax.contrib.{dpsgd,differentially_private_aggregate}")
def of_single_examples(ctx: Context, *args: Value, **options: Value) -> Value:
    """Gradients have an axis of examples, which updates have not."""
    return ctx.lost("an optimizer of gradients of single examples")


@behaviour("optax.{safe_increment,safe_int32_increment}")
def incremented(ctx: Context, count: Value) -> Value:
    return ctx.apply("jax.numpy.add", count, Const(1))


@behaviour("optax.scale_gradient")
def scaled(ctx: Context, inputs: Value, *rest: Value, **options: Value) -> Value:
    return each_leaf(ctx, ctx.freeze(inputs), lambda leaf: as_tensor(leaf, ctx))


@behaviour("optax.{value_and_grad_from_state,per_example_global_norm_clip,matrix_inverse_pth_root}")
def not_followed(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.lost("a function of optax that is not followed")


@behaviour("optax.{inject_hyperparams,inject_stateful_hyperparams}")
def injected(ctx: Context, inner_factory: Value, *args: Value, **options: Value) -> Value:
    """Return the function that makes the optimizer, whose state has its numbers as well."""
    return inner_factory


@behaviour("optax.{safe_norm,safe_root_mean_squares,power_iteration,tree_utils.tree_vdot,tree_utils.tree_sum}")
def number(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.lost("a norm")


@behaviour(f"{TRANSFORMATION}.init")
def init(ctx: Context, self: Value, params: Value) -> Value:
    return ctx.new(STATE) if ctx.get(self, MOMENTS) is None else ctx.new(STATE, **{TREE: ctx.freeze(params)})


@behaviour(f"{TRANSFORMATION}.update")
def update(
    ctx: Context, self: Value, updates: Value, state: Value = MISSING, params: Value = NONE, **options: Value
) -> Value:
    """Return updates, which are like the gradients, and the state after them."""
    if state == MISSING:
        ctx.require(ClashKind.NOTHING, NEVER, "the state of the optimizer is not given")
        return ctx.lost("updates")
    given = ctx.freeze(state)
    if isinstance(given, (Dict, Tensor)) and all(isinstance(part, (Dict, Tensor, Const)) for part in walk(given)):
        said = "weights are given where the state of the optimizer belongs"
        ctx.require(ClashKind.AXIS, NEVER, said, given)
    gradients = ctx.freeze(updates)
    tree = ctx.get(state, TREE) if isinstance(state, Ref) else None
    kept = state if isinstance(state, Ref) else ctx.new(STATE)
    likes = [like for like in (tree, None if params == NONE else ctx.freeze(params)) if like is not None]
    if not all(have_same_containers(ctx, [like, gradients]) for like in likes):
        return ctx.lost("updates")
    return Seq("tuple", (each_leaf(ctx, gradients, lambda leaf: as_tensor(leaf, ctx)), kept))


@behaviour("optax.apply_updates")
def apply_updates(ctx: Context, params: Value, updates: Value) -> Value:
    """Return new weights, which are like the old ones."""
    if not have_same_containers(ctx, [ctx.freeze(params), ctx.freeze(updates)]):
        return ctx.lost("trees that differ")
    return each_leaf(ctx, ctx.freeze(params), lambda leaf: as_tensor(leaf, ctx))


@behaviour("optax.{incremental_update,periodic_update}")
def updated(ctx: Context, new_tensors: Value, old_tensors: Value, *rest: Value, **options: Value) -> Value:
    """Return weights between the new and the old ones, which are alike."""
    old = ctx.freeze(old_tensors)
    if not have_same_containers(ctx, [ctx.freeze(new_tensors), old]):
        return ctx.lost("trees that differ")
    return each_leaf(ctx, old, lambda leaf: as_tensor(leaf, ctx))


@behaviour("optax.{global_norm,tree_utils.tree_norm,tree_utils.tree_l2_norm,tree.norm}")
def global_norm(ctx: Context, tree: Value, *rest: Value, **options: Value) -> Value:
    return Tensor(SCALAR, None, "jax")


# Schedules -----------------------------------------------------------------------------------------------------------

_SCHEDULES = """
constant_schedule cosine_decay_schedule cosine_onecycle_schedule exponential_decay join_schedules
linear_onecycle_schedule linear_schedule piecewise_constant_schedule piecewise_interpolate_schedule polynomial_schedule
sgdr_schedule warmup_constant_schedule warmup_cosine_decay_schedule warmup_exponential_decay_schedule
"""


@behaviour(f"{{optax,optax.schedules}}.{{{','.join(_SCHEDULES.split())}}}")
def schedule(ctx: Context, *args: Value, **options: Value) -> Value:
    return Library("optax.schedules.at")


@behaviour("optax.schedules.at")
def value_at(ctx: Context, count: Value) -> Value:
    """Return the rate at a step."""
    is_number = not isinstance(count, Tensor) or count.shape.rank == 0
    return Tensor(SCALAR, None, "jax") if is_number else ctx.lost("rates of several steps")
