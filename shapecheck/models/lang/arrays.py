"""Which functions give arrays even where there are no axes; all others give numbers then."""

from __future__ import annotations

_MAKERS = frozenset(
    f"np.{name}"
    for name in """array asarray asanyarray zeros ones empty full zeros_like ones_like full_like empty_like squeeze
    reshape copy transpose broadcast_to where""".split()
)


def makes_arrays(name: str) -> bool:
    """Whether what a function gives is an array of NumPy, and no number, whatever its shape."""
    return name in _MAKERS
