"""The files that changes since a revision can affect: those that have changed, and all that import them."""

from __future__ import annotations

import os
import re
import subprocess
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from shapecheck.config import BadConfig
from shapecheck.project.parsed_files import ParsedFiles
from shapecheck.source import Source

_PROJECT_FILES = re.compile(
    r"requirements.*\.txt|(?:shapecheck|pyproject)\.toml|setup\.(?:py|cfg)|environment\.ya?ml|Pipfile|.*\.lock"
)
"""Names of files that count for a whole project: its settings, and the versions that it declares."""


def changed_files(revision: str, folder: Path) -> frozenset[Path]:
    """Return the files around a folder that differ from a revision of their repository, new and removed ones too.

    Raises BadConfig.
    """
    root = Path(_git(folder, "rev-parse", "--show-toplevel")[0].strip("\n"))
    differing = _git(root, "diff", "--name-only", "--no-renames", "-z", revision, "--")
    new = _git(root, "ls-files", "--others", "--exclude-standard", "-z")
    return frozenset(root / name for name in (*differing, *new))


def _git(folder: Path, *arguments: str) -> list[str]:
    """Return what git prints, separated by zeros."""
    try:
        ran = subprocess.run(["git", "-C", folder, *arguments], capture_output=True, text=True, check=False)
    except OSError as error:
        raise BadConfig(f"changed-since: git cannot be run: {error.strerror}") from None
    if ran.returncode:
        raise BadConfig(f"changed-since: {ran.stderr.strip() or 'git has failed'}")
    return [name for name in ran.stdout.split("\0") if name]


def affected(parsed: ParsedFiles, sources: Sequence[Source], changed: Collection[Path]) -> list[Source]:
    """Return the sources that changed files can affect; all of them if one of these is of the whole project.

    A source is affected if it, or a file that it imports, has changed or names a changed file of another kind.
    """
    if any(_PROJECT_FILES.fullmatch(path.name) for path in changed):
        return list(sources)
    importers = _importers(parsed, sources)
    mentioned = _mentions(path for path in changed if path.suffix != ".py" or not path.exists())
    todo = [
        name
        for name, source in importers.sources.items()
        if _absolute(name) in changed or (mentioned is not None and mentioned.search(source.text))
    ]
    found = set(todo)
    while todo:
        following = importers.of[todo.pop()] - found
        found |= following
        todo += following
    return [source for source in sources if source.filename in found]


class _Importers:
    """The files of a program by name, and the names of the files that import each of them."""

    def __init__(self) -> None:
        self.sources: dict[str, Source] = {}
        self.of: defaultdict[str, set[str]] = defaultdict(set)


def _importers(parsed: ParsedFiles, sources: Sequence[Source]) -> _Importers:
    """Return all files that the sources import, directly or not, with those that import them."""
    found = _Importers()
    todo = list(sources)
    while todo:
        source = todo.pop()
        if source.filename in found.sources:
            continue
        found.sources[source.filename] = source
        for path in parsed.imported_files(source):
            imported = parsed.files.source(path)
            if imported is not None:
                found.of[imported.filename].add(source.filename)
                todo.append(imported)
    return found


def _mentions(files: Iterable[Path]) -> re.Pattern[str] | None:
    """Return a pattern for the names of files: modules that are gone, and data."""
    names = {path.stem if path.suffix == ".py" else path.name for path in files}
    return re.compile("|".join(rf"\b{re.escape(name)}\b" for name in sorted(names))) if names else None


def _absolute(name: str) -> Path:
    return Path(os.path.realpath(name))
