"""Devices, processes, settings and other things that no shape depends on."""

from __future__ import annotations

from shapecheck.domain.values import NONE, Function, Method, Value
from shapecheck.models.lang import Context, base, behaviour

PLACED = "jax.sharding.Sharding"
MODE = "jax.Setting"
base(PLACED, "builtins.object")
base(MODE, "builtins.object")
_CONTEXTS = """
disable_jit debug_nans debug_infs enable_x64 default_device default_matmul_precision named_scope transfer_guard
check_tracer_leaks checking_leaks ensure_compile_time_eval log_compiles numpy_rank_promotion numpy_dtype_promotion
set_mesh default_prng_impl enable_checks debug_key_reuse legacy_prng_key threefry_partitionable no_tracing
transfer_guard_device_to_device transfer_guard_device_to_host transfer_guard_host_to_device
"""
_COUNTS = "device_count local_device_count process_count process_index host_count host_id"
_LISTS = "devices local_devices process_indices host_ids live_arrays"


@behaviour("jax.sharding.{PartitionSpec,NamedSharding,Mesh,PositionalSharding,SingleDeviceSharding}", "jax.make_mesh")
@behaviour("jax.{P,NamedSharding}", "flax.nnx.{StateAxes,StateSharding}")
def placed(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.new(PLACED)


@behaviour(f"jax.{{{','.join(_COUNTS.split())}}}")
def count(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.lost("what the machine has")


@behaviour(f"jax.{{{','.join(_LISTS.split())}}}", "jax.{default_backend,print_environment_info,config.read}")
@behaviour("jax.experimental.mesh_utils.{create_device_mesh,create_hybrid_device_mesh}")
def listed(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.lost("what the machine has")


@behaviour("jax.{clear_caches,effects_barrier}", "jax.config.{update,parse_flags_with_absl,config_with_absl}")
@behaviour(
    "jax.profiler.{start_trace,stop_trace,start_server,save_device_memory_profile}",
    "jax.distributed.{initialize,shutdown}",
)
@behaviour("jax.experimental.multihost_utils.{sync_global_devices,assert_equal}")
@behaviour("jax.debug.{print,callback,breakpoint,visualize_array_sharding}", "flax.config.update")
def without_result(ctx: Context, *args: Value, **options: Value) -> Value:
    return NONE


@behaviour(f"jax.{{{','.join(_CONTEXTS.split())}}}", "jax.profiler.{trace,TraceAnnotation,annotate_function}")
def mode(ctx: Context, function: Value = NONE, *args: Value, **options: Value) -> Value:
    """Return a context, which is a decorator, too."""
    return ctx.new(MODE)


@behaviour(f"{MODE}.__call__")
def decorated(ctx: Context, self: Value, function: Value = NONE) -> Value:
    return function if isinstance(function, (Function, Method)) else self


@behaviour(f"{MODE}.{{__enter__,__exit__}}")
def entered(ctx: Context, self: Value, *args: Value) -> Value:
    return NONE if args else self
