"""From a source file to the intermediate representation.

It knows the order of the steps, and none of them from inside.
"""

from __future__ import annotations

from typing import Final

from shapecheck import ir
from shapecheck.frontend.comments import place
from shapecheck.frontend.deep import with_deep_stack
from shapecheck.frontend.lower_control import CONTROL, docstring
from shapecheck.frontend.lower_expr import EXPRESSIONS
from shapecheck.frontend.lower_simple import SIMPLE
from shapecheck.frontend.parse import UnparsableSource, parse_text
from shapecheck.frontend.spans import measure
from shapecheck.frontend.walk import Walk
from shapecheck.source import Source

__all__ = ["UnparsableSource", "lower"]

_STATEMENTS: Final = {**SIMPLE, **CONTROL}


def lower(source: Source) -> ir.Module:
    """Lowers a file; raises UnparsableSource."""
    try:
        return with_deep_stack(lambda: _lower(source))
    except RecursionError:
        raise UnparsableSource("the code is nested too deeply to be analysed", 0) from None


def _lower(source: Source) -> ir.Module:
    parsed = parse_text(source)
    spans, comments = measure(parsed.module)
    spans, comments = parsed.restore(spans, comments)
    walk = Walk(source.text, spans, EXPRESSIONS, _STATEMENTS, parsed.blanked)
    body = walk.stmts(parsed.module.body)
    return ir.Module(body, place(source, comments), docstring(body), parsed.python2, parsed.faults)
