"""Environments of the libraries that models are compared with: the installed ones, and older ones elsewhere.

`python -m tests.support.environments` makes those under `.venv/older`, for each that a suitable Python is found for.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from shapecheck.models.lang.packs import CORE
from shapecheck.target import Target

ROOT = Path(__file__).resolve().parents[2]
OLDER = ROOT / ".venv" / "older"
PLACES = (  # where interpreters usually are; {0} is a version such as 3.7
    "{home}/.pyenv/versions/{0}*/bin/python",
    "{home}/.local/share/uv/python/*-{0}*/bin/python{0}",
    "{home}/miniconda3/envs/*/bin/python{0}",
    "/usr/local/bin/python{0}",
    "/opt/homebrew/opt/python@{0}/bin/python{0}",
    "/opt/python/*{0}*/bin/python{0}",
)


@dataclass(frozen=True, slots=True)
class Environment:
    """Libraries of certain versions, and the target of programs for them."""

    name: str
    target: Target
    pythons: tuple[str, ...] = ()  # versions of Python that they are for, the best one first
    requirements: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()  # of the table of older parameter lists
    leaves_out: tuple[str, ...] = ()  # libraries that only happen to be there
    package: str = CORE  # the models that are compared with them

    @property
    def folder(self) -> Path:
        return OLDER / self.name.replace(" ", "-")

    @property
    def python(self) -> str:
        return str(self.folder / "bin" / "python") if self.pythons else sys.executable

    @property
    def is_there(self) -> bool:
        """Return whether it was installed completely, with the current requirements."""
        if not self.pythons:
            return True
        mark = self.folder / "requirements"
        return mark.is_file() and mark.read_text(encoding="utf-8").split("\n") == list(self.requirements)


CURRENT = Environment("installed", Target(tensorflow=2, keras=3, numpy=2))
TENSORFLOW_1 = Environment(
    "tensorflow 1.15",
    Target(tensorflow=1, keras=2, numpy=1, classic_variables=True),
    ("3.7",),
    ("tensorflow==1.15.5", "protobuf<3.21"),
    ("tensorflow 1.15",),
    leaves_out=("np", "scipy"),
)
TENSORFLOW_2_15 = Environment(
    "tensorflow 2.15",
    Target(tensorflow=2, keras=2, numpy=1),
    ("3.10", "3.11", "3.9"),
    ("tensorflow==2.15.*", "numpy==1.26.*"),
    ("tensorflow 2.15", "keras 2.15", "numpy 1.26"),
)
OLD = (TENSORFLOW_1, TENSORFLOW_2_15)
JAX = Environment(
    "jax 0.10",
    Target(),
    ("3.11", "3.12", "3.13"),
    ("jax==0.10.*", "flax==0.12.*", "optax==0.2.*", "dm-haiku==0.0.*", "equinox==0.13.*", "pytest"),
    package="shapecheck.models.jax",
)
PYTORCH = Environment(
    "torch 2.14",
    Target(),
    ("3.11", "3.12", "3.13"),
    ("torch==2.14.*", "torchvision==0.29.*", "pytorch-lightning==2.6.*", "numpy", "pytest"),
    package="shapecheck.models.torch",
)
PACKS = (JAX, PYTORCH)
"""The environments of packs that have a folder of their own."""


def make(wanted: Environment) -> str:
    """Create an environment unless it exists; return the result in words."""
    if wanted.is_there:
        return "there"
    python = next(filter(None, map(interpreter, wanted.pythons)), None)
    if python is None:
        return f"left out, no Python {' or '.join(wanted.pythons)} found"
    shutil.rmtree(wanted.folder, ignore_errors=True)
    subprocess.run([python, "-m", "venv", wanted.folder], check=True)
    install = [wanted.python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    done = subprocess.run([*install, *wanted.requirements], stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        return f"left out, {done.stderr.strip().splitlines()[-1]}"
    (wanted.folder / "requirements").write_text("\n".join(wanted.requirements), encoding="utf-8")
    return f"made with {python}"


def interpreter(version: str) -> str | None:
    """Return a Python of a version, on the path or in one of the usual places."""
    return next((found for found in _candidates(version) if _is_of(found, version)), None)


def _candidates(version: str) -> Iterator[str]:
    named = (shutil.which(name) for name in (f"python{version}", "python3", "python"))
    yield from filter(None, named)
    for place in PLACES:
        pattern = place.format(version, home=os.path.expanduser("~")).lstrip("/")
        yield from map(str, sorted(Path("/").glob(pattern)))


def _is_of(python: str, version: str) -> bool:
    """Return the version that the interpreter itself reports: a command on the path may be a wrapper."""
    asked = [python, "-c", "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"]
    told = subprocess.run(asked, capture_output=True, text=True, check=False)
    return told.returncode == 0 and told.stdout.strip() == version


if __name__ == "__main__":
    for each in PACKS if sys.argv[1:] == ["packs"] else OLD:
        print(f"{each.name}: {make(each)}", flush=True)
