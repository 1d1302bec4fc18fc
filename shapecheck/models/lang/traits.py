"""Traits of names: what the analysis knows of functions and classes beside their models.

They are in the table `traits` of the `names.toml` of each pack. A name there that ends with a dot stands for all below
it.
"""

from __future__ import annotations

from functools import cache, lru_cache

from shapecheck.models.lang.names import tables
from shapecheck.models.lang.packs import package_of


@lru_cache(maxsize=20_000)
def has(name: str, trait: str) -> bool:
    """Return whether a canonical name has a trait."""
    exact, families = _named(trait, package_of(name))
    return name in exact or name.startswith(families)


@cache
def _named(trait: str, package: str) -> tuple[frozenset[str], tuple[str, ...]]:
    names: list[str] = tables(package)["traits"].get(trait, [])
    return frozenset(names), tuple(name for name in names if name.endswith("."))
