"""The library versions that a project declares: in its requirements, its metadata, its lock files, or by the commands
of a notebook that install them.

It knows the formats of these files, and nothing of what versions mean for shapes.
"""

from __future__ import annotations

import ast
import configparser
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from shapecheck import toml
from shapecheck.project.recorded_files import RecordedFiles
from shapecheck.project.version_ranges import VersionRange, version_range
from shapecheck.python_syntax import module_of
from shapecheck.source import Source

Declared = Mapping[str, VersionRange]
"""The ranges of versions by library: "tensorflow", "keras", "numpy", "python"."""

MAX_FOLDERS: Final = 5
"""How many folders above a file may declare what it needs."""

_REQUIREMENT: Final = re.compile(
    r"(?P<name>tensorflow(?:[-_](?:gpu|cpu|macos|intel))?|keras|numpy|python)(?:\[[^\]]*\])?"
    r"(?![\w.-])[ \t]*\(?(?P<versions>[^;#@\n)]*)",
    re.IGNORECASE,
)
_INSTALL: Final = re.compile(
    r"^[ \t]*[!%][ \t]*(?:python3? -m )?(?:pip3?|conda)[ \t]+install\b(?P<what>[^\n]*)", re.MULTILINE
)
_MAGIC: Final = re.compile(r"^[ \t]*%tensorflow_version[ \t]+(?P<version>[12])\b", re.MULTILINE)
_REPOSITORY: Final = re.compile(
    r"(?:git\+|\bgit\s*=\s*[\"'])[^\s\"'#]*?/(?P<name>[\w-]+?)(?:\.git)?(?=[@#,\"'\s]|$)", re.MULTILINE
)

Requirements = Iterator[tuple[str, str]]


def declared_near(files: RecordedFiles, folder: Path) -> Declared:
    """Return what the nearest folder with a declaration declares, up to the root of the project."""
    for each in [folder, *folder.parents][:MAX_FOLDERS]:
        found = files.remembered(("declared", str(each)), lambda each=each: _declared_in(files, each))  # type: ignore[misc]
        if found is not None:
            return found
        if files.is_there(each / ".git"):
            break
    return {}


def declared_in(source: Source) -> Declared:
    """Return what the commands of a notebook install, and which Python ran it."""
    text = source.text
    found = {"python": version_range(source.python)} if source.python else {}
    for command in _INSTALL.finditer(text):
        words = [word.strip("'\"") for word in command["what"].split()]
        found.update(_ranges(pair for word in words for pair in _requirement(word)))
    magic = _MAGIC.search(text)
    if magic is not None:  # Colab had it before TensorFlow 2.16
        found["tensorflow"] = version_range("==1.*" if magic["version"] == "1" else ">=2,<2.16")
    return found


def forks_near(files: RecordedFiles, folder: Path) -> frozenset[str]:
    """Return what the project of a folder has installed from repositories, which may be like no release."""
    found: frozenset[str] = frozenset()
    for each in [folder, *folder.parents][:MAX_FOLDERS]:
        found |= files.remembered(("forks", str(each)), lambda each=each: _forks_of(files, each))  # type: ignore[misc]
        if files.is_there(each / ".git"):
            break
    return found


def forks_in(source: Source) -> frozenset[str]:
    """Return what the commands of a notebook install from repositories."""
    return frozenset(name for command in _INSTALL.finditer(source.text) for name in _repositories(command["what"]))


def _forks_of(files: RecordedFiles, folder: Path) -> frozenset[str]:
    paths = (folder / name for name in _FORMATS if not name.endswith(".lock"))
    sources = (files.source(path) for path in paths if files.is_file(path))
    return frozenset(name for source in sources if source is not None for name in _repositories(source.text))


def _repositories(text: str) -> Iterator[str]:
    return (found["name"].lower() for found in _REPOSITORY.finditer(text))


def _declared_in(files: RecordedFiles, folder: Path) -> Declared | None:
    """Return what the files of one folder declare, None if it is nothing: the exact versions of a lock file win."""
    found: dict[str, VersionRange] = {}
    for name, read in _FORMATS.items():
        path = folder / name
        source = files.source(path) if files.is_file(path) else None
        if source is None:
            continue
        try:
            ranges = _ranges(read(source.text))
        except (ValueError, TypeError, AttributeError, KeyError, configparser.Error, RecursionError):
            continue
        found = {**ranges, **found}
    return found or None


def _ranges(requirements: Requirements) -> dict[str, VersionRange]:
    found: dict[str, VersionRange] = {}
    for name, versions in requirements:
        said = version_range(versions)
        if said != VersionRange():
            found.setdefault(re.split("[-_]", name.lower())[0], said)
    return found


def _requirement(text: object) -> Requirements:
    found = _REQUIREMENT.match(text) if isinstance(text, str) else None
    if found is not None:
        yield found["name"], found["versions"]


def _lines(text: str) -> Requirements:
    """`requirements.txt`, and the lists of a conda environment."""
    for line in text.splitlines():
        yield from _requirement(line.lstrip("- \t\"'"))


def _pyproject(text: str) -> Requirements:
    read = toml.loads(text)
    project = read.get("project", {})
    for each in project.get("dependencies", ()):
        yield from _requirement(each)
    yield from _table({"python": project.get("requires-python", "")})
    yield from _table(read.get("tool", {}).get("poetry", {}).get("dependencies", {}))


def _table(table: Mapping[str, Any]) -> Requirements:
    """A table from names to versions, or to tables with a version."""
    for name, said in table.items():
        versions = said.get("version", "") if isinstance(said, dict) else said
        yield from _requirement(f"{name} {versions}")


def _toml_lock(text: str) -> Requirements:
    for package in toml.loads(text).get("package", ()):
        yield from _requirement(f"{package['name']} =={package['version']}")


def _pipfile(text: str) -> Requirements:
    return _table(toml.loads(text).get("packages", {}))


def _pipfile_lock(text: str) -> Requirements:
    return _table(json.loads(text).get("default", {}))


def _setup_cfg(text: str) -> Requirements:
    parser = configparser.ConfigParser(interpolation=None)
    parser.read_string(text)
    yield from _lines(parser.get("options", "install_requires", fallback=""))


def _setup_py(text: str) -> Requirements:
    """The literal lists that a call has under the name `install_requires`."""
    module = module_of(text)
    for node in ast.walk(module) if module is not None else ():
        if isinstance(node, ast.keyword) and node.arg == "install_requires" and isinstance(node.value, ast.List):
            for item in node.value.elts:
                if isinstance(item, ast.Constant):
                    yield from _requirement(item.value)


_FORMATS: Final[Mapping[str, Callable[[str], Requirements]]] = {
    "poetry.lock": _toml_lock,
    "uv.lock": _toml_lock,
    "Pipfile.lock": _pipfile_lock,
    "Pipfile": _pipfile,
    "pyproject.toml": _pyproject,
    "requirements.txt": _lines,
    "requirements-gpu.txt": _lines,
    "requirements_gpu.txt": _lines,
    "requirements-cpu.txt": _lines,
    "requirements.in": _lines,
    "environment.yml": _lines,
    "environment.yaml": _lines,
    "setup.cfg": _setup_cfg,
    "setup.py": _setup_py,
}
