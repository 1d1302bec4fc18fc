"""Lowering by libcst of files that this Python rejects: the syntax of newer versions and of Python 2, and notebooks
with cells that do not parse.

It knows only the order of the steps.
"""

from __future__ import annotations

from typing import Final

from shapecheck import ir
from shapecheck.frontend.ast_stmt import docstring
from shapecheck.frontend.comments import place
from shapecheck.frontend.cst_control import CONTROL
from shapecheck.frontend.cst_expr import EXPRESSIONS
from shapecheck.frontend.cst_simple import SIMPLE
from shapecheck.frontend.cst_walk import Walk
from shapecheck.frontend.guard import Checked
from shapecheck.frontend.parse import parse_text
from shapecheck.frontend.python2 import is_for_python2
from shapecheck.frontend.spans import measure
from shapecheck.source import Source

_STATEMENTS: Final = {**SIMPLE, **CONTROL}


def lower_lenient(source: Source, checked: Checked) -> ir.Module:
    """Lower a file; raises UnparsableSource."""
    parsed = parse_text(source, checked)
    spans, comments = measure(parsed.module)
    spans, comments = parsed.restore(spans, comments)
    walk = Walk(source.text, spans, EXPRESSIONS, _STATEMENTS, parsed.blanked)
    body = walk.stmts(parsed.module.body)
    is_python2 = parsed.python2 or is_for_python2(source.text)
    return ir.Module(body, place(source, comments), docstring(body), is_python2, parsed.faults)
