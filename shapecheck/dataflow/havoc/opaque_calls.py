"""Calls of code that is not analysed: what they may change, and the callbacks that they may run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from shapecheck.dataflow.havoc.escape import escape, escape_tapes
from shapecheck.dataflow.havoc.unfollowed import note_unfollowed
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.eager_runs import EagerRuns
from shapecheck.dataflow.state.opaque_inputs import OpaqueInputs
from shapecheck.domain.values import Function, Lost, Method, Ref, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

_REGISTERING = re.compile(r"[^(]*(hook|register|callback|subscribe|connect|listen|observe)\w*\(")
"""The beginning of the text of a call that keeps the functions it is given."""


class Callbacks:
    """The functions of the program that others call later, in the order in which they are registered."""

    def __init__(self) -> None:
        self.functions: dict[Value, None] = {}


def opaque_result(t: Tracer, reason: str, given: Arguments) -> Lost:
    """Return the unknown result of a call; the arguments escape."""
    note_unfollowed(t)
    escape(t, given.values)
    escape_tapes(t, given.values)
    functions = [value for value in given.values if isinstance(value, (Function, Method))]
    if functions and _REGISTERING.match(given.place.text):
        t.component(Callbacks).functions.update(dict.fromkeys(functions))
    run_callbacks(t)
    if any(isinstance(value, Ref) for value in given.values):
        t.component(EagerRuns).latest = len(t.graph.steps)
    result = t.lost(reason)
    t.component(OpaqueInputs).note(result, given.values)
    return result


def run_callbacks(t: Tracer) -> None:
    """Havoc the effects of the registered functions, any of which may be called now."""
    escape(t, t.component(Callbacks).functions)
