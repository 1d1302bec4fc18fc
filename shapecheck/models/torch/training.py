"""Optimizers, autograd, devices and other things that no shape depends on."""

from __future__ import annotations

from shapecheck.domain.values import FALSE, NONE, Function, Method, Scalar, Seq, Tensor, Value, items_of, walk
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.torch.weight_dtypes import note_cast

_OPTIMIZERS = "SGD Adam AdamW RMSprop Adagrad Adadelta Adamax NAdam RAdam Rprop ASGD LBFGS SparseAdam Adafactor Muon"
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


_SAMPLERS = "RandomSampler SequentialSampler SubsetRandomSampler WeightedRandomSampler BatchSampler DistributedSampler"


@behaviour(f"torch.utils.data.{{get_worker_info,{','.join(_SAMPLERS.split())}}}", "torch.device", "torch.Generator")
@behaviour("torch.utils.data.{distributed,sampler}.{DistributedSampler,SubsetRandomSampler,WeightedRandomSampler}")
@behaviour(
    "torch.{finfo,iinfo}", "torch.cuda.{Event,Stream,default_stream,current_stream,stream,get_device_properties}"
)
@behaviour("torch.cuda.{device,nvtx.range}", "torch.profiler.{profile,record_function}", "torch.get_rng_state")
@behaviour("torch.autograd.profiler.{profile,record_function}", "torch.utils.tensorboard.SummaryWriter")
@behaviour("torch.get_default_dtype", "torch.cuda.get_rng_state", "torch.accelerator.current_accelerator")
def an_object(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.new("torch.device")


@behaviour("torch.cuda.{is_available,device_count,empty_cache,synchronize}", "torch.backends.mps.is_available")
@behaviour("torch.accelerator.{is_available,device_count,current_device_index,synchronize}")
@behaviour("torch.cuda.{get_device_name,current_device,get_device_capability,is_bf16_supported,is_initialized}")
@behaviour("torch.cuda.{memory_allocated,max_memory_allocated,memory_reserved,max_memory_reserved,mem_get_info}")
@behaviour(
    "torch.backends.{mps,cuda}.is_built", "torch.distributed.{is_available,is_initialized,get_backend,new_group}"
)
@behaviour("torch.jit.{is_scripting,is_tracing}", "torch.{is_autocast_enabled,is_grad_enabled,get_num_threads}")
@behaviour("torch.{initial_seed,seed,get_autocast_gpu_dtype,are_deterministic_algorithms_enabled}")
def about_device(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.lost("what the machine has")


@behaviour("torch.{cuda.amp,amp,cpu.amp,amp.autocast_mode,cuda.amp.autocast_mode}.autocast", "torch.autocast")
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


SCALER = "torch.amp.GradScaler"


@behaviour(SCALER, "torch.cuda.amp.{GradScaler,grad_scaler.GradScaler}", "torch.amp.grad_scaler.GradScaler")
def scaler(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.new(SCALER)


@behaviour(f"{SCALER}.scale")
def scaled(ctx: Context, self: Value, outputs: Value) -> Value:
    return outputs


@behaviour(f"{SCALER}.{{unscale_,update,load_state_dict}}")
def rescaled(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    return NONE


@behaviour(f"{SCALER}.step")
def scaled_step(ctx: Context, self: Value, optimizer: Value, *args: Value, **options: Value) -> Value:
    return Scalar("number")


@behaviour("torch.utils.checkpoint.checkpoint")
def checkpoint(ctx: Context, function: Value, *args: Value, **options: Value) -> Value:
    """Call the function, which is called once more for its derivatives."""
    given = {name: value for name, value in options.items() if name not in CHECKPOINTS}
    return ctx.call(function, list(args), given)


CHECKPOINTS = ("use_reentrant", "preserve_rng_state", "context_fn", "determinism_check", "debug", "early_stop")

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
    "torch.{set_default_device,set_rng_state,set_float32_matmul_precision,set_num_interop_threads}",
    "torch.{set_printoptions,use_deterministic_algorithms,set_deterministic_debug_mode,set_warn_always}",
    "torch.cuda.{reset_peak_memory_stats,reset_max_memory_allocated,ipc_collect,set_rng_state,init}",
    "torch.multiprocessing.{set_start_method,set_sharing_strategy,freeze_support,spawn}",
    "torch.testing.assert_close",
    "torch.distributed.destroy_process_group",
)
def without_result(ctx: Context, *args: Value, **options: Value) -> Value:
    return NONE


_COLLECTIVES = "all_reduce all_gather broadcast reduce reduce_scatter scatter gather all_to_all all_gather_into_tensor"


@behaviour(f"torch.distributed.{{{','.join(_COLLECTIVES.split())},send,recv}}")
def exchanged(ctx: Context, *args: Value, async_op: Value = NONE, **options: Value) -> Value:
    """Put what other processes have into arrays that are there; one that is not waited for gives a handle."""
    for array in (part for given in (*args, *options.values()) for part in walk(ctx.freeze(given))):
        if isinstance(array, Tensor):
            ctx.overwrite(array)
    return NONE if async_op in (NONE, FALSE) else ctx.lost("what is waited for")


@behaviour("torch.jit.annotate")
def annotated(ctx: Context, the_type: Value, the_value: Value) -> Value:
    return the_value


@behaviour("torch.jit.isinstance")
def has_type(ctx: Context, *args: Value) -> Value:
    return Scalar("bool")


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
