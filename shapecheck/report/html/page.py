"""The content of the page: what a run has found, and what is known of each file. Plain data, made by the checker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from shapecheck.findings import Finding
from shapecheck.source import Source

FindingKey = tuple[str, str, int, int]
"""The code of a finding, its file and its range: the same in every analysis of the file."""


def key_of(finding: Finding) -> FindingKey:
    return finding.code, finding.place.filename, finding.place.start, finding.place.end


@dataclass(frozen=True, slots=True)
class Note:
    """What is known of a value in a row of the source: its text ("" for the value of the whole row), its shape ("" if
    it is lost), and what is told when it is pointed at, such as the reason why it is lost."""

    row: int
    text: str
    shape: str
    more: str = ""


@dataclass(frozen=True, slots=True)
class ModelPicture:
    """A model as SVG, with the row that makes it."""

    title: str
    row: int
    svg: str


@dataclass(frozen=True, slots=True)
class Pictures:
    """The drawings of a finding: what leads to it, and the model that fails before and after the first fix."""

    dataflow: str = ""
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class FileSurvey:
    """A file as the page shows it. `known` of `total` results of library calls have a known shape; `problem` is a line
    for the user if the file could not be surveyed."""

    source: Source
    notes: Sequence[Note] = ()
    models: Sequence[ModelPicture] = ()
    known: int = 0
    total: int = 0
    pictures: Mapping[FindingKey, Pictures] = field(default_factory=dict)
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """All that the page shows. `site` is the address of the published rule pages, if any."""

    findings: Sequence[Finding]
    files: Sequence[FileSurvey]
    problems: Sequence[str] = ()
    version: str = ""
    site: str = ""
