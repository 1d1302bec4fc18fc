"""Findings about files themselves rather than shapes, which no rule makes.

It knows findings, not how a notice came about.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from shapecheck.findings import Certainty, Finding, Severity
from shapecheck.source import Place

ENGINE = "engine"


@dataclass(frozen=True, slots=True)
class Notice:
    """A kind of finding that no rule makes; it has a description as rules have."""

    code: str
    name: str
    severity: Severity
    summary: str
    text: str = field(repr=False)
    category: str = ENGINE

    @property
    def page(self) -> str:
        return f"# {self.name}\n\n{self.summary}\n\n{self.text}\n"

    def finding(self, place: Place, message: str, remedy: str = "") -> Finding:
        return Finding(
            self.code, self.name, self.category, self.severity, Certainty.PROVED, place, message, help=remedy
        )


SYNTAX_ERROR = Notice(
    "SHP901",
    "syntax-error",
    Severity.ERROR,
    "Reports a file that is not valid Python, and where.",
    "The statements that cannot be read are left out, and what they may bind or change is unknown. The others are\n"
    "checked, and so are the other files.",
)
UNUSED_SUPPRESSION = Notice(
    "SHP902",
    "unused-suppression",
    Severity.WARNING,
    "Reports a comment that silences a rule where that rule has nothing to say.",
    "What it once silenced is gone, and it would hide the next fault in its place. Remove it.",
)
BLANKET_SUPPRESSION = Notice(
    "SHP903",
    "blanket-suppression",
    Severity.WARNING,
    "Reports `# shapecheck: ignore` and `ignore-file` without the name of a rule.",
    "Such a comment hides every fault, the next one too. Name what is meant: `# shapecheck: ignore[axis-mismatch]`.\n"
    "A bare `# noqa` is left to the tools that it belongs to.",
)

BAD_CONFIGURATION = Notice(
    "SHP904",
    "bad-configuration",
    Severity.ERROR,
    "Reports a configuration file that cannot be used, and why.",
    "flake8 and the language server report it at the beginning of a file, which is not checked. The command tells it\n"
    "on standard error, and ends with status 2.",
)

NOTICES = (SYNTAX_ERROR, UNUSED_SUPPRESSION, BLANKET_SUPPRESSION, BAD_CONFIGURATION)
