"""Methods of sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.dataflow.containers.item_join import joined_elements
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.domain.values import NONE, HomogeneousSeq, Ref, Seq, Value, is_constant
from shapecheck.shapes.size import Kind, fresh

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

SET_CHANGES = frozenset(
    "update remove discard pop clear intersection_update difference_update symmetric_difference_update".split()
)


def set_method(t: Tracer, owner: Ref, name: str, call: Arguments) -> Value:
    """Return the result of a method of a set."""
    contents = t.contents(owner)
    if name == "add" and call.args and isinstance(contents, (Seq, HomogeneousSeq)):
        if isinstance(contents, Seq) and all(map(is_constant, (*contents.items, call.args[0]))):
            if call.args[0] not in contents.items:
                t.set_contents(owner, Seq("set", (*contents.items, call.args[0])))
            return NONE
        element = joined_elements(t, contents, Seq("set", (call.args[0],)))
        t.set_contents(owner, HomogeneousSeq("set", element, fresh("n", Kind.LOST, why="items of a set")))
        return NONE
    if name in SET_CHANGES:
        t.set_contents(owner, t.lost(f"set after {name}"))
    return t.lost(f"set method {name}")
