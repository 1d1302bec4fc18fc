"""Batches that are taken for granted: what takes single samples as well is mostly given batches of them.

Only functions that are traced on their own, with free parameters, are given samples of unknown rank. A failure that
depends on the rank of a batch says so (`Assumption.BATCHES`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from shapecheck.dataflow.graph.steps import ASSUMED_AXIS
from shapecheck.domain.traversal import map_children
from shapecheck.domain.values import Tensor, Value
from shapecheck.models.lang.traits import has
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Kind, fresh

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

_RANKS = (3, 4, 5)


@dataclass(slots=True)
class AssumedBatches:
    """Whether batches are taken for granted."""

    are_allowed: bool = True


def with_batch(t: Tracer, name: str, result: Value) -> Value:
    """Return the result of an operation for a batch, if its rank is unknown."""
    rank = _rank(name) if t.is_standalone and t.component(AssumedBatches).are_allowed else 0
    return _ranked(t, result, rank) if rank else result


def _ranked(t: Tracer, value: Value, rank: int) -> Value:
    if not isinstance(value, Tensor):
        return map_children(value, lambda part: _ranked(t, part, rank))
    missing = rank - value.shape.min_rank
    if value.shape.tail is None or not value.shape.known or missing < 0:
        return value
    added = (fresh("n", Kind.LOST, origin=t.place, why=ASSUMED_AXIS) for _ in range(missing))
    return value.with_shape(Shape((*value.shape.head, *added, *value.shape.tail)))


@lru_cache(maxsize=2_000)
def _rank(name: str) -> int:
    """Return the rank of the batches that an operation is given, 0 if it takes any, or these alone."""
    return next((rank for rank in _RANKS if has(name, f"is given batches of {rank} axes")), 0)
