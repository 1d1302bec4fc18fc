"""Progress of long work, shared by all layers that report it."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Called with the number of items done and their total."""
