"""The intermediate representation: Python's meaning-bearing syntax in a few plain nodes.

It knows nothing of libcst, shapes or libraries.  Every node carries `start` and `end`, character offsets into the
source text; rows and columns are made from them only where something is shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(slots=True, eq=False)
class Node:
    """A piece of source text, from character `start` up to `end`."""

    start: int
    end: int


# --- expressions -----------------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class Const(Node):
    """A literal; implicitly joined strings are already joined."""

    value: object


@dataclass(slots=True, eq=False)
class Name(Node):
    """A name that is read (or, as a target, bound)."""

    id: str


@dataclass(slots=True, eq=False)
class Attribute(Node):
    value: Expr
    name: str


@dataclass(slots=True, eq=False)
class Subscript(Node):
    """`value[index]`; several subscripts are one tuple `Display`, exactly as Python sees them."""

    value: Expr
    index: Expr


@dataclass(slots=True, eq=False)
class Slice(Node):
    lower: Expr | None
    upper: Expr | None
    step: Expr | None


@dataclass(slots=True, eq=False)
class Arg(Node):
    """One argument of a call or one base of a class."""

    value: Expr
    keyword: str | None = None
    star: Literal["", "*", "**"] = ""


@dataclass(slots=True, eq=False)
class Call(Node):
    func: Expr
    args: tuple[Arg, ...]


@dataclass(slots=True, eq=False)
class Unary(Node):
    """`op` is one of `+ - ~ not`."""

    op: str
    operand: Expr


@dataclass(slots=True, eq=False)
class Binary(Node):
    """`op` is one of `+ - * / // % ** @ << >> & | ^`."""

    op: str
    left: Expr
    right: Expr


@dataclass(slots=True, eq=False)
class Compare(Node):
    """`left ops[0] rights[0] ops[1] rights[1] …`; operators as written: `== != < <= > >= is`, `is not`, `in`, `not in`."""

    left: Expr
    ops: tuple[str, ...]
    rights: tuple[Expr, ...]


@dataclass(slots=True, eq=False)
class Logical(Node):
    """`and` / `or` over two or more values."""

    op: Literal["and", "or"]
    values: tuple[Expr, ...]


@dataclass(slots=True, eq=False)
class Conditional(Node):
    """`then if test else orelse`."""

    test: Expr
    then: Expr
    orelse: Expr


@dataclass(slots=True, eq=False)
class Display(Node):
    """A list, tuple or set display; `items` may hold `Starred`."""

    kind: Literal["list", "tuple", "set"]
    items: tuple[Expr, ...]


@dataclass(slots=True, eq=False)
class DictDisplay(Node):
    """A dict display; a key of None stands for `**value`."""

    items: tuple[tuple[Expr | None, Expr], ...]


@dataclass(slots=True, eq=False)
class Clause(Node):
    """`for target in iter if … if …` of a comprehension."""

    target: Expr
    iter: Expr
    conditions: tuple[Expr, ...]
    is_async: bool = False


@dataclass(slots=True, eq=False)
class Comprehension(Node):
    """`key` is set for dict comprehensions only."""

    kind: Literal["list", "set", "dict", "generator"]
    element: Expr
    key: Expr | None
    clauses: tuple[Clause, ...]


@dataclass(slots=True, eq=False)
class Param(Node):
    """A formal parameter; `kind` is `plain`, `positional` (before `/`), `keyword` (after `*`), `*` or `**`."""

    name: str
    kind: Literal["positional", "plain", "keyword", "*", "**"]
    default: Expr | None = None
    annotation: Expr | None = None


@dataclass(slots=True, eq=False)
class Lambda(Node):
    params: tuple[Param, ...]
    body: Expr
    bound: frozenset[str] = frozenset()


@dataclass(slots=True, eq=False)
class Format(Node):
    """An f-string: literal pieces and the expressions between them (format specs and conversions are dropped
    unless empty, and then `plain` is False)."""

    parts: tuple[str | Expr, ...]
    plain: bool = True


@dataclass(slots=True, eq=False)
class Starred(Node):
    """`*value` inside a display or an assignment target."""

    value: Expr


@dataclass(slots=True, eq=False)
class Walrus(Node):
    name: str
    value: Expr


@dataclass(slots=True, eq=False)
class Await(Node):
    value: Expr


@dataclass(slots=True, eq=False)
class Yield(Node):
    """`yield value` or, with `delegate`, `yield from value`."""

    value: Expr | None
    delegate: bool = False


@dataclass(slots=True, eq=False)
class Opaque(Node):
    """Syntax that is not followed; `reason` says what it was.  Never an error."""

    reason: str


Expr: TypeAlias = (
    Const
    | Name
    | Attribute
    | Subscript
    | Slice
    | Call
    | Unary
    | Binary
    | Compare
    | Logical
    | Conditional
    | Display
    | DictDisplay
    | Comprehension
    | Lambda
    | Format
    | Starred
    | Walrus
    | Await
    | Yield
    | Opaque
)

# --- statements ------------------------------------------------------------------------------------------------------


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
    value: Expr | None


@dataclass(slots=True, eq=False)
class Raise(Node):
    value: Expr | None
    cause: Expr | None = None


@dataclass(slots=True, eq=False)
class Assert(Node):
    test: Expr
    message: Expr | None = None


@dataclass(slots=True, eq=False)
class Delete(Node):
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
    test: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]


@dataclass(slots=True, eq=False)
class While(Node):
    test: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]


@dataclass(slots=True, eq=False)
class For(Node):
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
    """One arm of `match`: the names its pattern binds, whether it matches everything, and the literal values that the
    pattern compares with where it is just those."""

    binds: tuple[str, ...]
    irrefutable: bool
    literals: tuple[Expr, ...]
    guard: Expr | None
    body: tuple[Stmt, ...]


@dataclass(slots=True, eq=False)
class Match(Node):
    subject: Expr
    cases: tuple[Case, ...]


@dataclass(slots=True, eq=False)
class FunctionDef(Node):
    """A `def`.  `start`/`end` span the whole definition; `name_start` is where the name stands.

    `bound` holds the names that are local to it (parameters, targets, imports, nested definitions, minus `global`
    and `nonlocal` ones); `docstring` its docstring.
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
    """A comment, `#` included, from character `start`; `line` counts from 1."""

    start: int
    line: int
    text: str


@dataclass(slots=True, eq=False)
class Module:
    """One lowered file; `python2` says that it was read as Python 2."""

    body: tuple[Stmt, ...]
    comments: tuple[Comment, ...]
    docstring: str | None = None
    python2: bool = False
