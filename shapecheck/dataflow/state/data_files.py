"""Files with data that lie beside the traced program."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from shapecheck.project.recorded_files import RecordedFiles

CHANGES_FILES = re.compile(
    r"chdir|\bcd\b|\bsave(?!fig|_weights|_model|_best|_freq)|\bto_(?:csv|pickle|parquet)|dump|tofile|memmap|\bwrite"
    r"|download|urlretrieve|wget|curl|unzip|extractall|shutil"
    r"|subprocess|os\.(?:system|popen|rename|replace|remove|unlink|symlink)|\.rename\(|\bopen\([^)]*['\"][rb]*[wax+]"
)
"""What a program says that may write a file, or look for it in another folder."""
SAVES_MODELS = re.compile(r"\bsave(?:_weights|_model)?\(|ModelCheckpoint")


@dataclass(slots=True)
class DataFiles:
    """The files that the traced program reads; `are_known` says that it is traced as if they stay as they are, `found`
    are their names. The user has named the `folders`: their files are those that the program will read."""

    are_known: bool = False
    folders: tuple[str, ...] = ()
    found: dict[str, None] = field(default_factory=dict)

    def head(self, files: RecordedFiles, name: str, folder: Path, texts: Iterable[str]) -> bytes | None:
        """Return the beginning of a file that a program in a folder names; None if it may be another file when the
        program reads it. `texts` are the program."""
        content, _ = self._read(files, files.head, name, folder, texts)
        return content

    def facts(self, files: RecordedFiles, name: str, folder: Path, texts: Iterable[str]) -> Mapping[str, Any] | None:
        """Return in the same way what the header of a file says; "is_named" tells that it lies in a folder that the
        user has named, "may_be_saved" that the program may save a model, as a file of Keras."""
        program = tuple(texts)
        content, is_named = self._read(files, files.facts, name, folder, program)
        told = None if content is None else json.loads(content)
        if not isinstance(told, dict):
            return None
        may_be_saved = "weights_version" in told and any(SAVES_MODELS.search(text) for text in program)
        return {**told, "is_named": is_named, "may_be_saved": may_be_saved}

    def _read(
        self,
        files: RecordedFiles,
        query: Callable[[Path], bytes | None],
        name: str,
        folder: Path,
        texts: Iterable[str],
    ) -> tuple[bytes | None, bool]:
        """Return what a query tells of a file, and whether the user has named its folder."""
        named = next((told for path in self._named(name) if (told := query(path)) is not None), None)
        if named is None and any(CHANGES_FILES.search(text) for text in texts):
            return None, False
        contents = {told for path in _places(files, name, folder) if (told := query(path)) is not None}
        if named is None and len(contents) != 1:
            return None, False
        self.found[name] = None
        content = contents.pop() if named is None else named
        return content if self.are_known else None, named is not None

    def _named(self, name: str) -> Iterator[Path]:
        """Yield where a file may lie in the folders that the user has named: below them as it is named, or directly in
        them."""
        if "\0" in name:
            return
        for root in self.folders:
            for path in dict.fromkeys((os.path.normpath(os.path.join(root, name)), os.path.join(root, _last(name)))):
                if _is_within(path, root):
                    yield Path(path)


def _last(name: str) -> str:
    return os.path.basename(name.rstrip("/\\").replace("\\", "/"))


def _places(files: RecordedFiles, name: str, folder: Path) -> Iterator[Path]:
    """Yield where a relative path may lead, from the folder of the program or the current one that contains it,
    without links and without leaving these folders."""
    if "\0" in name or os.path.isabs(name):
        return
    own, current = files.real(folder), files.current
    roots = (current, own) if _is_within(own, current) else (own,)
    for path in dict.fromkeys(os.path.normpath(os.path.join(root, name)) for root in roots):
        if _is_within(path, roots[0]) and files.real(Path(path)) == path:
            yield Path(path)


def _is_within(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)
