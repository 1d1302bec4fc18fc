"""The content of a report: the findings of a run, and information on the run itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from shapecheck.findings import Finding, Severity


class RuleDescription(Protocol):
    """The description of a rule in a report."""

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
    """Findings, whether colours are used, the version of shapecheck, the checked files, one line for each file that
    could not be checked, and all rules. `site` is the address of the published rule pages, if any; text is
    broken to fit into `columns`, unless they are 0."""

    findings: Sequence[Finding]
    colour: bool = False
    version: str = ""
    files: Sequence[str] = ()
    problems: Sequence[str] = ()
    rules: Sequence[RuleDescription] = ()
    site: str = ""
    columns: int = 0
