"""Instrumentation of programs, which records each expression: `f(x)` becomes `record(7, f(x))`.

Text is only inserted, never moved, and never a whole line: places keep their lines, and comments stay. Where recorder
calls are impossible (targets, `super()`, pieces of f-strings, decorators, annotations), the text is unchanged. It knows
the IR, and no library.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Final

from shapecheck import ir

RECORD: Final = "__shapecheck_record__"
TRIPS: Final = "__shapecheck_trips__"
MORE: Final = "__shapecheck_more__"
MOST_NESTED: Final = 40  # Python takes 200 open brackets
FRAME_FUNCTIONS: Final = frozenset(("super", "locals", "globals", "vars", "dir", "eval", "exec", "__import__"))
DIRECTIVES: Final = frozenset(("set_loop_options", "set_element_type"))  # AutoGraph reads their text
PLAIN_FUNCTIONS: Final = frozenset(("print", "len", "range", "isinstance", "str", "int", "float", "open", "enumerate"))


@dataclass(frozen=True, slots=True)
class Instrumented:
    """The instrumented text, the range of the original text for each number, and the inserted ranges."""

    text: str
    places: list[tuple[int, int]]
    inserted: list[tuple[int, int]]

    def original(self, offset: int) -> int:
        """Return the offset in the original text of what is at an offset in the instrumented one."""
        return offset - sum(end - start for start, end in self.inserted if end <= offset)


def instrument(text: str, module: ir.Module, first: int, *, loops: bool = False) -> Instrumented:
    """Return the program with its recorder calls, numbered from `first`; with `loops`, loops ask whether to
    continue."""
    rewriter = _Rewriter(text, first, loops, frozenset(_imported(module.body)))
    rewriter.block(module.body)
    return rewriter.result()


def _imported(body: Iterable[object]) -> Iterator[str]:
    """Return names that imports, functions and classes bind anywhere: these are not tensors."""
    for node in body:
        match node:
            case ir.Import(names=names):
                yield from ((alias or path).split(".")[0] for path, alias in names)
            case ir.ImportFrom(names=names) if names is not None:
                yield from (alias or name for name, alias in names)
            case ir.FunctionDef(name=name) | ir.ClassDef(name=name):
                yield name
        if isinstance(node, ir.Node):
            for part in _parts(node):
                if isinstance(part, tuple):
                    yield from _imported(part)


def _parts(node: ir.Node) -> Iterator[object]:
    for item in fields(node):
        yield getattr(node, item.name)


class _Rewriter:
    """Collects the insertions."""

    def __init__(self, text: str, first: int, loops: bool, imported: frozenset[str]) -> None:
        self.text = text
        self.first = first
        self.loops = loops
        self.imported = imported
        self.places: list[tuple[int, int]] = []
        self.insertions: list[tuple[int, int, int, str]] = []
        self.depth = 0

    def result(self) -> Instrumented:
        pieces: list[str] = []
        ranges: list[tuple[int, int]] = []
        at = added = 0
        for offset, _, _, inserted in sorted(self.insertions):
            pieces += (self.text[at:offset], inserted)
            ranges.append((offset + added, offset + added + len(inserted)))
            at, added = offset, added + len(inserted)
        return Instrumented("".join((*pieces, self.text[at:])), self.places, ranges)

    # --- insertions ------------------------------------------------------------------------------------------------

    def around(self, node: ir.Node, opening: str) -> None:
        """Put a call around an expression."""
        before = self.text[node.start - 1 : node.start]
        gap = " " if before.isalnum() or before == "_" else ""
        self.insertions.append((node.end, 0, 0, ")"))
        self.insertions.append((node.start, 1, -node.end, gap + opening))

    def number(self, node: ir.Node) -> int:
        self.places.append((node.start, node.end))
        return self.first + len(self.places) - 1

    def record(self, node: ir.Node) -> None:
        self.around(node, f"{RECORD}({self.number(node)}, ")

    def record_after(self, statement: ir.Node, targets: Iterable[ir.Expr]) -> None:
        """Record the names that a statement binds, after it; a name that is bound twice has its last value."""
        bound = {name.id: name for target in targets for name in _names(target)}
        for name in bound.values():
            inserted = f"; {RECORD}({self.number(name)}, {name.id})"
            self.insertions.append((statement.end, 2, len(self.insertions), inserted))

    # --- statements ------------------------------------------------------------------------------------------------

    def block(self, body: Iterable[object]) -> None:
        for node in body:
            if isinstance(node, ir.Node):
                self.statement(node)

    def statement(self, node: ir.Node) -> None:
        match node:
            case ir.Delete() | ir.Scope() | ir.Jump() | ir.Import() | ir.ImportFrom():
                pass
            case ir.FunctionDef(params=params, body=body):
                self.defaults(params)
                self.block(body)
            case ir.ClassDef(body=body) | ir.Handler(body=body):
                self.block(body)
            case ir.Assign() | ir.Augmented():
                self.assignment(node)
            case ir.Annotated(value=value) | ir.Return(value=value):
                self.value(value)
            case ir.For() | ir.While():
                self.loop(node)
            case ir.With(items=items, body=body):
                for item, _ in items:
                    self.expression(item)
                self.block(body)
            case ir.Case(guard=guard, body=body):
                self.optional(guard)
                self.block(body)
            case _:
                self.parts_of_statement(node)

    def assignment(self, node: ir.Assign | ir.Augmented) -> None:
        """Record the value, and the target names that do not get it as a whole."""
        self.value(node.value)
        if isinstance(node, ir.Augmented):
            self.record_after(node, [node.target])
        else:
            self.record_after(node, (target for target in node.targets if isinstance(target, ir.Display)))

    def loop(self, node: ir.For | ir.While) -> None:
        head = node.iter if isinstance(node, ir.For) else node.test
        is_async = isinstance(node, ir.For) and node.is_async
        if self.loops and not is_async and not isinstance(head, ir.Display):  # `for x in 1, 2`
            self.around(head, f"{TRIPS if isinstance(node, ir.For) else MORE}({self.number(head)}, ")
        self.expression(head)
        self.block((*node.body, *node.orelse))

    def parts_of_statement(self, node: ir.Node) -> None:
        for part in _parts(node):
            if isinstance(part, ir.Expr):
                self.expression(part)
            elif isinstance(part, tuple):
                self.block(part)

    def defaults(self, params: tuple[ir.Param, ...]) -> None:
        for param in params:
            self.optional(param.default)

    # --- expressions -----------------------------------------------------------------------------------------------

    def optional(self, node: ir.Expr | None) -> None:
        if node is not None:
            self.expression(node)

    def value(self, node: ir.Expr | None) -> None:
        """Record an expression whose value is used, bare names included."""
        if isinstance(node, ir.Name):
            if node.id not in self.imported:
                self.record(node)
        else:
            self.optional(node)

    def expression(self, node: ir.Expr) -> None:
        """Record an expression and its parts."""
        if isinstance(node, ir.Call) and _name_of(node.func) in DIRECTIVES:
            return
        recorded = self.depth < MOST_NESTED and self.is_recorded(node)
        if recorded:
            self.record(node)
        self.depth += 1
        self.inside(node)
        self.depth -= 1

    def is_recorded(self, node: ir.Expr) -> bool:
        match node:
            case ir.Call(func=ir.Name(id=name)):
                return name not in FRAME_FUNCTIONS and name not in PLAIN_FUNCTIONS
            case ir.Unary(op=op):
                return op != "not" and not isinstance(node.operand, ir.Const)
            case ir.Binary():
                return not (isinstance(node.left, ir.Const) and isinstance(node.right, ir.Const))
            case ir.Attribute():
                return not self.is_library(node)
        return isinstance(node, (ir.Call, ir.Subscript, ir.Compare, ir.Logical, ir.Conditional, ir.Await))

    def is_library(self, node: ir.Expr) -> bool:
        """Return whether an expression is like `tf.nn.relu`, with an imported `tf`."""
        while isinstance(node, ir.Attribute):
            node = node.value
        return isinstance(node, ir.Name) and node.id in self.imported

    def inside(self, node: ir.Expr) -> None:
        match node:
            case ir.Call(func=func, args=args):
                self.called(func)
                self.values(arg.value for arg in args)
            case ir.Attribute(value=value):
                if not self.is_library(value):
                    self.expression(value)
            case ir.Subscript(value=value, index=index):
                self.expression(value)
                self.index(index)
            case ir.Display(items=items):
                self.values(items)
            case ir.DictDisplay(items=pairs):
                self.values(value for _, value in pairs)
            case ir.Comprehension():
                self.comprehension(node)
            case ir.Lambda(params=params, body=body):
                self.defaults(params)
                self.value(body)
            case ir.Starred(value=value) | ir.Yield(value=value):
                self.value(value)
            case ir.Binary() | ir.Unary() | ir.Compare() | ir.Logical() | ir.Conditional() | ir.Walrus() | ir.Await():
                self.operands(node)

    def values(self, nodes: Iterable[ir.Expr]) -> None:
        for node in nodes:
            self.value(node)

    def operands(self, node: ir.Node) -> None:
        for part in _parts(node):
            for operand in part if isinstance(part, tuple) else (part,):
                if isinstance(operand, ir.Expr):
                    self.expression(operand)

    def called(self, func: ir.Expr) -> None:
        """Record the object of a method; a callee itself is not a tensor."""
        if isinstance(func, ir.Attribute):
            if not self.is_library(func.value):
                self.expression(func.value)
        elif not isinstance(func, ir.Name):
            self.expression(func)

    def index(self, node: ir.Expr) -> None:
        """Record an index, but not names and computations of names alone, which are mostly counters."""
        if isinstance(node, ir.Display):
            for item in node.items:
                self.index(item)
        elif isinstance(node, ir.Slice):
            for part in (node.lower, node.upper, node.step):
                if part is not None:
                    self.index(part)
        elif not _is_counter(node):
            self.expression(node)

    def comprehension(self, node: ir.Comprehension) -> None:
        for clause in node.clauses:
            self.expression(clause.iter)
            for test in clause.conditions:
                self.expression(test)
        if node.key is not None:
            self.expression(node.key)
        self.value(node.element)


def _name_of(function: ir.Expr) -> str:
    """Return the last part of the name of a function; empty for another expression."""
    match function:
        case ir.Attribute(name=name) | ir.Name(id=name):
            return name
    return ""


def _is_counter(node: ir.Expr) -> bool:
    """Return whether an expression consists of names and numbers alone."""
    match node:
        case ir.Unary(operand=operand):
            return _is_counter(operand)
        case ir.Binary(left=left, right=right):
            return _is_counter(left) and _is_counter(right)
    return isinstance(node, (ir.Name, ir.Const))


def _names(target: ir.Expr) -> Iterator[ir.Name]:
    if isinstance(target, ir.Name):
        yield target
    elif isinstance(target, ir.Display):
        for item in target.items:
            yield from _names(item)
    elif isinstance(target, ir.Starred):
        yield from _names(target.value)
