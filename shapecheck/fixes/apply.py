"""Writes fixes into files, or shows what they would change.

It knows edits, not how a finding came about.
"""

from __future__ import annotations

import difflib
import tokenize
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from shapecheck.findings import Finding, Fix
from shapecheck.fixes import notebook_file
from shapecheck.python_syntax import module_of
from shapecheck.source import Cell, Source
from shapecheck.text_file import TextFile


@dataclass(frozen=True, slots=True)
class FixedFile:
    """A file, the same with fixes applied, and their number."""

    source: Source
    edited: Source
    fixes: int

    @property
    def text(self) -> str:
        return self.edited.text

    def diff(self) -> str:
        """Return the changes in the form of `diff -u`, for each cell of a notebook."""
        name = self.source.filename
        if not self.source.cells:
            return _diff(name, self.source.text, self.text)
        pairs = zip(self.source.cells, self.edited.cells, strict=True)
        texts = ((old.number, self._text(self.source, old), self._text(self.edited, new)) for old, new in pairs)
        return "".join(_diff(f"{name}:cell {number}", before, after) for number, before, after in texts)

    def _text(self, source: Source, cell: Cell) -> str:
        return source.text[slice(*source.extent(cell))] + "\n"

    def write(self) -> None:
        """Write the file; raises OSError, SyntaxError or ValueError if it is no longer what was checked."""
        if self.source.cells:
            notebook_file.write(self.source, self.edited)
            return
        file = TextFile(Path(self.source.filename))
        if file.text != self.source.text:
            raise ValueError("it was changed during the check")
        file.write(self.text.split("\n"))


def fixed_files(findings: Iterable[Finding], *, unsafe: bool) -> Iterator[FixedFile]:
    """Yield the files that have fixes; of fixes that overlap, the first is applied."""
    by_file: defaultdict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        if finding.fix is not None and (unsafe or finding.fix.is_safe):
            by_file[finding.place.filename].append(finding)
    for found in by_file.values():
        source = found[0].place.source
        fixes = without_overlaps(finding.fix for finding in found if finding.fix is not None)
        edited = source.edited([(edit.place.start, edit.place.end, edit.text) for fix in fixes for edit in fix.edits])
        if module_of(edited.code) is not None or module_of(source.code) is None:
            yield FixedFile(source, edited, len(fixes))


def _diff(name: str, before: str, after: str) -> str:
    lines = difflib.unified_diff(before.splitlines(keepends=True), after.splitlines(keepends=True), name, name)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def write_all(fixed: Iterable[FixedFile], problems: list[str]) -> list[FixedFile]:
    """Write files and return those that were written; add a problem for each of the others."""
    done = []
    for file in fixed:
        try:
            file.write()
        except (OSError, SyntaxError, ValueError, tokenize.TokenError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            problems.append(f"{file.source.filename}: not fixed: {' '.join(str(reason).split())}")
        else:
            done.append(file)
    return done


def without_overlaps(fixes: Iterable[Fix]) -> list[Fix]:
    """Return the fixes that do not overlap an earlier one."""
    taken: list[Fix] = []
    end = -1
    for fix in sorted(fixes, key=lambda fix: min(edit.place.start for edit in fix.edits)):
        if min(edit.place.start for edit in fix.edits) > end:
            taken.append(fix)
            end = max(edit.place.end for edit in fix.edits)
    return taken
