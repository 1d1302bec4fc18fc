"""Results that `functools.lru_cache` keeps: symbolic tensors, if a function is first called while a graph is built."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.heap import Cell
from shapecheck.dataflow.state.stage import KERAS
from shapecheck.domain.values import Const, Function, Ref, Tensor, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

KEEPS = "keeps results"
"""What the model of `functools.lru_cache` sets on a function."""


def kept_result(t: Tracer, function: Function, given: Arguments) -> Value | None:
    """Return the symbolic tensor that an earlier call with the same constants has left; None without one."""
    cell = _cell(t, function, given)
    kept = None if cell is None else t.heap.get(cell)
    return kept if isinstance(kept, Tensor) and kept.trace else None


def keep_result(t: Tracer, function: Function, given: Arguments, result: Value) -> None:
    """Keep the tensor that the first call with these constants gives."""
    cell = _cell(t, function, given)
    if cell is not None and t.heap.get(cell) is None and isinstance(result, Tensor) and result.trace != KERAS:
        t.heap.set(cell, result)


def is_kept_result(cell: Cell) -> bool:
    """Return whether a cell of the heap holds the result of an earlier call."""
    return isinstance(cell[1], str) and cell[1].startswith(f"{KEEPS} ")


def _cell(t: Tracer, function: Function, given: Arguments) -> Cell | None:
    """Return the cell for the result of a call of a function that keeps results, if all arguments are constants or
    objects of the program."""
    if function.graph or not given.is_complete or t.heap.get((-1 - function.key, KEEPS)) is None:
        return None
    pairs = [*enumerate(given.args), *given.keywords.items()]
    known = [(name, _identity(value)) for name, value in pairs if isinstance(value, Const) or _is_object(value)]
    return (-1 - function.key, f"{KEEPS} {known}") if len(known) == len(pairs) else None


def _is_object(value: Value) -> bool:
    return isinstance(value, Ref) and value.cls == "user"


def _identity(value: Value) -> object:
    return value.value if isinstance(value, Const) else value
