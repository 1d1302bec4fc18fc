"""Finds the models: imports every module of every family once, and knows which names are modelled."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import Any

FAMILIES = ("ops", "layers", "training", "data", "python")
MODELS: dict[str, Any] = {}  # all models by name; `op` gives them their type
ATTRIBUTES: dict[str, Any] = {}
_loaded: list[bool] = []


def load() -> None:
    """Imports all models, once."""
    if _loaded:
        return
    _loaded.append(True)
    for family in FAMILIES:
        try:
            package = importlib.import_module(f"shapecheck.models.{family}")
        except ModuleNotFoundError:
            continue
        for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda found: found.name):
            importlib.import_module(f"{package.__name__}.{module.name}")


def is_modelled(name: str) -> bool:
    """Whether a model of exactly that name exists."""
    load()
    return name in MODELS


@cache
def roots() -> frozenset[str]:
    """The first parts of all modelled names."""
    load()
    return frozenset(name.split(".", 1)[0] for name in [*MODELS, *ATTRIBUTES])
