"""The converters of `attr`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def optional(converter: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def converted(value: Any) -> Any:
        return None if value is None else converter(value)

    return converted


def default_if_none(default: Any = None, factory: Callable[[], Any] | None = None) -> Callable[[Any], Any]:
    def converted(value: Any) -> Any:
        if value is not None:
            return value
        return default if factory is None else factory()

    return converted


def pipe(*converters: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def converted(value: Any) -> Any:
        for converter in converters:
            value = converter(value)
        return value

    return converted


def to_bool(value: Any) -> bool:
    return bool(value)
