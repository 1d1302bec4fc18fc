"""Files that are written from what the installed libraries tell: by `make docs`, and compared with it by a test.

A generator is a module whose `files()` are the texts by path; with `--check` it writes nothing and names what is stale.
Which versions were asked is noted, since others may well tell something else.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path

from tests.support.child import QUIET

LIBRARIES = ("keras", "numpy", "scipy", "tensorflow", "tf_keras")
NOTE = Path(__file__).with_name("generated_with.json")


def versions() -> dict[str, str]:
    """Return the versions of the libraries that are installed."""
    return {name: _version(name) for name in LIBRARIES}


def _version(library: str) -> str:
    try:
        return version(library)
    except ModuleNotFoundError:
        return version(f"{library}-cpu")


def other_versions() -> dict[str, str]:
    """Return the installed versions that are not those that the files were written with."""
    noted = noted_versions()
    return {name: installed for name, installed in versions().items() if noted[name] != installed}


def releases() -> dict[str, str]:
    """Return the releases of the libraries that are installed, such as 3.15."""
    return {name: _release(version) for name, version in versions().items()}


def _release(version: str) -> str:
    return ".".join(version.split(".")[:2])


def is_other_release(library: str) -> bool:
    """Return whether the installed library is of another release, such as 3.12 for 3.15, than the files tell of."""
    return _release(noted_versions()[library]) != _release(_version(library))


def skip_if_other_release(differences: object) -> None:
    """Skip a test of labels that differ from a real run with libraries of another release than they were made with."""
    others = [library for library in LIBRARIES if is_other_release(library)]
    if differences and others:
        import pytest

        pytest.skip(f"other releases of {', '.join(others)} behave otherwise: {differences}")


@cache
def noted_versions() -> dict[str, str]:
    """Return the versions of the libraries that the files were written with."""
    noted: dict[str, str] = json.loads(NOTE.read_text(encoding="utf-8"))
    return noted


def main(files: Callable[[], dict[Path, str]], environment: dict[str, str] | None = None) -> None:
    """Write the files, or exit with the names of those that are stale."""
    os.environ.update({**QUIET, **(environment or {})})
    made = files()
    if "--check" in sys.argv:
        stale = [path.name for path, text in made.items() if path.read_text(encoding="utf-8") != text]
        sys.exit(" ".join(stale) or None)
    for path, text in made.items():
        path.write_text(text, encoding="utf-8")
    note()


def note() -> None:
    """Write down which versions were asked."""
    NOTE.write_text(json.dumps(versions(), indent=0) + "\n", encoding="utf-8")
