"""Programs with hidden values: expressions are replaced by values of which nothing is known.

A program that runs is an instance of the program in which some of its values are hidden. So whatever is certain of the
latter must hold for the former, and no error may appear. Effects remain: a hidden call is given what it was called on.
Context managers, tests and settings are not hidden: a manager that is not known is taken to pass exceptions on, both
arms of a test to be possible, and an unknown function to leave the settings of libraries alone.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from shapecheck import ir
from shapecheck.frontend.lower import lower
from shapecheck.ir.walk import nodes_in
from shapecheck.source import Source

MODULE: Final = "hidden_values"
"""The name of a module that does not exist."""

_WITH_EFFECTS = (ir.Call, ir.Await, ir.Yield, ir.Walrus, ir.Comprehension, ir.Opaque, ir.Starred)
_SIMPLE = (ir.Assign, ir.Annotated, ir.Augmented, ir.Evaluate, ir.Import, ir.ImportFrom, ir.Return, ir.Raise)
_IMPORT = re.compile(r"import +([\w.]+)(?: +as +(\w+))?")
_SETTING = re.compile(r"\bconfig\b|\b(?:set|enable|disable)_\w+$")
_FROM = re.compile(r"from +[\w.]+ +import\b")


@dataclass(frozen=True, slots=True)
class Hidden:
    """A program with hidden values, each with its row and former code."""

    text: str
    changes: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class _Edit:
    start: int
    end: int
    new: str  # with {} for the hidden value


def hidden(source: Source, most: int, at_once: int = 1) -> Iterator[Hidden]:
    """Yield at most `most` programs, the same ones each time, in which up to so many values are hidden at once."""
    module = lower(source)
    edits = list(dict.fromkeys(_edits(source, module)))
    entry = next(
        (node.start for node in module.body if isinstance(node, _SIMPLE) and not _is_first(source, node)), None
    )
    if entry is None:
        return
    draw = random.Random(source.text)
    draw.shuffle(edits)
    for first in range(0, min(len(edits), most * at_once), at_once):
        yield _apply(source, _apart(edits[first : first + at_once]), entry)


def _is_first(source: Source, node: ir.Node) -> bool:
    """Return whether a statement must stay before all others."""
    text = source.text[node.start : node.end]
    return text.startswith("from __future__") or (isinstance(node, ir.Evaluate) and isinstance(node.value, ir.Const))


def _apart(edits: list[_Edit]) -> list[_Edit]:
    """Return edits in order, without those inside of others."""
    kept: list[_Edit] = []
    for edit in sorted(edits, key=lambda edit: (edit.start, -edit.end)):
        if not kept or edit.start >= kept[-1].end:
            kept.append(edit)
    return kept


def _apply(source: Source, edits: list[_Edit], entry: int) -> Hidden:
    """Return the program after some edits, with its statements on the same rows."""
    pieces, at = [], 0
    for number, edit in enumerate([_Edit(entry, entry, f"import {MODULE}; "), *edits] if edits else []):
        old = source.text[edit.start : edit.end]
        new = edit.new.replace("{}", f"{MODULE}.value_{number}")
        lines = old.count("\n") - new.count("\n")
        pieces += [(edit.start, edit.end, f"({new}{chr(10) * lines})" if lines else new)]
    text = ""
    for start, end, new in sorted(pieces):
        text += source.text[at:start] + new
        at = end
    changes = tuple((source.position(e.start)[0], " ".join(source.text[e.start : e.end].split())) for e in edits)
    return Hidden(text + source.text[at:], changes)


def _edits(source: Source, module: ir.Module) -> Iterator[_Edit]:
    others = {id(part) for node in nodes_in(module.body) for part in nodes_in(_others(node))}
    for node in nodes_in(module.body):
        if id(node) in others:
            continue
        for value in _values(node):
            if value.end > value.start and not any(isinstance(part, _WITH_EFFECTS) for part in nodes_in(value)):
                yield _Edit(value.start, value.end, "{}")
        if isinstance(node, ir.Call):
            yield from _call(source, node)
        elif isinstance(node, ir.FunctionDef):
            yield from _parameters(node)
        elif isinstance(node, (ir.Import, ir.ImportFrom)):
            yield from _import(source, node)


def _others(node: ir.Node) -> tuple[object, ...]:
    """Return the parts of a node that are targets, annotations, tests, or managers of contexts."""
    match node:
        case ir.Assign(targets=targets):
            return targets
        case ir.Augmented(target=target) | ir.For(target=target) | ir.Clause(target=target):
            return (target,)
        case ir.Annotated(target=target, annotation=annotation):
            return (target, annotation)
        case ir.Param(annotation=annotation):
            return (annotation,)
        case ir.FunctionDef(returns=returns):
            return (returns,)
        case ir.With(items=items):
            return items
        case ir.If(test=test) | ir.While(test=test) | ir.Conditional(test=test):
            return (test,)
    return ()


def _values(node: ir.Node) -> tuple[ir.Node, ...]:
    """Return the parts of a node that are values, which are read."""
    match node:
        case ir.Assign(value=value) | ir.Augmented(value=value) | ir.Return(value=ir.Node() as value):
            return (value,)
        case ir.Call(args=args):
            return tuple(arg.value for arg in args if not isinstance(arg.value, ir.Starred))
        case ir.Binary(left=left, right=right):
            return (left, right)
        case ir.Display(items=items):
            return tuple(item for item in items if not isinstance(item, ir.Starred))
    return ()


def _call(source: Source, node: ir.Call) -> Iterator[_Edit]:
    """Yield a call of an unknown function, which is given what is called, or the object whose method it is."""
    owner = node.func.value if isinstance(node.func, ir.Attribute) else node.func
    if not all(isinstance(part, (ir.Name, ir.Attribute)) for part in nodes_in(owner)):
        return
    text = source.text[owner.start : owner.end]
    opening = source.text.find("(", node.func.end, node.end)
    if _SETTING.search(source.text[node.func.start : node.func.end]):
        return
    if text in ("super", "locals", "globals") or opening < 0 or "\n" in source.text[node.start : opening]:
        return
    if len(node.args) == 1 and isinstance(node.args[0].value, ir.Comprehension):
        return  # which may have no brackets of its own
    yield _Edit(node.start, opening + 1, f"{{}}({text}{', ' if node.args else ''}")


def _parameters(node: ir.FunctionDef) -> Iterator[_Edit]:
    first = node.body[0] if node.body else None
    if isinstance(first, _SIMPLE) and not (isinstance(first, ir.Evaluate) and isinstance(first.value, ir.Const)):
        for param in node.params:
            if param.name not in ("self", "cls"):
                yield _Edit(first.start, first.start, f"{param.name} = {{}}; ")


def _import(source: Source, node: ir.Import | ir.ImportFrom) -> Iterator[_Edit]:
    text = source.text[node.start : node.end]
    whole, some = _IMPORT.fullmatch(text), _FROM.match(text)
    if whole and (whole[2] or "." not in whole[1]):
        yield _Edit(node.start, node.end, f"import {MODULE}.{whole[1]} as {whole[2] or whole[1]}")
    elif some and "__future__" not in some[0]:
        yield _Edit(node.start, node.start + some.end(), f"from {MODULE} import")
