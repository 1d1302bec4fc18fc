"""Calls of any value: functions, classes, instances, library names, and unknown values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.dataflow.calls.function_calls import call_function
from shapecheck.dataflow.calls.instantiation import instantiate
from shapecheck.dataflow.calls.library_calls import call_library, call_method
from shapecheck.dataflow.havoc.escape import escape
from shapecheck.dataflow.havoc.function_effects import MUTATING_METHODS
from shapecheck.dataflow.havoc.havoc import Havoc
from shapecheck.dataflow.havoc.opaque_calls import opaque_result
from shapecheck.dataflow.objects.aliases import candidates, havoc_aliases, part_of
from shapecheck.dataflow.objects.attributes import SUPER, instance_attribute, overrides
from shapecheck.dataflow.paths.case_split import for_each_alternative
from shapecheck.dataflow.state.aliases import Aliases
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.domain.values import (
    BoundLibraryMethod,
    Choice,
    Class,
    Function,
    Library,
    Lost,
    Method,
    Partial,
    Ref,
    Value,
)

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def call(t: Tracer, callee: Value, given: Arguments) -> Value:
    """Return the result of a call of any value."""
    match callee:
        case Function():
            return call_function(t, callee, given)
        case Method(owner=owner, function=function):
            return call_function(t, function, given.after([owner]))
        case Library(name=name):
            return call_library(t, name, given)
        case BoundLibraryMethod(owner=owner, name=name):
            return call_method(t, owner, name, given)
        case Class():
            return instantiate(t, callee, given)
        case Ref():
            method = instance_attribute(t, callee, "__call__", given.place)
            return t.lost("call of an object") if method is None else call(t, method, given)
        case Partial(function=inner, args=first, keywords=named):
            return t.lost("call of super") if inner == SUPER else call(t, inner, given.after(first, named))
        case Choice():
            return for_each_alternative(t, [callee], lambda values: call(t, values[0], given))
    return _unknown_call(t, callee, given) if isinstance(callee, Lost) else opaque_result(t, "call of a value", given)


def _unknown_call(t: Tracer, callee: Lost, given: Arguments) -> Value:
    """Return the result of a call of an unknown value, after the effects of the methods that it may be."""
    aliases = t.component(Aliases)
    if aliases.methods.get(callee) in MUTATING_METHODS:
        havoc_aliases(t, callee)
    if callee in aliases.inherited:
        owner = aliases.inherited[callee]
        escape(t, [owner, *overrides(t, owner)])
    for method in aliases.any_method.get(callee, ()):
        t.component(Havoc).havoc_call(t, method.function, [method.owner, *given.values])
    escape(t, candidates(t, callee))
    return part_of(t, opaque_result(t, callee.reason, given), callee)
