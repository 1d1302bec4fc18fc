"""Writes the tables `parameters.txt`, as `shapecheck.models.lang.parameter_tables` reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from shapecheck.models.lang.packs import CORE
from shapecheck.models.lang.parameter_tables import accepted, present, table

ROOT = Path(__file__).resolve().parents[2]


def place(package: str = CORE) -> Path:
    """Return the file of the table of a pack."""
    return ROOT.joinpath(*package.split("."), "parameters.txt")


def accepted_now(package: str = CORE) -> dict[str, str]:
    """Return what any version accepts, as the table of a pack tells."""
    return {name: told for name in table(package) if (told := accepted(name)) is not None}


def present_now(package: str = CORE) -> dict[str, tuple[str, ...]]:
    """Return what the present version calls its parameters, as the table of a pack tells."""
    return {name: names for name in table(package) if (names := present(name)) is not None}


def text(lists: Mapping[str, str], names: Mapping[str, Sequence[str]]) -> str:
    """Return a table of the lists that any version accepts, and of the parameters of the present one."""
    groups: dict[str, list[str]] = {}
    for name in sorted({*lists, *names}):
        groups.setdefault(_told(lists.get(name), names.get(name, ("-",))), []).append(name)
    return "".join(f"{told}: {' '.join(group)}\n" for told, group in sorted(groups.items(), key=lambda each: each[1]))


def _told(accepts: str | None, names: Sequence[str]) -> str:
    if accepts is None:
        return ", ".join(names)
    words = [word.rstrip("=") for word in accepts.split(", ") if word not in ("*", "")]
    return f"({accepts})" if words == list(names) else f"({accepts}) {', '.join(names)}"
