"""Canonical names: one spelling for every path under which a library offers an object."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from shapecheck import toml
from shapecheck.domain.values import NONE, Const, Value
from shapecheck.models.lang.loading import is_modelled, roots


@lru_cache(maxsize=1)
def tables() -> dict[str, Any]:
    """Return the contents of names.toml."""
    text = files("shapecheck.models").joinpath("names.toml").read_text(encoding="utf-8")
    return toml.loads(text)


@lru_cache(maxsize=1)
def _prefixes() -> list[tuple[str, str]]:
    return sorted(tables()["prefixes"].items(), key=lambda pair: -len(pair[0]))


@lru_cache(maxsize=1)
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(pattern), to) for pattern, to in tables()["patterns"].items()]


@cache
def canonical(path: str) -> str:
    """Return the canonical name of a library path: "tensorflow.compat.v1.nn.relu" is "tf.nn.relu"."""
    path = _with_prefix(path)
    for pattern, to in _patterns():
        path = pattern.sub(to, path)
    renames: dict[str, str] = tables()["renames"]
    return renames.get(path, path)


def _with_prefix(path: str) -> str:
    for short, full in (("tf.", "tensorflow."), ("np.", "numpy.")):  # a path that is canonical so far
        if path.startswith(short):
            path = full + path[len(short) :]
    for prefix, to in _prefixes():
        if path == prefix or path.startswith(prefix + "."):
            rest = path[len(prefix) :]
            old = "tf.compat.v1" + rest
            if prefix == "tensorflow.compat.v1" and (not rest or is_modelled(old)):
                return old  # the module itself keeps its name, since one of its functions may have a model of its own
            return to + rest
    return path


def is_library(root: str) -> bool:
    """Return whether a top-level import is one of the modelled libraries."""
    return root in _prefix_roots() or root in roots()


@cache
def _prefix_roots() -> frozenset[str]:
    return frozenset(prefix.split(".")[0] for prefix, _ in _prefixes())


def constant_of(name: str) -> Value | None:
    """Return the value of a library constant."""
    value = tables()["constants"].get(name)
    if value is None:
        return None
    return NONE if value == "None" else Const(value)


def is_object(name: str) -> bool:
    """Return whether a library name is an object on which programs set attributes."""
    return name in tables()["objects"]["names"]


def declared_bases(cls: str) -> tuple[str, ...]:
    return tuple(tables()["bases"].get(cls, ()))
