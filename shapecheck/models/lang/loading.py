"""Look-up of the module that has the model of a name, which is imported when the name is first asked for.

The generated `index.json` lists them. It is valid as long as the files have the contents of the time when it was
written; otherwise, as during development, all modules are imported.
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
MODELS: dict[str, Any] = {}  # all models by name; `registry` gives them their type
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
    """Import all models, once."""
    if _loaded:
        return
    _loaded.append(True)
    for name in modules():
        importlib.import_module(name)


def modules() -> Iterator[str]:
    """Return the names of all modules that have models."""
    for family in FAMILIES:
        package = importlib.import_module(f"shapecheck.models.{family}")
        for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda found: found.name):
            yield f"{package.__name__}.{module.name}"


@cache
def index() -> Index | None:
    """Return the generated index; None where it does not belong to these files."""
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
    """Return a digest of the files that models come from: their names and contents.

    They are read at each start, which takes no longer than creating a `Path` of each.
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
    """Import the model of a function, a method or an attribute, if there is one."""
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
    """Return whether a model of exactly that name exists."""
    known = index()
    if known is None:
        load()
        return name in MODELS
    return name in known.calls or name in MODELS


def is_elsewhere(name: str, module: str) -> bool:
    """Return whether a name has a model in another module."""
    known = None if _loaded else index()
    if known is None:
        return name in MODELS
    return f"shapecheck.models.{known.calls.get(name, '')}" not in (module, "shapecheck.models.")


def operator(library: str, sign: str) -> str | None:
    """Return the function behind an operator, according to the index."""
    known = index()
    return None if known is None else known.operators.get(f"{library} {sign}")


def bases_of(cls: str) -> tuple[str, ...]:
    """Return the declared bases of a class, according to the index."""
    known = index()
    return () if known is None else known.bases.get(cls, ())


def names() -> Iterator[str]:
    """Return the names of all models."""
    known = index()
    if known is None:
        load()
        yield from (*MODELS, *ATTRIBUTES)
    else:
        yield from {*known.calls, *known.attributes, *MODELS, *ATTRIBUTES}


@cache
def roots() -> frozenset[str]:
    """Return the first parts of all modelled names."""
    return frozenset(name.split(".", 1)[0] for name in names())


@cache
def namespaces() -> frozenset[str]:
    """Return the namespaces of modelled names: modules, and classes with their methods."""
    return frozenset(name[:end] for name in names() for end, sign in enumerate(name) if sign == ".")
