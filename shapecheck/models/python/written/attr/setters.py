"""The setters of `attr`: what they refuse is not followed."""

from __future__ import annotations

from typing import Any

frozen = validate = convert = NO_OP = None


def pipe(*setters: Any) -> Any:
    return None
