"""Repairs that move statements: into the block of a tape, or out of a function."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from shapecheck.findings import Edit
from shapecheck.repairs.situation import Candidate, Situation


def loss_taped(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which what a tape differentiates is computed before it stops."""
    match s.node:
        case ast.Call(func=ast.Attribute(attr="gradient", value=ast.Name(id=tape)), args=[ast.Name(id=target), *_]):
            for block in _blocks(s):
                for at, statement in enumerate(block):
                    if isinstance(statement, ast.With) and _is_tape(statement, tape):
                        yield from _indented(s, statement, _until(block[at + 1 :], target))


def _blocks(s: Situation) -> Iterator[list[ast.stmt]]:
    for node in s.text.nodes:
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                yield block


def _is_tape(statement: ast.With, name: str) -> bool:
    names = (item.optional_vars for item in statement.items)
    return any(isinstance(each, ast.Name) and each.id == name for each in names)


def _until(statements: list[ast.stmt], target: str) -> list[ast.stmt]:
    """Return the statements up to the one that binds a name."""
    for count, statement in enumerate(statements, 1):
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)]) if name == target:
                return statements[:count]
    return []


def _indented(s: Situation, block: ast.With, statements: list[ast.stmt]) -> Iterator[Candidate]:
    """Yield a program in which statements after a block are the last ones of the block."""
    inside = s.text.indentation(s.text.span(block.body[0])[0])
    outside = s.text.indentation(s.text.span(block)[0])
    if inside is None or outside is None or not statements:
        return
    first, last = statements[0].lineno, max(each.end_lineno or each.lineno for each in statements)
    starts = [s.text.source.line_starts[row - 1] for row in range(first, last + 1) if s.text.source.line(row).strip()]
    yield Candidate(0, tuple(s.text.inserted(at, inside.removeprefix(outside)) for at in starts))


def made_once(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a traced function uses an object that is made before it: by the module, or by the
    constructor."""
    for node in s.text.nodes:
        for function in _functions(node):
            for statement in function.body:
                match statement:
                    case ast.Assign(targets=[ast.Name() as name], value=value) if (
                        value is s.node and len(function.body) > 1 and _is_free(function, value)
                    ):
                        if isinstance(node, ast.ClassDef):
                            yield from _moved_to_constructor(s, node, name, value)
                        else:
                            yield from _moved_before(s, function, statement)


def _functions(node: ast.AST) -> Iterator[ast.FunctionDef]:
    """Yield the functions of a module or class, which no other function is around."""
    body = node.body if isinstance(node, (ast.Module, ast.ClassDef)) else []
    yield from (each for each in body if isinstance(each, ast.FunctionDef))


def _is_free(function: ast.FunctionDef, value: ast.expr) -> bool:
    """Return whether an expression uses nothing of the function that it is in."""
    own = {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}
    own |= {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return not own & {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}


def _moved_to_constructor(s: Situation, cls: ast.ClassDef, name: ast.Name, value: ast.expr) -> Iterator[Candidate]:
    """Yield a program in which an object is an attribute, which the constructor sets last."""
    for function in _functions(cls):
        if function.name == "__init__":
            end = s.text.span(function.body[-1])[1]
            indent = s.text.indentation(s.text.span(function.body[-1])[0])
            attribute = f"{function.args.args[0].arg}.{name.id}" if function.args.args else ""
            if indent is not None and attribute:
                made = s.text.inserted(end, f"\n{indent}{attribute} = {s.text.text(value)}")
                yield Candidate(0, (made, s.text.replaced(value, attribute)))


def _moved_before(s: Situation, function: ast.FunctionDef, statement: ast.Assign) -> Iterator[Candidate]:
    """Yield a program in which a statement that uses nothing of a function stands before it."""
    start, end = s.text.span(statement)
    after = s.text.source.code.find("\n", end)
    if after < 0 or s.text.indentation(start) is None or s.text.source.code[end:after].strip():
        return
    head = min([function.lineno, *(each.lineno for each in function.decorator_list)])
    line = s.text.source.code.rfind("\n", 0, start) + 1
    before = s.text.source.line_starts[head - 1]
    text = s.text.source.code[start:end]
    yield Candidate(0, (s.text.inserted(before, f"{text}\n\n\n"), Edit(s.text.place(line, after + 1), "")))
