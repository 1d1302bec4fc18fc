"""Scopes while they run: the frame of a module, function, class body or comprehension."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from shapecheck.dataflow.state.path import Exit
from shapecheck.domain.values import Value
from shapecheck.source import Source

if TYPE_CHECKING:
    from shapecheck import ir


class Iteration(Enum):
    """Which iteration of a loop is traced."""

    KNOWN = "known"  # each in turn
    FIRST = "first"  # the first of some that certainly take place
    ANY = "any"
    LAST = "last"


@dataclass(slots=True)
class Loop:
    """A loop that is running: where its state began, which iteration is traced, and how control left its body.

    One that runs in Python for certain, whatever AutoGraph converts, `is_python`; `guards` are those where it began.
    """

    mark: int
    iteration: Iteration = Iteration.ANY
    breaks: list[Exit] = field(default_factory=list)
    continues: list[Exit] = field(default_factory=list)
    is_python: bool = False
    guards: Mapping[Value, bool] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Frame:
    """A running scope.  `address` holds its variables; `parent` is the scope around it (None for modules); `owner` the
    heap address of the class a method was defined in."""

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
    yields_all: bool = True  # whether these are all that it yields, in order
    distinct_item: Value | None = None  # what it certainly yields in a last iteration
    captured: bool = False
    is_abstract: bool = False  # it says that it is not implemented


@dataclass(frozen=True, slots=True)
class Definition:
    """A function of the program, as the tracer's table of definitions keeps it."""

    node: ir.FunctionDef | ir.Lambda
    frame: Frame
    owner: int | None = None
    kind: str = ""  # "" | static | class | property
