"""The lines of source around a place, with carets under it. It knows places, not findings."""

from __future__ import annotations

from shapecheck.report.style import paint, printable, width
from shapecheck.source import Place

_MOST_ROWS = 4
_MOST_COLUMNS = 140
_BEFORE = 40


def frame(place: Place, colour: bool, caret: str, columns: int = 0) -> list[str]:
    """Return the code frame of a place; long places are cut after a few rows, long rows around the place, so that they
    fit into these columns, if any are given."""
    margin = gutter(place)
    most = min(_MOST_COLUMNS, columns - margin - 5) if columns > 2 * _BEFORE else _MOST_COLUMNS
    lines = [paint(" " * margin + " |", "cyan", colour)]
    last = min(place.end_row, place.row + _MOST_ROWS - 1)
    for row in range(place.row, last + 1):
        text = place.line(row)
        start = place.column - 1 if row == place.row else len(text) - len(text.lstrip())
        end = place.end_column - 1 if row == place.end_row else len(text.rstrip())
        if row != place.row and start >= end:
            continue
        shown, before, marked = _clip(text, start, max(end, start + 1), most)
        lines.append(f"{paint(f'{row:>{margin}} |', 'cyan', colour)} {shown}".rstrip())
        lines.append(f"{paint(' ' * margin + ' |', 'cyan', colour)} {' ' * before}{paint('^' * marked, caret, colour)}")
    if last < place.end_row:
        lines.append(paint(" " * margin + " | ...", "cyan", colour))
    return lines


def gutter(place: Place) -> int:
    """Return the width of the row numbers beside a place."""
    return len(str(min(place.end_row, place.row + _MOST_ROWS - 1)))


def _clip(text: str, start: int, end: int, most: int) -> tuple[str, int, int]:
    """Return the visible part of a row, and the number of columns before and within the marked part."""
    left, dots = 0, ""
    if len(text) > most and start > _BEFORE:
        left, dots = start - _BEFORE, "…"
    right = left + most
    before, marked = printable(text[left:start]), printable(text[start : min(end, right)])
    shown = dots + before + marked + printable(text[min(end, right) : right]) + ("…" if len(text) > right else "")
    return shown, len(dots) + width(before), max(width(marked), 1)
