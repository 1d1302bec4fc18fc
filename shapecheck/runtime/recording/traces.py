"""How often TensorFlow has traced the functions of a program."""

from __future__ import annotations

import gc
import inspect
import os
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from types import CodeType
from typing import Any


def traces_of(filenames: Iterable[str]) -> Mapping[tuple[str, int], int]:
    """Return the number of traces of each function in the files, by its file and the first line of its definition."""
    if "tensorflow" not in sys.modules:
        return {}
    known, found = {os.path.abspath(name): name for name in filenames}, Counter[tuple[str, int]]()
    for each in gc.get_objects():
        count = _count(each) if type(each).__name__ == "Function" else None
        code = _code(each.python_function) if count else None
        filename = None if code is None else known.get(os.path.abspath(code.co_filename))
        if count and code is not None and filename is not None:
            found[filename, code.co_firstlineno] += count
    return found


def _code(function: Any) -> CodeType | None:
    """Return the code of a function; TensorFlow wraps methods."""
    function = inspect.unwrap(function)
    return getattr(getattr(function, "__func__", function), "__code__", None)


def _count(function: Any) -> int | None:
    """Return the number of traces of a `tf.function` object; None for another object."""
    counter = getattr(function, "experimental_get_tracing_count", None)
    try:
        return None if counter is None else int(counter())
    except Exception:  # an object in the making
        return None
