"""Colours, and text that is safe to print. It knows nothing of findings."""

from __future__ import annotations

import re
import unicodedata

from shapecheck.findings import Severity

_CODES = {"bold": "1", "red": "1;31", "yellow": "1;33", "blue": "1;34", "magenta": "1;35", "cyan": "36", "green": "32"}

_ESCAPE = re.compile(r"\x1b\[[\d;]*m")
_LEAST_ROOM = 20

SEVERITY_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.PERF: "magenta", Severity.INFO: "blue"}


def paint(text: str, colour: str, wanted: bool) -> str:
    return f"\x1b[{_CODES[colour]}m{text}\x1b[0m" if wanted and text else text


def printable(text: str) -> str:
    """Return the text on one line with a visible sign for each control character, so a program cannot drive the
    terminal."""
    return "".join(_visible(character) for character in text)


def _visible(character: str) -> str:
    if character == "\t":
        return "    "
    if unicodedata.category(character) in {"Cc", "Cf", "Cs"}:
        return chr(0x2400 + ord(character)) if ord(character) < 0x20 else "\N{REPLACEMENT CHARACTER}"
    return character


def wrapped(text: str, columns: int, indent: int) -> str:
    """Return a line, which may have colours, broken between words so that it fits into these columns, with the later
    lines indented; unchanged if columns is 0. A word that is too long is left whole."""
    room = columns - indent
    if not columns or room < _LEAST_ROOM:
        return text
    first, *words = text.lstrip(" ").split(" ")
    lines = [" " * (len(text) - len(text.lstrip(" "))) + first]
    used = width(_ESCAPE.sub("", lines[0]))
    for word in words:
        long = width(_ESCAPE.sub("", word))
        if used + 1 + long > (columns if len(lines) == 1 else room):
            lines.append(word)
            used = long
        else:
            lines[-1] += " " + word
            used += 1 + long
    return ("\n" + " " * indent).join(lines)


def width(text: str) -> int:
    """Return the number of terminal columns of a printable text."""
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
