"""Batches that are taken for granted: what takes single samples as well is mostly given batches of them.

Only functions that are traced on their own, with free parameters, are given samples of unknown rank. A failure that
depends on the rank of a batch says so (`Assumption.BATCHES`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING

from shapecheck.dataflow.graph.steps import ASSUMED_AXIS
from shapecheck.domain.traversal import map_children
from shapecheck.domain.values import Lost, Tensor, Value
from shapecheck.models.lang.traits import has
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Kind, Size, fresh

if TYPE_CHECKING:
    from shapecheck.dataflow.state.arguments import Arguments
    from shapecheck.dataflow.tracer import Tracer

_RANKS = (3, 4, 5)


@dataclass(slots=True)
class AssumedBatches:
    """Whether batches are taken for granted, and their sizes, by operand, output and axis.

    All convolutions of one array give batches of one size.
    """

    are_allowed: bool = True
    sizes: dict[tuple[Value, int, int], Size] = field(default_factory=dict)


def with_batch(t: Tracer, name: str, given: Arguments, result: Value) -> Value:
    """Return the result of an operation for a batch, if its rank is unknown."""
    rank = _rank(name) if t.is_standalone and t.component(AssumedBatches).are_allowed else 0
    operand = next(filter(_is_array, given.values), None) if rank else None
    if operand is None:
        return result
    outputs = count()

    def ranked(value: Value) -> Value:
        if not isinstance(value, Tensor):
            return map_children(value, ranked)
        shape, output = value.shape, next(outputs)
        missing = rank - shape.min_rank
        if shape.tail is None or not shape.known or missing < 0:
            return value
        axes = range(len(shape.head), len(shape.head) + missing)
        return value.with_shape(Shape((*shape.head, *(_size(t, operand, output, axis) for axis in axes), *shape.tail)))

    return ranked(result)


def _is_array(value: Value) -> bool:
    """Return whether a value may be an array, and is no other one."""
    return isinstance(value, Lost) or (isinstance(value, Tensor) and value.step > 0)


def _size(t: Tracer, operand: Value, output: int, axis: int) -> Size:
    """Return the size of an axis of an output, the same for each operation on the operand."""
    new = fresh("n", Kind.FREE, origin=t.place, why=ASSUMED_AXIS, low=1)
    return t.component(AssumedBatches).sizes.setdefault((operand, output, axis), new)


@lru_cache(maxsize=2_000)
def _rank(name: str) -> int:
    """Return the rank of the batches that an operation is given, 0 if it takes any, or these alone."""
    return next((rank for rank in _RANKS if has(name, f"is given batches of {rank} axes")), 0)
