"""Functions that JAX makes of functions: `vmap`, `grad` and relatives, and `jit`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    FALSE,
    NONE,
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
from shapecheck.models.jax.trees import each_leaf
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.shapes.claims import Equal
from shapecheck.shapes.facts import FALSE as NEVER
from shapecheck.shapes.facts import Verdict
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size

CALLABLE = (Function, Method, BoundLibraryMethod, Library, Class, Partial)
ZERO = Const(0)


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
            return replace(fun, function=_traced(ctx, inner, static))
        case Partial() if set(static.values()) == {NONE}:
            return Partial(TRACED, (fun,), ())
    return fun


TRACED = Library("jax.jit.traced")


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
    **options: Value,
) -> Value:
    """Return the function of batches."""
    if not isinstance(fun, CALLABLE):
        return ctx.lost("a function of batches")
    return Partial(Library("jax.vmap.batched"), (fun, ctx.freeze(in_axes), ctx.freeze(out_axes)), ())


@behaviour("jax.vmap.batched")
def batched(ctx: Context, fun: Value, in_axes: Value, out_axes: Value, *args: Value, **keywords: Value) -> Value:
    """Call a function with one item of each batch; all batches have the same size, and results get an axis of it."""
    given = [ctx.freeze(argument) for argument in args]
    named = {name: ctx.freeze(argument) for name, argument in keywords.items()}
    axes = _for_each(in_axes, given)
    if axes is None and isinstance(in_axes, Seq):
        said = f"in_axes has {len(in_axes.items)} entries, the function is given {len(given)} arguments"
        ctx.require(ClashKind.AXIS, NEVER, said, *given)
    if axes is None:
        return ctx.lost("axes of batches")
    found = [pair for argument, axis in zip(given, axes, strict=True) for pair in _batches(argument, axis)]
    found += [pair for argument in named.values() for pair in _batches(argument, ZERO)]
    if not _agree(ctx, found):
        return ctx.lost("batches of several sizes")
    items = [_item(ctx, argument, axis) for argument, axis in zip(given, axes, strict=True)]
    others = {name: _item(ctx, argument, ZERO) for name, argument in named.items()}
    fixed = [at for at, axis in enumerate(axes) if any(part == NONE for part in walk(axis))]
    result = ctx.freeze(ctx.call_traced("jax", fun, items, others, fixed=fixed))
    sizes = (*(size for _, size in found), *(weights.members(ctx, argument) for argument in given))
    size = next((size for size in sizes if size is not None), None)
    return _collected(ctx, result, out_axes, size)


def _for_each(axes: Value, arguments: Sequence[Value]) -> list[Value] | None:
    """Return the axes of each argument."""
    if isinstance(axes, Seq):
        return list(axes.items) if len(axes.items) == len(arguments) else None
    is_one = axes == NONE or isinstance(as_size(axes), int)
    return [axes] * len(arguments) if is_one else None


def _batches(argument: Value, axis: Value) -> Iterator[tuple[Tensor, Size | None]]:
    """Yield the batches in an argument with their sizes, None for one that is not known."""
    match argument, axis:
        case _, Const(value=None):
            return
        case Tensor(), Const(value=int(place)):
            yield argument, argument.shape.size(place)
        case Seq(items=items), Seq(items=each) if len(items) == len(each):
            for pair in zip(items, each, strict=True):
                yield from _batches(*pair)
        case Seq(items=items), _:
            for item in items:
                yield from _batches(item, axis)
        case Dict(items=pairs), Dict():
            for key, item in pairs:
                yield from _batches(item, axis.get(key) or NONE)
        case Dict(items=pairs), _:
            for _, item in pairs:
                yield from _batches(item, axis)


def _agree(ctx: Context, found: Sequence[tuple[Tensor, Size | None]]) -> bool:
    """State that all batches have the same size, and an axis for it."""
    known = [(tensor, size) for tensor, size in found if size is not None]
    for tensor, _ in found:
        if tensor.shape == Shape(()):
            ctx.require(ClashKind.RANK, NEVER, "a number has no axis of a batch: in_axes must be None for it", tensor)
            return False
    for tensor, size in known[1:]:
        first = known[0][1]
        said = f"a batch of {first} and a batch of {size} are mapped together"
        if ctx.require(ClashKind.AXIS, Equal(first, size), said, known[0][0], tensor) is Verdict.NEVER:
            return False
    return True


def _item(ctx: Context, argument: Value, axis: Value) -> Value:
    """Return one item of a batch."""
    match argument, axis:
        case _, Const(value=None):
            return argument
        case Tensor(), Const(value=int(place)):
            return replace(argument, shape=_without(argument.shape, place), step=0, output=0, content=None, nature="")
        case Seq(items=items), Seq(items=each) if len(items) == len(each):
            return Seq(argument.kind, tuple(_item(ctx, *pair) for pair in zip(items, each, strict=True)))
        case Seq(items=items), Const():
            return Seq(argument.kind, tuple(_item(ctx, item, axis) for item in items))
        case Dict(items=pairs, rest=None), Dict():
            return Dict(tuple((key, _item(ctx, item, axis.get(key) or NONE)) for key, item in pairs))
        case Dict(items=pairs, rest=None), Const():
            return Dict(tuple((key, _item(ctx, item, axis)) for key, item in pairs))
        case Ref(cls=cls), Const(value=int()) if cls == weights.WEIGHTS:
            return weights.of_one(ctx, argument)
    return ctx.lost("an item of a batch")


def _without(shape: Shape, place: int) -> Shape:
    """Return the shape without an axis."""
    if shape.tail is not None:
        return Shape(shape.head[1:], shape.tail) if place == 0 and shape.head else UNRANKED
    if not -len(shape.head) <= place < len(shape.head):
        return UNRANKED
    at = place % len(shape.head)
    return Shape((*shape.head[:at], *shape.head[at + 1 :]))


def _collected(ctx: Context, result: Value, axes: Value, size: Size | None) -> Value:
    """Return the results of all items, along an axis of their own."""
    if isinstance(axes, Seq):
        if not isinstance(result, Seq) or len(axes.items) != len(result.items):
            return ctx.lost("axes of results")
        pairs = zip(result.items, axes.items, strict=True)
        return Seq(result.kind, tuple(_collected(ctx, item, axis, size) for item, axis in pairs))
    place = as_size(axes)
    if axes == NONE:
        return result
    if isinstance(result, Ref) and result.cls == weights.WEIGHTS:
        return ctx.lost("weights") if size is None else weights.of_several(ctx, result, size)
    if size is None or not isinstance(place, int):
        return each_leaf(ctx, result, lambda leaf: _array(as_tensor(leaf, ctx), UNRANKED))
    return each_leaf(ctx, result, lambda leaf: _with_axis(as_tensor(leaf, ctx), place, size))


def _with_axis(tensor: Tensor, place: int, size: Size) -> Tensor:
    head, tail = tensor.shape.head, tensor.shape.tail
    if tail is not None:
        return _array(tensor, Shape((size, *head), tail) if place == 0 else UNRANKED)
    at = place if place >= 0 else len(head) + 1 + place
    return _array(tensor, Shape((*head[:at], size, *head[at:])) if 0 <= at <= len(head) else UNRANKED)


def _array(tensor: Tensor, shape: Shape) -> Tensor:
    return Tensor(shape, tensor.dtype, "jax")


# Derivatives ---------------------------------------------------------------------------------------------------------


@behaviour("jax.grad", "flax.nnx.grad")
def grad(ctx: Context, fun: Value = NONE, argnums: Value = ZERO, has_aux: Value = FALSE, **options: Value) -> Value:
    return _derivative(ctx, "gradient", fun, argnums, has_aux)


@behaviour("jax.value_and_grad", "flax.nnx.value_and_grad")
def value_and_grad(
    ctx: Context, fun: Value = NONE, argnums: Value = ZERO, has_aux: Value = FALSE, **options: Value
) -> Value:
    return _derivative(ctx, "value_and_gradient", fun, argnums, has_aux)


def _derivative(ctx: Context, kind: str, fun: Value, argnums: Value, has_aux: Value) -> Value:
    """Return the function of derivatives; without a function, a decorator is not followed."""
    if not isinstance(fun, CALLABLE):
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
    _have_derivatives(ctx, [args[place] for place in places])
    fixed = set(range(len(args) + len(keywords))) - places
    result = ctx.freeze(ctx.call_traced("jax", fun, args, keywords, has_values=True, fixed=fixed))
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
    return each_leaf(
        ctx, ctx.freeze(args[place]), lambda leaf: _array(as_tensor(leaf, ctx), as_tensor(leaf, ctx).shape)
    )


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
