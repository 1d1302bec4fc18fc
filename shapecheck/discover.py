"""From paths to the Python files and notebooks under them.

It knows which files a user means, not what is in them: a folder stands for such files below it, except those that
`.gitignore` files, the configuration or common sense leave out; a file that is named is always taken.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from shapecheck.config import BadConfig, Config, patterns

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


@dataclass(frozen=True, slots=True)
class Found:
    """Files in a fixed order, named as the user would, and one line for each path that could not be followed."""

    files: tuple[Path, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Ignore:
    """The patterns of one folder; they are relative to it."""

    folder: Path
    spec: GitIgnoreSpec

    def verdict(self, path: Path, is_folder: bool) -> bool | None:
        if not path.is_relative_to(self.folder):
            return None
        relative = path.relative_to(self.folder).as_posix()
        return self.spec.check_file(relative + "/" if is_folder else relative).include


def find(paths: Sequence[str | Path], config: Config) -> Found:
    """The files that `paths` stand for; `-` (standard input) is left to the caller."""
    walk = _Walk([_Ignore(_absolute(config.root), patterns(config.exclude))] if config.exclude else [])
    files: dict[Path, Path] = {}
    for path in (Path(path) for path in paths if str(path) != "-"):
        if os.path.isdir(path):
            above = _ignores_above(_absolute(path))
            found = walk.below(path, () if _is_ignored(_absolute(path), above) else above)
        elif problem := _why_missing(path):
            walk.problems.append(problem)
            continue
        else:
            found = iter([path])
        for file in found:
            files.setdefault(_absolute(file), file)
    return Found(tuple(files.values()), tuple(walk.problems))


@dataclass(frozen=True, slots=True)
class _Walk:
    """One walk over folders: what the configuration excludes, and what could not be followed."""

    excluded: list[_Ignore]
    problems: list[str] = field(default_factory=list)

    def below(self, folder: Path, outer: tuple[_Ignore, ...]) -> Iterator[Path]:
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            self.problems.append(f"{folder}: {error.strerror}")
            return
        ignores = (*_own_ignore(_absolute(folder)), *outer)
        for entry in entries:
            path = folder / entry.name
            is_folder = entry.is_dir(follow_symlinks=False)
            is_wanted = is_folder or entry.name.endswith(_SUFFIXES)
            if not is_wanted or self.leaves_out(_absolute(path), is_folder, ignores):
                continue
            if is_folder:
                if entry.name not in _SKIPPED and not os.path.exists(path / "pyvenv.cfg"):
                    yield from self.below(path, ignores)
            elif os.path.isfile(path):
                yield path
            elif entry.is_symlink() and (problem := _why_missing(path)):
                self.problems.append(problem)

    def leaves_out(self, path: Path, is_folder: bool, ignores: tuple[_Ignore, ...]) -> bool:
        """Excluded by the configuration, or by the nearest `.gitignore` that says anything about the path."""
        if any(ignore.verdict(path, is_folder) for ignore in self.excluded):
            return True
        verdicts = (ignore.verdict(path, is_folder) for ignore in ignores)
        return next((verdict for verdict in verdicts if verdict is not None), False)


def _absolute(path: Path) -> Path:
    """Absolute and without `..`, but symbolic links are kept: patterns speak of names."""
    return Path(os.path.abspath(path))


def _why_missing(path: Path) -> str:
    """What is wrong with a path that leads nowhere; empty if it leads somewhere."""
    try:
        os.stat(path)
    except PermissionError as error:
        return f"{path}: {error.strerror}"
    except (OSError, ValueError):
        return f"{path}: broken symbolic link" if os.path.islink(path) else f"{path}: no such file or folder"
    return ""


def _ignores_above(folder: Path) -> tuple[_Ignore, ...]:
    """The `.gitignore` files between a folder and the top of its work tree, nearest first; none outside one."""
    if os.path.exists(folder / ".git"):
        return ()
    above: list[_Ignore] = []
    for parent in folder.parents:
        above += _own_ignore(parent)
        if os.path.exists(parent / ".git"):
            return tuple(above)
    return ()


def _is_ignored(folder: Path, ignores: tuple[_Ignore, ...]) -> bool:
    """Whether a folder, or one above it, is ignored: a user who names it all the same wants what is in it."""
    return any(ignore.verdict(each, is_folder=True) for ignore in ignores for each in (folder, *folder.parents))


def _own_ignore(folder: Path) -> list[_Ignore]:
    try:
        text = (folder / ".gitignore").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return [_Ignore(folder, patterns(filter(_is_pattern, text.splitlines())))]


def _is_pattern(line: str) -> bool:
    try:
        patterns([line])
    except BadConfig:
        return False
    return True
