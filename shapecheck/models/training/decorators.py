"""Decorators that leave a function's shapes as they are, and other small functions of training."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.domain.values import (
    FALSE,
    NONE,
    TRUE,
    BoundLibraryMethod,
    Class,
    Function,
    Library,
    Method,
    Partial,
    Value,
)
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.settings import EAGER_FUNCTIONS, EVER_EAGER, SETTINGS

CALLABLE = (Function, Method, BoundLibraryMethod, Library, Class, Partial)


@behaviour(
    "tf.recompute_grad",
    "tf.no_gradient",
    "tf.Module.with_name_scope",
    "contextlib.contextmanager",
    "typing.final",
    "typing.no_type_check",
    "atexit.register",
    "numba.jit",
    "numba.njit",
)
def unchanged(ctx: Context, func: Value = NONE, *args: Value, **options: Value) -> Value:
    """Return the decorated function; called with options alone, a decorator that changes nothing."""
    return func if isinstance(func, CALLABLE) else Library("functools.partial.same")


@behaviour("tf.autograph.to_graph")
def converted(ctx: Context, entity: Value, *args: Value, **options: Value) -> Value:
    return ctx.lost("a function that AutoGraph converts wherever it is called")


@behaviour("tf.autograph.do_not_convert", "tf.autograph.experimental.do_not_convert")
def do_not_convert(ctx: Context, func: Value = NONE) -> Value:
    """Return a function that AutoGraph leaves as it is; one that is traced on its own is converted all the same."""
    match func:
        case Function(graph=0):
            return replace(func, is_convertible=False)
        case Method(function=Function(graph=0) as inner):
            return replace(func, function=replace(inner, is_convertible=False))
    return func if isinstance(func, CALLABLE) else Library("tf.autograph.do_not_convert")


@behaviour("keras.{utils,saving}.register_keras_serializable", "keras.utils.serialize_keras_object")
def registered(ctx: Context, package: Value = NONE, name: Value = NONE) -> Value:
    return package if isinstance(package, (Class, Function)) else Library("functools.partial.same")


@behaviour("typing.cast")
def cast(ctx: Context, typ: Value, val: Value) -> Value:
    return val


@behaviour("typing.{TypeVar,NewType,ParamSpec}")
def type_variable(ctx: Context, name: Value = NONE, *more: Value, **options: Value) -> Value:
    return Library("typing.Any")


@behaviour("tf.config.{run_functions_eagerly,experimental_run_functions_eagerly}")
def run_functions_eagerly(ctx: Context, run_eagerly: Value) -> Value:
    ctx.set(SETTINGS, EAGER_FUNCTIONS, run_eagerly if run_eagerly != FALSE else NONE)
    if run_eagerly != FALSE:
        ctx.set(SETTINGS, EVER_EAGER, TRUE)
    return NONE
