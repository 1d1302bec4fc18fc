"""Lowering by this Python's own parser, which is ten times as fast as libcst and accepts almost all files.

It knows the parser, and how the positions in its trees map to the file.
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
from shapecheck.frontend.python2 import is_for_python2
from shapecheck.source import Source


def lower_native(source: Source, checked: Checked) -> ir.Module | None:
    """Lower a file; None if this Python rejects it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the user's strings
            tree = ast.parse(checked.text)
            walk = Walk(source.text, source.line_starts, EXPRESSIONS, STATEMENTS, checked.blanked)
            body = walk.stmts(tree.body)
    except (SyntaxError, ValueError, RecursionError, MemoryError, Misread):
        return None
    return ir.Module(body, place(source, checked.comments), docstring(body), is_for_python2(source.text))
