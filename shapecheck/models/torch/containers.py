"""Modules that hold modules, Sequential, ModuleList and ModuleDict: what they hold is a list or dict of Python."""

from __future__ import annotations

from collections.abc import Callable

from shapecheck.domain.values import (
    NONE,
    BoundLibraryMethod,
    Const,
    Dict,
    Ref,
    Seq,
    Value,
    as_size,
    as_str,
    items_of,
)
from shapecheck.models.lang import Context, base, behaviour
from shapecheck.models.torch.module import MODULE, registered

SEQUENTIAL, LIST, DICT = "torch.nn.Sequential", "torch.nn.ModuleList", "torch.nn.ModuleDict"
HELD = "@held"
for _name in (SEQUENTIAL, LIST, DICT):
    base(_name, MODULE)


def held(ctx: Context, self: Value) -> Value:
    """Return the list or dictionary of Python with what a container holds."""
    found = ctx.get(self, HELD) if isinstance(self, Ref) else None
    return ctx.lost("modules of a container") if found is None else found


def _delegated(method: str, cls: str) -> Callable[..., Value]:
    """Return the method of a container, which is that of its list or dictionary."""

    def run(ctx: Context, self: Ref, *args: Value, **options: Value) -> Value:
        result = ctx.call(BoundLibraryMethod(held(ctx, self), method), args, options)
        if isinstance(result, Ref) and result.cls == "list" and method in ("__getitem__", "__add__"):
            return _new(ctx, cls, result)  # a slice is a container, too
        return self if method in ("append", "extend") else result

    run.__module__ = __name__
    return run


def _new(ctx: Context, cls: str, contents: Value) -> Ref:
    return ctx.new(cls, **{HELD: contents})


@behaviour(f"{{{SEQUENTIAL},{LIST},{DICT}}}.__items__")
def items(ctx: Context, self: Ref) -> Value:
    """Return what an iteration goes through."""
    return held(ctx, self)


@behaviour(f"{{{SEQUENTIAL},{LIST}}}.children")
def children(ctx: Context, self: Ref) -> Value:
    return held(ctx, self)


for _cls, _methods in {
    SEQUENTIAL: "append extend insert pop __setitem__ __delitem__ __getitem__ __len__ __iter__ __add__",
    LIST: "append extend insert pop __setitem__ __delitem__ __getitem__ __len__ __iter__ __add__ __contains__",
    DICT: "keys values items pop update clear __setitem__ __delitem__ __getitem__ __len__ __iter__ __contains__",
}.items():
    for _method in _methods.split():
        behaviour(f"{_cls}.{_method}")(_delegated(_method, _cls))


# Lists and dictionaries ----------------------------------------------------------------------------------------------


@behaviour(f"{LIST}.__init__")
def fill_list(ctx: Context, self: Value, modules: Value = NONE) -> Value:
    ctx.set(self, HELD, ctx.apply("builtins.list") if modules == NONE else ctx.apply("builtins.list", modules))
    return NONE


@behaviour(LIST)
def module_list(ctx: Context, modules: Value = NONE) -> Value:
    self = ctx.new(LIST)
    fill_list(ctx, self, modules)
    return self


@behaviour(f"{DICT}.__init__")
def fill_dict(ctx: Context, self: Value, modules: Value = NONE) -> Value:
    ctx.set(self, HELD, ctx.apply("builtins.dict") if modules == NONE else ctx.apply("builtins.dict", modules))
    return NONE


@behaviour(DICT)
def module_dict(ctx: Context, modules: Value = NONE) -> Value:
    self = ctx.new(DICT)
    fill_dict(ctx, self, modules)
    return self


@behaviour(f"{DICT}.__getattr__")
def of_name(ctx: Context, self: Ref, name: Value) -> Value:
    """The modules are attributes as well."""
    known = ctx.freeze(held(ctx, self))
    found = [value for key, value in known.items if key == name] if isinstance(known, Dict) else []
    return found[0] if found else ctx.lost("a module of a ModuleDict")


@behaviour("torch.nn.ParameterList")
def parameter_list(ctx: Context, values: Value = NONE) -> Value:
    return ctx.apply("builtins.list") if values == NONE else ctx.apply("builtins.list", values)


@behaviour("torch.nn.ParameterDict")
def parameter_dict(ctx: Context, parameters: Value = NONE) -> Value:
    return ctx.apply("builtins.dict") if parameters == NONE else ctx.apply("builtins.dict", parameters)


# Sequential ----------------------------------------------------------------------------------------------------------


@behaviour(SEQUENTIAL)
def sequential(ctx: Context, *args: Value, **options: Value) -> Value:
    self = ctx.new(SEQUENTIAL)
    fill(ctx, self, *args)
    return self


@behaviour(f"{SEQUENTIAL}.__init__")
def fill(ctx: Context, self: Ref, *args: Value) -> Value:
    """Take modules one by one, or a dictionary of them."""
    given = ctx.freeze(args[0]) if len(args) == 1 else NONE
    if isinstance(given, Dict) and given.rest is None:
        for key, value in given.items:
            registered(ctx, self, key, value)
        args = tuple(value for _, value in given.items)
    elif len(args) == 1 and not isinstance(args[0], Ref):
        ctx.set(self, HELD, ctx.lost("modules of a Sequential"))
        return NONE
    ctx.set(self, HELD, ctx.apply("builtins.list", Seq("tuple", args)))
    return NONE


@behaviour(f"{SEQUENTIAL}.forward")
def run(ctx: Context, self: Ref, *args: Value) -> Value:
    """Call the modules in turn."""
    layers = items_of(ctx.freeze(held(ctx, self)))
    if layers is None or len(args) != 1:
        return ctx.lost("modules of a Sequential")
    current = args[0]
    for layer in layers:
        current = ctx.call(layer, [current])
    return current


@behaviour(f"{SEQUENTIAL}.{{__setattr__,add_module,register_module}}")
def set_module(ctx: Context, self: Ref, name: Value, module: Value = NONE) -> Value:
    """A module that is set as an attribute is called after the others, or in place of the one of that name."""
    former = ctx.get(self, as_str(name) or "")
    registered(ctx, self, name, module)
    if not isinstance(module, Ref):
        return NONE
    known = items_of(ctx.freeze(held(ctx, self)))
    if known is None or former not in known:
        return ctx.call(BoundLibraryMethod(held(ctx, self), "append"), [module])
    replaced = Seq("tuple", tuple(module if each == former else each for each in known))
    ctx.set(self, HELD, ctx.apply("builtins.list", replaced))
    return NONE


@behaviour(f"{SEQUENTIAL}.__getattr__")
def numbered(ctx: Context, self: Ref, name: Value) -> Value:
    """The modules have numbers as names."""
    number = as_str(name) or ""
    found = ctx.freeze(held(ctx, self)) if number.isdigit() else NONE
    place, layers = as_size(Const(int(number))) if number.isdigit() else None, items_of(found)
    if layers is None or not isinstance(place, int) or place >= len(layers):
        return ctx.lost("a module of a Sequential")
    return layers[place]
