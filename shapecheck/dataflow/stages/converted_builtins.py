"""Builtins that AutoGraph replaces by operations, where it converts the code and they are given symbolic tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.dataflow.stages.checks import is_symbolic, needs_graph
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.domain.values import Library, Tensor

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

NUMBERS = {"int": "tf.int32", "float": "tf.float32"}


def converted(t: Tracer, name: str, given: Arguments) -> tuple[str, Arguments] | None:
    """Return the operation in place of a builtin, with its arguments; None if Python's own is called."""
    if not t.stage.is_converted:
        return None
    if name == "range" and any(is_symbolic(t, value) for value in given.args):
        return "tf.range", given
    if name in NUMBERS and len(given.args) == 1 and not given.keywords and needs_graph(t, given.args[0]):
        value, dtype = given.args[0], Library(NUMBERS[name])
        is_text = isinstance(value, Tensor) and value.dtype == "string"
        return "tf.strings.to_number" if is_text else "tf.cast", Arguments(given.place, [value, dtype])
    return None
