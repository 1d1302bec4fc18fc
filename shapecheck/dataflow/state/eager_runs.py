"""When layers of a model may last have run eagerly, after which they keep other tensors than before."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class EagerRuns:
    """The number of steps at the last run of layers that is not part of a graph, or may not be."""

    latest: int = 0
