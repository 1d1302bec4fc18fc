"""The cases of the corpus, as their files describe them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from shapecheck import toml
from tests.support import environments
from tests.support.programs import Setting

CORPUS = Path(__file__).resolve().parents[2] / "corpus"
OF_PACKS = {"jax": environments.JAX, "torch": environments.PYTORCH}


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One reported fault, as `case.toml` describes it."""

    title: str
    report: str
    framework: str
    kind: str
    raises: str
    lines: list[int]
    expect: str
    runs: bool
    rule: str = ""
    reason: str = ""
    why: str = ""
    env: dict[str, str] | None = None

    def skip_if_not_run(self) -> None:
        if not self.runs:
            pytest.skip(self.why)
        if self.framework in OF_PACKS and not OF_PACKS[self.framework].is_there:
            pytest.skip(f"{self.framework} is not there: make diff-packs")


def read_case(folder: Path) -> Case:
    return Case(**toml.loads((folder / "case.toml").read_text()))


BUGS = sorted(path.parent for path in (CORPUS / "bugs").rglob("case.toml"))
CLEAN = sorted(path for path in (CORPUS / "clean").iterdir() if path.is_dir())


def setting_of(source: str, case: Case | None) -> Setting:
    """Return what a program is run with: one of a case, or one that works."""
    if case and case.framework in OF_PACKS:
        return Setting(case.framework, OF_PACKS[case.framework].python)
    is_old = case is not None and case.framework == "tf1" and "compat.v1" not in source
    return Setting(legacy=bool(case and case.env) or "TF_USE_LEGACY_KERAS" in source, old_names=is_old)
