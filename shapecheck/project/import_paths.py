"""Resolution of import statements to files."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from shapecheck.project.recorded_files import RecordedFiles

ROOT_MARKS = ("setup.py", "pyproject.toml", "setup.cfg", ".git")


def search_folders(files: RecordedFiles, folder: Path, package: str) -> list[Path]:
    """Return the folders in which an absolute import from a file in `folder` is searched for: its own folder, the one
    around the package of this name that it lies in, the root of its own package or the folder above, and the project's
    root with its folder `src`."""
    around = _around(files, folder, package)
    top, *root = files.remembered(("roots", folder), lambda: _roots(files, folder))
    return list(dict.fromkeys([folder, *around, _above(folder, 1) if top == folder else top, *root]))


def find_module(files: RecordedFiles, dotted: str, folder: Path, root: Path | None = None) -> Path | None:
    """Return the file, or the folder without `__init__.py`, of an absolute import from a file in `folder`; `root` is an
    additional folder to search.

    A package may have modules with names of Python's standard library, which they do not hide.
    """

    def look() -> Path | None:
        package = dotted.split(".")[0]
        around = search_folders(files, folder, package)
        if package in sys.stdlib_module_names and files.is_there(folder / "__init__.py"):
            around = [place for place in around if place != folder]
        return _first(files, dotted, around if root is None else [*around, root], root)

    return files.remembered(("import", dotted, folder, root), look)


def find_relative_module(files: RecordedFiles, dotted: str, folder: Path) -> Path | None:
    """Return the same for a relative import."""
    return files.remembered(("relative import", dotted, folder), lambda: _first(files, dotted, [folder]))


def _first(files: RecordedFiles, dotted: str, folders: Sequence[Path], root: Path | None = None) -> Path | None:
    """Return the first file; a folder without `__init__.py` is one for want of a file in any of the folders."""
    parts = dotted.split(".")
    stems = [place.joinpath(*parts) for place in folders]
    written = (path for stem in stems for path in (stem.with_suffix(".py"), stem / "__init__.py"))
    return next(filter(files.is_file, written), None) or _first_folder(files, parts, folders, root)


def _first_folder(
    files: RecordedFiles, parts: Sequence[str], folders: Sequence[Path], root: Path | None
) -> Path | None:
    for place in folders:
        stem = place.joinpath(*parts)
        inside = files.absolute(folders[0]).is_relative_to(files.absolute(place / parts[0]))
        if files.is_folder(stem) and (inside or (place in (folders[0], root) and files.has_python(stem))):
            return stem
    return None


def _around(files: RecordedFiles, folder: Path, package: str) -> Iterator[Path]:
    """Yield the folder that holds a package in which `folder` lies."""
    names = reversed(files.absolute(folder).parts)
    yield from islice((_above(folder, up) for up, name in enumerate(names, 1) if name == package), 1)


def _roots(files: RecordedFiles, folder: Path) -> list[Path]:
    """Return the folder that holds the outermost package around a folder, and the nearest folder above, if any, with a
    mark of a project's root, and that of its packages."""
    outer = (around for around in _upwards(files, folder) if not files.is_there(around / "__init__.py"))
    marked = (around for around in _upwards(files, folder) if any(files.is_there(around / mark) for mark in ROOT_MARKS))
    root = [*islice(marked, 1)]
    return [next(outer, folder), *root, *(above / "src" for above in root if files.is_folder(above / "src"))]


def _upwards(files: RecordedFiles, folder: Path) -> Iterator[Path]:
    """Yield a folder and those above it, written as the folder is."""
    yield from (_above(folder, levels) for levels in range(len(files.absolute(folder).parts)))


def _above(folder: Path, levels: int) -> Path:
    """Return the folder this many levels up."""
    return Path(os.path.normpath(folder.joinpath(*[".."] * levels)))
