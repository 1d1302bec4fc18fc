"""Functions that PyTorch makes of functions, `vmap`, `grad` and relatives, and modules that are called with weights."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    FALSE,
    NONE,
    BoundLibraryMethod,
    Class,
    Const,
    Dict,
    Function,
    Library,
    Method,
    Partial,
    Ref,
    Seq,
    Tensor,
    Value,
    as_bool,
    as_size,
    items_of,
)
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.ops.mapped import agree, batches, collected, each_leaf, for_each, one_of
from shapecheck.shapes.claims import FALSE as IMPOSSIBLE
from shapecheck.shapes.shape import UNRANKED, Shape

CALLABLE = (Function, Method, BoundLibraryMethod, Library, Class, Partial, Ref)
FIRST = Const(0)


def _made(ctx: Context, name: str, function: Value, *settings: Value) -> Value:
    """Return the function that is made of a function, with settings that go before the arguments of a call."""
    if not isinstance(function, CALLABLE):
        return ctx.lost("a function of functions")
    return Partial(Library(f"torch.func.{name}.made"), (function, *(ctx.freeze(each) for each in settings)), ())


# Batches -------------------------------------------------------------------------------------------------------------


@behaviour("torch.{vmap,func.vmap}")
def vmap(
    ctx: Context, func: Value = NONE, in_dims: Value = FIRST, out_dims: Value = FIRST, *rest: Value, **options: Value
) -> Value:
    """Return the function of batches."""
    return _made(ctx, "vmap", func, in_dims, out_dims)


@behaviour("torch.func.vmap.made")
def batched(ctx: Context, func: Value, in_dims: Value, out_dims: Value, *args: Value, **keywords: Value) -> Value:
    """Call a function with one item of each batch; all batches have the same size, and results get an axis of it."""
    given, named = [ctx.freeze(each) for each in args], {name: ctx.freeze(each) for name, each in keywords.items()}
    axes = for_each(in_dims, given)
    if axes is None and isinstance(in_dims, Seq):
        said = f"in_dims has {len(in_dims.items)} entries, the function is given {len(given)} arguments"
        ctx.require(ClashKind.AXIS, IMPOSSIBLE, said, *given)
    if axes is None:
        return ctx.lost("axes of batches")
    found = [pair for argument, axis in zip(given, axes, strict=True) for pair in batches(argument, axis)]
    found += [pair for argument in named.values() for pair in batches(argument, FIRST)]
    if not agree(ctx, found, "in_dims"):
        return ctx.lost("batches of several sizes")
    items = [one_of(ctx, argument, axis) for argument, axis in zip(given, axes, strict=True)]
    others = {name: one_of(ctx, argument, FIRST) for name, argument in named.items()}
    result = ctx.freeze(ctx.call(func, items, others))
    return collected(ctx, result, out_dims, next((size for _, size in found if size is not None), None), "torch")


# Derivatives ---------------------------------------------------------------------------------------------------------


@behaviour("torch.func.grad")
def grad(ctx: Context, func: Value = NONE, argnums: Value = FIRST, has_aux: Value = FALSE, **options: Value) -> Value:
    return _made(ctx, "grad", func, argnums, has_aux)


@behaviour("torch.func.grad_and_value")
def grad_and_value(
    ctx: Context, func: Value = NONE, argnums: Value = FIRST, has_aux: Value = FALSE, **options: Value
) -> Value:
    return _made(ctx, "grad_and_value", func, argnums, has_aux)


@behaviour("torch.func.grad.made")
def gradient(ctx: Context, func: Value, argnums: Value, has_aux: Value, *args: Value, **keywords: Value) -> Value:
    """Return derivatives, which are like the arguments, and what the function returns beside its value."""
    result = _of_number(ctx, ctx.call(func, args, keywords), has_aux)
    made, flag = _like(ctx, argnums, args), as_bool(has_aux)
    if flag is None:
        return ctx.lost("gradients")
    return Seq("tuple", (made, _beside(ctx, result))) if flag else made


@behaviour("torch.func.grad_and_value.made")
def gradient_and_value(
    ctx: Context, func: Value, argnums: Value, has_aux: Value, *args: Value, **keywords: Value
) -> Value:
    result = _of_number(ctx, ctx.call(func, args, keywords), has_aux)
    return Seq("tuple", (_like(ctx, argnums, args), result))


def _of_number(ctx: Context, result: Value, has_aux: Value) -> Value:
    """Return what a function gives, which is one number, or begins with it."""
    found = ctx.freeze(result)
    value = found.items[0] if isinstance(found, Seq) and found.items and as_bool(has_aux) else found
    if as_bool(has_aux) is not None and isinstance(value, Tensor) and value.shape.tail is None and value.shape.head:
        said = f"a gradient needs a function that gives a number, and this one gives a tensor of shape {value.shape}"
        ctx.require(ClashKind.RANK, IMPOSSIBLE, said, value)
    return found


def _beside(ctx: Context, result: Value) -> Value:
    parts = items_of(result)
    return parts[1] if parts is not None and len(parts) == 2 else ctx.lost("a result beside the value")


def _like(ctx: Context, argnums: Value, args: Sequence[Value]) -> Value:
    """Return derivatives with respect to one argument, or a tuple of those with respect to several."""
    if isinstance(argnums, Seq):
        return Seq("tuple", tuple(_like(ctx, place, args) for place in argnums.items))
    place = as_size(argnums)
    if not isinstance(place, int) or not -len(args) <= place < len(args):
        return ctx.lost("gradients")
    return each_leaf(ctx, ctx.freeze(args[place]), lambda leaf: _tensor(as_tensor(leaf, ctx)))


def _tensor(like: Tensor) -> Tensor:
    return Tensor(like.shape, like.dtype, "torch")


@behaviour("torch.func.{jacrev,jacfwd}")
def jacobian(ctx: Context, func: Value = NONE, argnums: Value = FIRST, *rest: Value, **options: Value) -> Value:
    return _made(ctx, "jacrev", func) if argnums == FIRST and not options else ctx.lost("a function of derivatives")


@behaviour("torch.func.hessian")
def hessian(ctx: Context, func: Value = NONE, argnums: Value = FIRST, *rest: Value, **options: Value) -> Value:
    return jacobian(ctx, jacobian(ctx, func, argnums))


@behaviour("torch.func.jacrev.made")
def matrix(ctx: Context, func: Value, *args: Value, **keywords: Value) -> Value:
    """Return the derivatives of each element of a tensor."""
    result, first = ctx.freeze(ctx.call(func, args, keywords)), args[0] if args else NONE
    if not isinstance(result, Tensor) or not isinstance(first, Tensor) or first.shape.tail is not None:
        return ctx.lost("derivatives")
    known = result.shape
    return Tensor(Shape((*known.head, *first.shape.head)) if known.tail is None else UNRANKED, first.dtype, "torch")


@behaviour("torch.autograd.functional.{jacobian,hessian}")
def of_function(ctx: Context, func: Value, inputs: Value = NONE, *rest: Value, **options: Value) -> Value:
    """Return the derivatives with respect to one tensor; a second derivative is that of a number."""
    return matrix(ctx, func, inputs)


# Modules -------------------------------------------------------------------------------------------------------------


@behaviour("torch.func.functional_call", "torch.nn.utils.stateless.functional_call")
def functional_call(
    ctx: Context, module: Value, parameters: Value = NONE, args: Value = NONE, kwargs: Value = NONE, **options: Value
) -> Value:
    """Call a module, whose weights are replaced by others of the same sizes."""
    given, named = ctx.freeze(args), ctx.freeze(kwargs)
    keywords = (
        {str(key.value): item for key, item in named.items if isinstance(key, Const)} if isinstance(named, Dict) else {}
    )
    parts = items_of(given) if isinstance(given, Seq) and given.kind == "tuple" else (given,)
    return ctx.call(module, [] if parts is None or args == NONE else list(parts), keywords)
