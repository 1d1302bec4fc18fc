"""What kind of thing an object of the program is and which parameters it has, as the module `inspect` tells."""

from __future__ import annotations

from shapecheck.domain.values import (
    FALSE,
    TRUE,
    Class,
    Const,
    Dict,
    Function,
    Int,
    Method,
    Partial,
    Scalar,
    Seq,
    Tensor,
    Value,
)
from shapecheck.models.lang import Context, behaviour

NEITHER = (Const, Int, Scalar, Seq, Tensor, Partial)
"""The values that are neither classes nor functions."""


@behaviour("inspect.isclass")
def isclass(ctx: Context, object: Value) -> Value:
    if isinstance(object, Class):
        return TRUE
    return FALSE if isinstance(object, (*NEITHER, Function, Method)) else Scalar("bool")


@behaviour("inspect.isfunction")
def isfunction(ctx: Context, object: Value) -> Value:
    """Return whether an object is a function of the program that is not bound to an instance."""
    if isinstance(object, Function):
        return TRUE
    return FALSE if isinstance(object, (*NEITHER, Class, Method)) else Scalar("bool")


@behaviour("inspect.ismethod")
def ismethod(ctx: Context, object: Value) -> Value:
    if isinstance(object, Method):
        return TRUE
    return FALSE if isinstance(object, (*NEITHER, Class, Function)) else Scalar("bool")


@behaviour("inspect.signature")
def signature(ctx: Context, callable: Value, *args: Value, **options: Value) -> Value:
    """Return the names of the parameters; what else is known of each is lost."""
    names = ctx.parameters(callable)
    if names is None:
        return ctx.lost("the signature of a function")
    described = ctx.lost("what a signature tells of a parameter")
    return ctx.new("inspect.Signature", parameters=Dict(tuple((Const(name), described) for name in names), None))
