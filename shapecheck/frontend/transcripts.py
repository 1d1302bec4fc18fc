"""What surrounds code that was copied from a screen: prompts, numbers of lines, and tracebacks.

It knows lines of text, and nothing of syntax.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from shapecheck.frontend.edited import Edit

_PROMPT: Final = re.compile(r"[ \t]*(?:>>>(?: |$)|In ?\[[ \d]*\]:(?: |$))")
_CONTINUED: Final = re.compile(r"[ \t]*(?:\.\.\.(?: |$)|\.\.\.:(?: |$))")
_CELL: Final = re.compile(r"[ \t]*In ?\[[ \d*]*\]:[ \t]*(?:#.*)?$")
_PRINTED: Final = re.compile(r"[ \t]*Out ?\[[ \d]*\]:")
_NUMBER: Final = re.compile(r"[ \t]*(\d+)(?:[.:|)] ?| |\t|$)")
_TRACEBACK: Final = re.compile(r".*\bTraceback \(most recent call last\)")
_RAISED: Final = re.compile(r"[\w.]*(?:Error|Exception|Interrupt|Warning|Iteration|Exit)\b(?::|\s*$)")
_FENCE: Final = re.compile(r"[ \t]*(?:```|~~~)")

Line = tuple[int, int]


def edits(text: str) -> list[Edit]:
    """Return the edits that leave the code alone: what is no code becomes a comment."""
    lines = [found.span() for found in re.finditer(r"[^\n]+", text)]
    made = [*_of_tracebacks(text, lines)]
    inside = {start for start, _, _ in made}
    lines = [line for line in lines if line[0] not in inside]
    if any(_CELL.match(text, start, end) for start, end in lines):
        return sorted([*made, *_of_cells(text, lines)])
    return sorted([*made, *(_of_numbers(text, lines) or _of_prompts(text, lines))])


def without_prompts(cell: str) -> str:
    """Return a cell of IPython, with prompts and printed lines blanked out where it is a copied session."""
    lines = cell.split("\n")
    first = next((at for at, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")), 0)
    if not _PROMPT.match(lines[first]):
        return cell
    is_code, is_below, kept = False, False, lines[:first]  # in a statement with prompts, below a prompt of its own line
    for line in lines[first:]:
        found = _PROMPT.match(line) or (_CONTINUED.match(line) if is_code else None)
        is_code = found is not None
        is_below = _CELL.match(line) is not None or (is_below and not is_code and not _PRINTED.match(line))
        start = found.end() if found is not None else 0 if is_below else len(line)
        kept.append(" " * start + line[start:])
    return "\n".join(kept)


def _of_tracebacks(text: str, lines: list[Line]) -> Iterator[Edit]:
    is_inside = False
    for start, end in lines:
        line = text[start:end]
        if is_inside or _TRACEBACK.match(line) or _FENCE.match(line):
            yield start, start, "# "
        if _TRACEBACK.match(line):
            is_inside = True
        elif is_inside and _RAISED.match(line):
            is_inside = False


def _of_numbers(text: str, lines: list[Line]) -> list[Edit]:
    """Return the edits that remove the numbers of lines, if all lines have one and they count."""
    found = [_NUMBER.match(text, start, end) for start, end in lines if text[start:end].strip()]
    numbers = [int(each[1]) for each in found if each is not None]
    if len(found) < 3 or len(numbers) < len(found) or any(b <= a or b > a + 3 for a, b in pairwise(numbers)):
        return []
    return [(each.start(), each.end(), "") for each in found if each is not None]


def _of_cells(text: str, lines: list[Line]) -> Iterator[Edit]:
    """Yield the edits that hide the prompts above the cells of a notebook, and what they printed."""
    is_printed = False
    for start, end in lines:
        cell, prompt = _CELL.match(text, start, end), _PROMPT.match(text, start, end)
        is_printed = not (cell or prompt) and (is_printed or _PRINTED.match(text, start, end) is not None)
        if cell or is_printed:
            yield start, start, "# "
        elif prompt is not None:
            yield start, prompt.end(), ""


def _of_prompts(text: str, lines: list[Line]) -> Iterator[Edit]:
    """Yield the edits that remove prompts, and those that hide what was printed below."""
    is_code, last = False, -1
    for start, end in lines:
        follows = start == last + 1  # no blank line between
        found = _PROMPT.match(text, start, end)
        if found is None and is_code and follows:
            found = _CONTINUED.match(text, start, end)
        if found is not None:
            yield start, found.end(), ""
            is_code, last = True, end
        elif follows and last >= 0:
            yield start, start, "# "
            is_code, last = False, end
        else:
            is_code, last = False, -1
