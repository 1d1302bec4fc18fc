"""`--watch`: a check for each change."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from shapecheck.cli import run, watch

FAULT = "import numpy as np\nimport sizes\n\nnp.zeros(sizes.N) + np.zeros(4)\n"


@pytest.fixture
def changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Call functions one after the other where the watch would wait; after the last comes Ctrl-C."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "main.py").write_text(FAULT)
    (tmp_path / "inside" / "setup.py").write_text("")
    (tmp_path / "sizes.py").write_text("N = 3\n")

    def plan(*steps: Callable[[], object]) -> None:
        todo: Iterator[Callable[[], object]] = iter(steps)

        def pause(_: float) -> None:
            step = next(todo, None)
            if step is None:
                raise KeyboardInterrupt
            step()

        monkeypatch.setitem(sys.modules, "watchfiles", None)
        monkeypatch.setattr(watch.time, "sleep", pause)

    return plan


def write(path: str, text: str) -> Callable[[], None]:
    def change() -> None:
        Path(path).write_text(text)
        os.utime(path, (time.time() + len(text), time.time() + len(text)))

    return change


def test_each_change_is_followed_by_a_check(changes: Callable[..., None], capsys: pytest.CaptureFixture[str]) -> None:
    changes(
        lambda: None,
        write("inside/main.py", FAULT.replace("4", "3")),
        write("sizes.py", "N = 20\n"),
        write("notes.txt", "not Python"),
        write("inside/new.py", FAULT),
        lambda: os.remove("inside/new.py"),
    )
    assert run(["inside", "--watch", "--output-format", "concise", "--no-cache"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line]
    sums = [line for line in lines if line.startswith("Checked")]
    assert [line.split(": ")[1] for line in sums] == [
        "1 error.",
        "nothing found.",
        "1 error.",
        "2 errors.",
        "1 error.",
    ]


def test_the_system_tells_of_changes(tmp_path: Path) -> None:
    pytest.importorskip("watchfiles")
    (tmp_path / "inner").mkdir()
    paths, known = [tmp_path], [(str(tmp_path / "inner" / "a.py"), 0, 0)]
    folders = watch._folders(paths, frozenset(known))
    assert folders == [str(tmp_path), str(tmp_path / "inner")]
    moments = watch._moments(folders)
    next(moments)
    writer = threading.Thread(target=write_soon, args=(tmp_path / "inner" / "a.py",))
    begin = time.monotonic()
    writer.start()
    next(moments)
    writer.join()
    assert time.monotonic() - begin < watch.SILENCE / 2


def write_soon(path: Path) -> None:
    """Write a file again and again, since a watch may not have begun."""
    for number in range(10):
        time.sleep(0.1)
        path.write_text(str(number))


def test_standard_input_is_not_watched(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["-", "--watch"]) == 2
    assert "standard input cannot be watched" in capsys.readouterr().err
