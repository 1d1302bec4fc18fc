"""The words of a name, which tell what is meant by it."""

from __future__ import annotations

import re

_MEANINGLESS = {"self", "config", "args", "flags", "num", "size"}


def words(name: str) -> set[str]:
    """Return the words of a name, without those that any name may have."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]{3,}|[A-Z]{3,}", name)} - _MEANINGLESS
