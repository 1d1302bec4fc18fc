"""What well-known environments of Gymnasium give: those of Gym, in its last form."""

from __future__ import annotations

from typing import Any

from gym import OBSERVATIONS, Environment, _unknown  # type: ignore[import-not-found]


def make(id: str, **options: Any) -> Any:
    """Return an environment by its name, such as "CartPole-v1"."""
    kind = id.split("-")[0]
    if kind in OBSERVATIONS and "continuous" not in options:
        return Environment(kind, False)
    return _unknown.environment
