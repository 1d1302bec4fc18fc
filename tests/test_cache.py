"""The cache between runs: it changes the time that a run takes, and nothing else."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from shapecheck.cache.modules import ModuleCache
from shapecheck.cache.store import Store, edition
from shapecheck.checker import check_file
from shapecheck.checker.pipeline import Result, check
from shapecheck.config import Config
from shapecheck.frontend.lower import lower
from shapecheck.report.json import as_dict
from shapecheck.source import Source

MODEL = "import tensorflow as tf\nimport sizes\n\ndef f(x):\n    return tf.matmul(x, tf.zeros([sizes.ROWS, 5]))\n"
MAIN = "import model\nimport tensorflow as tf\n\nmodel.f(tf.zeros([2, 3]))\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three files, of which each imports the next; a fourth is unrelated."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "main.py").write_text(MAIN)
    (folder / "model.py").write_text(MODEL)
    (folder / "sizes.py").write_text("ROWS = 4\n")
    (folder / "other.py").write_text("import numpy as np\nnp.zeros(3)[5]  # noqa\nnp.zeros(3) + np.zeros(4)\n")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def traced(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the files that are traced."""
    names: list[str] = []
    checked = check_file.check
    monkeypatch.setattr(
        check_file,
        "check",
        lambda known, source, keep=None: names.append(source.filename) or checked(known, source, keep),
    )
    return names


def run(folder: Path, store: Path | None = None) -> Result:
    return check(["."], Config(root=folder, cache_dir=store))


def as_json(result: Result) -> str:
    return json.dumps([as_dict(finding) for finding in result.findings])


def test_an_unchanged_project_is_not_traced_again(project: Path, tmp_path: Path, traced: list[str]) -> None:
    cold = run(project, tmp_path / "store")
    assert traced == ["main.py", "model.py", "other.py"]
    assert [finding.place.filename for finding in cold.findings] == ["model.py", "other.py"]
    assert cold.findings[0].call_path
    traced.clear()
    warm = run(project, tmp_path / "store")
    assert not traced
    assert as_json(warm) == as_json(cold) == as_json(run(project))
    assert warm.statistics == cold.statistics


@pytest.mark.parametrize(
    ("name", "text", "again"),
    [
        ("sizes.py", "ROWS = 3\n", ["main.py", "model.py"]),
        ("model.py", MODEL + "\n", ["main.py", "model.py"]),
        ("main.py", MAIN + "\n", ["main.py"]),
        ("other.py", "import numpy as np\n", ["other.py"]),
    ],
)
def test_a_change_reaches_what_depends_on_it(
    project: Path, tmp_path: Path, traced: list[str], name: str, text: str, again: list[str]
) -> None:
    run(project, tmp_path / "store")
    (project / name).write_text(text)
    traced.clear()
    changed = run(project, tmp_path / "store")
    assert traced == again
    assert as_json(changed) == as_json(run(project))


def test_a_file_that_was_missed_appears(project: Path, tmp_path: Path, traced: list[str]) -> None:
    (project / "sizes.py").unlink()
    assert [finding.place.filename for finding in run(project, tmp_path / "store").findings] == ["other.py"]
    (project / "sizes.py").write_text("ROWS = 4\n")
    traced.clear()
    assert "model.py" in [finding.place.filename for finding in run(project, tmp_path / "store").findings]
    assert "other.py" not in traced


def test_a_file_in_front_of_an_import_is_seen(project: Path, tmp_path: Path) -> None:
    run(project, tmp_path / "store")
    package = project / "sizes"
    package.mkdir()
    (package / "__init__.py").write_text("ROWS = 3\n")
    (project / "sizes.py").unlink()
    assert [finding.place.filename for finding in run(project, tmp_path / "store").findings] == ["other.py"]


def test_options_that_select_need_no_new_run(project: Path, tmp_path: Path, traced: list[str]) -> None:
    run(project, tmp_path / "store")
    traced.clear()
    assert not check(["."], Config(root=project, cache_dir=tmp_path / "store", ignore=("mismatch",))).findings
    assert not traced
    check(["."], Config(root=project, cache_dir=tmp_path / "store", target={"tensorflow": "1"}))
    assert traced == ["main.py", "model.py", "other.py"]


def test_syntax_errors_are_kept(project: Path, tmp_path: Path) -> None:
    (project / "broken.py").write_text("x = (\n")
    cold, warm = run(project, tmp_path / "store"), run(project, tmp_path / "store")
    assert "SHP901" in [finding.code for finding in warm.findings]
    assert as_json(warm) == as_json(cold)


def test_replays_have_what_they_need(project: Path, tmp_path: Path) -> None:
    run(project, tmp_path / "store")
    result = check(["."], Config(root=project, cache_dir=tmp_path / "store"), replayable=True)
    assert all(id(finding) in result.tracers for finding in result.findings)


# --- what can go wrong -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spoilt", [b"", b"{}", b"null", b"[]", b"\x80", b'{"dependencies": {}, "findings": 3}', b"[" * 10_000]
)
def test_spoilt_entries_cost_only_time(project: Path, tmp_path: Path, spoilt: bytes) -> None:
    cold = run(project, tmp_path / "store")
    entries = [path for path in (tmp_path / "store").rglob("*") if path.is_file() and len(path.name) == 32]
    assert len(entries) > 6
    for path in entries:
        path.write_bytes(spoilt)
    assert as_json(run(project, tmp_path / "store")) == as_json(cold)


def test_findings_outside_of_their_file_are_not_believed(project: Path, tmp_path: Path) -> None:
    cold = run(project, tmp_path / "store")
    for path in (tmp_path / "store").rglob("results/*"):
        entry = json.loads(path.read_text())
        for finding in entry["findings"]:
            finding["place"][2] = 10**9
        path.write_text(json.dumps(entry))
    assert as_json(run(project, tmp_path / "store")) == as_json(cold)


def test_a_store_that_cannot_be_written(project: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert as_json(run(project, tmp_path / "file" / "store")) == as_json(run(project))


def test_a_full_disk(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert as_json(run(project, tmp_path / "store")) == as_json(run(project))
    assert not [path for path in (tmp_path / "store").rglob(".*") if path.name != ".gitignore"]


class Malice:
    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, ("ran",)


def test_an_entry_cannot_run_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    modules, source = ModuleCache(Store(tmp_path)), Source("x.py", "x = 1\n")
    modules.put(source, lower(source))
    assert modules.get(source) is not None
    (entry,) = (tmp_path / edition() / "modules").iterdir()
    for harmful in (Malice(), [Malice()], lower(source).body):
        entry.write_bytes(zlib.compress(pickle.dumps(harmful)))
        assert modules.get(source) is None
    assert not (tmp_path / "ran").exists()


def test_what_was_lowered_is_the_same_afterwards(tmp_path: Path) -> None:
    store = ModuleCache(Store(tmp_path))
    for path in sorted((Path(__file__).parent.parent / "shapecheck" / "dataflow").glob("*.py")):
        source = Source(path.name, path.read_text())
        module = lower(source)
        store.put(source, module)
        assert pickle.dumps(store.get(source)) == pickle.dumps(pickle.loads(pickle.dumps(module)))


def test_older_editions_go_when_a_new_one_begins(tmp_path: Path) -> None:
    for name, age in (("old", 10**7), ("recent", 0)):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (0, (tmp_path / name).stat().st_mtime - age))
    Store(tmp_path).put("kind", "key", b"data")
    assert (tmp_path / "recent").exists()
    assert not (tmp_path / "old").exists()
    assert Store(tmp_path).get("kind", "key") == b"data"


def test_several_runs_share_a_store(project: Path, tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "shapecheck",
        ".",
        "--cache-dir",
        str(tmp_path / "store"),
        "--output-format",
        "json",
    ]
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(3)]
    told_by = [process.communicate(timeout=120) for process in runs]
    assert [process.returncode for process in runs] == [1, 1, 1]
    assert len({out for out, _ in told_by}) == 1
    assert not [path for path in (tmp_path / "store").rglob(".*") if path.name != ".gitignore"]
