"""Findings that are told before a run is over."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from shapecheck.file_result import FileResult
from shapecheck.findings import Finding
from shapecheck.source import Source


@dataclass
class EarlyFindings:
    """Tells the findings in each file as soon as it and all files before it are done, in the order of their names.

    `chosen` returns those findings of a result that lie in its file and are to be reported. What other files find in it
    may come later, and so does what is found about comments.
    """

    sources: Sequence[Source]
    chosen: Callable[[Source, FileResult], Sequence[Finding]]
    tell: Callable[[Finding], None]
    _next: int = field(default=0, init=False)

    def advance(self, results: Mapping[str, FileResult]) -> None:
        """Tell what the results allow to be told now."""
        while self._next < len(self.sources) and self.sources[self._next].filename in results:
            source = self.sources[self._next]
            self._next += 1
            for finding in self.chosen(source, results[source.filename]):
                self.tell(finding)
