"""Runs the programs of Markdown pages and returns their values and exceptions.

Started as a script, this file is the parent process: it imports the libraries once, computes nothing with them, and
forks one child per program, so that a library that aborts takes only its child with it.
"""

from __future__ import annotations

import ast
import builtins
import importlib.machinery
import json
import os
import re
import select
import signal
import subprocess
import sys
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

LIMIT_SECONDS = 120
_RECORD = "__record_value__"

_SHAPE = re.compile(r"(\(.*\))(?:\s+(\w+))?")
_NUMBER = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?|True|False")

FileRow = tuple[str, int]


class Request(TypedDict):
    """The description of one program, sent to the parent process."""

    folder: str
    reveals: list[FileRow]
    errors: list[FileRow]


@dataclass(frozen=True)
class Outcome:
    """The results of a program: exceptions on rows that claim one, others, values, and rows inside functions."""

    raised: list[FileRow]
    unexpected: list[tuple[str, int, str]]
    observed: list[tuple[str, int, str]]
    inside: list[FileRow]


def agrees(expected: str, real: str) -> bool:
    """Return whether a real value is the claimed one: numbers must be equal; symbols, `?` and `...` match anything."""
    if expected == "?":
        return True
    claim, value = _SHAPE.fullmatch(expected), _SHAPE.fullmatch(real)
    if not claim or not value:
        is_number = _NUMBER.fullmatch(real) is not None
        return expected == real or (expected == "()" and is_number) or not (claim or value or is_number)
    if claim[2] and value[2] and claim[2] != value[2]:
        return False
    wanted, sizes = _axes(claim[1]), _axes(value[1])
    if "..." in wanted:
        at = wanted.index("...")
        tail = len(wanted) - at - 1
        if len(sizes) < at + tail:
            return False
        wanted, sizes = wanted[:at] + wanted[at + 1 :], sizes[:at] + sizes[len(sizes) - tail :]
    return len(wanted) == len(sizes) and all(map(_fits, wanted, sizes))


def _axes(shape: str) -> list[str]:
    """Return the sizes in `(a, f(b, c), ...)`, split at commas outside of inner brackets."""
    parts, depth = [""], 0
    for sign in shape[1:-1]:
        depth += (sign in "([") - (sign in ")]")
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts if part.strip()]


def _fits(wanted: str, size: str) -> bool:
    if size == "?" or "(" in size:
        return True
    return any(not option.strip().isdecimal() or option.strip() == size for option in wanted.split("|"))


def claimed_values(tree: ast.Module) -> dict[int, ast.expr]:
    """Return, for each row, the value that a comment there refers to: what its innermost statement assigns or
    returns."""
    values: dict[int, ast.expr] = {}
    spans: dict[int, int] = {}
    for node in ast.walk(tree):
        value = _value(node)
        if not isinstance(node, ast.stmt) or value is None:
            continue
        last = node.body[0].lineno - 1 if isinstance(node, ast.For) else node.end_lineno or node.lineno
        for row in range(node.lineno, max(last, node.lineno) + 1):
            if last - node.lineno <= spans.get(row, 1 << 30):
                values[row], spans[row] = value, last - node.lineno
    return values


def _value(node: ast.AST) -> ast.expr | None:
    match node:
        case ast.Assign() | ast.AnnAssign() | ast.Return() | ast.Expr():
            return node.value
        case ast.AugAssign() | ast.For():
            return node.target
        case _:
            return None


# --- our side of the pipe --------------------------------------------------------------------------------------------


class Replayer:
    """The parent process, started with the first program."""

    def __init__(self) -> None:
        self.parent: subprocess.Popen[str] | None = None

    def run(
        self, files: dict[str, str], folder: Path, reveals: Sequence[FileRow], errors: Sequence[FileRow]
    ) -> Outcome:
        """Run main.py among its files in an empty folder."""
        if self.parent is None or self.parent.poll() is not None:
            self.parent = self._start()
        assert self.parent.stdin is not None
        assert self.parent.stdout is not None
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        request: Request = {"folder": str(folder), "reveals": list(reveals), "errors": list(errors)}
        self.parent.stdin.write(json.dumps(request) + "\n")
        self.parent.stdin.flush()
        answer = json.loads(self.parent.stdout.readline())
        return Outcome(
            [(file, row) for file, row in answer["raised"]],
            [(file, row, told) for file, row, told in answer["unexpected"]],
            [(file, row, real) for file, row, real in answer["observed"]],
            [(file, row) for file, row in answer["inside"]],
        )

    @staticmethod
    def _start() -> subprocess.Popen[str]:
        quiet = {"TF_CPP_MIN_LOG_LEVEL": "3", "TF_ENABLE_ONEDNN_OPTS": "0", "CUDA_VISIBLE_DEVICES": "-1"}
        return subprocess.Popen(
            [sys.executable, "-W", "ignore", __file__],
            env={**os.environ, **quiet},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def stop(self) -> None:
        if self.parent is not None:
            self.parent.communicate()


# --- the child -------------------------------------------------------------------------------------------------------


class _Recording(ast.NodeTransformer):
    """Wraps the claimed values of a file in calls that record them."""

    def __init__(self, file: str, tree: ast.Module, rows: set[int]) -> None:
        self.file = file
        values = claimed_values(tree)
        self.rows = {id(values[row]): row for row in rows if row in values}

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if isinstance(node, ast.AugAssign) and id(node.target) in self.rows:
            return self._after(node, node.target)
        if isinstance(node, ast.For) and id(node.target) in self.rows:
            node.body.insert(0, self._statement(node.target))
        if (
            isinstance(node, ast.expr)
            and id(node) in self.rows
            and not isinstance(getattr(node, "ctx", None), ast.Store)
        ):
            return self._call(node, self.rows[id(node)])
        return node

    def _after(self, node: ast.stmt, target: ast.expr) -> ast.AST:
        test = ast.copy_location(ast.Constant(True), node)
        return ast.copy_location(ast.If(test, [node, self._statement(target)], []), node)

    def _statement(self, target: ast.expr) -> ast.stmt:
        loaded = ast.parse(ast.unparse(target), mode="eval").body
        return ast.copy_location(ast.Expr(self._call(ast.copy_location(loaded, target), self.rows[id(target)])), target)

    def _call(self, node: ast.expr, row: int) -> ast.expr:
        arguments: list[ast.expr] = [ast.Constant(self.file), ast.Constant(row), node]
        return ast.copy_location(ast.Call(ast.Name(_RECORD, ast.Load()), arguments, []), node)


class _Program:
    """One program while it runs."""

    def __init__(self, request: Request, folder: str) -> None:
        self.folder = folder
        self.reveals = {(file, row) for file, row in request["reveals"]}
        self.errors = {(file, row) for file, row in request["errors"]}
        self.raised: set[FileRow] = set()
        self.unexpected: list[tuple[str, int, str]] = []
        self.observed: dict[tuple[str, int, str], None] = {}
        self.inside: set[FileRow] = set()
        self.heads: dict[str, list[range]] = {}

    def record(self, file: str, row: int, value: object) -> object:
        self.observed[file, row, _told(value)] = None
        return value

    def recorded(self, path: str, source: bytes | str) -> ast.Module:
        file = self.name(path)
        tree = ast.parse(source, path)
        self.heads[file] = [
            range(node.lineno, _head_end(node) + 1) for node in ast.walk(tree) if isinstance(node, ast.stmt)
        ]
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.Lambda, ast.AsyncFunctionDef)):
                self.inside |= {(file, row) for row in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
        rows = {row for name, row in self.reveals if name == file}
        _Recording(file, tree, rows).visit(tree)
        return ast.fix_missing_locations(tree)

    def run(self) -> None:
        """Run each top-level statement by itself, so that the program continues after one that is claimed to raise."""
        program = self

        class Loader(importlib.machinery.SourceFileLoader):
            def source_to_code(self, data: bytes, path: str, *rest: object) -> object:  # type: ignore[override]
                return compile(program.recorded(path, data), path, "exec")

        sys.path.insert(0, self.folder)
        sys.path_importer_cache[self.folder] = importlib.machinery.FileFinder(self.folder, (Loader, [".py"]))
        setattr(builtins, _RECORD, self.record)
        path = os.path.join(self.folder, "main.py")
        names = {"__name__": "__main__", "__file__": path}
        for statement in self.recorded(path, Path(path).read_text(encoding="utf-8")).body:
            try:
                exec(compile(ast.Module([statement], []), path, "exec"), names)
            except Exception as error:
                self.failed(statement, error)

    def failed(self, statement: ast.stmt, error: Exception) -> None:
        """Record an exception for every claimed statement on its way; TensorFlow names some of them in its text."""
        frames = [(frame.filename, frame.lineno or 0) for frame in traceback.extract_tb(error.__traceback__)]
        frames += [(self.whole(path), int(row)) for path, row in re.findall(r'File "([^"]+)", line (\d+)', str(error))]
        ours = [(self.name(path), row) for path, row in frames if path.startswith(self.folder)]
        rows = {(file, near) for file, row in ours for near in self.statement_rows(file, row)}
        self.raised |= self.errors & rows
        if not self.errors & rows:
            file, row = ours[-1] if ours else ("main.py", statement.lineno)
            self.unexpected.append((file, row, " ".join(f"{type(error).__name__}: {error}".split())[:300]))

    def whole(self, path: str) -> str:
        """Return the path of a file that a text names; XLA leaves out the start that all files of a trace share."""
        ours = [os.path.join(self.folder, file) for file in self.heads]
        return next((full for full in ours if full.endswith(f"/{path.lstrip('/')}")), path)

    def name(self, path: str) -> str:
        return os.path.relpath(path, self.folder).replace(os.sep, "/")

    def statement_rows(self, file: str, row: int) -> range:
        """Return the rows of the innermost statement, or head of a compound one, around a row."""
        around = [span for span in self.heads.get(file, []) if row in span]
        return min(around, key=len, default=range(row, row + 1))

    def answer(self) -> dict[str, object]:
        return {
            "raised": sorted(self.raised),
            "unexpected": self.unexpected,
            "observed": list(self.observed),
            "inside": sorted(self.inside),
        }


def _head_end(node: ast.stmt) -> int:
    """Return the last row of a statement, or of a compound one's head."""
    body = getattr(node, "body", None)
    return max(node.lineno, body[0].lineno - 1) if body else node.end_lineno or node.lineno


def _told(value: object) -> str:
    """Return the shape (and dtype) of a value, or its text."""
    if isinstance(value, (bool, int, float, str, bytes, type(None))):
        return repr(value)
    if isinstance(value, (list, tuple)) and any(hasattr(item, "shape") for item in value):
        items = ", ".join(map(_told, value))
        return f"[{items}]" if isinstance(value, list) else f"({items})"
    shape = getattr(value, "shape", None)
    if shape is None:
        return type(value).__name__
    if getattr(shape, "rank", 0) is None:
        return "(...)"
    sizes = ["?" if size is None else str(size) for size in shape]
    dtype = getattr(value, "dtype", None)
    return f"({', '.join(sizes)}{',' if len(sizes) == 1 else ''}) {getattr(dtype, 'name', dtype) or ''}".rstrip()


def _child(request: Request, pipe: int) -> None:
    folder = os.path.realpath(request["folder"])
    os.chdir(folder)
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    program = _Program(request, folder)
    try:
        program.run()
    except BaseException as error:
        program.unexpected.append(("main.py", 1, f"{type(error).__name__}: {error}"))
    with os.fdopen(pipe, "w") as out:
        out.write(json.dumps(program.answer()))


def _serve(line: str) -> str:
    """Run one request in a child; a child without an answer has died or was too slow."""
    request = json.loads(line)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            _child(request, writing)
        finally:
            os._exit(0)
    os.close(writing)
    answer = b""
    with os.fdopen(reading, "rb") as pipe:
        while select.select([pipe], [], [], LIMIT_SECONDS)[0]:
            piece = os.read(pipe.fileno(), 65536)
            answer += piece
            if not piece:
                break
        else:
            os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if answer:
        return answer.decode()
    told = f"the process ended without an answer (status {status})"
    return json.dumps({"raised": [], "unexpected": [["main.py", 1, told]], "observed": [], "inside": []})


def main() -> None:
    import keras  # noqa: F401
    import numpy  # noqa: F401
    import tensorflow  # noqa: F401

    for line in sys.stdin:
        print(_serve(line), flush=True)


if __name__ == "__main__":
    main()
