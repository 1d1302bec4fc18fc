"""The work that a program has done: training steps, runs of sessions, calls of compiled functions."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from shapecheck.runtime.recording.recorder import Recorder

recorder: Recorder | None = None
count = 0


def counted(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function, each call of which counts as work."""

    @functools.wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        global count
        count += 1
        return function(*args, **keywords)

    return call


def cut(before: object, after: int) -> None:
    """Report that a number of items was reduced."""
    if recorder is not None and isinstance(before, int) and before != after:
        recorder.write("cut", before, after)
