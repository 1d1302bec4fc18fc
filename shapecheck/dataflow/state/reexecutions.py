"""How many re-executions of parts of the graph are under way, one within another."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Reexecutions:
    """What is executed again takes tensors of the graph that it is part of, wherever it is run."""

    depth: int = 0
