"""Findings that are told while files are still being checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.checker.pipeline import check
from shapecheck.cli import run
from shapecheck.config import Config
from shapecheck.findings import Finding

BUG = "import tensorflow as tf\n\ny = tf.matmul(tf.zeros([2, 3]), tf.zeros([5, 7]))\n"
FILES = {
    "a.py": BUG,
    "b.py": BUG.replace("7]))", "7]))  # noqa: SHP101"),
    "c.py": "import tensorflow as tf\n\n\ndef mul(x, y):\n    return tf.matmul(x, y)\n",
    "d.py": f"{BUG}z = y  # noqa: SHP102\n",
    "e.py": "import tensorflow as tf\nfrom c import mul\n\nmul(tf.zeros([2, 3]), tf.zeros([5, 7]))\n",
}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text)
    return tmp_path


def test_findings_are_told_as_soon_as_the_files_before_them_are_done(folder: Path) -> None:
    events: list[str] = []
    told: list[Finding] = []

    def tell(finding: Finding) -> None:
        told.append(finding)
        events.append(finding.place.filename)

    result = check(["."], Config(), progress=lambda done, total: events.append(f"{done}/{total}"), tell=tell)
    assert events == ["a.py", "1/5", "2/5", "3/5", "d.py", "4/5", "5/5"]
    assert [finding.place.filename for finding in result.findings] == ["a.py", "c.py", "d.py", "d.py"]
    assert all(finding in result.findings for finding in told)


@pytest.mark.parametrize("form", ["text", "concise", "jsonl"])
def test_the_report_has_the_same_findings(
    folder: Path, form: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([".", "--output-format", form, "--no-cache"]) == 1
    whole = capsys.readouterr().out
    monkeypatch.setattr("shapecheck.cli.early_report.can_be_early", lambda form, has_file: True)
    assert run([".", "--output-format", form, "--no-cache"]) == 1
    early = capsys.readouterr().out
    apart = "\n\n" if form == "text" else "\n"
    assert sorted(early.strip().split(apart)[:-1]) == sorted(whole.strip().split(apart)[:-1])
    assert early.splitlines()[-1] == whole.splitlines()[-1]


def test_nothing_is_told_twice_or_early_where_a_baseline_counts(folder: Path) -> None:
    assert run(["baseline", "."]) == 0
    told: list[Finding] = []
    result = check(["."], Config(baseline=folder / "shapecheck-baseline.json"), tell=told.append)
    assert (told, result.findings) == ([], [])
