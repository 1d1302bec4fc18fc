"""Dicts that fill themselves: what a key gives that is not there yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.domain.values import NONE, Dict, Ref, Value, is_constant

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

FACTORY, SPARE = "__missing__", "__spare__"


def new_default_dict(t: Tracer, contents: Dict, factory: Value) -> Ref:
    """A new dict that calls the factory for a key it has not.  A value for all keys that are not known is made now,
    so that it is there before any loop that fills the dict."""
    made = t.new_container("dict", contents)
    spare = t.call_here(factory, [])
    t.stands_for_many(spare)
    t.heap.set((made.address, FACTORY), factory)
    t.heap.set((made.address, SPARE), spare)
    return made


def fill_missing(t: Tracer, owner: Ref, key: Value) -> None:
    """Puts the value for a key there, if there is none and the dict fills itself."""
    factory, contents = t.heap.get((owner.address, FACTORY)), t.contents(owner)
    if factory in (None, NONE) or not isinstance(contents, Dict) or contents.get(key) is not None:
        return
    assert factory is not None
    if is_constant(key) and contents.rest is None:
        t.set_contents(owner, Dict((*contents.items, (key, t.call_here(factory, [])))))
    elif contents.items:
        t.set_contents(owner, t.lost("a dict that was filled for keys that are not known"))
    elif contents.rest is None:
        t.set_contents(owner, Dict((), t.heap.get((owner.address, SPARE))))
