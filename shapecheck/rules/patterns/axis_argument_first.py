"""The axis given before the tensors, in a program that no name places before or after TensorFlow 1.0."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rewriting import with_arguments_swapped
from shapecheck.rules.rule import rule


@rule("SHP204", Severity.WARNING, on={ClashKind.AXIS_FIRST})
def axis_argument_first(call: Call) -> Words:
    """In a program that uses later names it is an error (rank-mismatch); in one that uses older names it is right."""
    return call.says("the tensors come first since TensorFlow 1.0", fix=with_arguments_swapped(call))
