"""Functions that return arrays even for results without axes; all others return scalars then."""

from __future__ import annotations

_MAKERS = frozenset(
    f"np.{name}"
    for name in """array asarray asanyarray zeros ones empty full zeros_like ones_like full_like empty_like squeeze
    reshape copy transpose broadcast_to where""".split()
)


def makes_arrays(name: str) -> bool:
    """Return whether a function returns a NumPy array, not a scalar, whatever the shape of the result."""
    return name in _MAKERS
