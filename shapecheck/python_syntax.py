"""What this Python's own parser makes of a text; None where it makes nothing of it."""

from __future__ import annotations

import ast
import warnings


def module_of(text: str) -> ast.Module | None:
    """The statements of a text; nothing is said about what is odd in it, such as a user's strings."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def expression_of(text: str) -> ast.expr | None:
    """The one expression that a text is, over however many lines; its first column is the second of the first line."""
    module = module_of(f"({text}\n)")
    match module:
        case ast.Module(body=[ast.Expr(value=value)]):
            return value
    return None
