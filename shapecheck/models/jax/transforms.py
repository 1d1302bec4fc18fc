"""Functions that JAX makes of functions: `vmap`, `grad` and relatives, and `jit`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    FALSE,
    NONE,
    TRUE,
    BoundLibraryMethod,
    Class,
    Const,
    Dict,
    Function,
    Int,
    Library,
    Lost,
    Method,
    Partial,
    Ref,
    Seq,
    Tensor,
    Value,
    as_bool,
    as_size,
    walk,
)
from shapecheck.models.jax import weights
from shapecheck.models.jax.tree_objects import closed, opened
from shapecheck.models.jax.trees import each_leaf
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.ops.mapped import agree, batches, collected, for_each, one_of
from shapecheck.shapes.facts import FALSE as NEVER
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size

CALLABLE = (Function, Method, BoundLibraryMethod, Library, Class, Partial)
ZERO = Const(0)
DERIVING = "_deriving"
OF_FLOATS = "_of_floats"
"""Whether derivatives are taken of those parts of arguments only that are floats."""
NO_OPTIONS: Mapping[str, Value] = MappingProxyType({})


@behaviour("jax.{jit,checkpoint,remat,pjit}", "jax.ad_checkpoint.checkpoint", "jax.experimental.pjit.pjit")
@behaviour("flax.nnx.{jit,remat}")
def jit(
    ctx: Context, fun: Value = NONE, *, static_argnums: Value = NONE, static_argnames: Value = NONE, **options: Value
) -> Value:
    """Return a function that is traced for each call; with options alone, a decorator that keeps them."""
    static = {"static_argnums": ctx.freeze(static_argnums), "static_argnames": ctx.freeze(static_argnames)}
    if not isinstance(fun, (*CALLABLE, Lost, Ref)):
        return Partial(Library("jax.jit"), (), tuple(static.items()))
    match fun:
        case Function():
            return _traced(ctx, fun, static)
        case Method(function=inner):
            own = static | {"static_argnums": _after_self(static["static_argnums"])}
            return replace(fun, function=_traced(ctx, inner, own))
        case Partial() if set(static.values()) == {NONE}:
            return Partial(TRACED, (fun,), ())
    return fun


TRACED = Library("jax.jit.traced")


def _after_self(positions: Value) -> Value:
    """Return positions of the arguments of a bound method as those of its function, whose first is never traced."""
    items = () if positions == NONE else positions.items if isinstance(positions, Seq) else (positions,)
    return Seq("tuple", (ZERO, *map(_next, items)))


def _next(position: Value) -> Value:
    place = as_size(position)
    return Const(place + 1) if isinstance(place, int) and place >= 0 else position


def _traced(ctx: Context, function: Function, static: Mapping[str, Value]) -> Function:
    return replace(function, graph=ctx.new("jax.jit", arrays=Const("jax"), **static).address)


@behaviour("jax.jit.traced")
def traced(ctx: Context, fun: Value, *args: Value, **keywords: Value) -> Value:
    """Call a function with arrays that have no values."""
    return ctx.call_traced("jax", fun, args, keywords, is_total=True)


@behaviour("jax.named_call", "flax.linen.{jit,remat,checkpoint,compact,nowrap}")
def same_function(ctx: Context, fun: Value = NONE, *args: Value, **options: Value) -> Value:
    """Return a function that computes the same; called with options alone, a decorator."""
    return fun if isinstance(fun, (*CALLABLE, Lost, Ref)) else Library("functools.partial.same")


# vmap ----------------------------------------------------------------------------------------------------------------


@behaviour("jax.vmap")
def vmap(
    ctx: Context,
    fun: Value = NONE,
    in_axes: Value = ZERO,
    out_axes: Value = ZERO,
    axis_name: Value = NONE,
    axis_size: Value = NONE,
    **options: Value,
) -> Value:
    """Return the function of batches."""
    if not isinstance(fun, (*CALLABLE, Ref)):
        return ctx.lost("a function of batches")
    return Partial(Library("jax.vmap.batched"), (fun, ctx.freeze(in_axes), ctx.freeze(out_axes), axis_size), ())


@behaviour("jax.pmap")
def pmap(ctx: Context, fun: Value = NONE, axis_name: Value = NONE, *rest: Value, **options: Value) -> Value:
    """Return the function of batches, each item of which is computed on a device of its own."""
    is_known = not rest and set(options) <= {"in_axes", "out_axes", "devices", "backend"}
    return vmap(ctx, fun, **options) if is_known else ctx.lost("a function on several devices")


@behaviour("jax.eval_shape")
def eval_shape(ctx: Context, fun: Value, *args: Value, **keywords: Value) -> Value:
    """Return what the result is like, which has a shape and a dtype as arrays have."""
    return ctx.call_traced("jax", fun, args, keywords, is_total=True)


@behaviour("jax.vmap.batched")
def batched(
    ctx: Context, fun: Value, in_axes: Value, out_axes: Value, axis_size: Value, *args: Value, **keywords: Value
) -> Value:
    """Call a function with one item of each batch; all batches have the same size, and results get an axis of it."""
    given = [opened(ctx, argument) for argument in args]
    named = {name: opened(ctx, argument) for name, argument in keywords.items()}
    axes = for_each(in_axes, given)
    if axes is None and isinstance(in_axes, Seq):
        said = f"in_axes has {len(in_axes.items)} entries, the function is given {len(given)} arguments"
        ctx.require(ClashKind.AXIS, NEVER, said, *given)
    if any(_is_number(argument) and axis == ZERO for argument, axis in zip(given, axes or (), strict=False)):
        said = "a number has no axis of a batch: in_axes must be another one for it, or None"
        ctx.require(ClashKind.RANK, NEVER, said, *given)
    if axes is None or not all(_is_prefix(ctx, axis, argument) for axis, argument in zip(axes, given, strict=True)):
        return ctx.lost("axes of batches")
    found = [pair for argument, axis in zip(given, axes, strict=True) for pair in batches(argument, axis)]
    found += [pair for argument in named.values() for pair in batches(argument, ZERO)]
    if not agree(ctx, found, "in_axes"):
        return ctx.lost("batches of several sizes")
    items = [closed(ctx, one_of(ctx, *pair, _one_network)) for pair in zip(given, axes, strict=True)]
    others = {name: closed(ctx, one_of(ctx, argument, ZERO, _one_network)) for name, argument in named.items()}
    fixed = [at for at, axis in enumerate(axes) if any(part == NONE for part in walk(axis))]
    result = opened(ctx, ctx.call_traced("jax", fun, items, others, fixed=fixed))
    sizes = (as_size(axis_size), *(size for _, size in found), *(weights.members(ctx, argument) for argument in given))
    size = next((size for size in sizes if size is not None), None)
    return closed(ctx, collected(ctx, result, out_axes, size, "jax", _several_networks))


def _is_number(value: Value) -> bool:
    return isinstance(value, Const) and type(value.value) in (int, float)


def _is_prefix(ctx: Context, axes: Value, argument: Value) -> bool:
    """State that axes that are told for each part are told for all of them."""
    match axes, argument:
        case Dict(rest=None), Dict(rest=None):
            missing = [key for key, _ in argument.items if axes.get(key) is None]
            if missing and all(isinstance(key, Const) for key, _ in (*axes.items, *argument.items)):
                told = ", ".join(str(key.value) for key in missing if isinstance(key, Const))
                ctx.require(ClashKind.AXIS, NEVER, f"in_axes has no entry for {told}", argument)
                return False
            return all(_is_prefix(ctx, axes.get(key) or NONE, item) for key, item in argument.items)
        case Seq(items=several), Seq(items=items):
            if len(several) != len(items):
                said = f"in_axes has {len(several)} entries for {len(items)} parts of an argument"
                ctx.require(ClashKind.AXIS, NEVER, said, argument)
                return False
            return all(_is_prefix(ctx, *pair) for pair in zip(several, items, strict=True))
    return True


def _one_network(ctx: Context, value: Ref) -> Value:
    return weights.of_one(ctx, value) if value.cls == weights.WEIGHTS else ctx.lost("an item of a batch")


def _several_networks(ctx: Context, value: Ref, size: Size | None) -> Value:
    if value.cls != weights.WEIGHTS:
        return ctx.lost("a tree of other objects")
    return ctx.lost("weights") if size is None else weights.of_several(ctx, value, size)


def _array(tensor: Tensor, shape: Shape) -> Tensor:
    return Tensor(shape, tensor.dtype, "jax")


# Derivatives ---------------------------------------------------------------------------------------------------------


@behaviour("jax.grad", "flax.nnx.grad")
def grad(ctx: Context, fun: Value = NONE, argnums: Value = ZERO, has_aux: Value = FALSE, **options: Value) -> Value:
    return _derivative(ctx, "gradient", fun, argnums, has_aux, options)


@behaviour("jax.value_and_grad", "flax.nnx.value_and_grad")
def value_and_grad(
    ctx: Context, fun: Value = NONE, argnums: Value = ZERO, has_aux: Value = FALSE, **options: Value
) -> Value:
    return _derivative(ctx, "value_and_gradient", fun, argnums, has_aux, options)


def _derivative(
    ctx: Context, kind: str, fun: Value, argnums: Value, has_aux: Value, options: Mapping[str, Value] = NO_OPTIONS
) -> Value:
    """Return the function of derivatives; without a function, a decorator is not followed. Where integers are allowed,
    it is not known what it is given."""
    if not isinstance(fun, (*CALLABLE, Ref)) or "allow_int" in options:
        return ctx.lost("a function of derivatives")
    return Partial(Library(f"jax.grad.{kind}"), (fun, ctx.freeze(argnums), has_aux), ())


@behaviour("jax.grad.gradient")
def gradient(ctx: Context, fun: Value, argnums: Value, has_aux: Value, *args: Value, **keywords: Value) -> Value:
    """Return derivatives, which are like the arguments, and what the function returns beside its value."""
    _, aux, made = _derived(ctx, fun, argnums, has_aux, args, keywords)
    if as_bool(has_aux) is None:
        return ctx.lost("gradients")
    return Seq("tuple", (made, aux)) if as_bool(has_aux) else made


@behaviour("jax.grad.value_and_gradient")
def value_and_gradient(
    ctx: Context, fun: Value, argnums: Value, has_aux: Value, *args: Value, **keywords: Value
) -> Value:
    value, aux, made = _derived(ctx, fun, argnums, has_aux, args, keywords)
    if as_bool(has_aux) is None:
        return ctx.lost("gradients")
    return Seq("tuple", (Seq("tuple", (value, aux)) if as_bool(has_aux) else value, made))


def _derived(
    ctx: Context, fun: Value, argnums: Value, has_aux: Value, args: Sequence[Value], keywords: Mapping[str, Value]
) -> tuple[Value, Value, Value]:
    """Return the value of a function, what it returns beside it, and the derivatives."""
    places = _places(argnums, len(args))
    if len(places) < len(argnums.items if isinstance(argnums, Seq) else (argnums,)):
        _refuse_places(ctx, argnums, len(args))
    if ctx.get(weights.NETWORKS, OF_FLOATS) != TRUE:
        _have_derivatives(ctx, [args[place] for place in places])
    fixed = set(range(len(args) + len(keywords))) - places
    result = _differentiated(ctx, lambda: ctx.call_traced("jax", fun, args, keywords, has_values=True, fixed=fixed))
    lost: Value = ctx.lost("a result beside the value")
    value, aux = result, lost
    if as_bool(has_aux):
        value, aux = result.items if isinstance(result, Seq) and len(result.items) == 2 else (lost, lost)
    if isinstance(result, Seq) and as_bool(has_aux) is False:
        said = f"a gradient needs a function that gives a number, and this one gives {len(result.items)} values"
        ctx.require(ClashKind.RANK, NEVER, said, *args[:1])
        return lost, lost, lost
    if isinstance(value, Tensor) and value.shape.is_ranked and value.shape.head:
        said = f"a gradient needs a function that gives a number, and this one gives an array of shape {value.shape}"
        ctx.require(ClashKind.RANK, NEVER, said, value)
        return lost, lost, lost
    return value, aux, _like_arguments(ctx, argnums, args)


def _places(argnums: Value, count: int) -> set[int]:
    """Return the positions of the arguments that derivatives are taken for."""
    said = argnums.items if isinstance(argnums, Seq) else (argnums,)
    places = [as_size(place) for place in said]
    return {place % count for place in places if isinstance(place, int) and -count <= place < count}


def _differentiated(ctx: Context, run: Callable[[], Value]) -> Value:
    """Return the result of a function whose derivatives are taken."""
    before = ctx.get(weights.NETWORKS, DERIVING) or FALSE
    ctx.set(weights.NETWORKS, DERIVING, TRUE)
    result = ctx.freeze(run())
    ctx.set(weights.NETWORKS, DERIVING, before)
    return result


def is_differentiated(ctx: Context) -> bool:
    """Return whether derivatives are taken of what is computed now."""
    return ctx.get(weights.NETWORKS, DERIVING) == TRUE


def _refuse_places(ctx: Context, argnums: Value, count: int) -> None:
    """State that there is an argument at each position for which derivatives are taken."""
    for place in map(as_size, argnums.items if isinstance(argnums, Seq) else (argnums,)):
        if isinstance(place, int) and not -count <= place < count:
            said = f"a gradient is taken for argument {place}, and {count} are given by position"
            ctx.require(ClashKind.INDEX_RANGE, NEVER, said)


def _have_derivatives(ctx: Context, arguments: Sequence[Value]) -> None:
    """State that arguments are no integers, for which there are no derivatives."""
    for part in (part for argument in arguments for part in walk(ctx.freeze(argument))):
        is_integer = isinstance(part, Int) or (isinstance(part, Const) and type(part.value) in (int, bool))
        if is_integer or (isinstance(part, Tensor) and (part.dtype or "").startswith(("int", "uint", "bool"))):
            said = "a gradient is taken of floats, and this argument holds integers"
            ctx.require(ClashKind.DTYPE, NEVER, said, part)
            return


def _like_arguments(ctx: Context, argnums: Value, args: Sequence[Value]) -> Value:
    """Return derivatives with respect to one argument, or a tuple of those with respect to several."""
    if isinstance(argnums, Seq):
        return Seq("tuple", tuple(_like_arguments(ctx, place, args) for place in argnums.items))
    place = as_size(argnums)
    if not isinstance(place, int) or not -len(args) <= place < len(args):
        return ctx.lost("gradients")
    return each_leaf(ctx, args[place], lambda leaf: _array(as_tensor(leaf, ctx), as_tensor(leaf, ctx).shape))


@behaviour("jax.{jacfwd,jacrev,jacobian}")
def jacobian(ctx: Context, fun: Value = NONE, argnums: Value = ZERO, has_aux: Value = FALSE, **options: Value) -> Value:
    if argnums != ZERO or has_aux != FALSE:
        return ctx.lost("a function of derivatives")
    return _derivative(ctx, "jacobian", fun, argnums, has_aux)


@behaviour("jax.grad.jacobian")
def matrix(ctx: Context, fun: Value, argnums: Value, has_aux: Value, *args: Value, **keywords: Value) -> Value:
    """Return the derivatives of each element of an array."""
    result = ctx.freeze(ctx.call(fun, list(args), keywords))
    first = args[0] if args else NONE
    if not isinstance(result, Tensor) or not isinstance(first, Tensor) or not first.shape.is_ranked:
        return ctx.lost("derivatives")
    shape = result.shape
    return _array(first, Shape((*shape.head, *first.shape.head)) if shape.tail is None else UNRANKED)


@behaviour("jax.hessian")
def hessian(ctx: Context, fun: Value = NONE, argnums: Value = ZERO, has_aux: Value = FALSE, **options: Value) -> Value:
    if argnums != ZERO or has_aux != FALSE:
        return ctx.lost("a function of derivatives")
    return jacobian(ctx, jacobian(ctx, fun))
