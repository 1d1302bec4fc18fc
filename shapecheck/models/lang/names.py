"""Canonical names: one spelling for every path under which a library offers an object."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Any

from shapecheck import toml
from shapecheck.domain.values import NONE, Const, Value
from shapecheck.models.lang.loading import is_modelled, roots
from shapecheck.models.lang.packs import CORE, is_pack, package_of

TABLES = ("prefixes", "patterns", "renames", "constants", "objects", "bases", "traits", "spellings")


@cache
def tables(package: str = CORE) -> dict[str, Any]:
    """Return the contents of the names.toml of a pack; a table that it lacks is empty."""
    file = files(package).joinpath("names.toml")
    told = toml.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return {**{name: {} for name in TABLES}, **told}


@cache
def _prefixes(package: str) -> list[tuple[str, str]]:
    return sorted(tables(package)["prefixes"].items(), key=lambda pair: -len(pair[0]))


@cache
def _patterns(package: str) -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(pattern), to) for pattern, to in tables(package)["patterns"].items()]


@cache
def canonical(path: str) -> str:
    """Return the canonical name of a library path: "tensorflow.compat.v1.nn.relu" is "tf.nn.relu"."""
    package = package_of(path)
    path = _with_prefix(path, package)
    for pattern, to in _patterns(package):
        path = pattern.sub(to, path)
    renames: dict[str, str] = tables(package)["renames"]
    return renames.get(path, path)


def _with_prefix(path: str, package: str) -> str:
    for short, full in (("tf.", "tensorflow."), ("np.", "numpy.")):  # a path that is canonical so far
        if path.startswith(short):
            path = full + path[len(short) :]
    for prefix, to in _prefixes(package):
        if path == prefix or path.startswith(prefix + "."):
            rest = path[len(prefix) :]
            old = "tf.compat.v1" + rest
            if prefix == "tensorflow.compat.v1" and (not rest or is_modelled(old)):
                return old  # the module itself keeps its name, since one of its functions may have a model of its own
            return to + rest
    return path


def is_library(root: str) -> bool:
    """Return whether a top-level import is one of the modelled libraries."""
    return is_pack(root) or root in _prefix_roots() or root in roots()


@cache
def _prefix_roots() -> frozenset[str]:
    return frozenset(prefix.split(".")[0] for prefix, _ in _prefixes(CORE))


def constant_of(name: str) -> Value | None:
    """Return the value of a library constant."""
    value = tables(package_of(name))["constants"].get(name)
    if value is None:
        return None
    return NONE if value == "None" else Const(value)


def is_object(name: str) -> bool:
    """Return whether a library name is an object on which programs set attributes."""
    return name in tables(package_of(name))["objects"].get("names", ())


def declared_bases(cls: str) -> tuple[str, ...]:
    return tuple(tables(package_of(cls))["bases"].get(cls, ()))
