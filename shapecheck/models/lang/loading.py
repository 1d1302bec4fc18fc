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

from shapecheck.models.lang.packs import CORE, package_of

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
_loaded: set[str] = set()
_prepared: set[str] = set()


@dataclass(frozen=True)
class Index:
    """The module of each modelled function and attribute, the model of each operator, and the bases of classes."""

    calls: dict[str, str]
    attributes: dict[str, str]
    operators: dict[str, str]
    bases: dict[str, tuple[str, ...]]


def load(package: str = CORE) -> None:
    """Import all models of a pack, once."""
    if package in _loaded:
        return
    _loaded.add(package)
    for name in modules(package):
        importlib.import_module(name)


def modules(package: str = CORE) -> Iterator[str]:
    """Return the names of all modules of a pack that have models."""
    for folder in (f"{CORE}.{family}" for family in FAMILIES) if package == CORE else (package,):
        found = importlib.import_module(folder)
        for module in sorted(pkgutil.iter_modules(found.__path__), key=lambda found: found.name):
            yield f"{folder}.{module.name}"


@cache
def index(package: str = CORE) -> Index | None:
    """Return the generated index of a pack; None where it does not belong to its files."""
    if package in _loaded:
        return None
    found = files(package).joinpath("index.json")
    if not found.is_file():
        return None
    table = json.loads(found.read_text(encoding="utf-8"))
    if table["sources"] != digest(package):
        return None
    return Index(
        _inverted(table["calls"]),
        _inverted(table["attributes"]),
        table["operators"],
        {cls: tuple(parents) for cls, parents in table["bases"].items()},
    )


def _inverted(table: dict[str, dict[str, str]]) -> dict[str, str]:
    """Return the module of each name of a table in which names are told by module and owner."""
    found = {}
    for module, owners in table.items():
        for owner, names in owners.items():
            before = f"{owner}." if owner else ""
            for name in names.split(" "):
                found[before + name] = module
    return found


def digest(package: str = CORE) -> str:
    """Return a digest of the files that the models of a pack come from: their names and contents.

    They are read at each start, which takes no longer than creating a `Path` of each.
    """
    found = hashlib.sha256()
    models = os.path.dirname(os.path.dirname(__file__))
    folders = FAMILIES if package == CORE else (package.removeprefix(f"{CORE}."),)
    for family in folders:
        folder = os.path.join(models, family)
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
    package = package_of(name)
    known = index(package)
    if known is None:
        load(package)
        return
    for table in (known.calls, known.attributes):
        if name in table:
            importlib.import_module(f"shapecheck.models.{table[name]}")
    _prepared.add(name)


def prepare_package(name: str) -> None:
    """Import all models of the pack of a name unless an index tells where each of them is."""
    package = package_of(name)
    if index(package) is None:
        load(package)


def is_modelled(name: str) -> bool:
    """Return whether a model of exactly that name exists."""
    package = package_of(name)
    known = index(package)
    if known is None:
        load(package)
        return name in MODELS
    return name in known.calls or name in MODELS


def is_elsewhere(name: str, module: str) -> bool:
    """Return whether a name has a model in another module."""
    known = None if CORE in _loaded else index()
    if known is None:
        return name in MODELS
    return f"shapecheck.models.{known.calls.get(name, '')}" not in (module, "shapecheck.models.")


def operator(kind: str, sign: str) -> str | None:
    """Return the function behind an operator of a kind of arrays, according to the index."""
    known = index(package_of(kind))
    return None if known is None else known.operators.get(f"{kind} {sign}")


def bases_of(cls: str) -> tuple[str, ...]:
    """Return the declared bases of a class, according to the index."""
    known = index(package_of(cls))
    return () if known is None else known.bases.get(cls, ())


def names(package: str = CORE) -> Iterator[str]:
    """Return the names of all models of a pack; those of packs without a folder of their own are in the common one."""
    known = index(package)
    if known is None:
        load(package)
        yield from (name for name in (*MODELS, *ATTRIBUTES) if package_of(name) == package)
    else:
        named = {*known.calls, *known.attributes}
        yield from named
        yield from (name for name in (*MODELS, *ATTRIBUTES) if name not in named and package_of(name) == package)


@cache
def roots() -> frozenset[str]:
    """Return the first parts of all modelled names of the common folder."""
    return frozenset(name.partition(".")[0] for name in names())


def is_namespace(name: str) -> bool:
    """Return whether a name is that of a module with modelled names, or of a class with modelled methods."""
    return name in _namespaces(package_of(name))


@cache
def _namespaces(package: str) -> frozenset[str]:
    return frozenset(name[:end] for name in names(package) for end, sign in enumerate(name) if sign == ".")
