"""Effects of Python that happen once, while a function is traced: output, counters and lists of the program."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.graph.steps import Step
from shapecheck.dataflow.paths.constraints import notice
from shapecheck.dataflow.stages.checks import is_symbolic
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.frame import Frame
from shapecheck.dataflow.state.heap import Cell
from shapecheck.dataflow.state.watch import Watch
from shapecheck.domain.values import Const, Library, ModuleValue, Ref, Value, walk
from shapecheck.ir.walk import nodes_in
from shapecheck.models.lang.traits import has
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

LOGGING = frozenset("critical debug error info log warn warning".split())
OF_TRACING = re.compile(r"trac|graph|compil|build|built|symbolic|python|once|side.effect|eager", re.IGNORECASE)
"""Words of those who know that their code runs while a function is traced."""


@dataclass(slots=True)
class Effects:
    """Changes of variables, attributes and lists outside of traced functions, each with its step, until they are
    read.

    While a model `is_built`, what its layers do is kept until the model is trained: it may run eagerly as well.
    """

    pending: dict[Cell, Step] = field(default_factory=dict)
    is_built: bool = False
    changes_in_layers: dict[Cell, Step] = field(default_factory=dict)
    said_in_layers: list[tuple[Step, ClashKind, str]] = field(default_factory=list)

    def tell(self, t: Tracer, step: Step, kind: ClashKind, message: str) -> None:
        """Report what happens once, unless a model is only built so far."""
        if self.is_built:
            self.said_in_layers.append((step, kind, message))
        else:
            with t.during(step):
                notice(t, kind, message)

    def train(self, t: Tracer) -> None:
        """Report what the layers of models that are trained do once."""
        for step, kind, message in self.said_in_layers:
            with t.during(step):
                notice(t, kind, message)
        self.said_in_layers.clear()
        self.pending.update(self.changes_in_layers)
        self.changes_in_layers.clear()
        if t.watch is None and self.pending:
            t.watch = EffectReader(t, self)

    # --- output ----------------------------------------------------------------------------------------------------

    def note_output(self, t: Tracer, node: ir.Call, frame: Frame, symbolic: set[int]) -> None:
        """Report output of symbolic tensors, which have no values to be shown."""
        if not any(_shows(arg.value, symbolic) for arg in node.args):
            return
        texts = list(_texts(node))
        is_parameter = all(isinstance(arg.value, ir.Name) for arg in node.args) and not texts
        if is_parameter or any(map(OF_TRACING.search, texts)):
            return
        step = t.add_step("op", "output", (), {}, Place(frame.source, node.start, node.end))
        self.tell(t, step, ClashKind.TRACE_EFFECT, f"shows a symbolic tensor, once, while {_function(t)} is traced")

    # --- changes ---------------------------------------------------------------------------------------------------

    def note_count(self, t: Tracer, target: ir.Expr, place: Place, frame: Frame) -> None:
        """Note a counter outside of a traced function."""
        cell = _cell(t, target, frame)
        if cell is not None and 0 < cell[0] < t.graph_start:
            self._note(t, cell, place)

    def note_append(self, t: Tracer, owner: Ref, given: Arguments) -> None:
        """Note a symbolic tensor that is appended to a list outside of a traced function."""
        added = (part for value in given.args for part in walk(t.freeze(value)))
        if owner.address < t.graph_start and any(is_symbolic(t, part) for part in added):
            self._note(t, (owner.address, "items"), given.place)

    def _note(self, t: Tracer, cell: Cell, place: Place) -> None:
        if not OF_TRACING.search(place.text) and not OF_TRACING.search(_function(t)):
            changes = self.changes_in_layers if self.is_built else self.pending
            changes[cell] = t.add_step("op", "effect", (), {"function": Const(_function(t))}, place)


@dataclass(slots=True, eq=False)
class EffectReader(Watch):
    """The evaluation of code outside of traced functions: it reads what was meant to change in each call."""

    t: Tracer
    effects: Effects
    seen: dict[int, Ref | ModuleValue] = field(default_factory=dict)

    def evaluated(self, node: ir.Expr, frame: Frame, value: Value) -> None:
        """Report a change that was made once, where its result is read."""
        if isinstance(value, (Ref, ModuleValue)):
            self.seen[id(node)] = value
        cell = self._read(node, frame)
        step = None if cell is None else self.effects.pending.pop(cell, None)
        if step is not None:
            function = dict(step.keywords)["function"]
            name = function.value if isinstance(function, Const) else ""
            with self.t.during(step):
                notice(self.t, ClashKind.TRACE_EFFECT, f"happens once, while {name} is traced, and not in each call")
        if not self.effects.pending:
            self.t.watch = None

    def _read(self, node: ir.Expr, frame: Frame) -> Cell | None:
        """Return the cell that an expression reads."""
        match node:
            case ir.Name(id=name):
                return scope_cell(frame, name)
            case ir.Attribute(value=owner, name=name):
                held = self.seen.get(id(owner))
                return None if held is None else (held.address, name)
            case ir.Subscript(value=owner, index=ir.Const(value=key)):
                held = self.seen.get(id(owner))
                return None if held is None else (held.address, ("item", key))
            case ir.Call(func=ir.Name(id="len"), args=(ir.Arg(value=arg),)):
                held = self.seen.get(id(arg))
                return None if held is None else (held.address, "items")
        return None


def _cell(t: Tracer, target: ir.Expr, frame: Frame) -> Cell | None:
    """Return the cell that an assignment changes, if the object is named by a path of attributes."""
    match target:
        case ir.Name(id=name):
            return None if name in frame.bound and name not in frame.globals else scope_cell(frame, name)
        case ir.Attribute(value=owner, name=name) if is_path(owner):
            held = t.evaluate(owner, frame)
            return (held.address, name) if isinstance(held, Ref) and held.cls == "user" else None
        case ir.Subscript(value=owner, index=ir.Const() | ir.Name() as index) if is_path(owner):
            held, key = t.evaluate(owner, frame), t.evaluate(index, frame)
            if isinstance(held, Ref) and held.cls in ("dict", "list") and isinstance(key, Const):
                return held.address, ("item", key.value)
    return None


def counts(node: ir.Expr, target: ir.Expr) -> bool:
    """Return whether an expression is the variable that it is assigned to, and a constant more or less."""
    is_step = isinstance(node, ir.Binary) and node.op in "+-" and isinstance(node.right, ir.Const)
    if not is_step or not isinstance(node, ir.Binary) or isinstance(node.right.value, str):  # type: ignore[union-attr]
        return False
    return path_of(node.left) is not None and path_of(node.left) == path_of(target)


def path_of(node: ir.Expr) -> tuple[object, ...] | None:
    """Return the names and constant keys that an expression consists of."""
    match node:
        case ir.Name(id=name):
            return (name,)
        case ir.Attribute(value=owner, name=name):
            path = path_of(owner)
            return None if path is None else (*path, name)
        case ir.Subscript(value=owner, index=ir.Const(value=key)):
            path = path_of(owner)
            return None if path is None else (*path, ("item", key))
    return None


def scope_cell(frame: Frame, name: str) -> Cell | None:
    """Return the cell of the variable that a name refers to in a scope."""
    if name in frame.globals:
        return frame.module, name
    scope: Frame | None = frame
    while scope is not None and scope.kind != "module" and name not in scope.bound:
        scope = scope.parent
    return None if scope is None else (scope.address, name)


def assigned_targets(node: ir.Node) -> tuple[ir.Expr, ...]:
    """Return the targets of an assignment; none of any other node."""
    match node:
        case ir.Assign(targets=targets):
            return targets
        case ir.Augmented(target=target):
            return (target,)
    return ()


def is_path(node: ir.Expr) -> bool:
    """Return whether an expression is a name, or an attribute of one."""
    return isinstance(node, ir.Name) or (isinstance(node, ir.Attribute) and is_path(node.value))


def _function(t: Tracer) -> str:
    name = t.stage.function
    return name if name and name != "<lambda>" else "the function"


# --- output ----------------------------------------------------------------------------------------------------------


def is_output(func: ir.Expr, callee: Value | None, owner: Value | None) -> bool:
    """Return whether a callee is `print`, or writes a message with the module logging."""
    if isinstance(callee, Library):
        name = callee.name
        return name == "builtins.print" or (has(name, "logs") and name.rpartition(".")[2] in LOGGING)
    is_logger = isinstance(owner, Ref) and has(owner.cls, "logs")
    return is_logger and isinstance(func, ir.Attribute) and func.name in LOGGING


def _shows(node: ir.Expr | str, symbolic: set[int]) -> bool:
    """Return whether an argument of such a call shows a symbolic tensor."""
    if id(node) in symbolic:
        return True
    match node:
        case ir.Format(parts=parts) | ir.Display(items=parts):
            return any(_shows(part, symbolic) for part in parts)
        case ir.Binary(op="%", left=ir.Const(value=str()), right=right):
            return _shows(right, symbolic)
        case ir.Call(func=ir.Attribute(value=ir.Const(value=str()), name="format"), args=args):
            return any(_shows(arg.value, symbolic) for arg in args)
    return False


def _texts(node: ir.Call) -> Iterator[str]:
    """Yield the literal texts in the arguments of a call."""
    for part in nodes_in(node.args):
        if isinstance(part, ir.Const) and isinstance(part.value, str):
            yield part.value
        elif isinstance(part, ir.Format):
            yield from (text for text in part.parts if isinstance(text, str))
