"""`with mock.patch("module.name", …)`: a variable of a module has another value while a test runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.flow.expected_failures import called_name
from shapecheck.dataflow.objects.modules import ensure_executed, import_module
from shapecheck.dataflow.state.frame import Frame
from shapecheck.dataflow.state.heap import Cell
from shapecheck.domain.values import ModuleValue

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


@contextmanager
def patched(t: Tracer, node: ir.With, frame: Frame) -> Iterator[None]:
    """Make the variables unknown that the context managers of a `with` statement replace, within its body."""
    cells = [cell for item, _ in node.items if (cell := _patched_cell(t, item, frame)) is not None]
    before = {cell: t.heap.get(cell) for cell in cells}
    for cell in cells:
        t.heap.set(cell, t.lost("value that a test replaces"))
    try:
        yield
    finally:
        for cell, value in before.items():
            t.heap.restore(cell, value)


def _patched_cell(t: Tracer, item: ir.Expr, frame: Frame) -> Cell | None:
    """Return the variable that a context manager replaces, or None."""
    match item:
        case ir.Call(args=(ir.Arg(value=ir.Const(value=str(name))), *_)) if called_name(item) == "patch":
            owner, _, variable = name.rpartition(".")
            module = import_module(t, owner, frame) if owner else None
            if isinstance(module, ModuleValue):
                ensure_executed(t, module.address)
                return module.address, variable
    return None
