"""Excerpts of a program: the statements of its own text that lead to one place, as they are written.

A replay that must show what Python's control flow does in a traced function runs these, since no sequence of library
calls would. Statements after the place are left out, and those on which it does not depend.
"""

from __future__ import annotations

import ast
import re
import symtable
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from shapecheck.python_syntax import module_of
from shapecheck.runtime.replay.program import Unrenderable
from shapecheck.runtime.replay.worldly import World
from shapecheck.source import Place, Source

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)
_SIMPLE = (ast.Assign, ast.AugAssign, ast.Delete, ast.Expr)


Edit: TypeAlias = tuple[int, int, int, str]  # start, order, end, and the text instead
Sample = Callable[[int, int], str]


@dataclass(frozen=True, slots=True)
class Unit:
    """A statement of a module, which is kept or left out as a whole: the names that it binds, those that it or the
    functions in it read, and those of objects that they change."""

    node: ast.stmt
    rows: range
    bound: frozenset[str]
    used: frozenset[str]
    changed: frozenset[str]
    header: int | None = None  # the row of the `if` around it

    @property
    def is_definition(self) -> bool:
        return isinstance(self.node, (*_DEFINITIONS, *_IMPORTS))


@dataclass
class Excerpt:
    """The statements that lead to a place, and what is added to observe them.

    `is_partial` says that something was left out which might matter. `call` traces a function that the program does
    not call.
    """

    source: Source
    module: ast.Module
    root: Unit
    units: Sequence[Unit]
    is_partial: bool = False
    call: str = ""
    _edits: list[Edit] = field(default_factory=list)
    _added: dict[int, list[str]] = field(default_factory=dict)

    def wrap(self, start: int, end: int, opening: str) -> None:
        """Give the value of an expression to a function that returns it; `opening` is the call before this argument."""
        self._edits += [(start, 1, start, opening), (end, 0, end, ")")]

    def insert(self, row: int, statement: str) -> None:
        """Add a statement above the one that begins in a row."""
        line = self.source.line(row)
        self._added.setdefault(row, []).append(line[: len(line) - len(line.lstrip())] + statement)

    def rows(self) -> list[int]:
        """Return the rows of the source that are kept."""
        kept = {row for unit in self.units for row in unit.rows}
        kept |= {unit.header for unit in self.units if unit.header is not None}
        return sorted(kept | {row for unit in self.units for row in self._blank_above(unit)})

    def _blank_above(self, unit: Unit) -> Iterator[int]:
        row = (unit.rows[0] if unit.header is None else unit.header) - 1
        while row and not self.source.line(row).strip():
            yield row
            row -= 1

    def line_of(self, row: int) -> int:
        """Return the line of the excerpt, from 1, that has a row of the source."""
        earlier = [each for each in self.rows() if each <= row]
        return len(earlier) + sum(len(self._added.get(each, ())) for each in earlier)

    def lines(self) -> list[str]:
        """Return the lines of the excerpt; raises Unrenderable if they are no program."""
        text = self.source.text
        for start, _, end, instead in sorted(self._edits, reverse=True):
            text = text[:start] + instead + text[end:]
        changed = [line.rstrip() if line.strip() in ("", "...") else line for line in text.split("\n")]
        lines = [line for row in self.rows() for line in (*self._added.get(row, ()), changed[row - 1])]
        lines += ["", "", self.call] if self.call else []
        if module_of("\n".join(lines)) is None:
            raise Unrenderable("its statements cannot be taken out of the program")
        return lines


def extent(source: Source, node: ast.stmt | ast.expr) -> tuple[int, int]:
    """Return the offsets of the start and end of a part of the syntax tree, whose columns count the bytes of UTF-8."""
    first = _offset(source, node.lineno, node.col_offset)
    return first, _offset(source, node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)


def _offset(source: Source, row: int, column: int) -> int:
    line = source.line(row)
    return source.line_starts[row - 1] + len(line.encode()[:column].decode(errors="ignore"))


def excerpt(place: Place, sample: Sample, fault: Place | None = None) -> Excerpt:
    """Return the statements that lead to a place, itself last; raises Unrenderable.

    `fault` is the place of the fault, if it is in a function that the statement calls. `sample` gives the code for
    what an expression would read from outside, such as an array of the same shape; empty if it is not known.
    """
    needed = [place.start] if fault is None else [place.start, fault.start]
    cleaned, edits, dropped = _without_effects(place.source, sample, needed)
    module = module_of(cleaned.text)
    if module is None:
        raise Unrenderable("the program is not of this Python")
    units = list(_units(module))
    row = cleaned.position(place.start)[0]
    root = next((unit for unit in units if row in unit.rows), None)
    if root is None:
        raise Unrenderable("is not in a statement of the program")
    kept = _leading_to(root, units)
    made = Excerpt(cleaned, module, root, kept, _edits=edits)
    made.call = _trace(root.node, row) if isinstance(root.node, _DEFINITIONS) else ""
    made.is_partial = any(row in unit.rows for unit in kept for row in dropped)
    _check(made)
    return made


def functions_around(made: Excerpt, row: int) -> Iterator[ast.FunctionDef]:
    """Yield the functions whose code includes a row, from the outermost."""
    for node in ast.walk(made.module):
        if isinstance(node, ast.FunctionDef) and node.lineno <= row <= (node.end_lineno or node.lineno):
            yield node


def _trace(node: ast.stmt, row: int) -> str:
    """Return a call that traces the function which is defined in a row, if its own code says with what."""
    owner = ""
    if isinstance(node, ast.ClassDef):
        owner = f"{node.name}()."
        node = next((inner for inner in node.body if inner.lineno <= row <= (inner.end_lineno or row)), node)
    if not isinstance(node, ast.FunctionDef) or not any(map(_is_traced, node.decorator_list)):
        raise Unrenderable("is in a function that the program does not call")
    if node.args.args and not any("input_signature" in ast.unparse(decorator) for decorator in node.decorator_list):
        raise Unrenderable("is in a function that the program does not call")
    return f"{owner}{node.name}.get_concrete_function()"


def _is_traced(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(called, ast.Attribute | ast.Name) and ast.unparse(called).rpartition(".")[2] == "function"


def _check(made: Excerpt) -> None:
    world = World(made.module)
    for unit in made.units:
        name = world.reached(unit.node)
        if name:
            raise Unrenderable(f"depends on {name}, which a replay does not run")


# --- units -----------------------------------------------------------------------------------------------------------


def _units(module: ast.Module) -> Iterator[Unit]:
    """Yield the statements of a module; those under `if __name__ == "__main__"` are its own."""
    for node in module.body:
        if _is_main_guard(node):
            assert isinstance(node, ast.If)
            yield from (_unit(inner, node.lineno) for inner in node.body)
        else:
            yield _unit(node)


def _is_main_guard(node: ast.stmt) -> bool:
    match node:
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__")), orelse=[]):
            return node.body[0].lineno > node.test.lineno
    return False


def _unit(node: ast.stmt, header: int | None = None) -> Unit:
    decorators = node.decorator_list if isinstance(node, _DEFINITIONS) else []
    first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
    rows = range(first, (node.end_lineno or first) + 1)
    bound, used = _names(ast.unparse(node))
    used |= {
        part.target.id
        for part in ast.walk(node)
        if isinstance(part, ast.AugAssign) and isinstance(part.target, ast.Name)
    }
    return Unit(node, rows, bound, used, used & _changed(node), header)


def _changed(node: ast.stmt) -> frozenset[str]:
    """Return the names of objects of which a statement, or a function in it, stores parts or calls methods, also as
    decorators."""
    decorators = node.decorator_list if isinstance(node, _DEFINITIONS) else []
    found = {_owner(each) for each in decorators if isinstance(each, ast.Attribute)}
    for part in ast.walk(node):
        match part:
            case ast.Attribute(ctx=ast.Store()) | ast.Subscript(ctx=ast.Store()):
                found.add(_owner(part))
            case ast.Call(func=ast.Attribute() as method):
                found.add(_owner(method))
    return frozenset(found)


def _owner(node: ast.expr) -> str:
    """Return the name that items and attributes are taken of; empty if there is none."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _names(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names of a module that a statement binds, and those that it reads, also when its functions are
    called."""
    try:
        top = symtable.symtable(text, "excerpt", "exec")
    except (SyntaxError, ValueError, RecursionError):
        raise Unrenderable("its statements cannot be taken out of the program") from None
    bound = {symbol.get_name() for symbol in top.get_symbols() if symbol.is_assigned() or symbol.is_imported()}
    used = {symbol.get_name() for symbol in top.get_symbols() if symbol.is_referenced()}
    for table in _tables(top):
        for symbol in table.get_symbols():
            if symbol.is_global():
                used.add(symbol.get_name())
                if symbol.is_assigned():
                    bound.add(symbol.get_name())
    return frozenset(bound), frozenset(used)


def _tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    for child in table.get_children():
        yield child
        yield from _tables(child)


def _leading_to(root: Unit, units: Sequence[Unit]) -> list[Unit]:
    """Return the units that one depends on, itself last."""
    earlier = list(units[: units.index(root)])
    modules = _bound(unit for unit in units if isinstance(unit.node, _IMPORTS))
    objects = _bound(units) - modules
    kept, needed = [root], root.used
    while True:
        found = [unit for unit in earlier if unit not in kept and _matters(unit, needed, objects, modules)]
        if not found:
            return [unit for unit in units if unit in kept]
        kept += found
        needed = needed.union(*(unit.used | unit.bound for unit in found))


def _bound(units: Iterable[Unit]) -> frozenset[str]:
    return frozenset[str]().union(*(unit.bound for unit in units))


def _matters(unit: Unit, needed: frozenset[str], objects: frozenset[str], modules: frozenset[str]) -> bool:
    """Return whether a statement binds a needed name, may change an object that has one, or changes a setting of a
    library."""
    if unit.bound & needed:
        return True
    if (unit.changed if unit.is_definition else unit.used) & needed & objects:
        return True
    return isinstance(unit.node, ast.Expr) and bool(unit.used & modules) and not unit.used & objects


# --- effects ---------------------------------------------------------------------------------------------------------


def _without_effects(source: Source, sample: Sample, needed: Sequence[int]) -> tuple[Source, list[Edit], set[int]]:
    """Return a program that does not reach outside, as far as possible: without the statements that do nothing else,
    and with samples of what others read. Also return the edits for the samples, and the rows of both.

    Statements at the needed offsets stay. What is left out becomes `...`, so that everything else keeps its place.
    """
    module = module_of(source.code)
    if module is None:
        raise Unrenderable("the program is not of this Python")
    world = World(module)
    text, edits, rows = source.code, list[Edit](), set[int]()
    for node in ast.walk(module):
        if not isinstance(node, _SIMPLE) or not world.reached(node):
            continue
        parts = dict(_sampled(source, node, world, sample)) if _binds(node) else {extent(source, node): ""}
        for (start, end), code in parts.items():
            if any(start <= at < end for at in needed):
                continue
            text = text[:start] + "..." + re.sub(r"[^\n]", " ", text[start + 3 : end]) + text[end:]
            edits += [(start, 2, end, code)] if code else []
            rows |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return Source(source.filename, text), edits, rows


def _sampled(source: Source, node: ast.AST, world: World, sample: Sample) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield the extents of the largest expressions in a piece of code that reach outside, each with its sample."""
    for child in ast.iter_child_nodes(node):
        if world.reached(child):
            code = sample(*extent(source, child)) if isinstance(child, ast.expr) else ""
            if isinstance(child, ast.expr) and code:
                yield extent(source, child), code
            else:
                yield from _sampled(source, child, world, sample)


def _binds(node: ast.stmt) -> bool:
    """Return whether a statement gives a value to a name."""
    match node:
        case ast.Assign(targets=targets):
            stored = targets
        case ast.AugAssign(target=target):
            stored = [target]
        case _:
            stored = []
    names = (part for target in stored for part in ast.walk(target) if isinstance(part, ast.Name))
    return any(isinstance(name.ctx, ast.Store) for name in names)
