"""Files checked in several processes, or in another order, have the same findings."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from shapecheck.checker import check_file, parallel
from shapecheck.checker.pipeline import Result, check
from shapecheck.config import Config
from shapecheck.report.json import as_dict

FAULTY = """import numpy as np
import lib

def f(x, y):
    a = np.zeros((3, {n})) @ x
    return lib.g(a.reshape(-1, 7), y) + np.ones((2, 5))[:, {n}]

lib.g(np.zeros((2, {n})), 3)
"""
LIB = """import numpy as np

def g(x, y):
    if y > 2:
        return x @ np.zeros((5, 2))
    return x + np.zeros((9, 1, 4))
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for n in range(4, 10):
        (tmp_path / f"f{n}.py").write_text(FAULTY.format(n=n))
    (tmp_path / "lib.py").write_text(LIB)
    (tmp_path / "broken.py").write_text("import numpy as np\nx = (\n")
    monkeypatch.setattr(parallel, "WORTH_SHARING", 0)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def told(result: Result) -> str:
    return json.dumps([as_dict(finding) for finding in result.findings])


def test_the_number_of_processes_does_not_matter(project: Path, tmp_path: Path) -> None:
    alone = check(["."], Config())
    assert len(alone.findings) > 7
    for jobs in (2, 3):
        assert told(check(["."], Config(jobs=jobs))) == told(alone)
        for _ in range(2):
            cached = check(["."], Config(jobs=jobs, cache_dir=tmp_path / "store"))
            assert told(cached) == told(alone)
            assert cached.statistics == alone.statistics


def test_the_order_of_arguments_does_not_matter(project: Path) -> None:
    names = sorted(path.name for path in project.glob("*.py"))
    assert told(check(names, Config())) == told(check(names[::-1], Config())) == told(check(["."], Config(jobs=2)))


def test_a_file_has_the_same_findings_on_its_own(project: Path) -> None:
    together = [as_dict(finding) for finding in check(["."], Config()).findings]
    alone = [as_dict(finding) for finding in check(["f4.py"], Config()).findings]
    assert [finding for finding in alone if finding["filename"] == "f4.py"] == [
        finding for finding in together if finding["filename"] == "f4.py"
    ]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the processes must inherit the patch")
def test_a_process_that_dies_costs_one_file(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checked = check_file.check

    def dies(parsed: object, source: check_file.Source, on_traced: object = None) -> object:
        if source.filename == "f5.py":
            os._exit(9)
        return checked(parsed, source, on_traced)  # type: ignore[arg-type]

    alone = [as_dict(finding) for finding in check(["."], Config()).findings]
    monkeypatch.setattr(check_file, "check", dies)
    result = check(["."], Config(jobs=2))
    assert result.problems == ["f5.py: not checked: the worker process crashed"]
    assert [as_dict(finding) for finding in result.findings] == [
        finding for finding in alone if finding["filename"] != "f5.py"
    ]
