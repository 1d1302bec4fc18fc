"""Child processes import this package, from wherever its files are, though it need not be installed."""

import subprocess
import sys
from pathlib import Path

from shapecheck.runtime.importable import PACKAGE_PARENT

CHILDREN = ("shapecheck.runtime.replay.worker", "shapecheck.runtime.recording.launch")


def test_children_are_found_from_any_folder_without_an_installation(tmp_path: Path) -> None:
    find = "import importlib.util, sys; print(all(importlib.util.find_spec(name) for name in sys.argv[1:]))"
    environment = {"PYTHONPATH": str(PACKAGE_PARENT)}
    command = [sys.executable, "-S", "-c", find, *CHILDREN]  # -S: nothing that is installed is seen
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
