"""Coverage of the libraries' public interface by models, by namespace and by call site."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files

from shapecheck import toml
from shapecheck.models.lang.names import canonical, constant_of
from shapecheck.models.lang.packs import packages
from shapecheck.models.lang.registry import library_bases, lookup, lookup_attribute, lookup_method, modelled_classes


@dataclass(frozen=True)
class Coverage:
    """The names of a namespace: those with a model, and those without, by reason."""

    namespace: str
    modelled: tuple[str, ...]
    left_out: Mapping[str, tuple[str, ...]]
    outside: tuple[str, ...]

    @property
    def total(self) -> int:
        """Return the number of names that concern arrays."""
        return len(self.modelled) + sum(map(len, self.left_out.values()))

    @property
    def percent(self) -> float:
        return 100 * len(self.modelled) / self.total if self.total else 100.0


UNEXPLAINED = "no reason is given"


def coverage(namespaces: Sequence[str] = ()) -> list[Coverage]:
    """Return the coverage of each namespace, or of the named ones."""
    return [_of(space, names) for space, names in offered().items() if not namespaces or space in namespaces]


def offered() -> dict[str, list[str]]:
    """Return the public names of the libraries, by namespace."""
    found: dict[str, list[str]] = {}
    for package in packages():
        table = files(package).joinpath("public_names.json")
        found |= json.loads(table.read_text(encoding="utf-8")) if table.is_file() else {}
    return found


def _of(namespace: str, names: Iterable[str]) -> Coverage:
    modelled, outside = [], []
    left_out: dict[str, list[str]] = {}
    for name in names:
        path = f"{namespace}.{name}"
        if is_known(path):
            modelled.append(name)
        elif _reason(path, "outside"):
            outside.append(name)
        else:
            left_out.setdefault(_reason(path, "left_out") or UNEXPLAINED, []).append(name)
    return Coverage(namespace, tuple(modelled), {why: tuple(them) for why, them in left_out.items()}, tuple(outside))


def is_known(path: str) -> bool:
    """Return whether a public name has a model: a function, a constant, a method, or a class with methods."""
    return any(_is_modelled(name) for name in (canonical(path), path))


def _is_modelled(name: str) -> bool:
    owner, _, last = name.rpartition(".")
    return (
        lookup(name) is not None
        or constant_of(name) is not None
        or name in modelled_classes()
        or bool(library_bases(name))
        or (bool(owner) and (lookup_method(owner, last) or lookup_attribute(owner, last)) is not None)
    )


def _reason(path: str, table: str) -> str:
    """Return the reason for leaving out a name, by the first matching pattern."""
    reasons = _reasons()[table].items()
    return next((why for why, patterns in reasons if any(fnmatchcase(path, each) for each in patterns)), "")


@cache
def _reasons() -> dict[str, dict[str, list[str]]]:
    found: dict[str, dict[str, list[str]]] = {"outside": {}, "left_out": {}}
    for package in packages():
        table = files(package).joinpath("left_out.toml")
        for part, rows in (toml.loads(table.read_text(encoding="utf-8")) if table.is_file() else {}).items():
            for why, names in rows.items():
                found[part].setdefault(why, []).extend(names.split())
    return found


# Call sites ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Calls:
    """The number of calls to names with a model, that of all calls, and the names without one, most frequent first."""

    modelled: float
    total: float
    missing: tuple[tuple[str, float], ...]

    @property
    def percent(self) -> float:
        return 100 * self.modelled / self.total if self.total else 100.0


def call_sites(frequencies: Iterable[tuple[str, float]]) -> Calls:
    """Return the share of call sites whose name has a model."""
    rows = list(frequencies)
    missing = sorted((row for row in rows if not is_known(row[0])), key=lambda row: -row[1])
    total = sum(weight for _, weight in rows)
    return Calls(total - sum(weight for _, weight in missing), total, tuple(missing))


def read_frequencies(text: str) -> Iterator[tuple[str, float]]:
    """Yield pairs of a name and its number of calls, from JSON."""
    for name, weight in json.loads(text):
        yield str(name), float(weight)
