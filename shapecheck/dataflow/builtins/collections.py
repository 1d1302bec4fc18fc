"""Containers of `collections` that do something on their own: dicts that fill themselves, queues that forget."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from shapecheck.dataflow.builtins.registry import builtin
from shapecheck.dataflow.containers import iteration
from shapecheck.dataflow.containers.default_dict import new_default_dict
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.bounded_list import MAX_LENGTH
from shapecheck.domain.values import NONE, Const, Dict, HomogeneousSeq, Seq, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


@builtin("collections.defaultdict")
def defaultdict(t: Tracer, call: Arguments) -> Value:
    """The first argument makes values for keys that are missing; what follows fills the dict as it fills any."""
    given = t.freeze(call.args[1], deep=False) if len(call.args) > 1 else Dict(())
    if not call.args or call.args[0] == NONE or not isinstance(given, Dict):
        return t.lost("a dictionary that fills itself")
    entries = dict(given.items)
    entries.update({Const(name): value for name, value in call.keywords.items()})
    return new_default_dict(t, Dict(tuple(entries.items()), given.rest), call.args[0])


@builtin("collections.deque")
def deque(t: Tracer, call: Arguments) -> Value:
    """A list; one with a greatest length forgets its oldest items."""
    given = t.freeze(call.args[0], deep=False) if call.args else Seq("list", ())
    if not isinstance(given, (Seq, HomogeneousSeq)):
        given = HomogeneousSeq("list", iteration.element(t, given), iteration.length(t, given))
    whole = Seq("list", given.items) if isinstance(given, Seq) else replace(given, kind="list", items=None)
    made = t.new_container("list", Seq("list", ()))
    most = call.keywords.get("maxlen", call.args[1] if len(call.args) > 1 else NONE)
    if most != NONE:
        t.heap.set((made.address, MAX_LENGTH), most)
    t.set_contents(made, whole)
    return made
