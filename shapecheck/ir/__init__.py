"""The intermediate representation: the syntax of Python in a small number of plain nodes.

It knows nothing of libcst, shapes or libraries. Every node has `start` and `end`, character offsets into the source
text. Rows and columns are computed only when something is shown.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shapecheck.ir.expressions import (
        Arg,
        Attribute,
        Await,
        Binary,
        Call,
        Clause,
        Compare,
        Comprehension,
        Conditional,
        Const,
        DictDisplay,
        Display,
        Expr,
        Format,
        Lambda,
        Logical,
        Name,
        Node,
        Opaque,
        Param,
        Slice,
        Starred,
        Subscript,
        Unary,
        Walrus,
        Yield,
    )
    from shapecheck.ir.statements import (
        Annotated,
        Assert,
        Assign,
        Augmented,
        Case,
        ClassDef,
        Comment,
        Delete,
        Evaluate,
        Fault,
        For,
        FunctionDef,
        Handler,
        If,
        Import,
        ImportFrom,
        Jump,
        Match,
        Module,
        Raise,
        Return,
        Scope,
        Stmt,
        Try,
        While,
        With,
    )

__all__ = [
    "Annotated",
    "Arg",
    "Assert",
    "Assign",
    "Attribute",
    "Augmented",
    "Await",
    "Binary",
    "Call",
    "Case",
    "ClassDef",
    "Clause",
    "Comment",
    "Compare",
    "Comprehension",
    "Conditional",
    "Const",
    "Delete",
    "DictDisplay",
    "Display",
    "Evaluate",
    "Expr",
    "Fault",
    "For",
    "Format",
    "FunctionDef",
    "Handler",
    "If",
    "Import",
    "ImportFrom",
    "Jump",
    "Lambda",
    "Logical",
    "Match",
    "Module",
    "Name",
    "Node",
    "Opaque",
    "Param",
    "Raise",
    "Return",
    "Scope",
    "Slice",
    "Starred",
    "Stmt",
    "Subscript",
    "Try",
    "Unary",
    "Walrus",
    "While",
    "With",
    "Yield",
]


def __getattr__(name: str) -> object:
    """Import the node classes when the first of them is used; cached results of unchanged files need none."""
    if name not in __all__:
        raise AttributeError(name)
    for part in ("expressions", "statements"):
        nodes = vars(import_module(f"{__name__}.{part}"))
        globals().update({each: nodes[each] for each in __all__ if each in nodes})
    return globals()[name]
