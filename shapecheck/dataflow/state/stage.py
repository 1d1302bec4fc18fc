"""Stages: code runs eagerly, or is traced into the graph of a function."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Stage:
    """The stage of the code that is being traced.

    `trace` is the key of the graph that is being built, 0 if operations run eagerly. `function` is the name of the
    function whose graph it is. `is_converted` says that AutoGraph converts Python's control flow on tensors.
    """

    trace: int = 0
    function: str = ""
    is_converted: bool = False

    @property
    def is_eager(self) -> bool:
        """True if operations run at once."""
        return not self.trace

    def nested(self, inner: Stage) -> Stage:
        """Return the stage of a function that is called in this one; operations belong to the outermost graph."""
        if self.is_eager:
            return inner
        return replace(self, is_converted=inner.is_converted)


EAGER = Stage()
