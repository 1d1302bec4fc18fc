"""Adds `# noqa` comments for current findings, so that only later ones are reported.

It knows lines and comments, not how a finding came about.
"""

from __future__ import annotations

import io
import re
import tokenize
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from shapecheck.diagnostics import ENGINE
from shapecheck.findings import Finding
from shapecheck.suppression.pragmas import NOQA
from shapecheck.text_file import TextFile

_CODE = re.compile(r"[A-Za-z]+[0-9]+")


@dataclass(slots=True)
class Added:
    """The number of silenced findings, their files, and one line for each file that could not be written."""

    comments: int = 0
    files: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def add(findings: Iterable[Finding], reason: str = "") -> Added:
    """Add a comment for each finding of a rule to the end of its statement, with a reason behind new ones."""
    by_file: defaultdict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        if finding.category != ENGINE:
            by_file[finding.place.filename].append(finding)
    added = Added()
    for filename, found in by_file.items():
        try:
            _annotate(Path(filename), found, reason)
        except (OSError, SyntaxError, ValueError, tokenize.TokenError) as error:
            told = error.strerror if isinstance(error, OSError) else error
            added.problems.append(f"{filename}: no comment added: {' '.join(str(told).split())}")
        else:
            added.files.append(filename)
            added.comments += len(found)
    return added


def silenced(text: str, finding: Finding) -> tuple[int, str]:
    """Return the number of the line (from 1) that needs a comment for a finding in a text, and that line with it.

    Raises SyntaxError and TokenError for a text that is not Python.
    """
    ends, comments = _logical_lines(text)
    row = _last_row(ends, finding)
    return row, _with_codes(text.splitlines()[row - 1], comments.get(row), [finding.code])


def _last_row(ends: list[int], finding: Finding) -> int:
    """Return the last row of the statement of a finding."""
    row = finding.place.end_row
    at = bisect_left(ends, row)
    return ends[at] if at < len(ends) else row


def _annotate(path: Path, findings: list[Finding], reason: str) -> None:
    if findings[0].place.cell is not None:
        raise ValueError("comments are not added to notebooks")
    file = TextFile(path)
    lines = file.lines
    ends, comments = _logical_lines(file.text)
    codes: defaultdict[int, set[str]] = defaultdict(set)
    for finding in findings:
        codes[_last_row(ends, finding)].add(finding.code)
    for row, wanted in codes.items():
        lines[row - 1] = _with_codes(lines[row - 1], comments.get(row), sorted(wanted), reason)
    file.write(lines)


def _logical_lines(text: str) -> tuple[list[int], dict[int, int]]:
    """Return the last row of each logical line, and the column of the comment in each row that has one."""
    ends, comments = [], {}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NEWLINE:
            ends.append(token.start[0])
        elif token.type == tokenize.COMMENT:
            comments[token.start[0]] = token.start[1]
    return ends, comments


def _with_codes(line: str, comment: int | None, codes: list[str], reason: str = "") -> str:
    """Return the line with codes in its `# noqa`, which is added if there is none."""
    found = NOQA.search(line, comment) if comment is not None else None
    if found is None or not found["codes"]:
        return f"{line.rstrip()}  # noqa: {', '.join(codes)}" + (f"  # {reason}" if reason else "")
    listed = list(_CODE.finditer(line, *found.span("codes")))
    known = {code[0].upper() for code in listed}
    at = listed[-1].end()
    return line[:at] + "".join(f", {code}" for code in codes if code not in known) + line[at:]
