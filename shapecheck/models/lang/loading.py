"""Finds the models: which module has the model of a name, and imports it when the name is first asked for.

The generated `index.json` tells.  It is believed as long as the files hold what they held when it was written; where
they do not, as while models are being written, all modules are imported.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

FAMILIES = (
    "ops",
    "layers",
    "training",
    "tf1",
    "tf_data",
    "sklearn",
    "pandas",
    "scipy",
    "matplotlib",
    "imaging",
    "python",
)
MODELS: dict[str, Any] = {}  # all models by name; `op` gives them their type
ATTRIBUTES: dict[str, Any] = {}
_loaded: list[bool] = []
_prepared: set[str] = set()


@dataclass(frozen=True)
class Index:
    """The module of each modelled function and attribute, the model of each operator, and the bases of classes."""

    calls: dict[str, str]
    attributes: dict[str, str]
    operators: dict[str, str]
    bases: dict[str, tuple[str, ...]]


def load() -> None:
    """Imports all models, once."""
    if _loaded:
        return
    _loaded.append(True)
    for name in modules():
        importlib.import_module(name)


def modules() -> Iterator[str]:
    """The names of all modules that have models."""
    for family in FAMILIES:
        package = importlib.import_module(f"shapecheck.models.{family}")
        for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda found: found.name):
            yield f"{package.__name__}.{module.name}"


@cache
def index() -> Index | None:
    """The generated index; None where it is not that of these files."""
    found = files("shapecheck.models").joinpath("index.json")
    if _loaded or not found.is_file():
        return None
    table = json.loads(found.read_text(encoding="utf-8"))
    if table["sources"] != digest():
        return None
    return Index(
        _inverted(table["calls"]),
        _inverted(table["attributes"]),
        table["operators"],
        {cls: tuple(parents) for cls, parents in table["bases"].items()},
    )


def _inverted(table: dict[str, list[str]]) -> dict[str, str]:
    return {name: module for module, names in table.items() for name in names}


def digest() -> str:
    """Return a digest of the files that models come from: their names and what they hold.

    They are read at each start, which takes no longer than to make a `Path` of each.
    """
    found = hashlib.sha256()
    package = os.path.dirname(os.path.dirname(__file__))
    for family in FAMILIES:
        folder = os.path.join(package, family)
        for name in sorted(os.listdir(folder)):
            if name.endswith((".py", ".toml")):
                with open(os.path.join(folder, name), "rb", buffering=0) as file:
                    content = file.read()
                found.update(f"{family}/{name} {len(content)} ".encode())
                found.update(content)
    return found.hexdigest()


def prepare(name: str) -> None:
    """Imports what models a function, a method or an attribute, if anything does."""
    if name in _prepared:
        return
    known = index()
    if known is None:
        load()
        return
    for table in (known.calls, known.attributes):
        if name in table:
            importlib.import_module(f"shapecheck.models.{table[name]}")
    _prepared.add(name)


def is_modelled(name: str) -> bool:
    """Whether a model of exactly that name exists."""
    known = index()
    if known is None:
        load()
        return name in MODELS
    return name in known.calls or name in MODELS


def is_elsewhere(name: str, module: str) -> bool:
    """Whether a name has a model in another module."""
    known = None if _loaded else index()
    if known is None:
        return name in MODELS
    return f"shapecheck.models.{known.calls.get(name, '')}" not in (module, "shapecheck.models.")


def operator(library: str, sign: str) -> str | None:
    """The function that an operator is, as the index tells."""
    known = index()
    return None if known is None else known.operators.get(f"{library} {sign}")


def bases_of(cls: str) -> tuple[str, ...]:
    """The declared bases of a class, as the index tells."""
    known = index()
    return () if known is None else known.bases.get(cls, ())


def names() -> Iterator[str]:
    """The names of all models."""
    known = index()
    if known is None:
        load()
        yield from (*MODELS, *ATTRIBUTES)
    else:
        yield from {*known.calls, *known.attributes, *MODELS, *ATTRIBUTES}


@cache
def roots() -> frozenset[str]:
    """The first parts of all modelled names."""
    return frozenset(name.split(".", 1)[0] for name in names())


@cache
def namespaces() -> frozenset[str]:
    """What modelled names are in: modules, and classes with their methods."""
    return frozenset(name[:end] for name in names() for end, sign in enumerate(name) if sign == ".")
