"""The values of missing keys in a `defaultdict`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.domain.values import NONE, Dict, Ref, Value, is_constant

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

FACTORY, DEFAULT = "__missing__", "__spare__"


def new_default_dict(t: Tracer, contents: Dict, factory: Value) -> Ref:
    """Return a new dict that calls the factory for a missing key.

    A value for all unknown keys is made now, so that it exists before any loop that fills the dict.
    """
    made = t.new_container("dict", contents)
    default = t.call_here(factory, [])
    t.mark_summary(default)
    t.heap.set((made.address, FACTORY), factory)
    t.heap.set((made.address, DEFAULT), default)
    return made


def fill_missing(t: Tracer, owner: Ref, key: Value) -> None:
    """Add the value of a missing key to a `defaultdict`; do nothing to other dicts."""
    factory, contents = t.heap.get((owner.address, FACTORY)), t.contents(owner)
    if factory in (None, NONE) or not isinstance(contents, Dict) or contents.get(key) is not None:
        return
    assert factory is not None
    if is_constant(key) and contents.rest is None:
        t.set_contents(owner, Dict((*contents.items, (key, t.call_here(factory, [])))))
    elif contents.items:
        t.set_contents(owner, t.lost("defaultdict filled at unknown keys"))
    elif contents.rest is None:
        t.set_contents(owner, Dict((), t.heap.get((owner.address, DEFAULT))))
