"""Arrays that are changed in place: their contents change under every name, and in all views."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from shapecheck.dataflow.state.array_views import bases_of
from shapecheck.domain.values import Const, Int, Seq, Tensor, Value
from shapecheck.shapes.shape import SCALAR

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def overwrite(t: Tracer, array: Tensor, content: Value | None = None) -> None:
    """Replace the content of an array, which is unknown by default; the content of its base becomes unknown."""
    for each in (array, *bases_of(t.graph, array)):
        now = t.select(each)
        if each.content is not None and isinstance(now, Tensor):
            t.refine(each, replace(now, content=content))
        content = None


def set_item(t: Tracer, array: Tensor, index: Value, value: Value) -> None:
    """Set the content of an array after an assignment to a part of it."""
    overwrite(t, array, _with_item(array.content, index, value))


def _with_item(content: Value | None, index: Value, value: Value) -> Value | None:
    """Return the content with one item replaced, or None if that is not known."""
    position = index.value if isinstance(index, Const) else None
    number = value.content if isinstance(value, Tensor) and value.shape == SCALAR else value
    if not isinstance(content, Seq) or type(position) is not int or not isinstance(number, (Const, Int)):
        return None
    items = list(content.items)
    if not -len(items) <= position < len(items) or isinstance(items[position], Seq):
        return None
    items[position] = number
    return Seq(content.kind, tuple(items))
