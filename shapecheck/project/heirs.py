"""The classes of a project that are derived from one, as far as the texts of its files tell."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from shapecheck.project.import_paths import search_folders
from shapecheck.project.recorded_files import RecordedFiles
from shapecheck.source import Source

MOST_FILES = 400
MOST_FOLDERS = 100
"""How many files and folders are read: the nearest ones."""
_CLASS = re.compile(r"^[ \t]*class[ \t]+(\w+)[ \t]*\(([^)]*)\)", re.MULTILINE)
_WORD = re.compile(r"\w+")


def files_with_heirs(files: RecordedFiles, file: Path, name: str, *, with_own: bool = False) -> list[Source]:
    """Return the files of the project, the others or all, that derive a class from the one of this name, maybe through
    others."""
    found = files.remembered(("sources", file.parent), lambda: _sources(files, file.parent))
    classes = [
        (source, cls, set(_WORD.findall(bases)))
        for source in found
        if with_own or Path(source.filename) != file
        for cls, bases in _CLASS.findall(source.text)
    ]
    names, more = {name}, {name}
    while more:
        more = {cls for _, cls, bases in classes if not names.isdisjoint(bases)} - names
        names |= more
    with_heirs = {source.filename: source for source, _, bases in classes if not names.isdisjoint(bases)}
    return list(with_heirs.values())


def _sources(files: RecordedFiles, folder: Path) -> list[Source]:
    """Return the Python files around a folder."""
    found = map(files.source, islice(_files(files, folder), MOST_FILES))
    return [source for source in found if source is not None]


def _files(files: RecordedFiles, folder: Path) -> Iterator[Path]:
    """Yield the Python files in and below a folder, and then in and below the roots of its project."""
    todo, met = deque([folder, *search_folders(files, folder, "")]), set[Path]()
    while todo and len(met) < MOST_FOLDERS:
        following = todo.popleft()
        if following not in met:
            met.add(following)
            folders, modules = files.contents(following)
            yield from (following / name for name in modules)
            todo.extendleft(following / name for name in reversed(folders))
