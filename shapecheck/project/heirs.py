"""The classes of a project that are derived from one, as far as the texts of its files tell."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from shapecheck.project.import_paths import search_folders
from shapecheck.project.recorded_files import RecordedFiles

MOST_FILES = 400
MOST_FOLDERS = 100
"""How many files and folders are read: the nearest ones."""
_CLASS = re.compile(r"^[ \t]*class[ \t]+(\w+)[ \t]*\(([^)]*)\)", re.MULTILINE)


def is_overridden(files: RecordedFiles, file: Path, name: str, method: str) -> bool:
    """Return whether another file of the project derives a class from the one of this name, and has a method of this
    name."""
    told = files.remembered(("texts", file.parent), lambda: dict(_texts(files, file.parent)))
    texts = [text for path, text in told.items() if path != file]
    defined = re.compile(rf"^[ \t]+(?:async[ \t]+)?def[ \t]+{re.escape(method)}\b", re.MULTILINE)
    names, before = {name}, 0
    while len(names) > before:
        before = len(names)
        for text in texts:
            heirs = {found[1] for found in _CLASS.finditer(text) if not names.isdisjoint(re.findall(r"\w+", found[2]))}
            if heirs and defined.search(text):
                return True
            names |= heirs
    return False


def _texts(files: RecordedFiles, folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield the Python files around a folder with their texts."""
    for path in islice(_files(files, folder), MOST_FILES):
        source = files.source(path)
        if source is not None:
            yield path, source.text


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
