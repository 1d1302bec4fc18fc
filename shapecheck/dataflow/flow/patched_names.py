"""Names that have other values inside a `with` statement: a variable of a module or class that a test replaces by
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
from shapecheck.domain.values import Class, Library, Lost, ModuleValue, Ref, Value

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


def _owner_named(t: Tracer, name: str, frame: Frame) -> Value | None:
    """Return the module of a dotted name, or the class of one; None for others."""
    module = import_module(t, name, frame)
    if isinstance(module, ModuleValue):
        ensure_executed(t, module.address)
        return module
    owner, _, variable = name.rpartition(".")
    holder = _owner_named(t, owner, frame) if owner else None
    return t.heap.get((holder.address, variable)) if isinstance(holder, ModuleValue) else None


def _listed_functions(t: Tracer, call: ir.Call, frame: Frame) -> Iterator[Library]:
    """Yield the functions of libraries in the lists that a call is given."""
    for arg in (arg.value for arg in call.args if isinstance(arg.value, ir.Display)):
        values = [t.evaluate(item, frame) for item in arg.items if isinstance(item, ir.Name | ir.Attribute)]
        yield from (value for value in values if isinstance(value, Library))


def _patched_cell(t: Tracer, item: ir.Expr, frame: Frame) -> Cell | None:
    """Return the variable that a context manager replaces, or None: of `patch("owner.name")`, `patch.object(owner,
    "name")`.
    """
    match item:
        case ir.Call(args=(ir.Arg(value=ir.Const(value=str(path))), *_)) if called_name(item) == "patch":
            named, _, name = path.rpartition(".")
            owner = _owner_named(t, named, frame) if named else None
        case ir.Call(
            func=ir.Attribute(value=ir.Name(id="patch") | ir.Attribute(name="patch"), name="object"),
            args=(ir.Arg(value=ir.Name() | ir.Attribute() as holder), ir.Arg(value=ir.Const(value=str(name))), *_),
        ):
            owner = t.evaluate(holder, frame)
        case _:
            return None
    return (owner.address, name) if isinstance(owner, ModuleValue | Class | Ref) else None
