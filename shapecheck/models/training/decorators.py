"""`tf.function` and other decorators that leave a function's shapes as they are. The input signature is kept."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    FALSE,
    NONE,
    TRUE,
    BoundLibraryMethod,
    Class,
    Const,
    Function,
    Library,
    Lost,
    Method,
    Partial,
    Seq,
    Tensor,
    Value,
    items_of,
)
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.context import STAGED, TRACES, UNCONVERTED
from shapecheck.models.lang.settings import EAGER_FUNCTIONS, SETTINGS
from shapecheck.models.tf_data.sources import from_spec
from shapecheck.shapes.facts import Equal, Verdict
from shapecheck.shapes.text import show

CALLABLE = (Function, Method, BoundLibraryMethod, Library, Class, Partial)


@behaviour("tf.function", "tf.compat.v1.function", "tf.contrib.eager.defun", "tf.contrib.eager.function")
def function(
    ctx: Context, func: Value = NONE, input_signature: Value = NONE, autograph: Value = TRUE, **options: Value
) -> Value:
    """Return the function itself; called with options alone, a decorator that keeps them."""
    if isinstance(func, (*CALLABLE, Lost)):
        if isinstance(func, Function):
            ctx.set(func, STAGED, Const(UNCONVERTED) if autograph == FALSE else TRUE)
            ctx.set(func, TRACES, Lost("traces of a function"))
        if isinstance(func, Function) and input_signature != NONE:
            ctx.set(func, "__adapt__", Partial(Library("tf.function.adapt"), (input_signature,)))
        return func
    return Partial(Library("tf.function"), (), (("input_signature", input_signature), ("autograph", autograph)))


@behaviour("tf.function.adapt")
def adapt(ctx: Context, signature: Value, *args: Value) -> Value:
    """Return the arguments with the shapes of the function's input signature."""
    specs = items_of(ctx.freeze(signature)) or ()
    known = [_as_specified(ctx, spec, arg) for spec, arg in zip(specs, args, strict=False)]
    return Seq("tuple", (*known, *args[len(known) :]))


def _as_specified(ctx: Context, spec: Value, arg: Value) -> Value:
    specified = from_spec(ctx, spec)
    if not isinstance(specified, Tensor) or not isinstance(arg, (Tensor, Lost)):
        return arg
    if isinstance(arg, Tensor) and arg.shape.is_ranked and specified.shape.is_ranked:
        shown = f"the argument has shape {show(arg.shape)}, the signature takes {show(specified.shape)}"
        if (
            ctx.require(ClashKind.FEED, Equal(arg.shape.min_rank, specified.shape.min_rank), shown, arg)
            is Verdict.NEVER
        ):
            return specified
        for given, wanted in zip(arg.shape.sizes, specified.shape.sizes, strict=True):
            if isinstance(wanted, int):
                ctx.require(ClashKind.FEED, Equal(given, wanted), shown, arg)
    return specified


@behaviour("types.FunctionType.get_concrete_function")
def concrete(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    """Return one graph of a function, which is called as the function is."""
    return self


@behaviour("tf.custom_gradient")
def custom_gradient(ctx: Context, f: Value) -> Value:
    """A call of the function returns its result alone, without the gradient function."""
    code = f.function if isinstance(f, Method) else f
    if not isinstance(code, Function):
        return ctx.lost("function with a gradient of its own")
    ctx.set(code, "__finish__", Library("tf.custom_gradient.result"))
    return f


@behaviour("tf.custom_gradient.result")
def without_gradient(ctx: Context, both: Value) -> Value:
    items = items_of(ctx.freeze(both))
    return items[0] if items is not None and len(items) == 2 else ctx.lost("result beside its gradient")


@behaviour(
    "tf.recompute_grad",
    "tf.no_gradient",
    "tf.autograph.to_graph",
    "tf.autograph.experimental.do_not_convert",
    "tf.autograph.do_not_convert",
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


@behaviour("keras.{utils,saving}.register_keras_serializable", "keras.utils.serialize_keras_object")
def registered(ctx: Context, package: Value = NONE, name: Value = NONE) -> Value:
    return package if isinstance(package, (Class, Function)) else Library("functools.partial.same")


@behaviour("tf.TensorSpec", "tf.contrib.framework.TensorSpec")
def tensor_spec(ctx: Context, shape: Value, dtype: Value = Library("tf.float32"), name: Value = NONE) -> Value:
    return ctx.new("tf.TensorSpec", shape=shape, dtype=dtype)


@behaviour("typing.cast")
def cast(ctx: Context, typ: Value, val: Value) -> Value:
    return val


@behaviour("typing.{TypeVar,NewType,ParamSpec}")
def type_variable(ctx: Context, name: Value = NONE, *more: Value, **options: Value) -> Value:
    return Library("typing.Any")


@behaviour("tf.config.{run_functions_eagerly,experimental_run_functions_eagerly}")
def run_functions_eagerly(ctx: Context, run_eagerly: Value) -> Value:
    ctx.set(SETTINGS, EAGER_FUNCTIONS, run_eagerly if run_eagerly != FALSE else NONE)
    return NONE
