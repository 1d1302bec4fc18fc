"""What a report is made of: the findings of a run, and what is known of the run itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from shapecheck.findings import Finding, Severity


class Described(Protocol):
    """What a report says of a rule."""

    @property
    def code(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def category(self) -> str: ...
    @property
    def severity(self) -> Severity: ...
    @property
    def summary(self) -> str: ...
    @property
    def page(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Run:
    """Findings, whether colours are wanted, the version of shapecheck, the files that were checked, one line for each
    that could not be, and the rules there are.  `site` is where the rules' pages are published, if anywhere."""

    findings: Sequence[Finding]
    colour: bool = False
    version: str = ""
    files: Sequence[str] = ()
    problems: Sequence[str] = ()
    rules: Sequence[Described] = ()
    site: str = ""
