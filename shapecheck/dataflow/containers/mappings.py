"""Mappings: dicts, and objects that can be read as one, as `dict(…)` and `**` do it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.dataflow.containers.dict_update import updated
from shapecheck.dataflow.containers.iteration import elements
from shapecheck.dataflow.objects.attributes import find_attribute
from shapecheck.domain.values import Ref, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def mapping(t: Tracer, value: Value) -> Value:
    """Return the entries of a dict, or of an object with `keys` and `__getitem__`; other values are frozen."""
    frozen = t.freeze(value, deep=False)
    if not isinstance(frozen, Ref) or frozen.cls != "user" or t.place is None:
        return frozen
    keys, getter = find_attribute(t, frozen, "keys"), find_attribute(t, frozen, "__getitem__")
    names = None if keys is None or getter is None else elements(t, t.call_here(keys, []))
    if names is None or getter is None:
        return frozen
    return updated(t, [(name, t.call_here(getter, [name])) for name in names])
