"""Files with data that lie beside the traced program."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from shapecheck.project.recorded_files import RecordedFiles

CHANGES_FILES = re.compile(
    r"chdir|\bcd\b|\bsave(?!fig|_weights|_model|_best|_freq)|\bto_(?:csv|pickle|parquet)|dump|tofile|memmap|\bwrite"
    r"|download|urlretrieve|wget|curl|unzip|extractall|shutil"
    r"|subprocess|os\.(?:system|popen|rename|replace|remove|unlink|symlink)|\.rename\(|\bopen\([^)]*['\"][rb]*[wax+]"
)
"""What a program says that may write a file, or look for it in another folder."""


@dataclass(slots=True)
class DataFiles:
    """The files that the traced program reads; `are_known` says that it is traced as if they stay as they are, `found`
    are their names."""

    are_known: bool = False
    found: dict[str, None] = field(default_factory=dict)

    def head(self, files: RecordedFiles, name: str, folder: Path, texts: Iterable[str]) -> bytes | None:
        """Return the beginning of a file that a program in a folder names; None if it may be another file when the
        program reads it. `texts` are the program."""
        if any(CHANGES_FILES.search(text) for text in texts):
            return None
        heads = {head for path in _places(files, name, folder) if (head := files.head(path)) is not None}
        if len(heads) != 1:
            return None
        self.found[name] = None
        return heads.pop() if self.are_known else None


def _places(files: RecordedFiles, name: str, folder: Path) -> Iterator[Path]:
    """Yield where a relative path may lead, from the folder of the program or the current one that contains it,
    without links and without leaving these folders."""
    if "\0" in name or os.path.isabs(name):
        return
    own, current = files.real(folder), os.getcwd()
    roots = (current, own) if _is_within(own, current) else (own,)
    for path in dict.fromkeys(os.path.normpath(os.path.join(root, name)) for root in roots):
        if _is_within(path, roots[0]) and files.real(Path(path)) == path:
            yield Path(path)


def _is_within(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)
