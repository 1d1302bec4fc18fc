"""Check of a cell before it runs, with the versions of the libraries that are loaded."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from shapecheck.checker.check_file import check
from shapecheck.config import BadConfig, Config
from shapecheck.config_files import nearest
from shapecheck.findings import Finding, Severity
from shapecheck.live.program import VALUES, program
from shapecheck.project.parsed_files import ParsedFiles
from shapecheck.report.text import block
from shapecheck.source import Source
from shapecheck.suppression import pragmas
from shapecheck.target import Target


@dataclass(frozen=True, slots=True)
class Told:
    """What is found in a cell that is about to run."""

    findings: tuple[Finding, ...] = ()

    @property
    def fails(self) -> bool:
        """Return whether the cell certainly fails."""
        return any(finding.severity is Severity.ERROR for finding in self.findings)

    def text(self, *, colour: bool = False) -> str:
        return "\n".join(block(finding, colour) for finding in self.findings)


NOTHING = Told()


def check_cell(
    cell: str, history: Sequence[str], variables: Mapping[str, object], name: str = "In", *, is_file: bool = False
) -> Told:
    """Return what is found in a cell that is about to run, after others, with these variables. The cells of one that
    `is_file` are parts of a file."""
    source = program(cell, history, variables, name, is_file=is_file)
    return NOTHING if source is None else _found(source, _config())


def _found(source: Source, config: Config) -> Told:
    parsed = ParsedFiles([source], _target())
    told = [_in_cell(source, finding) for finding in check(parsed, source).findings]
    here = [finding for finding in told if finding is not None]
    modules = {source.filename: module} if (module := parsed.lowered(source)) is not None else {}
    kept = pragmas.apply(here, modules, config, {source.filename: source}, is_whole=False)
    return Told(tuple(finding for finding in kept if finding.severity is not Severity.INFO))


def _in_cell(source: Source, finding: Finding) -> Finding | None:
    """Return a finding that the cell leads to, without places in the snapshot; None for any other."""
    reached = [finding.place, *(frame.place for frame in finding.call_path)]
    if not any(place.filename == source.filename and place.start >= source.begin for place in reached):
        return None
    if finding.place.filename == source.filename and finding.place.cell == VALUES:
        return None
    operands = tuple(
        replace(each, origin=None, origin_text="as it is now")
        if each.origin is not None and each.origin.filename == source.filename and each.origin.cell == VALUES
        else each
        for each in finding.operands
    )
    return replace(finding, operands=operands)


def _config() -> Config:
    try:
        return nearest(["."])
    except BadConfig:
        return Config()


def _target() -> Target:
    """Return the versions of the libraries that are loaded."""
    return Target(_major("tensorflow"), _major("keras"), _major("numpy"))


def _major(name: str) -> int | None:
    version = getattr(sys.modules.get(name), "__version__", "")
    first = str(version).split(".")[0]
    return int(first) if first.isdigit() else None
