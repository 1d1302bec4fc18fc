"""By this Python's own parser, which is ten times as quick as any other: what it accepts, and that is nearly all.

It knows the parser, and how its trees are put into the terms of the file.
"""

from __future__ import annotations

import ast
import warnings

from shapecheck import ir
from shapecheck.frontend.ast_expr import EXPRESSIONS
from shapecheck.frontend.ast_stmt import STATEMENTS, docstring
from shapecheck.frontend.ast_walk import Misread, Walk
from shapecheck.frontend.comments import place
from shapecheck.frontend.guard import Checked
from shapecheck.source import Source


def lower_native(source: Source, checked: Checked) -> ir.Module | None:
    """Lowers a file; None where this Python does not read it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the user's strings
            tree = ast.parse(checked.text)
            walk = Walk(source.text, source.line_starts, EXPRESSIONS, STATEMENTS, checked.blanked)
            body = walk.stmts(tree.body)
    except (SyntaxError, ValueError, RecursionError, MemoryError, Misread):
        return None
    return ir.Module(body, place(source, checked.comments), docstring(body))
