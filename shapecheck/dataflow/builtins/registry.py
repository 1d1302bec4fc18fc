"""The table of Python's builtin functions, and the decorator that fills it.

Each takes the tracer, positional and keyword arguments, and the place of the call.  What is not known is lost.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from shapecheck.source import Place
from shapecheck.values import Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

Args: TypeAlias = list[Value]
Named: TypeAlias = dict[str, Value]
Builtin: TypeAlias = "Callable[[Tracer, Args, Named, Place], Value]"
BUILTINS: dict[str, Builtin] = {}


def builtin(*names: str) -> Callable[[Builtin], Builtin]:
    """Registers a function under its Python names."""

    def register(function: Builtin) -> Builtin:
        BUILTINS.update(dict.fromkeys(names, function))
        return function

    return register
