"""Containers of `collections` with behaviour of their own: `defaultdict`, `deque` with a maximum length, and named
tuples, which hold the objects that they are given.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from shapecheck.dataflow.builtins.registry import builtin
from shapecheck.dataflow.containers import iteration
from shapecheck.dataflow.containers.default_dict import new_default_dict
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.bounded_list import MAX_LENGTH
from shapecheck.domain.values import NONE, Const, Dict, HomogeneousSeq, Seq, Value, as_str, items_of

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


@builtin("collections.defaultdict")
def defaultdict(t: Tracer, call: Arguments) -> Value:
    """Return a dict whose first argument makes the values of missing keys; the other arguments are its entries."""
    initial = t.freeze(call.args[1], deep=False) if len(call.args) > 1 else Dict(())
    if not call.args or call.args[0] == NONE or not isinstance(initial, Dict):
        return t.lost("defaultdict with unknown contents")
    entries = dict(initial.items)
    entries.update({Const(name): value for name, value in call.keywords.items()})
    return new_default_dict(t, Dict(tuple(entries.items()), initial.rest), call.args[0])


@builtin("collections.deque")
def deque(t: Tracer, call: Arguments) -> Value:
    """Return a list; one with a maximum length drops its oldest items."""
    initial = t.freeze(call.args[0], deep=False) if call.args else Seq("list", ())
    if not isinstance(initial, (Seq, HomogeneousSeq)):
        initial = HomogeneousSeq("list", iteration.element(t, initial), iteration.length(t, initial))
    contents = Seq("list", initial.items) if isinstance(initial, Seq) else replace(initial, kind="list", items=None)
    queue = t.new_container("list", Seq("list", ()))
    limit = call.keywords.get("maxlen", call.args[1] if len(call.args) > 1 else NONE)
    if limit != NONE:
        t.heap.set((queue.address, MAX_LENGTH), limit)
    t.set_contents(queue, contents)
    return queue


@builtin("collections.namedtuple.__new__")
def named_tuple(t: Tracer, call: Arguments) -> Value:
    """Return a named tuple, given the names of its fields and their values."""
    names = [as_str(name) or "" for name in items_of(call.args[0]) or ()]
    values = {**dict(zip(names, call.args[1:], strict=False)), **call.keywords}
    items = {name: values.get(name) or t.lost("a field left to its default") for name in names}
    fields = Seq("tuple", tuple(map(Const, items)))
    return t.new_object("collections.namedtuple", _items=Seq("tuple", tuple(items.values())), _fields=fields, **items)
