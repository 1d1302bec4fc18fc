"""Deep recursion: a thread with a large stack and a raised recursion limit.

libcst kills the process when its native recursion exceeds the stack.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")

_STACK_BYTES: Final = 256 << 20
_RECURSION_LIMIT: Final = 30_000
_settings = threading.Lock()
_here = threading.local()


def with_deep_stack(function: Callable[[], T]) -> T:
    """Call the function in a thread of its own and return its result or raise its error; a thread that has such a stack
    already calls it directly."""
    if getattr(_here, "deep", False):
        return function()
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        _here.deep = True
        try:
            results.append(function())
        except BaseException as error:
            errors.append(error)

    with _settings:
        stack_size = threading.stack_size(_STACK_BYTES)
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, _RECURSION_LIMIT))
        try:
            thread = threading.Thread(target=run, name="deep stack")
            thread.start()
            thread.join()
        finally:
            threading.stack_size(stack_size)
            sys.setrecursionlimit(limit)
    if errors:
        raise errors[0]
    return results[0]
