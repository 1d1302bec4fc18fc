"""From a source file to the intermediate representation.

It knows only the order of the steps.
"""

from __future__ import annotations

from shapecheck import ir
from shapecheck.frontend.deep import with_deep_stack
from shapecheck.frontend.guard import Unsuitable, check
from shapecheck.frontend.native import lower_native
from shapecheck.frontend.unparsable import UnparsableSource
from shapecheck.source import Source

__all__ = ["UnparsableSource", "lower", "lower_python"]


def lower(source: Source) -> ir.Module:
    """Lower a file; raises UnparsableSource."""
    try:
        return with_deep_stack(lambda: _lower(source))
    except RecursionError:
        raise UnparsableSource("the code is nested too deeply to be analysed", 0) from None


def lower_python(source: Source) -> ir.Module | None:
    """Lower a file that this Python accepts; None if it does not."""
    try:
        return with_deep_stack(lambda: lower_native(source, check(source.code)))
    except (RecursionError, Unsuitable):
        return None


def _lower(source: Source) -> ir.Module:
    try:
        checked = check(source.code)
    except Unsuitable as error:
        raise UnparsableSource(error.message, error.offset) from None
    module = lower_native(source, checked)
    if module is None:
        from shapecheck.frontend.lenient import lower_lenient

        module = lower_lenient(source, checked)
    return module
