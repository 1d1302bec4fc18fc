"""The classes of the program of which it makes instances."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Instantiated:
    """The addresses of the classes that the program instantiates."""

    addresses: set[int] = field(default_factory=set)
