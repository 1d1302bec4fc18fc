"""`arg_scope`: arguments for all calls of some functions inside a `with` statement."""

from __future__ import annotations

from shapecheck.domain.values import NONE, Const, Dict, Function, Library, Lost, Partial, Ref, Seq, Value
from shapecheck.models.lang import Context, behaviour, scopes
from shapecheck.models.lang.registry import lookup

MODULES = "tf.contrib.{framework,layers,slim}"
SCOPE = "tf.contrib.framework.arg_scope"


@behaviour(f"{MODULES}.arg_scope")
def arg_scope(ctx: Context, list_ops_or_scope: Value = NONE, **keywords: Value) -> Value:
    options = tuple((Const(name), value) for name, value in keywords.items())
    return ctx.new(SCOPE, _functions=ctx.freeze(list_ops_or_scope), _options=Dict(options))


@behaviour(f"{SCOPE}.__enter__")
def enter(ctx: Context, self: Value) -> Value:
    """A scope can be entered again: then it alone applies."""
    functions, options = ctx.get(self, "_functions"), ctx.get(self, "_options")
    again = ctx.get(functions, "_scope") if isinstance(functions, Ref) else None
    if again is not None:
        scope: Value = again
    elif isinstance(functions, Seq) and isinstance(options, Dict):
        named = {str(name.value): value for name, value in options.items if isinstance(name, Const)}
        keys = [_key(function) for function in functions.items]
        scope = scopes.extended(scopes.current(ctx), [key for key in keys if key is not None], named)
        if None in keys:
            scope = Lost("arguments for a function that is not known")
    else:
        scope = Lost("a scope that is not known")
    ctx.set_ambient(scope)
    return ctx.new(SCOPE, _scope=scope)


def _key(function: Value) -> Value | None:
    """Return the key of a function in a scope."""
    if isinstance(function, Library):
        model = lookup(function.name)
        return Const(function.name if model is None else model.definition.names[0])
    return function if isinstance(function, Function) else None


@behaviour(f"{MODULES}.add_arg_scope")
def add_arg_scope(ctx: Context, func: Value = NONE) -> Value:
    """Mark a function of the program that takes arguments from scopes."""
    ctx.set(func, "__complete__", Partial(Library(f"{SCOPE}.arguments"), (func,)))
    return func


@behaviour(f"{SCOPE}.arguments")
def arguments(ctx: Context, func: Value) -> Value:
    found = scopes.arguments(ctx, func, {})
    return Dict(tuple((Const(name), value) for name, value in found.items()))
