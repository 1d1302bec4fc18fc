"""The decorator of functions that build models."""

from __future__ import annotations

from typing import Any


def register_model(fn: Any) -> Any:
    return fn
