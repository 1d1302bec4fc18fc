"""`shapecheck.here()`: the shapes of the variables at a place in a running program, and what fails after it."""

from __future__ import annotations

import ast
import linecache
import os
import sys
from collections.abc import Iterator, Sequence
from types import FrameType

from shapecheck.live.checking import check_cell
from shapecheck.live.describe import table

_DEBUGGERS = ("bdb", "pdb", "cmd", "code", "codeop", "IPython", "ipdb", "debugpy", "_pydevd_bundle", "shapecheck")


def here() -> None:
    """Print the shapes of the variables of the caller, and what certainly fails in the rest of its function.

    In a debugger, such as after `breakpoint()`, the caller is the function that it has stopped in.
    """
    caller = sys._getframe(1)
    frame = _stopped_in(caller)
    variables = {**frame.f_globals, **frame.f_locals, **(caller.f_locals if caller is not frame else {})}
    print(table(dict(frame.f_locals)))
    text = "".join(linecache.getlines(frame.f_code.co_filename, frame.f_globals))
    rest = _rest(text, frame.f_lineno, is_stopped=caller is not frame)
    if rest:
        told = check_cell(rest, ["", text], variables, _short(frame.f_code.co_filename), is_file=True)
        print(told.text() or "nothing fails in the rest of the block, as far as it is known")


def _short(filename: str) -> str:
    """Return the name of a file as it is told: below the working directory without that."""
    return os.path.relpath(filename) if filename.startswith(os.path.join(os.getcwd(), "")) else filename


def _stopped_in(frame: FrameType) -> FrameType:
    """Return the frame of the program that a debugger has stopped in."""
    found: FrameType | None = frame
    while found is not None:
        module = str(found.f_globals.get("__name__", "")).split(".")[0]
        if module not in _DEBUGGERS and not found.f_code.co_filename.startswith("<"):
            return found
        found = found.f_back
    return frame


def _rest(text: str, row: int, *, is_stopped: bool) -> str:
    """Return the statements of the block that follow a row, at their rows; with the row where a debugger stopped."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return ""
    block: Sequence[ast.stmt] = ()
    for body in _blocks(tree):
        if body[0].lineno <= row <= (body[-1].end_lineno or 0):
            block = body
    later = [node for node in block if node.lineno >= row if is_stopped or node.lineno > row]
    if not later:
        return ""
    lines = text.split("\n")[: later[-1].end_lineno]
    first = later[0].lineno
    kept = [line if at >= first else "" for at, line in enumerate(lines, 1)]
    if later[0].col_offset:
        kept[first - 2] = "if True:"  # opens the block, at the row before it
    return "\n".join(kept)


def _blocks(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    """Yield the blocks of a program, outer ones first."""
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, None)
            if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
                yield body
