"""The names of `attrs`, which are those of `attr`."""

from attr import (
    NOTHING,
    Factory,
    asdict,
    converters,
    define,
    evolve,
    field,
    frozen,
    mutable,
    setters,
    validators,
)

__all__ = [
    "NOTHING",
    "Factory",
    "asdict",
    "converters",
    "define",
    "evolve",
    "field",
    "frozen",
    "mutable",
    "setters",
    "validators",
]
