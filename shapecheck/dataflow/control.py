"""Branches, `try`, `with` and `match`: paths that fork and join."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow import managers
from shapecheck.dataflow.assignment import assign, assign_name
from shapecheck.dataflow.frame import Exit, Frame, PathEnds
from shapecheck.dataflow.store import AMBIENT, Delta
from shapecheck.values import NONE, Bound, Choice, Lost, Many, Partial, Ref, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

# Exceptions that a clash of shapes is never reported as by any library.
OTHER_EXCEPTIONS = frozenset(
    "ImportError ModuleNotFoundError KeyError AttributeError KeyboardInterrupt StopIteration FileNotFoundError OSError "
    "IOError NameError SystemExit ZeroDivisionError UnicodeDecodeError EOFError NotImplementedError OutOfRangeError "
    "PermissionError TimeoutError ConnectionError JSONDecodeError URLError HTTPError GeneratorExit".split()
)

IMPORT_ERRORS = ("ImportError", "ModuleNotFoundError", "AttributeError", "Exception")


def _execute(t: Tracer, body: Sequence[ir.Stmt], frame: Frame) -> bool:
    from shapecheck.dataflow.statements import execute

    return execute(t, body, frame)


def if_(t: Tracer, node: ir.If, frame: Frame) -> bool:
    # `elif` chains are walked in a loop while their tests are known: programs have them by the hundred.
    while True:
        if t.project.defers(t, node, frame):
            return True
        test = t.evaluate(node.test, frame)
        known = t.truth(test)
        if known is None:
            return _fork(t, test, node.test, node.body, node.orelse, frame)
        t.untaken.note(frame.owner, node.test, node.orelse if known else node.body)
        if known:
            return _execute(t, node.body, frame)
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ir.If):
            node = node.orelse[0]
            continue
        return _execute(t, node.orelse, frame)


def _fork(
    t: Tracer, test: Value, question: ir.Expr, body: Sequence[ir.Stmt], orelse: Sequence[ir.Stmt], frame: Frame
) -> bool:
    """Both arms under their guards, then the join of those that reach the end.

    Where the program asks for a shape and we cannot tell the answer, it may well know better than we do which arm
    fits: clashes in either are its own affair."""
    guarded = asks_for_shape(question)
    t.tolerance += guarded
    guards, ways = t.guards, _ways_out(frame)
    try:
        alive = branch(
            t,
            [
                (test, True, lambda: _execute(t, body, frame)),
                (test, False, lambda: _execute(t, orelse, frame)),
            ],
        )
    finally:
        t.tolerance -= guarded
    if alive and _ways_out(frame) == ways:
        raising = {condition for condition in t.guards if condition not in guards}
        t.settled |= raising
        t.checked |= raising
    return alive


def _ways_out(frame: Frame) -> int:
    """How often a function or a loop was left so far, other than by an exception."""
    return len(frame.returns) + sum(len(loop.breaks) + len(loop.continues) for loop in frame.loops)


SHAPE_WORDS = frozenset("shape ndim ndims rank dims get_shape as_list int_shape static_shape shape_list dim".split())


def asks_for_shape(question: ir.Expr) -> bool:
    """Whether a test looks at a shape."""
    match question:
        case ir.Attribute():
            return question.name in SHAPE_WORDS or asks_for_shape(question.value)
        case ir.Call():
            named = isinstance(question.func, ir.Name) and question.func.id in SHAPE_WORDS
            return named or asks_for_shape(question.func) or any(asks_for_shape(arg.value) for arg in question.args)
        case ir.Compare():
            return asks_for_shape(question.left) or any(map(asks_for_shape, question.rights))
        case ir.Logical():
            return any(map(asks_for_shape, question.values))
        case ir.Unary():
            return asks_for_shape(question.operand)
        case ir.Subscript():
            return asks_for_shape(question.value)
        case ir.Binary():
            return asks_for_shape(question.left) or asks_for_shape(question.right)
    return False


def branch(t: Tracer, arms: Sequence[tuple[Value, bool, Callable[[], bool]]]) -> bool:
    """Runs arms that exclude one another from the same state and joins the survivors."""
    facts, guards = t.facts, t.guards
    exits: list[Exit] = []
    for test, side, run in arms:
        mark = t.store.mark()
        t.facts, t.guards = facts, guards
        t.assume(test, side)
        try:
            alive = run()
        except PathEnds:
            alive = False
        if alive:
            exits.append(t.exit(mark, NONE))
        t.store.rollback(mark)
    t.facts, t.guards = facts, guards
    if not exits:
        return False
    t.join_exits(exits, facts, guards)
    return True


def try_(t: Tracer, node: ir.Try, frame: Frame) -> bool:
    """The body, then each handler from what the body may have changed, then the join."""
    facts, guards = t.facts, t.guards
    caught = any(catches_shape_errors(handler) for handler in node.handlers)
    unresolved = t.project.unresolved_imports
    t.tolerance += caught
    mark = t.store.mark()
    try:
        alive = _execute(t, node.body, frame)
    finally:
        t.tolerance -= caught
    imports = bool(node.body) and isinstance(node.body[0], (ir.Import, ir.ImportFrom))
    if imports and alive and t.project.unresolved_imports == unresolved and _only_import_errors(node):
        alive = _execute(t, node.orelse, frame)
        return _execute(t, node.final, frame) and alive
    exits: list[Exit] = []
    if alive:
        alive = _execute(t, node.orelse, frame)
    if alive:
        exits.append(t.exit(mark, NONE))
    changed = t.store.undo(mark)
    for handler in node.handlers:
        t.facts, t.guards = facts, guards
        _handler(t, handler, changed, exits, frame)
    t.facts, t.guards = facts, guards
    if exits:
        t.join_exits(exits, facts, guards)
    finished = _execute(t, node.final, frame)
    return bool(exits) and finished


def _handler(t: Tracer, handler: ir.Handler, changed: Delta, exits: list[Exit], frame: Frame) -> None:
    """A handler starts from before the body or after some of it: what the body changed may have either value.  One
    for wrong shapes may be there for other values than those at hand, which it need not fit."""
    mark = t.store.mark()
    for cell, value in changed.items():
        before = t.store.get(cell)
        if value is not None and before is not None and value != before:
            t.store.set(cell, t.generalise(before, value))
    if handler.type is not None:
        t.evaluate(handler.type, frame)
    if handler.name is not None:
        assign_name(t, handler.name, Lost("exception"), frame)
    doubtful = catches_shape_errors(handler)
    t.tolerance += doubtful
    try:
        alive = _execute(t, handler.body, frame)
    finally:
        t.tolerance -= doubtful
    if alive:
        exits.append(t.exit(mark, NONE))
    t.store.rollback(mark)


def _only_import_errors(node: ir.Try) -> bool:
    return all(
        handler.type is None or any(name in IMPORT_ERRORS for name in _names(handler.type)) for handler in node.handlers
    )


def catches_shape_errors(handler: ir.Handler) -> bool:
    """Whether a handler would catch what a library raises for wrong shapes."""
    if handler.type is None:
        return True
    names = _names(handler.type)
    return not names or any(name not in OTHER_EXCEPTIONS for name in names)


def _names(node: ir.Expr) -> list[str]:
    match node:
        case ir.Name():
            return [node.id]
        case ir.Attribute():
            return [node.name]
        case ir.Display():
            return [name for item in node.items for name in _names(item)]
    return []


RAISES = re.compile(r"\w*[Rr]aises\w*|suppress")  # of unittest, pytest, NumPy, absl, contextlib


def with_(t: Tracer, node: ir.With, frame: Frame) -> bool:
    tolerated = 0
    ambient = t.store.get(AMBIENT)
    entered: list[managers.Entered] = []
    for item, target in node.items:
        mark, newest = t.store.mark(), t.store.address()
        manager = t.evaluate(item, frame)
        if _expects_failure(item):
            tolerated += 1
        value = _entered(t, manager)
        entered.append(managers.enter(t, manager, mark, newest, frame))
        if target is not None:
            assign(t, target, value, frame)
    t.tolerance += tolerated
    try:
        alive = _execute(t, node.body, frame)
    finally:
        t.tolerance -= tolerated
        t.store.restore(AMBIENT, ambient)
    for manager_entered in reversed(entered):
        managers.leave(t, manager_entered, frame, alive=alive)
    return alive or tolerated > 0


def _expects_failure(item: ir.Expr) -> bool:
    if not isinstance(item, ir.Call):
        return False
    func = item.func
    name = func.name if isinstance(func, ir.Attribute) else func.id if isinstance(func, ir.Name) else ""
    return RAISES.fullmatch(name) is not None


def _entered(t: Tracer, manager: Value) -> Value:
    """What `with manager as …` binds."""
    if isinstance(manager, Ref) and manager.cls not in ("list", "dict", "set"):
        enter = t.context.get(manager, "__enter__")
        if isinstance(enter, (Bound, Partial)) or enter is not None:
            return t.call_now(enter, [])
        return manager
    if isinstance(manager, (Lost, Choice, Many)):
        t.context.set_ambient(Lost("what a context manager that is not known has set"))
    if isinstance(manager, Many) and manager.kind == "generator":
        return manager.element  # a function decorated with contextmanager
    return manager
