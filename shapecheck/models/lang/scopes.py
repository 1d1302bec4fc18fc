"""Arguments that a `with` statement gives to the calls inside it, as `arg_scope` of TensorFlow 1 does.

They are kept as a dict: for each function, by its first name, a dict of arguments. A `rest` says that there may be
more, since a caller that is not known may itself be inside of such a statement.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from shapecheck.domain.values import Const, Dict, Lost, Ref, Value
from shapecheck.models.lang.context import Context

EMPTY = Dict(())
UNFOLLOWED = Ref(0, "calls"), "@not followed"
"""Where the states around calls are kept that were not followed, or make what is not told."""
CREATED = "what tf.variable_creator_scope makes"
"""Why the state that `with` statements set is lost where a function of the program makes the variables."""


def has_creator(ctx: Context) -> bool:
    """Return whether a function of the program makes the variables here."""
    found = ctx.ambient()
    return isinstance(found, Lost) and found.reason == CREATED


def current(ctx: Context) -> Dict:
    """Return the arguments that the enclosing statements give."""
    found = ctx.ambient()
    return found if isinstance(found, Dict) else EMPTY if found is None else Dict((), found)


def arguments(ctx: Context, function: Value, defaults: Mapping[str, object]) -> dict[str, Value]:
    """Return the arguments that a call of the function may omit: those of a scope, and its defaults if all is known."""
    scope = current(ctx)
    found = scope.get(function)
    said = found if isinstance(found, Dict) else Dict((), scope.rest)
    known = {str(name.value): value for name, value in said.items if isinstance(name, Const)}
    return known if said.rest is not None else {**{name: Const(value) for name, value in defaults.items()}, **known}


def extended(scope: Dict, functions: Iterable[Value], keywords: Mapping[str, Value]) -> Dict:
    """Return the scope with more arguments for some functions."""
    entries = dict(scope.items)
    for function in functions:
        before = entries.get(function)
        said = before if isinstance(before, Dict) else Dict((), scope.rest)
        merged: dict[Value, Value] = dict(said.items)
        merged.update({Const(name): value for name, value in keywords.items()})
        entries[function] = Dict(tuple(merged.items()), said.rest)
    return Dict(tuple(entries.items()), scope.rest)
