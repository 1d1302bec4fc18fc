"""Optimizers, autograd, devices and other things that no shape depends on."""

from __future__ import annotations

from shapecheck.domain.values import NONE, Lost, Seq, Value
from shapecheck.models.lang import Context, behaviour

_OPTIMIZERS = "SGD Adam AdamW RMSprop Adagrad Adadelta Adamax NAdam RAdam Rprop ASGD LBFGS SparseAdam"
OPTIMIZER = "torch.optim.Optimizer"


@behaviour(f"torch.optim.{{{','.join(_OPTIMIZERS.split())}}}")
def optimizer(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.new(OPTIMIZER)


@behaviour(f"{OPTIMIZER}.{{step,zero_grad,load_state_dict,add_param_group}}")
def step(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    return NONE


@behaviour("torch.autograd.grad")
def gradient(ctx: Context, outputs: Value, inputs: Value, *rest: Value, **options: Value) -> Value:
    """A gradient has the shape of what it is taken for."""
    found = ctx.freeze(inputs)
    return (
        ctx.lost("gradients")
        if isinstance(found, Lost)
        else found
        if isinstance(found, Seq)
        else Seq("tuple", (found,))
    )


@behaviour("torch.utils.data.{get_worker_info,RandomSampler,SequentialSampler}", "torch.device", "torch.Generator")
def an_object(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.new("torch.device")


@behaviour("torch.cuda.{is_available,device_count,empty_cache,synchronize}", "torch.backends.mps.is_available")
def about_device(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.lost("what the machine has")
