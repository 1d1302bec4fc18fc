"""The tables `parameters.txt`: what the functions, classes and methods of a library take.

A line tells a list, a colon, and the names that have it. In brackets is what any version takes: a parameter with a
default ends with `=`, and one that versions call by different names is `_` and a number. The names that the present
version has follow if they are others than those in brackets, or `-` if it does not reveal them.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from shapecheck.models.lang.packs import CORE, package_of


def accepted(name: str) -> str | None:
    """Return the list that accepts what any version accepts for a canonical name; None if it is not known."""
    told = table(package_of(name)).get(name, "")
    return told[1 : told.index(")")] if told.startswith("(") else None


@cache
def present(name: str) -> tuple[str, ...] | None:
    """Return the parameters of a canonical name in the present version; None if they are not known."""
    told = table(package_of(name)).get(name)
    if told is None:
        return None
    everything, _, names = told.rpartition(")")
    words = names.strip() or everything[1:]
    return None if words == "-" else tuple(word.rstrip("=") for word in words.split(", ") if word != "*")


@cache
def table(package: str = CORE) -> dict[str, str]:
    """Return what the lines of a package tell of each name."""
    file = files(package).joinpath("parameters.txt")
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else ()
    found: dict[str, str] = {}
    for line in lines:
        told, _, names = line.rpartition(": ")
        found.update(dict.fromkeys(names.split(" "), told))
    return found
