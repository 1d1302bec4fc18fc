"""The table of Python's builtin functions, and the decorator that fills it.

Each function takes the tracer and the arguments of the call. Unknown results are lost.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.domain.values import Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

Builtin: TypeAlias = "Callable[[Tracer, Arguments], Value]"
BUILTINS: dict[str, Builtin] = {}


def builtin(*names: str) -> Callable[[Builtin], Builtin]:
    """Register a function under its Python names."""

    def register(function: Builtin) -> Builtin:
        BUILTINS.update(dict.fromkeys(names, function))
        return function

    return register
