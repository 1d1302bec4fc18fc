"""How code runs: at once, or traced into the graph of a function."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Stage:
    """The stage of the code that is being traced.

    `trace` names the graph that is being built, 0 where operations run at once (eagerly); `function` is the name of the
    function whose graph it is.  AutoGraph converts Python's control flow on tensors where `is_converted` says so.
    """

    trace: int = 0
    function: str = ""
    is_converted: bool = False

    @property
    def is_eager(self) -> bool:
        return not self.trace

    def nested(self, inner: Stage) -> Stage:
        """Return the stage of a function that is called in this one: operations go to the outermost graph."""
        if self.is_eager:
            return inner
        return replace(self, is_converted=inner.is_converted)


EAGER = Stage()
