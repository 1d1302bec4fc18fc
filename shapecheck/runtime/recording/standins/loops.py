"""Early ends of loops: of those that train after a few iterations, and of any loop after a few seconds."""

from __future__ import annotations

import builtins
import sys
import time
from collections.abc import Iterator
from typing import Any, Final

from shapecheck.runtime.recording.instrument import MORE, TRIPS
from shapecheck.runtime.recording.standins import work

ENOUGH: Final = 3
SECONDS: Final = 4.0


def begin() -> None:
    functions: dict[str, Any] = {TRIPS: iterate, MORE: more}
    for name, function in functions.items():
        function.autograph_info__ = None  # AutoGraph calls it as it is
        setattr(builtins, name, function)


def iterate(place: int, iterable: Any) -> Any:
    """Yield the items that a `for` loop iterates over."""
    return iterable if _is_staged() else _limited(iterable)


def _is_staged() -> bool:
    """Return whether TensorFlow is converting a Python function, whose loops become its own."""
    tensorflow = sys.modules.get("tensorflow")
    inside = getattr(tensorflow, "inside_function", None)
    return bool(inside is not None and inside())


def _limited(iterable: Any) -> Iterator[Any]:
    done, began = work.count, time.monotonic()
    at = 0
    for at, item in enumerate(iterable):
        if at >= ENOUGH and (work.count > done or time.monotonic() - began > SECONDS):
            work.cut(len(iterable) if hasattr(iterable, "__len__") else None, at)
            return
        yield item


class _While:
    """One execution of a `while` loop."""

    def __init__(self) -> None:
        self.iterations = 0
        self.done = work.count
        self.began = time.monotonic()


_running: dict[int, _While] = {}


def more(place: int, test: Any) -> Any:
    """Return whether a `while` loop continues."""
    if _is_staged():
        return test
    if not test:
        _running.pop(place, None)
        return test
    loop = _running.setdefault(place, _While())
    if loop.iterations >= ENOUGH and (work.count > loop.done or time.monotonic() - loop.began > SECONDS):
        del _running[place]
        return False
    loop.iterations += 1
    return test
