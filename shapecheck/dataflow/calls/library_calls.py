"""Calls of library names, of builtins, and of methods of values."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from shapecheck.dataflow.builtins import BUILTINS
from shapecheck.dataflow.builtins.methods import call_builtin_method
from shapecheck.dataflow.builtins.registry import Builtin
from shapecheck.dataflow.containers import iteration
from shapecheck.dataflow.havoc.opaque_calls import opaque_result
from shapecheck.dataflow.objects.library_methods import find_method
from shapecheck.dataflow.paths.case_split import for_each_contents
from shapecheck.dataflow.paths.feasibility import of_rank
from shapecheck.dataflow.paths.single_values import check_conversion
from shapecheck.dataflow.stages.checks import check_builtin
from shapecheck.dataflow.stages.converted_builtins import converted
from shapecheck.dataflow.stages.loop_state import check_length, note_print
from shapecheck.dataflow.stages.missing_results import NUMERIC, refuse_missing
from shapecheck.dataflow.stages.python_values import OF_ITEMS, check_function, check_items, check_method
from shapecheck.dataflow.stages.static_sizes import check_builtin as check_sizes
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.opaque_inputs import OpaqueInputs
from shapecheck.dataflow.state.running_loops import RunningLoops
from shapecheck.domain.values import CONTAINERS, Choice, Lost, Ref, Scalar, SliceValue, Tensor, Value, as_str
from shapecheck.models.lang.registry import lookup, lookup_method
from shapecheck.models.lang.traits import has

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

INCOMPLETE = "unknown number of starred arguments"


def call_library(t: Tracer, name: str, given: Arguments) -> Value:
    """Return the result of a library function, a class of a library or a builtin."""
    check_conversion(t, name, given)
    if t.has_graphs:
        check_function(t, name, given)
    function = BUILTINS.get(name.removeprefix("builtins."))
    if function is not None or name.startswith("builtins."):
        if not given.is_complete:
            unknown = t.lost(INCOMPLETE)
            return SliceValue(unknown, unknown, unknown) if name == "builtins.slice" else unknown
        check_builtin(t, name.removeprefix("builtins."), given)
        if not t.stage.is_eager:
            _check_in_graph(t, name.removeprefix("builtins."), given)
        if t.has_missing:
            if name.removeprefix("builtins.") in NUMERIC:
                refuse_missing(t, given.args[:1], name.removeprefix("builtins."), given.place)
            check_sizes(t, name.removeprefix("builtins."), given)
        operation = converted(t, name.removeprefix("builtins."), given)
        if operation is not None:
            return call_library(t, *operation)
        result = _unbound_method(t, name, given) if function is None else _call_builtin(t, function, given)
        if type(result) is Scalar:
            return t.component(RunningLoops).derive(result, given.args)
        return of_rank(t, result, given.args) if name == "builtins.len" else result
    if name.startswith("method "):
        return _base_method(t, name[7:], given)
    model = lookup(name)
    if model is None:
        t.diagnostics.unmodelled[name] += 1
        return opaque_result(t, f"no model of {name}", given)
    result = t.run_model(model, name, given) if given.is_complete else t.lost(INCOMPLETE)
    return _changing(t, name, given, result)


def _unbound_method(t: Tracer, name: str, given: Arguments) -> Value:
    """Return the result of a method that is called by its class, as in `dict.get(config, "size")`."""
    owner = given.args[0] if given.args else None
    container = t.container(owner)
    if name.count(".") == 2 and owner is not None and (container is not None or as_str(owner) is not None):
        return call_builtin_method(t, container or owner, name.rpartition(".")[2], replace(given, args=given.args[1:]))
    return t.lost(f"no model of {name[9:]}")


def _check_in_graph(t: Tracer, name: str, given: Arguments) -> None:
    """Check a call of a builtin while a graph is built."""
    if name in OF_ITEMS and len(given.args) == 1 and not isinstance(given.args[0], Tensor):
        check_items(t, name, given, iteration.elements(t, given.args[0]))
    elif name == "len" and given.args:
        check_length(t, given.args[0], given.place)
    elif name == "print":
        note_print(t, given)


def _changing(t: Tracer, name: str, given: Arguments, result: Value) -> Value:
    """Return the result of a library function after noting it, if it is another number in each iteration of a loop."""
    loops = t.component(RunningLoops)
    if has(name, "draws a number"):
        return loops.note_drawn(result, given.args)
    return loops.derive(result, given.args) if type(result) is Scalar else result


def _call_builtin(t: Tracer, function: Builtin, given: Arguments) -> Value:
    """Call a builtin, once for each of the contents that a container among its arguments may have."""
    for arg in given.args:
        if isinstance(arg, Ref) and arg.cls in CONTAINERS and isinstance(t.contents(arg), Choice):
            return for_each_contents(t, arg, lambda: _call_builtin(t, function, given))
    return t.component(OpaqueInputs).derive(function(t, given), given.args)


def _base_method(t: Tracer, cls: str, given: Arguments) -> Value:
    """Return the result of `super().name(…)` if the next class in the MRO is a library's.

    The arguments are the instance, the name, and then those of the call.
    """
    owner, name = given.args[0], as_str(given.args[1]) or ""
    model = lookup_method(cls, name)
    if model is None:
        return t.lost(f"no model of {cls}.{name}")
    return t.run_model(model, f"{cls}.{name}", Arguments(given.place, (owner, *given.args[2:]), given.keywords))


def call_method(t: Tracer, owner: Value, name: str, given: Arguments) -> Value:
    """Return the result of a method by name, of a value that does not define it in the program."""
    if isinstance(owner, Lost):
        return opaque_result(t, owner.reason, given)
    if t.has_graphs or name == "numpy":
        check_method(t, owner, name, given)
    model, label = find_method(t, owner, name)
    if model is not None:
        return t.run_model(model, label, given.after([owner])) if given.is_complete else t.lost(INCOMPLETE)
    if isinstance(owner, (Tensor, Ref)) and not (isinstance(owner, Ref) and owner.cls in CONTAINERS):
        t.diagnostics.unmodelled[label] += 1
        return opaque_result(t, f"no model of {label}", given)
    return call_builtin_method(t, owner, name, given)
