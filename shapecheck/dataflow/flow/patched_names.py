"""Names that have other values inside a `with` statement: a variable of a module that a test replaces by
`mock.patch("module.name", …)`, and functions of libraries that an unknown context manager is given, as
`argscope([tf.layers.conv2d], padding="same")` changes their defaults.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.flow.expected_failures import called_name
from shapecheck.dataflow.objects.modules import ensure_executed, import_module
from shapecheck.dataflow.state.frame import Frame
from shapecheck.dataflow.state.heap import Cell
from shapecheck.domain.values import Library, Lost, ModuleValue, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


@contextmanager
def patched(t: Tracer, node: ir.With, managers: Sequence[Value], frame: Frame) -> Iterator[None]:
    """Make the names unknown that the context managers of a `with` statement replace, within its body."""
    cells = [cell for item, _ in node.items if (cell := _patched_cell(t, item, frame)) is not None]
    for (item, _), manager in zip(node.items, managers, strict=True):
        if isinstance(item, ir.Call) and isinstance(manager, Lost):
            cells += [(0, function.name) for function in _listed_functions(t, item, frame)]
    before = {cell: t.heap.get(cell) for cell in cells}
    for cell in cells:
        t.heap.set(cell, t.lost("value that a test replaces"))
    try:
        yield
    finally:
        for cell, value in before.items():
            t.heap.restore(cell, value)


def _listed_functions(t: Tracer, call: ir.Call, frame: Frame) -> Iterator[Library]:
    """Yield the functions of libraries in the lists that a call is given."""
    for arg in (arg.value for arg in call.args if isinstance(arg.value, ir.Display)):
        values = [t.evaluate(item, frame) for item in arg.items if isinstance(item, ir.Name | ir.Attribute)]
        yield from (value for value in values if isinstance(value, Library))


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
