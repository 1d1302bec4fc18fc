"""Parsing with this Python's own parser; None for a text that it rejects."""

from __future__ import annotations

import ast
import warnings


def module_of(text: str) -> ast.Module | None:
    """Return the statements of a text, without warnings about it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def expression_of(text: str) -> ast.expr | None:
    """Return the expression that a text is, over any number of lines; its first column is the second of the first
    line."""
    module = module_of(f"({text}\n)")
    match module:
        case ast.Module(body=[ast.Expr(value=value)]):
            return value
    return None
