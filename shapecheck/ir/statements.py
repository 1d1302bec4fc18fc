"""Statements, and the module that they make up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from shapecheck.ir.expressions import Arg, Display, Expr, Node, Param


@dataclass(slots=True, eq=False)
class Assign(Node):
    """`targets[0] = targets[1] = … = value`; targets are Name, Attribute, Subscript, Display or Starred."""

    targets: tuple[Expr, ...]
    value: Expr


@dataclass(slots=True, eq=False)
class Annotated(Node):
    """`target: annotation = value`."""

    target: Expr
    annotation: Expr
    value: Expr | None


@dataclass(slots=True, eq=False)
class Augmented(Node):
    """`target op= value`; `op` without the `=`."""

    target: Expr
    op: str
    value: Expr


@dataclass(slots=True, eq=False)
class Evaluate(Node):
    """An expression statement."""

    value: Expr


@dataclass(slots=True, eq=False)
class Return(Node):
    """`return value`."""

    value: Expr | None


@dataclass(slots=True, eq=False)
class Raise(Node):
    """`raise value from cause`."""

    value: Expr | None
    cause: Expr | None = None


@dataclass(slots=True, eq=False)
class Assert(Node):
    """`assert test, message`."""

    test: Expr
    message: Expr | None = None


@dataclass(slots=True, eq=False)
class Delete(Node):
    """`del targets`."""

    targets: tuple[Expr, ...]


@dataclass(slots=True, eq=False)
class Jump(Node):
    """`pass`, `break` or `continue`."""

    kind: Literal["pass", "break", "continue"]


@dataclass(slots=True, eq=False)
class Scope(Node):
    """`global` or `nonlocal` names."""

    kind: Literal["global", "nonlocal"]
    names: tuple[str, ...]


@dataclass(slots=True, eq=False)
class If(Node):
    """`if test:`, with the statements of both branches."""

    test: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]


@dataclass(slots=True, eq=False)
class While(Node):
    """`while test:`, with the statements of the body and of the `else` branch."""

    test: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]


@dataclass(slots=True, eq=False)
class For(Node):
    """`for target in iter:`, with the statements of the body and of the `else` branch."""

    target: Expr
    iter: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]
    is_async: bool = False


@dataclass(slots=True, eq=False)
class Handler(Node):
    """`except type as name:`; a bare `except:` has no type."""

    type: Expr | None
    name: str | None
    body: tuple[Stmt, ...]


@dataclass(slots=True, eq=False)
class Try(Node):
    """`try:`, with its handlers and the statements of the `else` and `finally` branches."""

    body: tuple[Stmt, ...]
    handlers: tuple[Handler, ...]
    orelse: tuple[Stmt, ...]
    final: tuple[Stmt, ...]


@dataclass(slots=True, eq=False)
class With(Node):
    """`with item as target, …:`; a target may be absent."""

    items: tuple[tuple[Expr, Expr | None], ...]
    body: tuple[Stmt, ...]
    is_async: bool = False


@dataclass(slots=True, eq=False)
class Case(Node):
    """One `case` of a `match`.

    `binds` are the names that its pattern binds, `irrefutable` says that it matches everything, and `literals` are the
    values that the subject is compared with, if the pattern consists of literals. For a pattern of a sequence, `parts`
    are the targets of its items, and `values` the expressions that single items are compared with, if the pattern is
    that simple.
    """

    binds: tuple[str, ...]
    irrefutable: bool
    literals: tuple[Expr, ...]
    guard: Expr | None
    body: tuple[Stmt, ...]
    parts: Display | None = None
    values: tuple[tuple[int, Expr], ...] = ()


@dataclass(slots=True, eq=False)
class Match(Node):
    """`match subject:`."""

    subject: Expr
    cases: tuple[Case, ...]


@dataclass(slots=True, eq=False)
class FunctionDef(Node):
    """A `def`. `start` and `end` span the whole definition; the name begins at `name_start`.

    `bound` holds the names that are local to the function (parameters, targets, imports, nested definitions, without
    `global` and `nonlocal` names), and `docstring` its docstring.
    """

    name: str
    name_start: int
    params: tuple[Param, ...]
    body: tuple[Stmt, ...]
    decorators: tuple[Expr, ...]
    returns: Expr | None
    bound: frozenset[str]
    is_async: bool = False
    is_generator: bool = False
    docstring: str | None = None


@dataclass(slots=True, eq=False)
class ClassDef(Node):
    """A `class`; `bases` holds keywords such as `metaclass=` too."""

    name: str
    name_start: int
    bases: tuple[Arg, ...]
    body: tuple[Stmt, ...]
    decorators: tuple[Expr, ...]
    docstring: str | None = None


@dataclass(slots=True, eq=False)
class Import(Node):
    """`import a.b as c, …`; each name is (dotted path, alias or None)."""

    names: tuple[tuple[str, str | None], ...]


@dataclass(slots=True, eq=False)
class ImportFrom(Node):
    """`from ..a import b as c, …` or, with `names` None, `from a import *`; `level` counts leading dots."""

    module: str
    level: int
    names: tuple[tuple[str, str | None], ...] | None


Stmt: TypeAlias = (
    Assign
    | Annotated
    | Augmented
    | Evaluate
    | Return
    | Raise
    | Assert
    | Delete
    | Jump
    | Scope
    | If
    | While
    | For
    | Try
    | With
    | Match
    | FunctionDef
    | ClassDef
    | Import
    | ImportFrom
)


@dataclass(slots=True, eq=False)
class Comment:
    """A comment including `#`, from the character offset `start`; `line` counts from 1."""

    start: int
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Fault:
    """A part of a file that was left out because it does not parse: the message, and the offset of the error."""

    message: str
    start: int


@dataclass(slots=True, eq=False)
class Module:
    """One lowered file; `python2` says that it was read as Python 2, `faults` are parts that could not be read."""

    body: tuple[Stmt, ...]
    comments: tuple[Comment, ...]
    docstring: str | None = None
    python2: bool = False
    faults: tuple[Fault, ...] = ()
