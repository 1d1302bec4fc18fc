"""The corpus: pairs of a buggy and a fixed program with a `case.toml`, and clean programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path

from shapecheck import toml
from shapecheck.config import nearest_hint
from shapecheck.evaluation.labels import BadLabels

EXPECTATIONS = ("found", "missed", "out-of-scope")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """The content of a `case.toml`: `lines` of buggy.py are where a report by `rule` is right."""

    title: str
    framework: str
    kind: str
    raises: str
    lines: list[int]
    expect: str
    report: str = ""
    rule: str = ""
    reason: str = ""
    runs: bool = True
    why: str = ""
    env: Mapping[str, str] = field(default_factory=dict)


def pairs(corpus: Path) -> list[tuple[Path, Case]]:
    """Return the folders that hold a case, at any depth, sorted; raises BadLabels."""
    return [(path.parent, read(path)) for path in sorted(corpus.rglob("case.toml"))]


def clean(corpus: Path) -> list[Path]:
    """Return the programs in which there is nothing to report: one folder or file each."""
    folder = corpus / "clean"
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if path.is_dir() or path.suffix == ".py")


def read(path: Path) -> Case:
    try:
        table = toml.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadLabels(f"{path}: {error}") from None
    known = {item.name: item for item in fields(Case)}
    for key in table:
        if key not in known:
            raise BadLabels(f"{path}: unknown key '{key}'{nearest_hint(key, known)}")
    for name, item in known.items():
        if name not in table and item.default is MISSING and item.default_factory is MISSING:
            raise BadLabels(f"{path}: '{name}' is missing")
    case = Case(**table)
    if case.expect not in EXPECTATIONS:
        raise BadLabels(f"{path}: expect must be one of {', '.join(EXPECTATIONS)}")
    if case.expect == "found" and not case.rule:
        raise BadLabels(f"{path}: expect = 'found' needs a rule")
    return case
