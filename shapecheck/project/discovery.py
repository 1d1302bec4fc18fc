"""Search for the Python files and notebooks under paths.

A folder stands for all such files below it, except those that `.gitignore` files, the configuration or a list of common
folders exclude; a file that is named is included, unless exclusion is forced.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from shapecheck.config import BadConfig, Config, patterns
from shapecheck.project.file_queries import PATH_QUERIES

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

# fmt: off
_SKIPPED = frozenset((
    ".bzr", ".direnv", ".eggs", ".git", ".hg", ".ipynb_checkpoints", ".mypy_cache", ".nox", ".pytest_cache",
    ".ruff_cache", ".svn", ".tox", ".venv", "__pycache__", "__pypackages__", "_build", "buck-out", "build", "dist",
    "node_modules", "site-packages", "venv",
))
# fmt: on
_SUFFIXES = (".py", ".ipynb")
_TESTS = (".", "tests", "test", "../tests", "../test")  # where the tests of a file may be, seen from its folder


@dataclass(frozen=True, slots=True)
class Found:
    """The files in a fixed order, named as the user would, the tests of files that were named one by one, one line for
    each path that could not be followed, and the queries that all this depends on."""

    files: tuple[Path, ...]
    tests: tuple[Path, ...]
    problems: tuple[str, ...]
    dependencies: Mapping[tuple[str, str], bool]


@dataclass(frozen=True, slots=True)
class _Ignore:
    """The ignore patterns of one folder; they are relative to it."""

    folder: Path
    spec: GitIgnoreSpec

    def verdict(self, path: Path, is_folder: bool) -> bool | None:
        if not path.is_relative_to(self.folder):
            return None
        relative = path.relative_to(self.folder).as_posix()
        return self.spec.check_file(relative + "/" if is_folder else relative).include


def find(paths: Sequence[str | Path], config: Config) -> Found:
    """Return the files that `paths` stand for; `-` (standard input) is left to the caller."""
    walk = _Walk([_Ignore(_absolute(config.root), patterns(config.exclude))] if config.exclude else [])
    files: dict[Path, Path] = {}
    tests: dict[Path, Path] = {}
    for path in (Path(path) for path in paths if str(path) != "-"):
        if config.force_exclude and config.leaves_out(str(path)):
            continue
        if os.path.isdir(path):
            above = walk.ignores_above(_absolute(path))
            found = walk.below(path, () if _is_ignored(_absolute(path), above) else above)
        elif problem := _why_missing(path):
            walk.problems.append(problem)
            continue
        else:
            found = iter([path])
            tests.update((_absolute(test), test) for test in walk.tests_of(path))
        for file in found:
            files.setdefault(_absolute(file), file)
    others = tuple(name for test, name in tests.items() if test not in files)
    return Found(tuple(files.values()), others, tuple(walk.problems), walk.dependencies)


@dataclass(frozen=True, slots=True)
class _Walk:
    """One walk over folders: the excluded patterns, the problems and the queries of the file system."""

    excluded: list[_Ignore]
    problems: list[str] = field(default_factory=list)
    dependencies: dict[tuple[str, str], bool] = field(default_factory=dict)

    def below(self, folder: Path, outer: tuple[_Ignore, ...]) -> Iterator[Path]:
        self.dependencies["listing", str(folder)] = True
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            self.problems.append(f"{folder}: {error.strerror}")
            return
        ignores = (*self.own_ignore(_absolute(folder)), *outer)
        for entry in entries:
            path = folder / entry.name
            is_folder = entry.is_dir(follow_symlinks=False)
            is_wanted = is_folder or entry.name.endswith(_SUFFIXES)
            if not is_wanted or self.leaves_out(_absolute(path), is_folder, ignores):
                continue
            if is_folder:
                if entry.name not in _SKIPPED and not self.is_there(path / "pyvenv.cfg"):
                    yield from self.below(path, ignores)
            elif self.is_file(path) if entry.is_symlink() else os.path.isfile(path):
                yield path
            elif entry.is_symlink() and (problem := _why_missing(path)):
                self.problems.append(problem)

    def tests_of(self, file: Path) -> Iterator[Path]:
        """Yield the test files that are named after a file and not excluded by the configuration."""
        stem = file.stem
        if file.suffix != ".py" or stem.startswith("test_") or stem.endswith("_test"):
            return
        for folder in _TESTS:
            for name in (f"test_{stem}.py", f"{stem}_test.py"):
                test = Path(os.path.normpath(file.parent / folder / name))
                if self.is_file(test) and not self.leaves_out(_absolute(test), False, ()):
                    yield test

    def is_there(self, path: Path) -> bool:
        return self._ask("there", path)

    def is_file(self, path: Path) -> bool:
        return self._ask("file", path)

    def _ask(self, kind: str, path: Path) -> bool:
        answer = self.dependencies[kind, str(path)] = PATH_QUERIES[kind](str(path))
        return answer

    def ignores_above(self, folder: Path) -> tuple[_Ignore, ...]:
        """Return the `.gitignore` files between a folder and the root of its work tree, nearest first; none outside
        one."""
        if self.is_there(folder / ".git"):
            return ()
        above: list[_Ignore] = []
        for parent in folder.parents:
            above += self.own_ignore(parent)
            if self.is_there(parent / ".git"):
                return tuple(above)
        return ()

    def own_ignore(self, folder: Path) -> list[_Ignore]:
        path = folder / ".gitignore"
        try:
            text = path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            self.dependencies["text", str(path)] = False
            return []
        self.dependencies["text", str(path)] = True
        return [_Ignore(folder, patterns(filter(_is_pattern, text.splitlines())))]

    def leaves_out(self, path: Path, is_folder: bool, ignores: tuple[_Ignore, ...]) -> bool:
        """Return whether the configuration, or the nearest `.gitignore` that mentions the path, excludes it."""
        if any(ignore.verdict(path, is_folder) for ignore in self.excluded):
            return True
        verdicts = (ignore.verdict(path, is_folder) for ignore in ignores)
        return next((verdict for verdict in verdicts if verdict is not None), False)


def _absolute(path: Path) -> Path:
    """Return the absolute path without `..` but with symbolic links: patterns match names."""
    return Path(os.path.abspath(path))


def _why_missing(path: Path) -> str:
    """Return why a path cannot be followed; empty if it can."""
    try:
        os.stat(path)
    except PermissionError as error:
        return f"{path}: {error.strerror}"
    except (OSError, ValueError):
        return f"{path}: broken symbolic link" if os.path.islink(path) else f"{path}: no such file or folder"
    return ""


def _is_ignored(folder: Path, ignores: tuple[_Ignore, ...]) -> bool:
    """Return whether a folder or one above it is ignored; a user who names it nevertheless wants its files."""
    return any(ignore.verdict(each, is_folder=True) for ignore in ignores for each in (folder, *folder.parents))


def _is_pattern(line: str) -> bool:
    try:
        patterns([line])
    except BadConfig:
        return False
    return True
