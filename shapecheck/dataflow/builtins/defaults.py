"""Containers of `collections` that do something on their own: dicts that fill themselves, queues that forget."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from shapecheck.dataflow.bounded import MOST
from shapecheck.dataflow.builtins.registry import Args, Named, builtin
from shapecheck.dataflow.missing import filling
from shapecheck.source import Place
from shapecheck.values import NONE, Const, Dict, Many, Seq, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


@builtin("collections.defaultdict")
def defaultdict(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    """The first argument makes values for keys that are missing; what follows fills the dict as it fills any."""
    given = t.context.freeze(args[1], deep=False) if len(args) > 1 else Dict(())
    if not args or args[0] == NONE or not isinstance(given, Dict):
        return t.lost("a dictionary that fills itself")
    entries = dict(given.items)
    entries.update({Const(name): value for name, value in named.items()})
    return filling(t, Dict(tuple(entries.items()), given.rest), args[0])


@builtin("collections.deque")
def deque(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    """A list; one with a greatest length forgets its oldest items."""
    given = t.context.freeze(args[0], deep=False) if args else Seq("list", ())
    if not isinstance(given, (Seq, Many)):
        given = Many("list", t.context.element(given), t.context.length(given))
    whole = Seq("list", given.items) if isinstance(given, Seq) else replace(given, kind="list", items=None)
    made = t.new_container("list", Seq("list", ()))
    most = named.get("maxlen", args[1] if len(args) > 1 else NONE)
    if most != NONE:
        t.store.set((made.address, MOST), most)
    t.set_contents(made, whole)
    return made
