"""`torch.nn.Module`: classes of the program, containers, and what all modules have in common."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.domain.values import (
    FALSE,
    NONE,
    TRUE,
    Const,
    Library,
    Lost,
    Ref,
    Seq,
    Tensor,
    Value,
    as_size,
    as_str,
    items_of,
)
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.torch.statistics import MODULES, note_evaluation
from shapecheck.models.torch.weight_dtypes import note_cast

MODULE, HANDLE = "torch.nn.Module", "torch.utils.hooks.RemovableHandle"
HOOKS, SWITCHED = "_hooks_of_", "_was_switched"


@behaviour(MODULE)
def module(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.new(MODULE)


@behaviour(f"{MODULE}.__init__")
def initialise(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    return NONE


@behaviour(f"{MODULE}.__call__")
def call(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    """A call of a module calls `forward`, that of the program or the library's own."""
    forward = ctx.get(self, "forward")
    if forward is None:
        return ctx.lost("a module that is not known")
    if ctx.get(MODULES, SWITCHED) is not None:
        _switch(ctx, self, ctx.lost("whether a module trains"))
    return hooked(ctx, self, args, ctx.call(forward, args, options))


@behaviour(f"{MODULE}.{{double,half,bfloat16,type}}")
def cast(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    note_cast(ctx)
    return self


@behaviour(f"{MODULE}.to")
def moved(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    """Return the module on another device, or with another dtype."""
    if any(isinstance(each, (Library, Lost, Tensor)) for each in (*args, *options.values())):
        note_cast(ctx)
    return self


@behaviour(f"{MODULE}.train")
def train(ctx: Context, self: Value, mode: Value = TRUE) -> Value:
    if mode != TRUE:
        note_evaluation(ctx)
    _switch(ctx, self, mode)
    ctx.set(MODULES, SWITCHED, TRUE)
    return self


def _switch(ctx: Context, self: Value, mode: Value) -> None:
    """Set whether a module trains, if the program has set that itself: elsewhere, either is possible."""
    if isinstance(self, Ref) and isinstance(ctx.get(self, "training"), Const):
        ctx.set(self, "training", mode)


@behaviour(f"{MODULE}.eval")
def evaluate(ctx: Context, self: Value) -> Value:
    """Call `train`, which a class of the program may have."""
    own = ctx.get(self, "train") if isinstance(self, Ref) and self.cls == "user" else None
    note_evaluation(ctx)
    return train(ctx, self, FALSE) if own is None else ctx.call(own, [FALSE])


@behaviour(f"{MODULE}.{{cuda,cpu,float,requires_grad_,apply,share_memory}}")
def itself(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    """Modules are changed in place and returned; functions that are applied may change weights, not their shapes."""
    return self


@behaviour(f"{MODULE}.{{add_module,register_module,register_buffer,register_parameter}}")
def registered(
    ctx: Context, self: Value, name: Value = NONE, value: Value = NONE, *rest: Value, **options: Value
) -> Value:
    """Set an attribute."""
    said = as_str(name)
    given = options.get("module", options.get("tensor", options.get("param", value)))
    if said is not None and isinstance(self, Ref):
        ctx.set(self, said, given)
    return NONE


@behaviour(f"{MODULE}.{{zero_grad,compile}}")
def nothing(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    return NONE


# Hooks ---------------------------------------------------------------------------------------------------------------


@behaviour(f"{MODULE}.register_forward_hook")
def register_hook(ctx: Context, self: Value, hook: Value, **options: Value) -> Value:
    """Keep a function that is called with the module, its arguments and its result, which it may replace."""
    if not options and isinstance(self, Ref):
        ctx.set(MODULES, f"{HOOKS}{self.address}", Seq("tuple", (*_hooks(ctx, self), hook)))
    return ctx.new(HANDLE, module=self)


@behaviour(f"{HANDLE}.remove")
def remove_hooks(ctx: Context, self: Value) -> Value:
    """Forget the hooks of the module, of which there is hardly more than one."""
    module = ctx.get(self, "module")
    if isinstance(module, Ref):
        ctx.set(MODULES, f"{HOOKS}{module.address}", Seq("tuple", ()))
    return NONE


def hooked(ctx: Context, self: Value, args: Sequence[Value], result: Value) -> Value:
    """Return the result of a module after its hooks."""
    for hook in _hooks(ctx, self) if isinstance(self, Ref) else ():
        replaced = ctx.call(hook, [self, Seq("tuple", tuple(args)), result])
        result = result if replaced == NONE else replaced
    return result


def _hooks(ctx: Context, self: Ref) -> tuple[Value, ...]:
    return items_of(ctx.get(MODULES, f"{HOOKS}{self.address}") or NONE) or ()


@behaviour(
    f"{MODULE}.{{named_parameters,buffers,named_buffers,children,named_children,modules,named_modules}}",
    f"{MODULE}.{{get_submodule,get_parameter,extra_repr}}",
)
def parts(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    """The program may switch each of them to evaluation."""
    note_evaluation(ctx)
    return ctx.lost("parts of a module")


@behaviour("torch.nn.{Parameter,parameter.Parameter}", "torch.nn.Buffer", "torch.autograd.Variable")
def parameter(ctx: Context, data: Value = NONE, *rest: Value, **options: Value) -> Value:
    return ctx.lost("a parameter without data") if data == NONE else ctx.freeze(data)


@behaviour(
    "torch.nn.{DataParallel,parallel.DataParallel,parallel.DistributedDataParallel}",
    "torch.{compile,jit.script,jit.trace,jit.freeze,jit.optimize_for_inference,jit.export,jit.ignore,jit.unused}",
)
def wrapped(ctx: Context, module: Value = NONE, *rest: Value, **options: Value) -> Value:
    """Return the module, which computes the same on several devices, or compiled; with options alone, a decorator."""
    given = options.get("model", options.get("obj", options.get("func", module)))
    return Library("functools.partial.same") if given == NONE or isinstance(given, Const) else given


@behaviour("torch.{set_default_dtype,set_default_tensor_type}")
def set_dtype(ctx: Context, *args: Value, **options: Value) -> Value:
    note_cast(ctx)
    return NONE


@behaviour("torch.nn.utils.{clip_grad_norm_,clip_grad_value_}", "torch.{manual_seed,set_num_threads}")
def effect(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.lost("a number")


@behaviour(
    "torch.nn.init.{constant,dirac,eye,normal,orthogonal,sparse,uniform,uniform_,normal_,constant_,ones_,zeros_,eye_,xavier_uniform_,xavier_normal_,orthogonal_}",
    "torch.nn.init.{kaiming_uniform_,kaiming_normal_,trunc_normal_,sparse_,dirac_,kaiming_normal,kaiming_uniform,xavier_normal,xavier_uniform}",
)
def initialised(ctx: Context, tensor: Value = NONE, *rest: Value, **options: Value) -> Value:
    return tensor


@behaviour("torch.nn.utils.{remove_weight_norm,remove_spectral_norm,fuse_conv_bn_eval}")
@behaviour("torch.nn.utils.{weight_norm,spectral_norm,parametrizations.weight_norm,parametrizations.spectral_norm}")
def normed(ctx: Context, module: Value, *rest: Value, **options: Value) -> Value:
    return module


@behaviour("torch.nn.SyncBatchNorm.convert_sync_batchnorm")
def synchronised(ctx: Context, module: Value, process_group: Value = NONE) -> Value:
    return module


def _register_tuple(name: str, length: int) -> None:
    def several(ctx: Context, x: Value) -> Value:
        """Return a number for each axis of a map."""
        return Seq("tuple", (x,) * length) if as_size(x) is not None else x

    several.__module__ = __name__
    behaviour(f"torch.nn.modules.utils.{name}")(several)


for _length, _name in enumerate(("_single", "_pair", "_triple", "_quadruple"), 1):
    _register_tuple(_name, _length)
