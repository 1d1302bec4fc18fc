"""Where the import statements of a file look for other files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from shapecheck.project.recorded_files import RecordedFiles

ROOT_MARKS = ("setup.py", "pyproject.toml", "setup.cfg", ".git")


def places(files: RecordedFiles, folder: Path, package: str) -> list[Path]:
    """Where an absolute import from a file in the folder is looked for: beside the file, around the package if that is
    the one that the file is in, at the root of its own package or in the folder above, and where the project begins."""
    around, (top, *root) = _around(folder, package), files.remembered(("roots", folder), lambda: _roots(files, folder))
    return list(dict.fromkeys([folder, *around, _above(folder, 1) if top == folder else top, *root]))


def located(files: RecordedFiles, dotted: str, folder: Path, root: Path | None = None) -> Path | None:
    """The file, or the folder without `__init__.py`, that an absolute import from a file in the folder means; `root` is
    a folder to look in besides."""

    def look() -> Path | None:
        around = places(files, folder, dotted.split(".")[0])
        return _first(files, dotted, around if root is None else [*around, root], root)

    return files.remembered(("import", dotted, folder, root), look)


def below(files: RecordedFiles, dotted: str, folder: Path) -> Path | None:
    """The same for a relative import."""
    return files.remembered(("relative import", dotted, folder), lambda: _first(files, dotted, [folder]))


def _first(files: RecordedFiles, dotted: str, folders: Sequence[Path], root: Path | None = None) -> Path | None:
    parts = dotted.split(".")
    for place in folders:
        stem = place.joinpath(*parts)
        for path in (stem.with_suffix(".py"), stem / "__init__.py"):
            if files.is_file(path):
                return path
        inside = _holds(place / parts[0], folders[0])
        if files.is_folder(stem) and (inside or (place in (folders[0], root) and files.has_python(stem))):
            return stem
    return None


def _holds(package: Path, folder: Path) -> bool:
    """Whether a folder lies in a package."""
    return Path(os.path.abspath(folder)).is_relative_to(os.path.abspath(package))


def _around(folder: Path, package: str) -> Iterator[Path]:
    """The folder that holds a package in which the folder lies."""
    names = reversed(Path(os.path.abspath(folder)).parts)
    yield from islice((_above(folder, up) for up, name in enumerate(names, 1) if name == package), 1)


def _roots(files: RecordedFiles, folder: Path) -> list[Path]:
    """The folder that the outermost package around a folder lies in, and the nearest one around it, if any, that has
    what a project's root has."""
    outer = (around for around in _upwards(folder) if not files.is_there(around / "__init__.py"))
    marked = (around for around in _upwards(folder) if any(files.is_there(around / mark) for mark in ROOT_MARKS))
    return [next(outer, folder), *islice(marked, 1)]


def _upwards(folder: Path) -> Iterator[Path]:
    """A folder and those around it, written as the folder is."""
    yield from (_above(folder, levels) for levels in range(len(Path(os.path.abspath(folder)).parts)))


def _above(folder: Path, levels: int) -> Path:
    """The folder so many levels up."""
    return Path(os.path.normpath(folder.joinpath(*[".."] * levels)))
