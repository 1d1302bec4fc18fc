"""The program that a cell is part of: what it needs of earlier cells, the live values, and the cell itself.

Of the earlier cells, only the imports and the definitions that the cell leads to are read; all else has happened
already, and its outcome is in the variables.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from shapecheck.frontend.magics import python_of
from shapecheck.live.snapshot import Snapshot
from shapecheck.source import Cell, Source

VALUES = -1
"""The number of the cell that holds the values."""
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)


@dataclass(frozen=True, slots=True)
class Part:
    """A statement of a cell that is read again: its names, its rows, and the names that it reads. A name of None stands
    for all names of a module."""

    names: tuple[str | None, ...]
    first: int
    last: int
    reads: frozenset[str]


@lru_cache(maxsize=512)
def parts(cell: str) -> tuple[Part, ...]:
    """Return the imports and definitions of a cell, also those in blocks that run once."""
    code = python_of(cell)
    try:
        tree = ast.parse(code) if code is not None else ast.Module([], [])
    except (SyntaxError, ValueError, RecursionError):
        return ()
    return tuple(_parts(tree.body))


def _parts(body: Iterable[ast.stmt]) -> Iterator[Part]:
    for node in body:
        if isinstance(node, _DEFINITIONS):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            yield Part((node.name,), first, node.end_lineno or first, _names(node))
        elif isinstance(node, _IMPORTS):
            names = tuple(_bound(alias) for alias in node.names)
            yield Part(names, node.lineno, node.end_lineno or node.lineno, frozenset())
        elif (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Lambda)
            and isinstance(node.targets[0], ast.Name)
        ):
            yield Part((node.targets[0].id,), node.lineno, node.end_lineno or node.lineno, _names(node))


def _bound(alias: ast.alias) -> str | None:
    return None if alias.name == "*" else alias.asname or alias.name.split(".")[0]


def _names(node: ast.AST) -> frozenset[str]:
    return frozenset(inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name))


@lru_cache(maxsize=64)
def names_read(cell: str) -> frozenset[str] | None:
    """Return the names in a cell; None if it is no Python."""
    code = python_of(cell)
    if code is None:
        return None
    try:
        return _names(ast.parse(code))
    except (SyntaxError, ValueError, RecursionError):
        return None


def program(
    cell: str, history: Sequence[str], variables: Mapping[str, object], name: str = "In", *, is_file: bool = False
) -> Source | None:
    """Return the program of a cell that is about to run after others; None if it is no Python, or reads nothing. The
    cells of one that `is_file` are parts of a file, at their rows, and have no numbers."""
    wanted = names_read(cell)
    if not wanted:
        return None
    kept, functions = _definitions(history, variables, wanted)
    snapshot = Snapshot(functions={id(variables[each]): each for each in functions if each in variables})
    reached = wanted.union(*(part.reads for found in kept.values() for part in found))
    defined = {each for found in kept.values() for part in found for each in part.names}
    for each in sorted(reached & variables.keys() - defined):
        if not hasattr(builtins, each):
            snapshot.bind(each, variables[each])
    texts = {number: history[number] for number in sorted(kept) if kept[number]}
    masked = [_masked(text, kept[number]) for number, text in texts.items()]
    numbers = [0] * (len(texts) + 1) if is_file else [*texts, len(history)]
    return _joined([*texts.values(), cell], [*masked, python_of(cell) or ""], numbers, snapshot.text(), name)


def _definitions(
    history: Sequence[str], variables: Mapping[str, object], wanted: frozenset[str]
) -> tuple[dict[int, list[Part]], set[str]]:
    """Return the parts of earlier cells that are needed, by the number of the cell from 0, and the functions and
    classes that they define. The last definition of a name counts, if the name still stands for one."""
    latest: dict[str, tuple[int, Part]] = {}
    imports: list[tuple[int, Part]] = []
    for number, text in enumerate(history):
        for part in parts(text):
            if not part.reads and not _is_definition(part):
                imports.append((number, part))
            latest.update((each, (number, part)) for each in part.names if each is not None)
    kept: dict[int, list[Part]] = {}
    todo, seen, functions = [*sorted(wanted), *_classes(variables, wanted)], set[str](), set[str]()
    for each in todo:
        if each in seen or each not in latest or not _is_definable(variables.get(each)):
            continue
        seen.add(each)
        number, part = latest[each]
        functions.add(each)
        kept.setdefault(number, [])
        if part not in kept[number]:
            kept[number].append(part)
            todo += sorted(part.reads)
    for number, part in imports:
        if part not in kept.setdefault(number, []) and (
            None in part.names or _is_current(part, number, latest, variables)
        ):
            kept[number].append(part)
    return kept, functions


def _is_definition(part: Part) -> bool:
    return len(part.names) == 1 and bool(part.reads)


def _classes(variables: Mapping[str, object], wanted: Iterable[str]) -> list[str]:
    """Return the names of the classes of the objects that are needed."""
    return [type(variables[each]).__name__ for each in wanted if each in variables]


def _is_definable(value: object) -> bool:
    """Return whether an object is what a definition or an import makes."""
    return value is not None and (callable(value) or type(value).__name__ == "module")


def _is_current(
    part: Part, number: int, latest: Mapping[str, tuple[int, Part]], variables: Mapping[str, object]
) -> bool:
    """Return whether an import is the last that bound its names, and they still stand for what it imported."""
    return all(
        each is None or (latest[each] == (number, part) and each in variables and _is_definable(variables[each]))
        for each in part.names
    )


def _joined(texts: list[str], masked: list[str], numbers: list[int], values: str, name: str) -> Source:
    """Return one source: the cells, of which what is not needed is masked, with the values before the last one."""
    texts = [text.rstrip("\n") for text in (*texts[:-1], values, texts[-1])]
    masked, numbers = [*masked[:-1], values, masked[-1]], [*numbers[:-1], VALUES, numbers[-1]]
    masked = [code[: len(text)].ljust(len(text)) for code, text in zip(masked, texts, strict=True)]
    cells, row = [], 1
    for number, text in zip(numbers, texts, strict=True):
        cells.append(Cell(number, row, row + text.count("\n")))
        row += text.count("\n") + 1
    begin = sum(len(text) + 1 for text in texts[:-1])
    joined = ["".join(text + "\n" for text in each) for each in (texts, masked)]
    return Source(name, joined[0], tuple(cells), joined[1], begin=begin)


def _masked(text: str, found: Sequence[Part]) -> str:
    """Return the text of a cell with all rows blanked out but those of its parts."""
    code = python_of(text) or ""
    rows = {row for part in found for row in range(part.first, part.last + 1)}
    lines = code.split("\n")
    return "\n".join(line if row in rows else " " * len(line) for row, line in enumerate(lines, 1))
