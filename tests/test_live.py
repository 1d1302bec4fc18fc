"""Checks with live values: the cells of real sessions of IPython, and what is asked of live objects."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shapecheck.live import debugging
from shapecheck.live.checking import check_cell
from shapecheck.live.describe import table
from shapecheck.live.program import program
from shapecheck.live.snapshot import Snapshot

pytest.importorskip("IPython")
ROOT = Path(__file__).parent.parent
IMPORT = "import numpy as np"
FEWEST_FOUND = 0.9


def told(cell: str, history: list[str] | None = None, **variables: object) -> list[str]:
    known = {"np": np, **variables}
    return [finding.message for finding in check_cell(cell, ["", IMPORT, *(history or [])], known).findings]


@pytest.fixture(scope="module")
def sessions() -> list[dict[str, Any]]:
    """Return what happened to each cell of the notebooks, in a process of its own."""
    command = [sys.executable, "-m", "tests.support.live_session"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:]
    return [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")]


def _is_last(cells: list[dict[str, Any]], at: int) -> bool:
    after = cells[at + 1] if at + 1 < len(cells) else None
    return after is None or (after["kind"], after["name"]) != (cells[at]["kind"], cells[at]["name"])


@pytest.mark.slow
def test_faults_that_only_the_kernel_knows_are_told_before_the_cell_runs(sessions: list[dict[str, Any]]) -> None:
    faults = [seen for at, seen in enumerate(sessions) if seen["kind"] == "faulty" and _is_last(sessions, at)]
    assert len(faults) >= 20
    assert all(seen["raised"] for seen in faults), [seen["cell"] for seen in faults if not seen["raised"]]
    missed = [seen["cell"] for seen in faults if not any(line.startswith("error") for line in seen["told"])]
    assert len(missed) <= (1 - FEWEST_FOUND) * len(faults), missed


@pytest.mark.slow
def test_nothing_is_told_of_cells_that_work(sessions: list[dict[str, Any]]) -> None:
    working = [seen for at, seen in enumerate(sessions) if seen["kind"] == "working" or not _is_last(sessions, at)]
    assert len(working) >= 100
    assert [(seen["cell"], seen["raised"]) for seen in working if seen["raised"]] == []
    assert [(seen["cell"], seen["told"]) for seen in working if seen["told"] or seen["unchecked"]] == []


def test_a_function_of_an_earlier_cell_is_followed_as_it_is_now() -> None:
    history = ["def f(a):\n    return a", "def f(a):\n    return a @ w"]
    known = {"f": lambda a: a, "x": np.zeros((2, 3)), "w": np.zeros((4, 5))}
    assert told("f(x)", history, **known) == ["a @ w: a has 3 columns, w has 4 rows"]


def test_a_place_is_that_of_its_own_cell() -> None:
    history = ["# a comment\n\ndef f(a):\n    return a @ np.ones((4, 5))"]
    found = check_cell("\nf(x)", ["", IMPORT, *history], {"np": np, "f": lambda a: a, "x": np.zeros((2, 3))}).findings
    assert [str(finding.place) for finding in found] == ["In:cell 2:4"]
    assert [str(frame.place) for frame in found[0].call_path] == ["In:cell 3:2"]
    assert "import" not in found[0].place.source.code[: found[0].place.start].split("def f")[0].split("\n")[1]


def test_only_what_a_cell_needs_is_in_its_program() -> None:
    source = program("y = x + 1", ["", IMPORT, "z = f()"], {"np": np, "x": np.zeros(3), "z": np.zeros(4)})
    assert source is not None
    assert "(3,)" in source.text
    assert "(4,)" not in source.text


def test_a_variable_that_hides_a_function_is_the_variable() -> None:
    history = ["def x(a):\n    return a"]
    assert told("x @ x", history, x=np.zeros((2, 3))) == ["x @ x: x has 3 columns, x has 2 rows"]


class _Trap:
    """An object that must not be asked for anything."""

    def __getattribute__(self, name: str) -> object:
        raise AssertionError(f"asked for {name}")

    def __repr__(self) -> str:
        raise AssertionError("asked for its text")

    def __len__(self) -> int:
        raise AssertionError("asked for its length")


class _Impostor:
    """A class that says that it is NumPy's."""

    @property
    def shape(self) -> tuple[int, ...]:
        raise AssertionError("asked for its shape")


_Impostor.__module__, _Impostor.__qualname__ = "numpy", "ndarray"


class _OwnArray(np.ndarray):
    @property
    def shape(self) -> tuple[int, ...]:  # type: ignore[override]
        raise AssertionError("asked for its shape")


class _OwnList(list[int]):
    def __len__(self) -> int:
        raise AssertionError("asked for its length")


_OWN = {
    "traps": _Trap,
    "impostors": _Impostor,
    "arrays": lambda: np.zeros(3).view(_OwnArray),
    "lists": _OwnList,
    "items": lambda: [_Trap()],
    "entries": lambda: {"a": _Impostor()},
}


@pytest.mark.parametrize("make", _OWN.values(), ids=_OWN)
def test_objects_of_the_user_are_asked_for_nothing(make: Callable[[], object]) -> None:
    snapshot = Snapshot()
    snapshot.bind("x", make())
    assert "_live.unknown()" in snapshot.text()
    assert "_live.array" not in snapshot.text()
    assert table({"x": make()}) == "no variable holds an array"


def test_containers_keep_their_structure() -> None:
    snapshot = Snapshot()
    shared = np.zeros((2, 3))
    cyclic: list[object] = [1]
    cyclic.append(cyclic)
    snapshot.bind("x", {"a": (shared, 1.5), "b": [shared, None, "text"], "c": np.float32(2), "d": cyclic})
    snapshot.bind("y", [np.zeros((4, 5), int)] * 100)
    lines = snapshot.text().splitlines()
    assert [line for line in lines if "(2, 3)" in line] == ["_live_2 = _live.array((2, 3), 'float64')"]
    assert "[_live.array((4, 5), 'int64')] * 100" in snapshot.text()
    assert told("y[99] @ x['a'][0]", x={"a": (shared, 1)}, y=[np.zeros((4, 5))] * 100) != []


def test_small_arrays_of_integers_have_their_elements() -> None:
    shape = np.array([4, 6])
    assert told("x.reshape(shape)", x=np.zeros(25), shape=shape) == [
        "x.reshape: x has 25 elements, which do not fill (4, 6)"
    ]
    assert told("x.reshape(n, -1)", x=np.zeros(25), n=np.int64(5)) == []


def test_a_shell_checks_cells_and_refuses_them_in_strict_mode(capsys: pytest.CaptureFixture[str]) -> None:
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell()
    shell.run_cell("%load_ext shapecheck")
    shell.run_cell("import numpy as np\nx = np.zeros((2, 3))\nran = []", store_history=True)
    shell.run_cell("x @ x; ran.append(1)", store_history=True)
    assert "x has 3 columns, x has 2 rows" in capsys.readouterr().out
    shell.run_cell("%shapecheck strict", store_history=True)
    assert not shell.run_cell("ran.append(2); x @ x", store_history=True).success
    assert shell.user_ns["ran"] == []
    printed = capsys.readouterr().out
    assert printed.endswith("shapecheck: the cell was not run (%shapecheck on runs such cells)\n")
    assert "Traceback" not in printed
    shell.run_cell("%shapecheck off", store_history=True)
    shell.run_cell("ran.append(3)\nx @ x", store_history=True)
    assert "x has 3 columns" not in capsys.readouterr().out
    shell.run_cell("%%shapecheck\nran.append(4)\nx @ x", store_history=True)
    assert "x has 3 columns" in capsys.readouterr().out
    assert shell.user_ns["ran"] == [3, 4]
    shell.run_cell("%shapes x, y", store_history=True)
    assert capsys.readouterr().out == "x  ndarray  (2, 3)  float64\n"
    shell.run_cell("%shapecheck nonsense\n", store_history=True)
    shell.run_cell("%unload_ext shapecheck", store_history=True)
    assert not shell.ast_transformers


STOPPED = """
import numpy as np
import shapecheck

def build(n):
    x = np.zeros((n, 3))
    shapecheck.here()
    y = x.T
    return x @ y[:2]

try:
    build(5)
except ValueError:
    pass
"""


def test_here_tells_shapes_and_what_fails_next(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "script.py"
    path.write_text(STOPPED, encoding="utf-8")
    ran = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, cwd=ROOT, check=True)
    assert ran.stdout.startswith("x  ndarray  (5, 3)  float64\n")
    assert "script.py:9:12: error[axis-mismatch] x @ y[:2]: x has 3 columns, y[:2] has 2 rows" in ran.stdout


def test_here_in_a_debugger_is_where_it_has_stopped(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text(STOPPED.replace("shapecheck.here()", "breakpoint()"), encoding="utf-8")
    asked = "import shapecheck\nshapecheck.here()\nc\n"
    ran = subprocess.run([sys.executable, str(path)], input=asked, capture_output=True, text=True, cwd=ROOT, check=True)
    assert "x  ndarray  (5, 3)  float64\n" in ran.stdout
    assert "x has 3 columns, y[:2] has 2 rows" in ran.stdout
    assert debugging.here is not None
