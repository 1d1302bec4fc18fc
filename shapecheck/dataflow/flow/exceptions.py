"""`try` statements, and the exceptions that their handlers catch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.flow.failures import run_past_failures
from shapecheck.dataflow.objects.variables import bind_name
from shapecheck.dataflow.paths.joins import join_exits
from shapecheck.dataflow.state.frame import Frame
from shapecheck.dataflow.state.heap import Delta
from shapecheck.dataflow.state.path import Exit, PathState
from shapecheck.domain.join import generalise
from shapecheck.domain.values import NONE, Library, Lost, Tensor, Value
from shapecheck.ir.walk import nodes_in

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


# Exceptions that no library raises for wrong shapes.
OTHER_EXCEPTIONS = frozenset(
    "ImportError ModuleNotFoundError KeyError AttributeError KeyboardInterrupt StopIteration FileNotFoundError OSError "
    "IOError NameError SystemExit ZeroDivisionError UnicodeDecodeError EOFError NotImplementedError OutOfRangeError "
    "PermissionError TimeoutError ConnectionError JSONDecodeError URLError HTTPError GeneratorExit".split()
)

STAGE_ERRORS = ("AttributeError", "NotImplementedError")
"""Exceptions of tensors without a value and of arrays, besides those that are raised for wrong shapes as well."""
IMPORT_ERRORS = ("ImportError", "ModuleNotFoundError", "AttributeError", "Exception")


def try_(t: Tracer, node: ir.Try, frame: Frame) -> bool:
    """Trace the body, then each handler from any state within the body, and join them."""
    return run_past_failures(t, frame, lambda: _try(t, node, frame))


def _try(t: Tracer, node: ir.Try, frame: Frame) -> bool:
    """Trace the parts of a `try` statement, and join them."""
    path = t.path
    caught = any(_catches_failures(handler) and not _raises_again(handler.body) for handler in node.handlers)
    unresolved = t.program.unresolved_imports
    expects_keys = any(handler.type is not None and "KeyError" in _names(handler.type) for handler in node.handlers)
    t.tolerance += caught
    t.call_stack.key_handlers += expects_keys
    mark = t.heap.mark()
    try:
        alive = t.execute(node.body, frame)
    finally:
        t.tolerance -= caught
        t.call_stack.key_handlers -= expects_keys
    imports = bool(node.body) and isinstance(node.body[0], (ir.Import, ir.ImportFrom))
    if imports and alive and t.program.unresolved_imports == unresolved and _only_import_errors(node):
        alive = t.execute(node.orelse, frame)
        return t.execute(node.final, frame) and alive
    exits: list[Exit] = []
    if alive:
        alive = t.execute(node.orelse, frame)
    if alive:
        exits.append(t.exit(mark, NONE))
    changed = t.heap.undo(mark)
    for handler in () if _only_describes(t, node, frame) else node.handlers:
        t.path = path
        _trace_handler(t, handler, changed, exits, frame)
    t.path = path
    if exits:
        join_exits(t, _told_apart(exits), path.guards)
    finished = t.execute(node.final, frame)
    return bool(exits) and finished


def _told_apart(exits: Sequence[Exit]) -> list[Exit]:
    """Return exits of which one is taken, each under conditions that exclude the others: those of two `try` statements
    are not the same."""
    told: list[Exit] = []
    others: dict[Value, bool] = {}
    for each in exits:
        condition = Lost("whether an exception is raised")
        own = {**others, condition: True} if each is not exits[-1] else others
        told.append(replace(each, path=PathState(each.path.facts, {**each.path.guards, **own})))
        others = {**others, condition: False}
    return told


def _trace_handler(t: Tracer, handler: ir.Handler, changed: Delta, exits: list[Exit], frame: Frame) -> None:
    """Trace a handler, which starts before the body or after a part of it: a changed cell may have either value.

    Clashes are tolerated in a handler for shape errors, which may be written for other values than the present ones, as
    one for names and attributes that are not there.
    """
    mark = t.heap.mark()
    for cell, value in changed.items():
        before = t.heap.get(cell)
        if value is not None and before is not None and value != before:
            t.heap.set(cell, generalise(before, value))
    if handler.type is not None:
        t.evaluate(handler.type, frame)
    if handler.name is not None:
        bind_name(t, handler.name, Lost("exception"), frame)
    is_of_names = handler.type is not None and set(_names(handler.type)) <= {"AttributeError", "NameError"}
    is_tolerant = is_of_names or catches_shape_errors(handler)
    t.tolerance += is_tolerant
    t.call_stack.handlers += 1
    try:
        alive = t.execute(handler.body, frame)
    finally:
        t.tolerance -= is_tolerant
        t.call_stack.handlers -= 1
    if alive:
        exits.append(t.exit(mark, NONE))
    t.heap.rollback(mark)


_TESTS = (
    ir.Arg,
    ir.Call,
    ir.Compare,
    ir.Const,
    ir.Display,
    ir.Evaluate,
    ir.If,
    ir.Logical,
    ir.Name,
    ir.Return,
    ir.Unary,
)
_DESCRIPTIONS = ("dtype", "ndim", "shape", "size")


def _only_describes(t: Tracer, node: ir.Try, frame: Frame) -> bool:
    """Return whether a `try` statement asks what arrays are, and has handlers for what is none."""
    if any(handler.type is None or _names(handler.type) != ["AttributeError"] for handler in node.handlers):
        return False
    parts = list(nodes_in(tuple(node.body)))
    attributes = [part for part in parts if isinstance(part, ir.Attribute)]
    asked = [part.value for part in attributes if part.name in _DESCRIPTIONS]
    return (
        bool(asked)
        and all(isinstance(part, (*_TESTS, ir.Attribute)) for part in parts)
        and all(isinstance(owner, ir.Name) and isinstance(t.evaluate(owner, frame), Tensor) for owner in asked)
        and all(isinstance(t.evaluate(part, frame), Library) for part in attributes if part.value not in asked)
    )


def _only_import_errors(node: ir.Try) -> bool:
    """Return whether each handler of a `try` may catch a failing import."""
    return all(
        handler.type is None or any(name in IMPORT_ERRORS for name in _names(handler.type)) for handler in node.handlers
    )


def catches_shape_errors(handler: ir.Handler) -> bool:
    """Return whether a handler catches an exception that a library raises for wrong shapes."""
    if handler.type is None:
        return True
    names = _names(handler.type)
    return not names or any(name not in OTHER_EXCEPTIONS for name in names)


def _catches_failures(handler: ir.Handler) -> bool:
    """Return whether a handler catches an exception that a library raises for shapes or stages."""
    if catches_shape_errors(handler):
        return True
    return handler.type is not None and any(name in STAGE_ERRORS for name in _names(handler.type))


def _raises_again(body: Sequence[ir.Stmt]) -> bool:
    """Return whether the statements of a handler raise on every path."""
    if not body or not isinstance(body[-1], ir.Raise):
        return False
    return not any(isinstance(part, (ir.Return, ir.Jump, ir.Yield)) for part in nodes_in(tuple(body)))


def _names(node: ir.Expr) -> list[str]:
    """Return the names of the exceptions in the head of a handler."""
    match node:
        case ir.Name():
            return [node.id]
        case ir.Attribute():
            return [node.name]
        case ir.Display():
            return [name for item in node.items for name in _names(item)]
    return []
