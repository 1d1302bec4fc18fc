"""Ranges of versions, as the files that declare dependencies write them: `>=2.0,<2.16`, `^2.4`, `==1.*`, `1.15`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

Version = tuple[int, ...]

_CONSTRAINT: Final = re.compile(r"(?P<operator>[=~^<>!]*)\s*v?(?P<version>\d+(?:\.\d+)*)")


@dataclass(frozen=True, slots=True)
class VersionRange:
    """The versions from `low` on that are below `high`; None where there is no bound."""

    low: Version | None = None
    high: Version | None = None

    def is_below(self, version: Version) -> bool:
        return self.high is not None and self.high <= version

    def is_from(self, version: Version) -> bool:
        return self.low is not None and self.low >= version


def version_range(text: str) -> VersionRange:
    """Return the range of versions for which all constraints of a text hold."""
    lows: list[Version] = []
    highs: list[Version] = []
    for part in text.split(","):
        found = _CONSTRAINT.match(part.strip())
        if found is not None:
            low, high = _bounds(found["operator"], tuple(map(int, found["version"].split("."))))
            lows += [low] if low is not None else []
            highs += [high] if high is not None else []
    return VersionRange(max(lows, default=None), min(highs, default=None))


def _bounds(operator: str, version: Version) -> tuple[Version | None, Version | None]:
    match operator:
        case "" | "=" | "==" | "===":
            return version, _after(version)
        case "~=" if len(version) > 1:
            return version, _after(version[:-1])
        case "~":
            return version, _after(version[:2])
        case "^":
            return version, _after(version[:1])
        case ">" | ">=":
            return version, None
        case "<":
            return None, version
        case "<=":
            return None, _after(version)
    return None, None


def _after(version: Version) -> Version:
    """Return the first version that does not begin with these numbers."""
    return (*version[:-1], version[-1] + 1)
