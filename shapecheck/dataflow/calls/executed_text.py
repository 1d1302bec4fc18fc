"""`exec`: a text that is run may assign and change all that it names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from shapecheck.dataflow.havoc.escape import escape
from shapecheck.dataflow.havoc.havoc import scopes
from shapecheck.dataflow.paths.feasibility import HAVOC
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.frame import Frame
from shapecheck.domain.values import Class, Function, Library, ModuleValue, Value, as_str

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

EXEC: Final = Library("builtins.exec")


def havoc_named(t: Tracer, given: Arguments, frame: Frame) -> None:
    """Forget the variables that the text given to `exec` names; all of them if the text is not known.

    One that is given its variables has no others.
    """
    if len(given.args) != 1:
        return
    text = as_str(given.args[0])
    names = None if text is None else set(re.findall(r"[^\W\d]\w*", text))
    for scope in scopes(frame):
        for name, value in list(_variables(t, scope)):
            if names is None or name in names:
                escape(t, [value])
                t.heap.set((scope.address, name), t.lost(HAVOC))


def _variables(t: Tracer, scope: Frame) -> Iterator[tuple[str, Value]]:
    """Yield the names and values of a scope's data."""
    for name, value in t.heap.at(scope.address):
        if isinstance(name, str) and not isinstance(value, (Class, Function, Library, ModuleValue)):
            yield name, value
