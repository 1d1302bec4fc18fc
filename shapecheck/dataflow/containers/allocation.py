"""Allocation of frozen lists and dicts on the heap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.domain.values import Dict, HomogeneousSeq, Seq, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def allocated(t: Tracer, value: Value) -> Value:
    """Return the value with new objects on the heap for its lists and dicts, since the program may change them."""
    match value:
        case Seq(kind="list" | "set" as kind, items=items):
            return t.new_container(kind, Seq(kind, tuple(allocated(t, item) for item in items)))
        case Seq(kind="tuple", items=items):
            return Seq("tuple", tuple(allocated(t, item) for item in items))
        case HomogeneousSeq(kind="list"):
            return t.new_container("list", value)
        case Dict(items=pairs, rest=rest):
            return t.new_container("dict", Dict(tuple((k, allocated(t, v)) for k, v in pairs), rest))
    return value
