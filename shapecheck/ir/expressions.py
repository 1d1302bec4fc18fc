"""Expressions and their parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(slots=True, eq=False)
class Node:
    """A piece of source text, from the character offset `start` up to `end`."""

    start: int
    end: int


@dataclass(slots=True, eq=False)
class Const(Node):
    """A literal; adjacent string literals are already joined."""

    value: object


@dataclass(slots=True, eq=False)
class Name(Node):
    """A name that is read or, in a target, bound."""

    id: str


@dataclass(slots=True, eq=False)
class Attribute(Node):
    """`value.name`."""

    value: Expr
    name: str


@dataclass(slots=True, eq=False)
class Subscript(Node):
    """`value[index]`; several indices are one tuple `Display`, as in Python."""

    value: Expr
    index: Expr


@dataclass(slots=True, eq=False)
class Slice(Node):
    """`lower:upper:step` inside a subscript."""

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
    """`func(args)`."""

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
    """`left ops[0] rights[0] ops[1] rights[1] …`; operators as written.

    They are `== != < <= > >= is`, `is not`, `in` and `not in`.
    """

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
    """A comprehension or generator expression; `key` is set for dict comprehensions only."""

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
    """`lambda params: body`; `bound` holds its local names."""

    params: tuple[Param, ...]
    body: Expr
    bound: frozenset[str] = frozenset()


@dataclass(slots=True, eq=False)
class Format(Node):
    """An f-string: literal texts and the expressions between them.

    Format specifications and conversions are dropped; `plain` is False if there were any. `specified` are the positions
    of the parts with a specification, and without a conversion to text.
    """

    parts: tuple[str | Expr, ...]
    plain: bool = True
    specified: frozenset[int] = frozenset()


@dataclass(slots=True, eq=False)
class Starred(Node):
    """`*value` inside a display or an assignment target."""

    value: Expr


@dataclass(slots=True, eq=False)
class Walrus(Node):
    """`(name := value)`."""

    name: str
    value: Expr


@dataclass(slots=True, eq=False)
class Await(Node):
    """`await value`."""

    value: Expr


@dataclass(slots=True, eq=False)
class Yield(Node):
    """`yield value` or, with `delegate`, `yield from value`."""

    value: Expr | None
    delegate: bool = False


@dataclass(slots=True, eq=False)
class Opaque(Node):
    """Syntax that is not analysed; `reason` says what it was. It never causes a finding."""

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
