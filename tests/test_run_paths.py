"""`shapecheck run` compares by call path, and runs modules and tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.test_run import compared, level, run

MANY_CALLS = """
import numpy as np

def doubled(x):
    y = np.concatenate([x, x])
    return y

def outer(x):
    return doubled(x)

class Doubling:
    def __mul__(self, x):
        return outer(x)

a = outer(np.zeros(2)), outer(np.zeros((3, 4)))
b = Doubling() * np.zeros(5)
c = [outer(np.zeros(n)) for n in (6, 7)]
d = np.apply_along_axis(lambda row: doubled(row), 1, np.zeros((2, 3)))
"""


def test_each_call_path_has_its_own_prediction(tmp_path: Path) -> None:
    report = compared(tmp_path, MANY_CALLS)
    assert report["counts"]["wrong"] == 0
    assert level(report, "np.concatenate([x, x])") == "known"
    assert report["weights"]["known"] > report["counts"]["known"]


def test_a_prediction_on_another_path_does_not_count(tmp_path: Path) -> None:
    program = """
import numpy as np

def doubled(x):
    return np.concatenate([x, x])

doubled(np.zeros(2))
globals()["doub" + "led"](np.zeros((3, 4)))
"""
    report = compared(tmp_path, program)
    assert report["counts"]["wrong"] == 0
    assert level(report, "np.concatenate([x, x])") == "lost"
    (reason,) = (text for text in report["reasons"]["lost"] if text.startswith("not followed"))
    assert reason.startswith("not followed since program.py:8: globals()")


def test_a_wrong_prediction_among_several_calls_is_found(tmp_path: Path) -> None:
    program = """
import numpy as np

def doubled(x):
    globals()["hidden"] = x.T
    return np.concatenate([x, hidden])

hidden = np.zeros((2, 2))
doubled(np.zeros((2, 2))), doubled(hidden)
globals()["hidden"] = np.zeros((5, 2))
x = hidden + 1
"""
    report = compared(tmp_path, program)
    (wrong,) = (place for place in report["places"] if place["level"] == "wrong")
    assert (wrong["predicted"], wrong["seen"]) == ("(2, 2)", [5, 2])


PACKAGE = {
    "package/__init__.py": "from . import tables\n",
    "package/tables.py": "import numpy as np\n\nTABLE = np.ones((2, 3)).T\n",
    "package/shapes.py": "import numpy as np\n\ndef square(n):\n    return np.zeros((n, n))\n",
    "package/__main__.py": (
        "import sys\nfrom .shapes import square\n\nif __name__ == '__main__':\n"
        "    print(sys.argv[1:], square(3).shape)\n    raise SystemExit(4)\n"
    ),
    "package/tool.py": "from . import shapes\nprint(__name__, shapes.square(2).T.shape)\n",
    "checks/test_shapes.py": (
        "import unittest\nfrom package.shapes import square\n\ndef test_square():\n    assert square(2).sum() == 0\n"
        "\nclass TestSquare(unittest.TestCase):\n    def setUp(self):\n        self.x = square(4)\n\n"
        "    def test_sum(self):\n        self.assertEqual((self.x.T @ self.x).sum(), 1)\n"
    ),
}


def run_module(folder: Path, *arguments: str) -> tuple[int, str, str]:
    for name, text in PACKAGE.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    command = [sys.executable, "-m", "shapecheck", "run", "-m", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=300)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("name", "printed", "ending"),
    [
        ("package", "['a'] (3, 3)\n", "exit status 4"),
        ("package.tool", "__main__ (2, 2)\n", "exit status 0"),
    ],
)
def test_a_module_runs_by_its_name(tmp_path: Path, name: str, printed: str, ending: str) -> None:
    status, output, errors = run_module(tmp_path, name, "a")
    assert (status, errors) == (0, "")
    assert output.startswith(printed)
    assert "package/shapes.py" in output.replace("\\", "/")
    assert output.endswith(f"tensor expressions known; program: {ending}\n")
    assert "100.0%" in output


@pytest.mark.parametrize("runner", ["pytest", "unittest"])
def test_tests_run_under_their_runner(tmp_path: Path, runner: str) -> None:
    status, output, _ = run_module(tmp_path, runner, "checks/test_shapes.py")
    assert status == 0, output
    assert "100.0%" in output
    assert output.endswith("program: exit status 1\n")  # one of the tests fails
    assert "__shapecheck" not in output


def test_nothing_is_observed(tmp_path: Path) -> None:
    _, output, _ = run(tmp_path, "x = 1\n")
    assert "nothing was observed: no tensor in the 1 modules" in output
    _, output, _ = run_module(tmp_path, "calendar", "2020")
    assert "nothing was observed: no module of the program was imported" in output


STUBBED = """
import numpy as np
from no_such_package.plots import show
try:
    import other_missing_package
except ImportError:
    x = np.zeros((2, 3)).T
show(x, title="x")
"""


def test_missing_packages_are_stubs_if_asked_for(tmp_path: Path) -> None:
    plain: dict[str, Any] = compared(tmp_path, STUBBED)
    assert plain["ending"].startswith("it raised ModuleNotFoundError")
    report = compared(tmp_path, STUBBED, "--stub", "no_such_package")
    assert report["ending"] == "exit status 0"
    assert level(report, "np.zeros((2, 3)).T") == "known"
