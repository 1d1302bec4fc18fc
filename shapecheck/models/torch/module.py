"""`torch.nn.Module`: classes of the program, containers, and what all modules have in common."""

from __future__ import annotations

from shapecheck.domain.values import (
    NONE,
    Dict,
    Function,
    Library,
    Lost,
    Method,
    Partial,
    Ref,
    Seq,
    Tensor,
    Value,
    as_size,
    as_str,
    items_of,
)
from shapecheck.models.lang import Context, base, behaviour
from shapecheck.models.torch.weight_dtypes import note_cast

MODULE = "torch.nn.Module"
SEQUENTIAL = "torch.nn.Sequential"
LAYERS = "@layers"


def _is_written(function: Value | None) -> bool:
    return isinstance(function, (Function, Method, Partial))


@behaviour(MODULE)
def module(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.new(MODULE)


@behaviour(f"{MODULE}.__init__")
def initialise(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    return NONE


@behaviour(f"{MODULE}.__call__")
def call(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    """A call of a module calls `forward`."""
    forward = ctx.get(self, "forward")
    if not _is_written(forward) or forward is None:
        return ctx.lost("a module that is not known")
    return ctx.call(forward, args, options)


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


@behaviour(f"{MODULE}.{{train,eval,cuda,cpu,float,requires_grad_,apply,share_memory}}")
def itself(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    """Modules are changed in place and returned; functions that are applied may change weights, not their shapes."""
    return self


@behaviour(f"{MODULE}.{{add_module,register_module,register_buffer,register_parameter}}")
def registered(
    ctx: Context, self: Value, name: Value = NONE, value: Value = NONE, *rest: Value, **options: Value
) -> Value:
    said = as_str(name)
    given = options.get("module", options.get("tensor", options.get("param", value)))
    if said is not None and isinstance(self, Ref):
        ctx.set(self, said, given)
    return NONE


@behaviour(f"{MODULE}.{{zero_grad,register_forward_hook,register_backward_hook,compile}}")
def nothing(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    return NONE


@behaviour(
    f"{MODULE}.{{parameters,named_parameters,buffers,named_buffers,children,named_children,modules,named_modules}}",
    f"{MODULE}.{{get_submodule,get_parameter,extra_repr}}",
)
def parts(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    return ctx.lost("parts of a module")


# Containers ----------------------------------------------------------------------------------------------------------

base(SEQUENTIAL, MODULE)


@behaviour(SEQUENTIAL)
def sequential(ctx: Context, *args: Value, **options: Value) -> Value:
    self = ctx.new(SEQUENTIAL)
    fill(ctx, self, *args)
    return self


@behaviour(f"{SEQUENTIAL}.__init__")
def fill(ctx: Context, self: Ref, *args: Value) -> Value:
    """Take modules one by one, or a dictionary of them."""
    layers: tuple[Value, ...] | None = args
    if len(args) == 1 and (isinstance(ctx.freeze(args[0]), (Dict, Lost)) or _is_dict(args[0])):
        layers = _entries(ctx, self, args[0])
    ctx.set(self, LAYERS, ctx.lost("modules of a Sequential") if layers is None else Seq("list", tuple(layers)))
    return NONE


def _is_dict(value: Value) -> bool:
    return isinstance(value, Ref) and value.cls in ("dict", "collections.OrderedDict")


def _entries(ctx: Context, self: Ref, given: Value) -> tuple[Value, ...] | None:
    """Return the modules of a dictionary, which become attributes."""
    found = ctx.freeze(given)
    if not isinstance(found, Dict) or found.rest is not None:
        return None
    names = [as_str(key) for key, _ in found.items]
    for name, (_, value) in zip(names, found.items, strict=True):
        if name is not None:
            ctx.set(self, name, value)
    return tuple(value for _, value in found.items)


@behaviour(f"{SEQUENTIAL}.__call__", f"{SEQUENTIAL}.forward")
def run(ctx: Context, self: Ref, *args: Value, **options: Value) -> Value:
    """Call the modules in turn; a class of the program may have a `forward` of its own."""
    written = ctx.get(self, "forward")
    if _is_written(written) and written is not None:
        return ctx.call(written, args, options)
    layers = items_of(ctx.get(self, LAYERS) or NONE)
    if layers is None or len(args) != 1:
        return ctx.lost("modules of a Sequential")
    current = args[0]
    for layer in layers:
        current = ctx.call(layer, [current])
    return current


@behaviour(f"{SEQUENTIAL}.append")
def append(ctx: Context, self: Ref, module: Value) -> Value:
    layers = items_of(ctx.get(self, LAYERS) or NONE)
    if layers is not None:
        ctx.set(self, LAYERS, Seq("list", (*layers, module)))
    return self


@behaviour(f"{SEQUENTIAL}.add_module")
def add_module(ctx: Context, self: Ref, name: Value, module: Value = NONE) -> Value:
    registered(ctx, self, name, module)
    append(ctx, self, module)
    return NONE


@behaviour(f"{SEQUENTIAL}.__getitem__")
def item(ctx: Context, self: Ref, index: Value) -> Value:
    layers, place = items_of(ctx.get(self, LAYERS) or NONE), as_size(index)
    if layers is None or not isinstance(place, int) or not -len(layers) <= place < len(layers):
        return ctx.lost("a module of a Sequential")
    return layers[place]


@behaviour(f"{SEQUENTIAL}.__setitem__")
def replaced(ctx: Context, self: Ref, index: Value, module: Value) -> Value:
    layers, place = items_of(ctx.get(self, LAYERS) or NONE), as_size(index)
    if layers is None or not isinstance(place, int) or not -len(layers) <= place < len(layers):
        ctx.set(self, LAYERS, ctx.lost("modules of a Sequential"))
        return NONE
    changed = list(layers)
    changed[place] = module
    ctx.set(self, LAYERS, Seq("list", tuple(changed)))
    return NONE


@behaviour(f"{SEQUENTIAL}.{{__iter__,children}}")
def every(ctx: Context, self: Ref) -> Value:
    return ctx.get(self, LAYERS) or ctx.lost("modules of a Sequential")


@behaviour(f"{SEQUENTIAL}.__len__")
def count(ctx: Context, self: Ref) -> Value:
    return ctx.apply("builtins.len", ctx.get(self, LAYERS) or NONE)


@behaviour("torch.nn.{ModuleList,ParameterList}")
def module_list(ctx: Context, modules: Value = NONE) -> Value:
    """Return a list of the modules."""
    return ctx.apply("builtins.list") if modules == NONE else ctx.apply("builtins.list", modules)


@behaviour("torch.nn.{ModuleDict,ParameterDict}")
def module_dict(ctx: Context, modules: Value = NONE) -> Value:
    """Return a dictionary of the modules."""
    return ctx.apply("builtins.dict") if modules == NONE else ctx.apply("builtins.dict", modules)


@behaviour("torch.nn.{Parameter,parameter.Parameter}", "torch.nn.Buffer", "torch.autograd.Variable")
def parameter(ctx: Context, data: Value = NONE, *rest: Value, **options: Value) -> Value:
    return ctx.lost("a parameter without data") if data == NONE else ctx.freeze(data)


@behaviour("torch.nn.{DataParallel,parallel.DataParallel,parallel.DistributedDataParallel}", "torch.compile")
def wrapped(ctx: Context, module: Value = NONE, *rest: Value, **options: Value) -> Value:
    """Return the module, which computes the same on several devices, or compiled."""
    return ctx.lost("a decorator with arguments") if module == NONE else module


@behaviour("torch.{set_default_dtype,set_default_tensor_type}")
def set_dtype(ctx: Context, *args: Value, **options: Value) -> Value:
    note_cast(ctx)
    return NONE


@behaviour("torch.nn.utils.{clip_grad_norm_,clip_grad_value_}", "torch.{manual_seed,set_num_threads}")
def effect(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.lost("a number")


@behaviour(
    "torch.nn.init.{uniform_,normal_,constant_,ones_,zeros_,eye_,xavier_uniform_,xavier_normal_,orthogonal_}",
    "torch.nn.init.{kaiming_uniform_,kaiming_normal_,trunc_normal_,sparse_,dirac_}",
)
def initialised(ctx: Context, tensor: Value = NONE, *rest: Value, **options: Value) -> Value:
    return tensor


@behaviour("torch.nn.utils.{weight_norm,spectral_norm,parametrizations.weight_norm,parametrizations.spectral_norm}")
def normed(ctx: Context, module: Value, *rest: Value, **options: Value) -> Value:
    return module
