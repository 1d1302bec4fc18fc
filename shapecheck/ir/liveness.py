"""Liveness of local variables: which names may be read after a statement before they are assigned again.

It is the static analysis of compilers, backwards over the statements of one function; attributes and items are no
variables here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shapecheck.ir.expressions import Comprehension, Display, Expr, Lambda, Name, Starred
from shapecheck.ir.statements import (
    Annotated,
    Assign,
    Augmented,
    ClassDef,
    Delete,
    For,
    FunctionDef,
    If,
    Import,
    ImportFrom,
    Jump,
    Match,
    Raise,
    Return,
    Stmt,
    Try,
    While,
    With,
)
from shapecheck.ir.walk import nodes_in

Names = frozenset[str]
NOTHING: Names = frozenset()
MAX_ROUNDS = 10


class Liveness:
    """The live names of one function or module after each of its statements, and at the start of each loop."""

    def __init__(self, body: Sequence[Stmt]) -> None:
        self._after: dict[int, Names] = {}
        self._heads: dict[int, Names] = {}
        self._loops: list[tuple[Names, Names]] = []  # live after the loop and at its head, for `break` and `continue`
        self._block(body, NOTHING)

    def after(self, statement: Stmt) -> Names:
        """Return the names that may be read after a statement."""
        return self._after.get(id(statement), NOTHING)

    def at_head(self, loop: For | While) -> Names:
        """Return the names that may be read at the beginning of an iteration, or after the loop."""
        return self._heads.get(id(loop), NOTHING)

    def _block(self, body: Sequence[Stmt], after: Names) -> Names:
        for statement in reversed(body):
            self._after[id(statement)] = after
            after = self._before(statement, after)
        return after

    def _before(self, statement: Stmt, after: Names) -> Names:
        match statement:
            case If(test=test, body=body, orelse=orelse):
                return read_in(test) | self._block(body, after) | self._block(orelse, after)
            case For() | While():
                return self._loop(statement, after)
            case Try(body=body, handlers=handlers, orelse=orelse, final=final):
                last = self._block(final, after)
                caught = NOTHING.union(*(self._block(handler.body, last) for handler in handlers))
                return self._block(body, self._block(orelse, last) | caught) | caught
            case With(items=items, body=body):
                managers = NOTHING.union(*(read_in(item) for item, _ in items))
                return (self._block(body, after) - assigned_by(target for _, target in items)) | managers
            case Match(subject=subject, cases=cases):
                return NOTHING.union(read_in(subject), after, *(self._block(case.body, after) for case in cases))
            case Return(value=value) | Raise(value=value):
                return read_in(value)
            case Jump(kind=kind) if kind != "pass" and self._loops:
                end, head = self._loops[-1]
                return end if kind == "break" else head
        return (after - assigned_in(statement)) | read_in(statement)

    def _loop(self, loop: For | While, after: Names) -> Names:
        end = self._block(loop.orelse, after)
        test = read_in(loop.iter if isinstance(loop, For) else loop.test)
        bound = assigned_by([loop.target]) if isinstance(loop, For) else NOTHING
        head = end
        for _ in range(MAX_ROUNDS):
            self._loops.append((after, head))
            inner = head | (self._block(loop.body, head) - bound) | (test if isinstance(loop, While) else NOTHING)
            self._loops.pop()
            if inner == head:
                break
            head = inner
        self._heads[id(loop)] = head
        return head | test


def read_in(part: object) -> Names:
    """Return the names that are read in a part of the IR, also those that nested scopes read and do not bind."""
    targets = {id(target) for node in nodes_in(part) for target in _names(_targets(node))}
    inner = frozenset().union(*map(_bound_inside, nodes_in(part)))
    found = {node.id for node in nodes_in(part) if isinstance(node, Name) and id(node) not in targets}
    augmented = {name.id for node in nodes_in(part) if isinstance(node, Augmented) for name in _names([node.target])}
    return frozenset(found - inner) | frozenset(augmented)


def _bound_inside(node: object) -> Names:
    """Return the names that a nested scope binds."""
    match node:
        case FunctionDef() | Lambda():
            return frozenset(node.bound)
        case Comprehension(clauses=clauses):
            return assigned_by(clause.target for clause in clauses)
    return NOTHING


def assigned_in(part: object) -> Names:
    """Return the names that are bound in a part of the IR."""
    names = {name.id for node in nodes_in(part) for name in _names(_targets(node))}
    for node in nodes_in(part):
        if isinstance(node, FunctionDef | ClassDef):
            names.add(node.name)
        elif isinstance(node, Import | ImportFrom):
            names |= {alias or name.split(".")[0] for name, alias in node.names or ()}
    return frozenset(names)


def assigned_by(targets: Iterable[Expr | None]) -> Names:
    """Return the names that assignment targets bind."""
    return frozenset(name.id for name in _names(target for target in targets if target is not None))


def _targets(node: object) -> tuple[Expr, ...]:
    match node:
        case Assign(targets=targets) | Delete(targets=targets):
            return targets
        case Annotated(target=target) | Augmented(target=target) | For(target=target):
            return (target,)
        case With(items=items):
            return tuple(target for _, target in items if target is not None)
    return ()


def _names(targets: Iterable[Expr]) -> Iterable[Name]:
    for target in targets:
        match target:
            case Name():
                yield target
            case Starred(value=value):
                yield from _names([value])
            case Display(items=items):
                yield from _names(items)
