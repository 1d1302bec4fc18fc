"""Runs that need no repetition: how a program ends depends on its text and the libraries alone.

`python -m tests.support.recorded_runs` runs all programs of the corpus, and all with fixes, and notes in
`recorded_runs.txt` which of them end as they should. The tests run those that are not noted, because they or their
labels were changed or the libraries are of another release, and one in sixteen of the others.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from tests.support.generated import releases
from tests.support.programs import SERVER, Setting

NOTES = Path(__file__).with_name("recorded_runs.txt")
NEW = "SHAPECHECK_RECORD_RUNS"  # the file that the keys of all runs are added to
TESTS = ("tests/test_corpus_runs.py", "tests/test_repairs_of_programs.py")


@contextmanager
def unless_recorded(text: str, setting: Setting, *label: object) -> Iterator[None]:
    """Skip the rest of a test if the program is noted to have ended as its label says; else note it if it does."""
    key = _key(text, setting, label)
    if key in _recorded() and not key.startswith("0"):
        pytest.skip("it ended as it should with these releases of the libraries")
    yield
    if NEW in os.environ and setting.library == "tensorflow":
        with open(os.environ[NEW], "a", encoding="ascii") as notes:
            notes.write(f"{key}\n")


def _key(text: str, setting: Setting, label: tuple[object, ...]) -> str:
    parts = text, setting.legacy, setting.old_names, label, _circumstances()
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


@cache
def _circumstances() -> tuple[object, ...]:
    """Return what all programs are run with."""
    return releases(), SERVER.read_text(encoding="utf-8")


@cache
def _recorded() -> frozenset[str]:
    is_made_anew = NEW in os.environ
    return frozenset(() if is_made_anew else NOTES.read_text(encoding="ascii").split())


def main() -> None:
    with tempfile.NamedTemporaryFile("r", encoding="ascii") as notes:
        command = [sys.executable, "-m", "pytest", "-q", "-n", "2", *TESTS]
        ended = subprocess.run(command, env=os.environ | {NEW: notes.name}, check=False)
        NOTES.write_text("".join(sorted(set(notes))), encoding="ascii")
    sys.exit(ended.returncode)


if __name__ == "__main__":
    main()
