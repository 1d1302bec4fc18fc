"""Methods of Python's builtin types."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from shapecheck.dataflow.builtins.dict_methods import dict_method
from shapecheck.dataflow.builtins.list_methods import list_method
from shapecheck.dataflow.builtins.set_methods import set_method
from shapecheck.dataflow.builtins.text_methods import text_method, unknown_text
from shapecheck.dataflow.containers.iteration import length
from shapecheck.dataflow.objects.container_classes import fill
from shapecheck.dataflow.operators.comparison import compare
from shapecheck.dataflow.operators.subscripts import delete_item, get_item, set_item
from shapecheck.dataflow.paths.case_split import for_each_contents
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.domain.values import (
    NONE,
    Const,
    Function,
    HomogeneousSeq,
    Int,
    Ref,
    Scalar,
    Seq,
    Value,
    label_count,
    of_size,
)
from shapecheck.shapes.size import Kind, fresh

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def call_builtin_method(t: Tracer, owner: Value, name: str, call: Arguments) -> Value:
    """Return the result of a method of a value that is neither a tensor nor an object."""
    with t.at(call.place):
        if isinstance(owner, Ref) and owner.cls in CONTAINER_METHODS:
            if name == "__init__":
                fill(t, owner, call)
                return NONE
            if (name, len(call.args)) in ITEM_METHODS:
                return ITEM_METHODS[name, len(call.args)](t, owner, *call.args, call.place)
            method = CONTAINER_METHODS[owner.cls]
            return for_each_contents(t, owner, lambda: method(t, owner, name, call))
        if isinstance(owner, Const) and isinstance(owner.value, (str, bytes)):
            return text_method(t, owner.value, name, call)
        if isinstance(owner, Scalar) and owner.kind == "str":
            return unknown_text(t, name)
        if isinstance(owner, (Seq, HomogeneousSeq)) and name in ("index", "count"):
            return Int(fresh("i", Kind.LOST, why="position in a sequence"))
        if (
            name in ("tolist", "to_list")
            and isinstance(owner, (Seq, HomogeneousSeq))
            and label_count(owner) is not None
        ):
            return t.new_container("list", replace(owner, kind="list"))
        if name in ("as_list", "value", "item", "tolist") and isinstance(owner, (Const, Int)):
            return owner
        if isinstance(owner, Function) and name == "__get__":
            return owner
    return t.lost(f"method {name} of a value")


ITEM_METHODS: dict[tuple[str, int], Callable[..., Value]] = {
    ("__getitem__", 1): get_item,
    ("__setitem__", 2): set_item,
    ("__delitem__", 1): lambda t, owner, index, _: delete_item(t, owner, index),
    ("__len__", 0): lambda t, owner, _: of_size(length(t, owner)),
    ("__contains__", 1): lambda t, owner, item, place: compare(t, "in", item, owner, place),
}
"""Methods of containers that stand for syntax, with the number of their arguments."""
CONTAINER_METHODS: dict[str, Callable[[Tracer, Ref, str, Arguments], Value]] = {
    "list": list_method,
    "dict": dict_method,
    "set": set_method,
}
