"""Functions that JAX makes of functions beside `grad` and `vmap`: products with Jacobians, rules of derivatives that a
program gives, `jnp.vectorize`; and solvers that call functions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    FALSE,
    NONE,
    TRUE,
    Dict,
    Library,
    Partial,
    Ref,
    Seq,
    Tensor,
    Value,
    as_str,
    items_of,
)
from shapecheck.models.jax.transforms import CALLABLE, is_differentiated
from shapecheck.models.jax.trees import anew, each_leaf, have_same_containers
from shapecheck.models.lang import Context, base, behaviour
from shapecheck.models.lang.apply import together
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.shapes.claims import FALSE as NEVER
from shapecheck.shapes.claims import Equal
from shapecheck.shapes.facts import Verdict
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape
from shapecheck.shapes.size import Size

# Products with Jacobians ---------------------------------------------------------------------------------------------


@behaviour("jax.jvp")
def jvp(ctx: Context, fun: Value, primals: Value, tangents: Value, has_aux: Value = FALSE) -> Value:
    """Return the result, and its change along the tangents, which are like the arguments."""
    given, directions = ctx.freeze(primals), ctx.freeze(tangents)
    if not isinstance(given, Seq) or has_aux != FALSE:
        return ctx.lost("a derivative along a direction")
    _is_like(ctx, given, directions, "an argument", "its tangent")
    result = ctx.freeze(ctx.call_traced("jax", fun, given.items, has_values=True))
    return Seq("tuple", (result, _arrays(ctx, result)))


@behaviour("jax.vjp")
def vjp(ctx: Context, fun: Value, *primals: Value, has_aux: Value = FALSE, **options: Value) -> Value:
    """Return the result, and the function that takes a cotangent like it to gradients like the arguments."""
    result = ctx.freeze(ctx.call_traced("jax", fun, primals, has_values=True))
    if has_aux == FALSE:
        return Seq("tuple", (result, _bound("jax.vjp.pulled", result, primals)))
    if not isinstance(result, Seq) or len(result.items) != 2:
        return ctx.lost("a derivative")
    return Seq("tuple", (result.items[0], _bound("jax.vjp.pulled", result.items[0], primals), result.items[1]))


def _bound(name: str, result: Value, primals: Sequence[Value]) -> Partial:
    return Partial(Library(name), (result, Seq("tuple", tuple(primals))), ())


@behaviour("jax.vjp.pulled")
def pulled(ctx: Context, result: Value, primals: Value, cotangent: Value) -> Value:
    _is_like(ctx, result, ctx.freeze(cotangent), "the result", "its cotangent")
    return Seq("tuple", tuple(_arrays(ctx, ctx.freeze(each)) for each in items_of(primals) or ()))


@behaviour("jax.linearize")
def linearize(ctx: Context, fun: Value, *primals: Value, **options: Value) -> Value:
    result = ctx.freeze(ctx.call_traced("jax", fun, primals, has_values=True))
    return ctx.lost("a derivative") if options else Seq("tuple", (result, _bound("jax.jvp.pushed", result, primals)))


@behaviour("jax.jvp.pushed")
def pushed(ctx: Context, result: Value, primals: Value, *tangents: Value) -> Value:
    _is_like(ctx, primals, Seq("tuple", tuple(map(ctx.freeze, tangents))), "an argument", "its tangent")
    return _arrays(ctx, result)


def _arrays(ctx: Context, tree: Value) -> Value:
    return each_leaf(ctx, tree, lambda leaf: anew(as_tensor(leaf, ctx)))


def _is_like(ctx: Context, wanted: Value, given: Value, first: str, second: str) -> None:
    """State that two trees have leaves of the same shapes."""
    if isinstance(wanted, Tensor) and isinstance(given, Tensor):
        _has_shape(ctx, wanted, given, f"{first} has shape {wanted.shape}, {second} {given.shape}")
    elif have_same_containers(ctx, [wanted, given]):
        for pair in _pairs(wanted, given):
            _is_like(ctx, *pair, first, second)


def _pairs(wanted: Value, given: Value) -> list[tuple[Value, Value]]:
    match wanted, given:
        case Seq(items=first), Seq(items=second) if len(first) == len(second):
            return list(zip(first, second, strict=True))
        case Dict(items=pairs), Dict():
            found = ((item, given.get(key)) for key, item in pairs)
            return [(item, other) for item, other in found if other is not None]
    return []


def _has_shape(ctx: Context, wanted: Tensor, given: Tensor, said: str) -> None:
    if not wanted.shape.is_ranked or not given.shape.is_ranked:
        return
    if len(wanted.shape.head) != len(given.shape.head):
        ctx.require(ClashKind.RANK, NEVER, said, wanted, given)
        return
    for one, other in zip(wanted.shape.head, given.shape.head, strict=True):
        if ctx.require(ClashKind.AXIS, Equal(one, other), said, wanted, given) is Verdict.NEVER:
            return


# Rules of derivatives that a program gives ---------------------------------------------------------------------------

RULED = "jax.custom_vjp"
base(RULED, "builtins.object")


@behaviour("jax.{custom_vjp,custom_jvp}")
def ruled(ctx: Context, fun: Value = NONE, nondiff_argnums: Value = NONE, **options: Value) -> Value:
    if not isinstance(fun, CALLABLE):
        return Library("functools.partial.same")
    return ctx.new(RULED, _function=fun, _is_whole=TRUE if nondiff_argnums == NONE and not options else FALSE)


@behaviour(f"{RULED}.defvjp")
def defvjp(ctx: Context, self: Ref, fwd: Value, bwd: Value, **options: Value) -> Value:
    ctx.set(self, "_forward", fwd)
    ctx.set(self, "_backward", bwd)
    return NONE


@behaviour(f"{RULED}.{{defjvp,defjvps}}")
def defjvp(ctx: Context, self: Ref, *rules: Value, **options: Value) -> Value:
    if len(rules) == 1 and not options:
        ctx.set(self, "_rule", rules[0])
    return rules[0] if rules else NONE


@behaviour(f"{RULED}.__call__")
def call_ruled(ctx: Context, self: Ref, *args: Value, **keywords: Value) -> Value:
    """Call the function, and, where derivatives are taken, the functions that give them."""
    result = ctx.call_with_values(ctx.get(self, "_function") or NONE, list(args), keywords)
    forward, backward = ctx.get(self, "_forward"), ctx.get(self, "_backward")
    is_whole = ctx.get(self, "_is_whole") == TRUE and not keywords
    if is_whole and forward is not None and backward is not None and is_differentiated(ctx):
        made = ctx.freeze(ctx.call_with_values(forward, list(args)))
        if isinstance(made, Seq) and len(made.items) == 2:
            value, kept = made.items
            _fits_arguments(ctx, ctx.freeze(ctx.call_with_values(backward, [kept, value])), args)
        elif isinstance(made, (Seq, Tensor)):
            said = "the forward rule does not return a pair of the result and what the backward rule is given"
            ctx.require(ClashKind.UNPACK, NEVER, said, *args[:1])
    rule = ctx.get(self, "_rule")
    if is_whole and rule is not None and is_differentiated(ctx):
        given = Seq("tuple", args)
        made = ctx.freeze(ctx.call(rule, [given, _arrays(ctx, ctx.freeze(given))]))
        if isinstance(made, Tensor):
            said = "the rule returns one array, not the result and its tangent"
            ctx.require(ClashKind.UNPACK, NEVER, said, made)
    return result


def _fits_arguments(ctx: Context, gradients: Value, args: Sequence[Value]) -> None:
    """State that a rule gives a gradient, or None, for each argument."""
    if isinstance(gradients, Tensor):
        said = f"the rule returns one array, not a tuple of {len(args)} gradients"
        ctx.require(ClashKind.UNPACK, NEVER, said, gradients)
    elif isinstance(gradients, Seq) and len(gradients.items) != len(args):
        said = f"the rule returns {len(gradients.items)} gradients, there are {len(args)} arguments"
        ctx.require(ClashKind.UNPACK, NEVER, said, *gradients.items)
    elif isinstance(gradients, Seq):
        for argument, gradient in zip(args, gradients.items, strict=True):
            given = ctx.freeze(argument)
            if isinstance(given, Tensor) and isinstance(gradient, Tensor):
                _is_like(ctx, given, gradient, "an argument", "its gradient")


# Functions of parts of arrays ----------------------------------------------------------------------------------------


@behaviour("jax.numpy.vectorize")
def vectorize(ctx: Context, pyfunc: Value = NONE, *, signature: Value = NONE, **options: Value) -> Value:
    """Return a function of arrays whose last axes the signature names; the others broadcast."""
    if not isinstance(pyfunc, CALLABLE):
        kept = {**options, "signature": signature}
        return Partial(Library("jax.numpy.vectorize"), (), tuple(kept.items()))
    if options:
        return ctx.lost("a function of parts of arrays")
    return Partial(Library("jax.numpy.vectorize.called"), (pyfunc, signature), ())


@behaviour("jax.numpy.vectorize.called")
def vectorized(ctx: Context, pyfunc: Value, signature: Value, *args: Value) -> Value:
    given = [as_tensor(ctx.freeze(each), ctx) for each in args]
    inputs = (as_str(signature) or "").partition("->")[0]
    patterns = [part.replace(",", " ").split() for part in re.findall(r"\(([^)]*)\)", inputs)]
    patterns = [[] for _ in given] if signature == NONE else patterns
    if len(patterns) != len(given) or any(not tensor.shape.is_ranked for tensor in given):
        return ctx.lost("a function of parts of arrays")
    return _over_parts(ctx, pyfunc, given, patterns)


def _over_parts(ctx: Context, function: Value, given: Sequence[Tensor], patterns: Sequence[Sequence[str]]) -> Value:
    """Return the results of a function of parts, along the axes that are not parts of them."""
    named: dict[str, Size] = {}
    loops, parts = [], []
    for tensor, names in zip(given, patterns, strict=True):
        head = tensor.shape.sizes
        if len(head) < len(names):
            ctx.require(
                ClashKind.RANK, NEVER, f"an array of shape {tensor.shape} does not have the axes {names}", tensor
            )
            return ctx.lost("a function of parts of arrays")
        split = len(head) - len(names)
        if not _agree(ctx, named, dict(zip(names, head[split:], strict=True)), tensor):
            return ctx.lost("a function of parts of arrays")
        loops.append(Shape(head[:split]))
        parts.append(Tensor(Shape(head[split:]), tensor.dtype, "jax"))
    shape, needs = together(loops)
    for need in needs:
        ctx.require(need.kind, need.claim, need.message, *given)
    made = ctx.freeze(ctx.call_traced("jax", function, parts))
    return each_leaf(ctx, made, lambda leaf: _along(as_tensor(leaf, ctx), shape))


def _agree(ctx: Context, named: dict[str, Size], sizes: Mapping[str, Size], tensor: Tensor) -> bool:
    """State that axes of one name have one size."""
    for name, size in sizes.items():
        known = int(name) if name.isdecimal() else named.setdefault(name, size)
        said = f"the axis {name} has size {known} and size {size}"
        if known != size and ctx.require(ClashKind.AXIS, Equal(known, size), said, tensor) is Verdict.NEVER:
            return False
    return True


def _along(part: Tensor, loops: Shape) -> Tensor:
    is_known = loops.is_ranked and part.shape.is_ranked
    return Tensor(Shape((*loops.head, *part.shape.head)) if is_known else UNRANKED, part.dtype, "jax")


# Solvers -------------------------------------------------------------------------------------------------------------


@behaviour("jax.experimental.ode.odeint")
def odeint(ctx: Context, func: Value, y0: Value, t: Value, *args: Value, **options: Value) -> Value:
    """Return the state at all times, from a function of the state and the time."""
    state, times = _arrays(ctx, ctx.freeze(y0)), as_tensor(ctx.freeze(t), ctx)
    now = Tensor(SCALAR, "float32", "jax")
    slope = ctx.freeze(ctx.call_traced("jax", func, [state, now, *args], is_total=True))
    _is_like(ctx, state, slope, "the state", "its derivative")
    count = times.shape.size(0)
    rows = UNRANKED if count is None else Shape((count,))
    return each_leaf(ctx, state, lambda leaf: _along(as_tensor(leaf, ctx), rows))
