"""Registration of the library's modules: classes of programs may derive from them, and replace `forward`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from shapecheck.domain.values import NONE, Ref, Value, as_size
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.bind import real_parameters
from shapecheck.models.lang.registry import REGISTRY, Model, expanded
from shapecheck.models.lang.registry import layer as with_signature
from shapecheck.models.torch.module import MODULE, hooked
from shapecheck.shapes.size import Size

Defining = TypeVar("Defining", bound=Callable[..., Any])


def layer(*names: str, dtype: str = "") -> Callable[[Defining], Defining]:
    """Register a module by the signature of its call, as `lang.layer` does."""

    def register(function: Defining) -> Defining:
        with_signature(*names, dtype=dtype, bases=(MODULE,))(function)
        for name in expanded(names):
            derivable(name, _runs(REGISTRY[f"{name}.__call__"]), function.__module__)
        return function

    return register


def _runs(model: Model) -> Callable[..., Value]:
    def run(ctx: Context, *args: Value, **options: Value) -> Value:
        return model.run(ctx, args, options)

    return run


def layer_size(ctx: Context, self: Ref, name: str) -> Size | None:
    """Return a size that a module was made with; None if it is not known."""
    return as_size(ctx.as_layer_size(ctx.get(self, name) or NONE))


def derivable(cls: str, compute: Callable[..., Value], module: str, kept: Sequence[str] | None = None) -> None:
    """Register how a module that has a model is called, and how a class of the program that derives from it is
    initialised: with the attributes that are `kept`, by default all arguments.
    """
    names = kept or real_parameters(cls) or ()
    maker = REGISTRY[cls]

    def call(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
        forward = ctx.get(self, "forward") if isinstance(self, Ref) and self.cls == "user" else None
        if forward is not None:
            return hooked(ctx, self, args, ctx.call(forward, args, options))
        return hooked(ctx, self, args, REGISTRY[f"{cls}.forward"].run(ctx, (self, *args), options))

    def initialise(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
        made = maker.run(ctx, args, options)
        for name in names if isinstance(self, Ref) and isinstance(made, Ref) else ():
            value = ctx.get(made, name)
            if value is not None:
                ctx.set(self, name, value)
        return NONE

    for name, function in (("__call__", call), ("forward", compute), ("__init__", initialise)):
        function.__module__ = module
        behaviour(f"{cls}.{name}", anew=True)(function)
