"""The traces that TensorFlow has of the functions of a program, and what Python changed in each."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import field

from shapecheck.dataflow.state.heap import Cell, Delta
from shapecheck.plain_data import dataclass


@dataclass(frozen=True, slots=True)
class TraceKey:
    """What the library compares of a call of a traced function, as the key of a cell of its `tf.function` object."""

    specs: tuple[tuple[str, Hashable], ...]


@dataclass(slots=True)
class Traces:
    """What Python changed in each trace, with the values from before, and the attributes that any trace assigned.

    The heap has the numbers of the traces of a function.
    """

    changes: list[Delta] = field(default_factory=list)
    attributes: set[Cell] = field(default_factory=set)
