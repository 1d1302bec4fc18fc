"""Optimizers, autograd, devices and other things that no shape depends on."""

from __future__ import annotations

from shapecheck.domain.values import NONE, Function, Method, Scalar, Seq, Value, items_of
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.torch.weight_dtypes import note_cast

_OPTIMIZERS = "SGD Adam AdamW RMSprop Adagrad Adadelta Adamax NAdam RAdam Rprop ASGD LBFGS SparseAdam"
OPTIMIZER = "torch.optim.Optimizer"


@behaviour(f"torch.optim.{{{','.join(_OPTIMIZERS.split())}}}")
def optimizer(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.new(OPTIMIZER)


@behaviour(f"{OPTIMIZER}.{{zero_grad,load_state_dict,add_param_group}}")
def changed(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    return NONE


@behaviour(f"{OPTIMIZER}.step")
def step(ctx: Context, self: Value, closure: Value = NONE, *rest: Value, **options: Value) -> Value:
    """Some optimizers compute the loss again, whose value is returned."""
    return NONE if closure == NONE else ctx.repeat(closure, [])


@behaviour("torch.utils.data.{get_worker_info,RandomSampler,SequentialSampler}", "torch.device", "torch.Generator")
def an_object(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.new("torch.device")


@behaviour("torch.cuda.{is_available,device_count,empty_cache,synchronize}", "torch.backends.mps.is_available")
def about_device(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.lost("what the machine has")


@behaviour("torch.{cuda.amp,amp,cpu.amp}.autocast", "torch.autocast")
def autocast(ctx: Context, *args: Value, **options: Value) -> Value:
    """Return a context in which dtypes are chosen by the operation."""
    note_cast(ctx)
    return ctx.new(MODE)


@behaviour("torch.{no_grad,enable_grad,inference_mode,set_grad_enabled}", "torch.autograd.{no_grad,set_detect_anomaly}")
@behaviour("torch.autograd.detect_anomaly")
def mode(ctx: Context, function: Value = NONE, *args: Value, **options: Value) -> Value:
    """Return a context, which is a decorator, too; without brackets it is given the function itself."""
    is_function = isinstance(function, (Function, Method))
    return function if is_function else ctx.new(MODE)


MODE = "torch.no_grad"


@behaviour(f"{MODE}.__call__")
def decorated(ctx: Context, self: Value, function: Value = NONE) -> Value:
    return function


@behaviour(f"{MODE}.{{__enter__,__exit__}}")
def entered(ctx: Context, self: Value, *args: Value) -> Value:
    return NONE if args else self


@behaviour("torch.Size")
def size(ctx: Context, sizes: Value = NONE) -> Value:
    found = items_of(ctx.freeze(sizes))
    return ctx.lost("sizes") if found is None else Seq("tuple", found)


@behaviour(
    "torch.{cuda,distributed}.{set_device,manual_seed,manual_seed_all,init_process_group,barrier}",
    "torch.set_default_device",
    "torch.distributed.destroy_process_group",
)
def without_result(ctx: Context, *args: Value, **options: Value) -> Value:
    return NONE


@behaviour("torch.nn.utils.clip_grad.{clip_grad_norm_,clip_grad_value_}", "torch.nn.utils.clip_grad_norm")
@behaviour("torch.distributed.{get_rank,get_world_size}", "torch.nn.init.calculate_gain")
def a_number(ctx: Context, *args: Value, **options: Value) -> Value:
    return Scalar("number")


SCHEDULERS = "StepLR MultiStepLR ExponentialLR CosineAnnealingLR ReduceLROnPlateau LambdaLR OneCycleLR CyclicLR"
SCHEDULER = "torch.optim.lr_scheduler.LRScheduler"


@behaviour(f"torch.optim.lr_scheduler.{{{','.join(SCHEDULERS.split())},CosineAnnealingWarmRestarts,SequentialLR}}")
def scheduler(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.new(SCHEDULER)


@behaviour(f"{SCHEDULER}.{{step,load_state_dict}}")
def next_rate(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    return NONE
