"""Frames: the running scopes of modules, functions, class bodies and comprehensions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum
from typing import TYPE_CHECKING

from shapecheck.dataflow.state.path import Exit
from shapecheck.domain.values import Value
from shapecheck.plain_data import dataclass
from shapecheck.source import Source

if TYPE_CHECKING:
    from shapecheck import ir
    from shapecheck.dataflow.state.heap import Heap


class Iteration(Enum):
    """The iteration of a loop that is traced."""

    KNOWN = "known"  # each iteration, one after another
    FIRST = "first"  # the first one, which certainly takes place
    ANY = "any"
    LAST = "last"


@dataclass(slots=True)
class Loop:
    """A running loop: the mark of its state at the start, the present iteration, and the exits from its body.

    One that `is_python` certainly runs in Python, whatever AutoGraph converts. `guards` are those at its start.
    """

    mark: int
    iteration: Iteration = Iteration.ANY
    breaks: list[Exit] = field(default_factory=list)
    continues: list[Exit] = field(default_factory=list)
    is_python: bool = False
    guards: Mapping[Value, bool] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Frame:
    """A running scope.

    `address` holds its variables. `parent` is the enclosing scope (None for modules), and `owner` the heap address of
    the class that a method was defined in.
    """

    address: int
    source: Source
    module: int
    name: str = ""
    parent: Frame | None = None
    bound: frozenset[str] = frozenset()
    globals: set[str] = field(default_factory=set)
    kind: str = "function"  # module | function | class | comprehension
    owner: int | None = None
    first_argument: Value | None = None
    mark: int = 0
    returns: list[Exit] = field(default_factory=list)
    yields: list[Value] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    yields_all: bool = True  # True if `yields` is complete and in order
    distinct_item: Value | None = None  # a value that it certainly yields, in a last iteration
    captured: bool = False
    is_abstract: bool = False  # True if it raises NotImplementedError

    def variable(self, heap: Heap, name: str) -> Value | None:
        """Return the value of a name in this scope or the nearest one around it that has it; None if none has."""
        scope: Frame | None = self
        while scope is not None:
            value = heap.get((scope.address, name))
            if value is not None:
                return value
            scope = scope.parent
        return None


@dataclass(frozen=True, slots=True)
class Definition:
    """A function of the program, as an entry of the tracer's table of definitions."""

    node: ir.FunctionDef | ir.Lambda
    frame: Frame
    owner: int | None = None
    kind: str = ""  # "" | static | class | property | cached
