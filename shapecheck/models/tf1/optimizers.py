"""Optimizers, gradients and learning rates of TensorFlow 1."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    NONE,
    TRUE,
    Dict,
    Function,
    HomogeneousSeq,
    Lost,
    Method,
    Missing,
    Partial,
    Scalar,
    Seq,
    Tensor,
    Value,
    walk,
)
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.gradient_norms import GRADIENT
from shapecheck.models.lang.gradients import Recording
from shapecheck.models.layers.missing_gradients import Derivatives, with_missing
from shapecheck.models.tf1.graph import operation, variables
from shapecheck.models.tf1.variable_scopes import SLOTS, TABLE
from shapecheck.shapes.facts import FALSE
from shapecheck.shapes.shape import SCALAR

OPTIMIZER = "tf.train.Optimizer"
KINDS = """Adadelta Adagrad AdagradDA Adam Ftrl GradientDescent Momentum ProximalAdagrad ProximalGradientDescent RMSProp
SyncReplicas""".split()
RATES = """cosine_decay cosine_decay_restarts exponential_decay inverse_time_decay linear_cosine_decay
natural_exp_decay noisy_linear_cosine_decay piecewise_constant piecewise_constant_decay polynomial_decay""".split()
MORE = "AdaMax AdamW AdamGS DropStale Elastic LazyAdam MovingAverage MomentumW Nadam ScipyOptimizerInterface".split()


@behaviour(
    OPTIMIZER,
    *(f"tf.train.{kind}Optimizer" for kind in KINDS),
    *(f"tf.contrib.opt.{kind.removesuffix('Optimizer')}Optimizer" for kind in MORE),
    "tf.contrib.estimator.clip_gradients_by_norm",
    "tf.contrib.tpu.CrossShardOptimizer",
    "tf.tpu.CrossShardOptimizer",
    "tf.train.experimental.enable_mixed_precision_graph_rewrite",
)
def optimizer(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return ctx.new(OPTIMIZER)


def loss_of(ctx: Context, loss: Value) -> Value:
    """Return a loss, computed if it is given as a function."""
    return ctx.call(loss, []) if isinstance(loss, (Function, Method, Partial)) else loss


@behaviour(f"{OPTIMIZER}.minimize")
def minimize(ctx: Context, self: Value, loss: Value, *args: Value, **keywords: Value) -> Value:
    """Make a step of training, for which the loss has a gradient."""
    why = Derivatives(ctx, Recording(), [loss]).reason_in_training() if isinstance(loss, Tensor) else None
    if why is not None:
        ctx.require(ClashKind.NO_GRADIENT, FALSE, f"the loss has no gradient: {why}")
    ctx.set(TABLE, SLOTS, TRUE)
    return operation(ctx, loss_of(ctx, loss))


@behaviour("tf.contrib.{slim.learning,training}.create_train_op")
def create_train_op(ctx: Context, total_loss: Value, optimizer: Value, *args: Value, **keywords: Value) -> Value:
    return total_loss


def gradient(of: Value) -> Value:
    """Return the gradient with respect to a value, in the same structure."""
    match of:
        case Missing():
            return of
        case Lost():
            return Lost("gradient of an unknown value")
        case Tensor():
            return replace(of, library="tf", step=0, output=0, content=None, role="tensor", nature=GRADIENT)
        case Seq(kind=kind, items=items):
            return Seq(kind, tuple(gradient(item) for item in items))
        case HomogeneousSeq(kind=kind, element=element, length=length):
            return HomogeneousSeq(kind, gradient(element), length)
        case Dict(items=pairs, rest=None):
            return Dict(tuple((key, gradient(item)) for key, item in pairs))
    return Lost("gradient with respect to unknown variables")


@behaviour(f"{OPTIMIZER}.compute_gradients")
def compute_gradients(ctx: Context, self: Value, loss: Value, var_list: Value = NONE, *args: Value) -> Value:
    loss_of(ctx, loss)
    match variables(ctx) if var_list == NONE else var_list:
        case Seq(items=items):
            return Seq("list", tuple(Seq("tuple", (gradient(item), item)) for item in items))
        case HomogeneousSeq(element=element, length=length):
            return HomogeneousSeq("list", Seq("tuple", (gradient(element), element)), length)
    return ctx.lost("gradients of unknown variables")


@behaviour(f"{OPTIMIZER}.apply_gradients")
def apply_gradients(
    ctx: Context, self: Value, grads_and_vars: Value, global_step: Value = NONE, name: Value = NONE
) -> Value:
    ctx.set(TABLE, SLOTS, TRUE)
    return operation(ctx, grads_and_vars)


@behaviour("tf.train.ExponentialMovingAverage.apply")
def apply_average(ctx: Context, self: Value, var_list: Value = NONE) -> Value:
    ctx.set(TABLE, SLOTS, TRUE)
    return operation(ctx)


@behaviour(f"{OPTIMIZER}.variables")
def optimizer_variables(ctx: Context, self: Value) -> Value:
    return variables(ctx)


@behaviour(f"{OPTIMIZER}.get_name")
def optimizer_name(ctx: Context, self: Value) -> Value:
    return Scalar("str")


@behaviour("tf.gradients")
def gradients(ctx: Context, ys: Value, xs: Value, *args: Value, **keywords: Value) -> Value:
    """Return a list of gradients, of which those are None that have no path from the result."""
    targets = [part for part in walk(ys) if isinstance(part, Tensor)]
    sources = replace(xs, kind="list") if isinstance(xs, (Seq, HomogeneousSeq)) else Seq("list", (xs,))
    result = gradient(sources)
    if args or not targets or not all(isinstance(part, (Tensor, Seq)) for part in walk(ys)):
        return result
    known = Derivatives(ctx, Recording(), targets)
    made, reasons = with_missing(ctx, known.reason_in_graph, sources, result, "xs")
    if reasons:
        ctx.notice(ClashKind.NO_GRADIENT, f"gives None: {reasons[0]}", ys, xs)
    return made


@behaviour("tf.clip_by_global_norm")
def clip_by_global_norm(ctx: Context, t_list: Value, *args: Value, **keywords: Value) -> Value:
    clipped = ctx.lost("list of gradients") if isinstance(t_list, Tensor) else gradient(t_list)
    if isinstance(clipped, (Seq, HomogeneousSeq)):
        clipped = replace(clipped, kind="list")
    return Seq("tuple", (clipped, Tensor(SCALAR, "float32")))


@behaviour("tf.contrib.layers.optimize_loss")
def optimize_loss(ctx: Context, loss: Value, *args: Value, **keywords: Value) -> Value:
    return Tensor(SCALAR, "float32") if isinstance(loss, Tensor) else ctx.lost("a loss")


@behaviour(*(f"tf.train.{name}" for name in RATES))
def learning_rate(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return Tensor(SCALAR, "float32")


@behaviour("tf.train.ExponentialMovingAverage.average")
def moving_average(ctx: Context, self: Value, var: Value) -> Value:
    return gradient(var)
