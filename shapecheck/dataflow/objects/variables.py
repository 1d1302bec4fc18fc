"""Variables, and the scopes that assignments bind names in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.dataflow.objects.reassigned import note_reassigned_variable
from shapecheck.dataflow.state.frame import Frame
from shapecheck.domain.values import Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def bind_name(t: Tracer, name: str, value: Value, frame: Frame) -> None:
    """Bind a name in the scope that owns it: the present one, an enclosing one, or the module."""
    if name in frame.globals:
        note_reassigned_variable(t, (frame.module, name), value, frame)
        t.heap.set((frame.module, name), value)
        return
    scope: Frame | None = frame
    while scope is not None and scope.kind in ("function", "comprehension") and name not in scope.bound:
        scope = scope.parent
    scope = scope or frame
    if scope.kind == "module":
        note_reassigned_variable(t, (scope.address, name), value, scope)
    t.heap.set((scope.address, name), value)
