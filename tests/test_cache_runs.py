"""A call after which nothing has changed prints the same output again, without reading any program."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import platformdirs
import pytest

from shapecheck.cache import runs, store
from shapecheck.checker import pipeline
from shapecheck.cli import run

FAULT = "import numpy as np\nimport sizes\n\nnp.zeros(sizes.N) + np.zeros(4)\n"
HOUR = 3_600_000_000_000


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that imports a file from the folder above, and has not changed for an hour."""
    folder = tmp_path / "project"
    (folder / "inside" / "deep").mkdir(parents=True)
    (folder / ".git").mkdir()
    (folder / "inside" / "main.py").write_text(FAULT)
    (folder / "inside" / "deep" / "other.py").write_text("import numpy as np\n")
    (folder / "inside" / "setup.py").write_text("")
    (folder / "sizes.py").write_text("N = 3\n")
    (folder / "pyproject.toml").write_text("[tool.shapecheck]\n")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("SHAPECHECK_CACHE_DIR", str(tmp_path / "store"))
    # Nobody can set back when a file was last changed, so the clock is put forward.
    now = time.time_ns
    monkeypatch.setattr(runs.time, "time_ns", lambda: now() + HOUR)
    return folder


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Record one entry for each time that files are really checked."""
    made: list[object] = []
    check = pipeline.check

    def counted(*args: object, **options: object) -> object:
        made.append(args)
        return check(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(pipeline, "check", counted)
    return made


Output = tuple[int, str, str]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Callable[..., Output]:
    def called(*arguments: str) -> Output:
        status = run(arguments)
        return status, *capsys.readouterr()

    return called


@pytest.mark.parametrize(
    "arguments",
    [
        "inside",
        "inside --output-format json --statistics",
        "inside -v --exit-zero --output-format concise",
        "check inside --color always",
        "inside --baseline known.json",
        "inside/main.py inside/deep",
        "inside --output-format sarif --output-file found.sarif --coverage",
    ],
)
def test_an_unchanged_call_prints_the_same(
    project: Path, checks: list[object], call: Callable[..., Output], arguments: str
) -> None:
    (project / "known.json").write_text('{"version": 1, "files": {}}')
    first = call(*arguments.split())
    found = project / "found.sarif"
    report = found.read_bytes() if found.exists() else b""
    found.unlink(missing_ok=True)
    assert call(*arguments.split()) == first
    assert len(checks) == 1
    assert (found.read_bytes() if found.exists() else b"") == report
    assert first[0] == (0 if "--exit-zero" in arguments else 1)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("inside/main.py", FAULT + "\n"),
        ("sizes.py", "N = 4\n"),
        ("inside/sizes.py", "N = 4\n"),
        ("inside/deep/more.py", FAULT),
        ("inside/deep/.gitignore", "*.py\n"),
        (".gitignore", "main.py\n"),
        ("pyproject.toml", "[tool.shapecheck]\nignore = ['mismatch']\n"),
        ("inside/shapecheck.toml", "ignore = ['mismatch']\n"),
        ("inside/setup.py", None),
        ("inside/deep/pyvenv.cfg", ""),
        (".git", None),
    ],
)
def test_a_change_is_seen(
    project: Path, checks: list[object], call: Callable[..., Output], path: str, text: str | None
) -> None:
    call("inside")
    changed = project / path
    if text is not None:
        changed.write_text(text)
    elif changed.is_dir():
        changed.rmdir()
    else:
        changed.unlink()
    second = call("inside")
    assert len(checks) == 2
    assert call("inside", "--no-cache") == second


def test_times_that_are_set_back_do_not_help(project: Path, checks: list[object], call: Callable[..., Output]) -> None:
    sizes = project / "sizes.py"
    before = sizes.stat()
    assert call("inside")[0] == 1
    sizes.write_text("N = 4\n")
    os.utime(sizes, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert sizes.stat().st_mtime_ns == before.st_mtime_ns
    assert call("inside")[0] == 0


def test_files_that_are_written_anew_are_the_same(
    project: Path, checks: list[object], call: Callable[..., Output], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = call("inside")
    (project / "sizes.py").write_text("N = 3\n")
    (project / "inside" / "notes").write_text("")
    (project / "inside" / "notes").unlink()
    assert call("inside") == first
    monkeypatch.setattr(runs, "content_digest", None)  # the new times are known by now
    assert call("inside") == first
    assert len(checks) == 1


def test_what_changed_just_before_is_read_again(
    project: Path, checks: list[object], call: Callable[..., Output], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A later change could get the same time."""
    sizes = project / "sizes.py"
    stamp_of, stamp = runs.file_stamp, runs.file_stamp(str(sizes))
    assert stamp
    monkeypatch.setattr(runs.time, "time_ns", lambda: stamp[1] + runs._FINE_TICK - 1)
    first = call("inside")
    monkeypatch.setattr(runs, "file_stamp", lambda path: stamp if path.endswith("sizes.py") else stamp_of(path))
    assert call("inside") == first
    assert len(checks) == 1
    sizes.write_text("N = 4\n")
    assert call("inside")[0] == 0


@pytest.mark.parametrize("begins", [0, 1])
def test_what_changes_meanwhile_is_not_believed(
    project: Path, checks: list[object], call: Callable[..., Output], monkeypatch: pytest.MonkeyPatch, begins: int
) -> None:
    stamp = runs.file_stamp(str(project / "sizes.py"))
    assert stamp
    second = stamp[1] // 1_000_000_000 * 1_000_000_000
    if begins:  # where times are stored in seconds, this may have been a second later
        monkeypatch.setattr(runs, "file_stamp", lambda path: [second, second, 1, 1])
    monkeypatch.setattr(runs.time, "time_ns", lambda: second + begins * 1_000_000_000)
    call("inside")
    call("inside")
    assert len(checks) == 2


@pytest.mark.parametrize(
    "arguments", ["inside --no-cache", "inside --diff", "inside --fix", "gone inside", "inside --add-noqa"]
)
def test_some_calls_are_always_made(
    project: Path, checks: list[object], call: Callable[..., Output], arguments: str
) -> None:
    call(*arguments.split())
    made = len(checks)
    call(*arguments.split())
    assert len(checks) > made


def test_another_call_is_another_call(
    project: Path, checks: list[object], call: Callable[..., Output], monkeypatch: pytest.MonkeyPatch
) -> None:
    call("inside")
    call("inside", "-q")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b" in call("inside")[1]
    monkeypatch.chdir(project / "inside")
    assert call("../inside")[1]
    assert len(checks) == 4


def test_the_oldest_calls_are_forgotten(
    project: Path, tmp_path: Path, call: Callable[..., Output], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "_MOST", 3)
    counts = []
    for option in ("--statistics", "--coverage", "-q", "-v"):
        call("inside", option)
        counts.append(len(list((tmp_path / "store").rglob("runs/*"))))
    assert counts == [1, 2, 3, 3]


@pytest.mark.parametrize(
    "spoilt",
    [
        b"",
        b"{}",
        b"[]",
        b'{"dependencies": {}, "printed": {}}',
        b'{"dependencies": {"x": {"": {"": 1}}, "printed": []}}',
    ],
)
def test_spoilt_entries_cost_only_time(
    project: Path, tmp_path: Path, checks: list[object], call: Callable[..., Output], spoilt: bytes
) -> None:
    first = call("inside")
    (entry,) = (tmp_path / "store").rglob("runs/*")
    entry.write_bytes(spoilt)
    assert call("inside") == first
    assert len(checks) == 2


def test_nothing_is_imported_for_it(project: Path) -> None:
    """Both calls are in processes of their own, which nothing that other tests do can change."""
    forward = f"import sys, time\nnow = time.time_ns\ntime.time_ns = lambda: now() + {HOUR}\n"
    program = forward + "from shapecheck.cli import run\nrun(['inside'])\nprint(*sys.modules, file=sys.stderr)"
    command = [sys.executable, "-c", program]
    first, again = (subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(2))
    assert "shapecheck.checker.pipeline" in first.stderr.split()
    assert again.stdout == first.stdout
    assert not {"click", "pathlib", "typing", "dataclasses", "shapecheck.checker.pipeline"} & set(again.stderr.split())


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere platformdirs is asked")
@pytest.mark.parametrize("chosen", [None, "", "/somewhere/else"])
def test_the_folder_is_the_one_that_platformdirs_names(monkeypatch: pytest.MonkeyPatch, chosen: str | None) -> None:
    monkeypatch.delenv("SHAPECHECK_CACHE_DIR")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    if chosen is not None:
        monkeypatch.setenv("XDG_CACHE_HOME", chosen)
    assert store.default_folder() == platformdirs.user_cache_dir("shapecheck")
