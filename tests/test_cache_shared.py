"""Machines share results: what one has checked, another one with the same files does not check again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from shapecheck.cache import shared
from shapecheck.checker import trial
from shapecheck.cli import run

FILES = {
    "pyproject.toml": "[project]\nname = 'shop'\n",
    "tables.py": "import numpy as np\n\ndef table(n):\n    return np.zeros((n, 4))\n",
    "use.py": "import numpy as np\nfrom tables import table\nprint(table(3) @ np.ones((5, 2)))\n",
}
URL = "memory://results"
Checked = Callable[..., tuple[int, str, set[str]]]


@pytest.fixture
def store() -> Iterator[Any]:
    """Return the file system in memory, which is empty before and after."""
    fsspec = pytest.importorskip("fsspec")
    found = fsspec.filesystem("memory")
    yield found
    found.rm("/", recursive=True)


@pytest.fixture
def checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Checked:
    """Check the files on a machine of that name; return the exit status, what is printed, and which files were not
    answered by a cache."""
    traced: set[str] = set()
    check = trial.check_with_fixes

    def check_with_fixes(parsed: Any, source: Any, *more: Any) -> Any:
        traced.add(source.filename)
        return check(parsed, source, *more)

    monkeypatch.setattr(trial, "check_with_fixes", check_with_fixes)

    def called(machine: str, url: str = URL, **changed: str) -> tuple[int, str, set[str]]:
        folder = tmp_path / machine / "shop"
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in (FILES | {f"{name}.py": text for name, text in changed.items()}).items():
            (folder / name).write_text(text)
        monkeypatch.chdir(folder)
        traced.clear()
        cache = ("--cache-dir", str(tmp_path / machine / "cache"), "--shared-cache", url)
        status = run(["check", ".", "--jobs", "1", "--output-format", "json", *cache])
        told = capsys.readouterr()
        return status, told.out + told.err, set(traced)

    return called


def test_what_another_machine_has_checked(store: Any, checked: Checked) -> None:
    first = checked("first")
    assert first[0] == 1 and "axis-mismatch" in first[1]
    assert first[2] == {"use.py", "tables.py"}
    assert checked("second") == (*first[:2], set())


def test_files_that_others_import_are_the_same(store: Any, checked: Checked) -> None:
    checked("first")
    status, told, traced = checked("second", tables=FILES["tables.py"].replace("4", "5"))
    assert (status, traced) == (0, {"use.py", "tables.py"}), told


def test_a_spoilt_entry_is_as_good_as_absent(store: Any, checked: Checked) -> None:
    first = checked("first")
    for path in store.find("/"):
        told = store.cat(path)
        store.pipe(path, told.replace(b"has 5 rows", b"has 4 rows") + b" " * ("use.py" not in str(told)))
    assert checked("second") == first


@pytest.mark.parametrize("scheme", ["", "file://"])
def test_a_folder(tmp_path: Path, checked: Checked, scheme: str) -> None:
    pytest.importorskip("fsspec")
    first = checked("first", f"{scheme}{tmp_path}/shared")
    assert checked("second", f"{scheme}{tmp_path}/shared") == (*first[:2], set())


def test_a_place_that_cannot_be_used(store: Any, checked: Checked) -> None:
    status, told, _ = checked("first", "nowhere://results")
    assert status == 2
    assert told.startswith("shapecheck: shared-cache: nowhere://results: ")


def test_without_fsspec(checked: Checked, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(shared.importlib, "import_module", missing)
    status, told, _ = checked("first")
    assert status == 2
    assert told.startswith("shapecheck: shared-cache: fsspec is not installed: pip install 'tensor-shapecheck[shared]'")


def test_a_place_that_fails_costs_only_time(store: Any, checked: Checked, monkeypatch: pytest.MonkeyPatch) -> None:
    checked("first")

    def failing(*_: Any, **__: Any) -> Any:
        raise OSError("the line is down")

    monkeypatch.setattr(type(store), "cat", failing)
    monkeypatch.setattr(type(store), "pipe", failing)
    status, told, traced = checked("second")
    assert (status, traced) == (1, {"use.py", "tables.py"}), told
