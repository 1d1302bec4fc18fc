"""`__dict__` of an object: a dict whose entries are the attributes of the object, in both directions.

Instead of contents it holds a reference to the object.
"""

from __future__ import annotations

from shapecheck.dataflow.state.heap import Heap
from shapecheck.domain.values import TRUE, Const, Dict, Lost, Ref, Value

UNKNOWN_NAMES = "__unknown_names__"
HELD = "__contents__"
"""The attribute of an instance of a class derived from a container for the container that it holds."""
OTHERS = "others"
"""The attribute of such a dict for the value of entries that are not known, if there may be any."""


def entries(heap: Heap, holder: Ref, owner: Ref) -> Dict:
    """Return the contents of the dict `holder`: the attributes of an object, without those that are internal here."""
    internal = "__" if owner.cls == "user" else "_"
    found = [(name, value) for name, value in heap.at(owner.address) if (name, value) != ("many", owner)]
    named = [(name, value) for name, value in found if isinstance(name, str) and not name.startswith(internal)]
    return Dict(tuple((Const(name), value) for name, value in named), heap.get((holder.address, OTHERS)))


def change(heap: Heap, holder: Ref, owner: Ref, contents: Value) -> None:
    """Give an object the attributes that the new contents of the dict `holder` tell."""
    before = entries(heap, holder, owner)
    names = _names(contents, before.rest)
    if names is None:
        havoc_attributes(heap, owner)
        return
    for name in _names(before, before.rest) or {}:
        if name not in names:
            heap.delete((owner.address, name))
    for name, value in names.items():
        if before.get(name) != value:
            heap.set((owner.address, name), value)


def _names(contents: Value, others: Value | None) -> dict[str, Value] | None:
    """Return the known entries by name; None if there are unknown ones beside the `others`."""
    if not isinstance(contents, Dict) or contents.rest != others:
        return None
    names = {key.value: value for key, value in contents.items if isinstance(key, Const) and isinstance(key.value, str)}
    return names if len(names) == len(contents.items) else None


def havoc_attributes(heap: Heap, owner: Ref) -> None:
    """Forget all attributes of an object, after one of an unknown name was set."""
    for key, _ in heap.at(owner.address):
        if key not in ("__class__", HELD):
            heap.set((owner.address, key), Lost("attribute set under an unknown name"))
    heap.set((owner.address, UNKNOWN_NAMES), TRUE)
