"""IPython's own syntax: magics, shell commands and help requests, blanked out in place.

It knows IPython's line syntax, and nothing of notebooks. The remaining text has the same length and the same rows.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from typing import Final

from shapecheck.frontend.quotes import statement_end
from shapecheck.frontend.transcripts import without_prompts

_BODY_RUNS: Final = frozenset("capture debug lprun memit mprun prun shapecheck snakeviz time timeit".split())
"""Magics whose cell, or rest of the line, is Python that runs in the notebook's own namespace."""

_AUTOMATIC: Final = (
    "cat|cd|clear|conda|cp|ll|load_ext|ls|man|matplotlib|mkdir|more|mv|pip3?|prun|pwd|pylab|rm|rmdir|run|time|timeit|uv"
    "|whos?"
)
"""Magics that work without their `%`, unless the line is Python."""

_CELL_MAGIC: Final = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*%%(?P<name>[\w.]+)[^\n]*")  # below comments: as in Colab
_COMMAND: Final = re.compile(
    rf"[%!?]|(?:{_AUTOMATIC})(?![ \t]+(?:and|if|in|is|not|or)\b)"
    r"(?=[ \t]+[^\s=(\[.,:+*/%&|^<>-]|[ \t]+-\w|[ \t]+[.~/]|[ \t]*$)",
    re.MULTILINE,
)
_QUESTION: Final = re.compile(r"[\w.*]+\?{1,2}[ \t]*(?:#[^\n]*)?$", re.MULTILINE)
_ASSIGNED: Final = re.compile(r"[\w.,* \t]+(?:\[[^\]\n]*\][\w.,* \t]*)*=[ \t]*(?P<command>[%!][^\n]*)")
_TIMED: Final = re.compile(r"%?(?P<name>\w+)(?:[ \t]+-{1,2}\w+(?:[ \t]+\d+)?)*[ \t]+(?P<code>[^\s-][^\n]*)")
_LINE: Final = re.compile(r"(?:[^\n]*\\\n)*[^\n]*")


def python_of(cell: str) -> str | None:
    """Return the text of a cell with everything but its Python blanked out; None for a cell in another language."""
    cell = without_prompts(cell)
    magic = _CELL_MAGIC.match(cell)
    if magic is not None:
        if magic["name"] not in _BODY_RUNS:
            return None
        cell = _blank(cell[: magic.end()]) + cell[magic.end() :]
    pieces, at = [], 0
    for start, end, instead in _commands(cell):
        pieces += [cell[at:start], instead, _blank(cell[start + len(instead) : end])]
        at = end
    return "".join([*pieces, cell[at:]])


def _commands(text: str) -> Iterator[tuple[int, int, str]]:
    """Return the ranges of commands, and the Python that replaces their beginnings."""
    at = 0
    while at < len(text):
        at += len(text[at:]) - len(text[at:].lstrip(" \t\f\n"))
        if _COMMAND.match(text, at) or _QUESTION.match(text, at):
            line = _LINE.match(text, at)
            assert line is not None
            at, code = line.end(), _timed_code(line)
            yield (line.start(), code, "0;") if code is not None else (line.start(), at, "0")
        elif (assigned := _ASSIGNED.match(text, at)) is not None:
            start = assigned.start("command")
            line = _LINE.match(text, start)
            assert line is not None
            at = line.end()
            code = _timed_code(line) if line[0].startswith("%time ") else None
            yield (start, code, "") if code is not None else (start, at, "_" * len(line[0].split("\n")[0]))
        else:
            at = statement_end(text, at)


def _timed_code(line: re.Match[str]) -> int | None:
    """Return the offset of the statement that a magic such as `%time` runs."""
    timed = _TIMED.match(line[0])
    if timed is None or timed["name"] not in _BODY_RUNS or timed.start("code") < len("0;"):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the user's strings
            body = ast.parse(timed["code"]).body
    except (SyntaxError, ValueError):
        return None
    is_simple = not any(hasattr(statement, "body") for statement in body)
    return line.start() + timed.start("code") if is_simple else None


def _blank(text: str) -> str:
    return "\n".join(" " * len(line) for line in text.split("\n"))
