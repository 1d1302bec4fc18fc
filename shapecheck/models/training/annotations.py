"""Decorators that check the annotations of a function whenever it is called."""

from __future__ import annotations

from shapecheck.domain.values import NONE, TRUE, Class, Function, Library, Partial, Seq, Value
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.settings import CHECKED, NAMED, SHAPES


@behaviour("jaxtyping.jaxtyped")
def jaxtyped(ctx: Context, fn: Value = NONE, typechecker: Value = NONE, **options: Value) -> Value:
    """It makes a name the same size at each place, for the type checker that it is given or that is below it."""
    if not isinstance(fn, (Function, Class)):
        return Partial(Library("jaxtyping.jaxtyped"), (), (("typechecker", typechecker),))
    if isinstance(fn, Function):
        ctx.set(fn, NAMED, TRUE)
        if typechecker != NONE:
            ctx.set(fn, CHECKED, TRUE)
    return fn


@behaviour("{beartype.beartype,typeguard.typechecked}")
def type_checked(ctx: Context, obj: Value = NONE, **options: Value) -> Value:
    """Alone, it does not know that a name is the same size at each place."""
    if isinstance(obj, Function):
        ctx.set(obj, CHECKED, TRUE)
    return obj if isinstance(obj, (Function, Class)) else Library("beartype.beartype")


@behaviour("check_shapes.check_shapes")
def check_shapes(ctx: Context, *specs: Value, **options: Value) -> Value:
    """Return a decorator that checks arguments and the result whenever the function is called."""
    return Partial(Library("check_shapes.decorated"), specs)


@behaviour("check_shapes.decorated")
def with_shapes(ctx: Context, *args: Value) -> Value:
    *specs, func = args
    if isinstance(func, Function):
        ctx.set(func, SHAPES, Seq("tuple", tuple(specs)))
    return func
