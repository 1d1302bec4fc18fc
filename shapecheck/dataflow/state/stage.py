"""Stages: code runs eagerly, or is traced into the graph of a function."""

from __future__ import annotations

from dataclasses import field, replace

from shapecheck.models.lang.packs import OF_GRAPHS
from shapecheck.plain_data import dataclass
from shapecheck.shapes.symbol import Symbol


@dataclass(frozen=True, slots=True)
class Stage:
    """The stage of the code that is being traced.

    `trace` is the key of the graph that is being built, 0 if operations run eagerly; all graphs that Keras builds
    of a program's layers, losses and steps have the same key. `function` is the name of the function whose graph it is.
    `is_converted` says that AutoGraph converts Python's control flow on tensors, and `is_version_open` that it does so
    in Keras 2 only, and that the version is not known. In a graph that `is_retrace`, not the first of its function, no
    variables can be created. XLA compiles one that `is_compiled`. `converts_more` says that optional conversions of
    AutoGraph are switched on, such as that of `assert`. `known_sizes` are sizes of the arguments that it is traced for,
    which are numbers while it is built. `arrays` is the kind of arrays that have no value meanwhile. They do have one,
    and cannot become Python's or NumPy's numbers all the same, if `has_values`, as where only derivatives are taken.
    What does not depend on an argument has a value unless the trace `is_total`.
    """

    trace: int = 0
    function: str = ""
    is_converted: bool = False
    is_version_open: bool = False
    is_retrace: bool = False
    is_compiled: bool = False
    converts_more: bool = False
    known_sizes: frozenset[Symbol] = field(default=frozenset(), compare=False)
    arrays: str = OF_GRAPHS
    has_values: bool = False
    is_total: bool = False

    @property
    def is_eager(self) -> bool:
        """True if operations run at once."""
        return not self.trace

    @property
    def is_array_trace(self) -> bool:
        """True if a library traces a function with its own arrays, and leaves Python's statements as they are."""
        return self.arrays != OF_GRAPHS

    def nested(self, inner: Stage) -> Stage:
        """Return the stage of a function that is called in this one; operations belong to the outermost graph."""
        if self.is_eager:
            return inner
        return replace(
            self,
            is_converted=inner.is_converted,
            is_version_open=inner.is_version_open,
            is_compiled=self.is_compiled or inner.is_compiled,
            converts_more=inner.converts_more,
        )


EAGER = Stage()
KERAS = -2
"""The key of the graphs that Keras builds."""
GRAPH = -5
"""The key of the graphs that a program builds itself."""
INNER = -4
"""The key of functions that an operation of a graph has called, whose tensors cannot be used any more."""
LOOP = -3
"""The key of the bodies of loops that have ended, whose tensors cannot be used any more."""
LATER_TRACES = -16
"""Keys of traces that are not the first of their function are below this number."""
