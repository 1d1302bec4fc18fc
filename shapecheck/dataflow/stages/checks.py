"""Operations of Python that need the value of a symbolic tensor, which does not exist while its graph is built."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.paths.constraints import require
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.path import PathEnds
from shapecheck.domain.values import Tensor, Value, walk
from shapecheck.models.lang.registry import Model
from shapecheck.shapes.facts import FALSE
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def is_symbolic(value: Value) -> bool:
    """Return whether a value is a tensor of a graph that is being built."""
    return isinstance(value, Tensor) and value.trace != 0 and value.role in ("tensor", "run-time")


def refuse(t: Tracer, kind: ClashKind, operation: str, value: Value, message: str, place: Place) -> None:
    """Record that an operation raises for a symbolic tensor, and end the path."""
    step = t.add_step("op", operation, [value], {}, place)
    with t.during(step):
        require(t, kind, FALSE, message, value)
    raise PathEnds


def require_value(t: Tracer, value: Value, place: Place, operation: str, *, is_converted: bool = False) -> None:
    """Refuse a symbolic tensor where Python needs a bool; AutoGraph converts some of these operations."""
    if is_symbolic(value) and not (is_converted and t.stage.is_converted):
        message = f"{operation} needs a bool, and a symbolic tensor has no value {_when(t)}"
        refuse(t, ClashKind.SYMBOLIC_BOOL, operation, value, message, place)


def require_iterable(t: Tracer, values: Iterable[Value], place: Place, operation: str) -> None:
    """Refuse symbolic tensors where Python iterates over them without AutoGraph."""
    for value in values:
        if is_symbolic(value):
            message = f"{operation} cannot iterate over a symbolic tensor {_when(t)}"
            refuse(t, ClashKind.SYMBOLIC_ITERATION, operation, value, message, place)


def require_python(t: Tracer, value: Value, place: Place, operation: str) -> None:
    """Refuse a symbolic tensor where Python needs one of its own values."""
    if is_symbolic(value):
        message = f"{operation} needs a Python value, and a symbolic tensor has none {_when(t)}"
        refuse(t, ClashKind.SYMBOLIC_PYTHON, operation, value, message, place)


def _when(t: Tracer) -> str:
    """Return the end of a message, which names the traced function."""
    name = t.stage.function
    return f"while {name} is traced" if name and name != "<lambda>" else "while its function is traced"


EXEMPT = frozenset("np.shape np.ndim np.size np.iterable np.isscalar np.result_type np.broadcast_shapes".split())
"""Functions of NumPy that take a symbolic tensor without converting it."""

VALUES = frozenset("tf.Tensor.numpy tf.Tensor.item tf.Tensor.tolist".split())
"""Methods that give the value of a tensor."""


def check_operands(t: Tracer, model: Model, name: str, given: Arguments) -> None:
    """Refuse symbolic tensors in operations that need values, and those of another graph."""
    leaked = next((part for part in _tensors(given.values) if part.trace not in (0, t.stage.trace)), None)
    if leaked is not None:
        require(
            t, ClashKind.LEAKED_SYMBOLIC, FALSE, "a symbolic tensor is used outside of the function it is of", leaked
        )
        raise PathEnds
    symbolic = next((value for value in given.args if is_symbolic(value)), None)
    if symbolic is None:
        return
    if name in VALUES:
        method = name.rpartition(".")[2]
        require(t, ClashKind.SYMBOLIC_PYTHON, FALSE, f"a symbolic tensor has no {method}() {_when(t)}", symbolic)
        raise PathEnds
    if (
        name.startswith("np.")
        and model.definition.form == "op"
        and not model.definition.operator
        and name not in EXEMPT
    ):
        require(
            t,
            ClashKind.SYMBOLIC_NUMPY,
            FALSE,
            f"NumPy needs values, and a symbolic tensor has none {_when(t)}",
            symbolic,
        )
        raise PathEnds


def _tensors(values: Iterable[Value]) -> Iterator[Tensor]:
    """Yield the tensors in values, including those in sequences."""
    return (part for value in values for part in walk(value) if isinstance(part, Tensor))


ITERATING = frozenset("zip enumerate list tuple set frozenset sum min max map filter any all reversed".split())
"""Builtins that iterate over their arguments, and that AutoGraph converts for data sets alone."""

CONVERTED = frozenset("int float len sorted".split())
"""Builtins that take a symbolic tensor where AutoGraph converts them."""


def check_builtin(t: Tracer, name: str, given: Arguments) -> None:
    """Refuse symbolic tensors in builtins that need values or items."""
    symbolic = [value for value in given.args if is_symbolic(value)]
    if not symbolic:
        return
    if name == "bool" or (name in ("min", "max") and len(given.args) > 1):
        require_value(t, symbolic[0], given.place, name)
    elif name in ITERATING:
        require_iterable(t, symbolic, given.place, name)
    elif name in CONVERTED and not t.stage.is_converted:
        require_python(t, symbolic[0], given.place, name)
