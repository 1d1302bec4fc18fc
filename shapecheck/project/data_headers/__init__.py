"""Headers of files with data, as plain facts that can be written as JSON: shapes, columns, sizes of pictures.

Nothing in a file is ever run or unpickled, and little of it is read. A damaged file, or one of another format, has no
facts.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable
from typing import Any, BinaryIO, TypeAlias

from shapecheck.project.data_headers import archives, columns, documents, hdf5, npy, pictures, records, sounds
from shapecheck.project.file_queries import open_plainly

Facts: TypeAlias = dict[str, Any]
Reader: TypeAlias = Callable[[BinaryIO, str], "Facts | None"]
_BY_BEGINNING: tuple[tuple[bytes, Reader], ...] = (
    (b"\x93NUMPY", npy.facts),
    (b"PK\x03\x04", archives.facts),
    (b"\x89HDF\r\n\x1a\n", hdf5.facts),
    (b"\x89PNG\r\n\x1a\n", pictures.png),
    (b"\xff\xd8\xff", pictures.jpeg),
    (b"BM", pictures.bmp),
    (b"RIFF", sounds.wav),
    (b"PAR1", columns.parquet),
    (b"ARROW1", columns.arrow),
)
_BY_SUFFIX: dict[str, Reader] = {
    ".json": documents.json_value,
    ".yaml": documents.yaml_value,
    ".yml": documents.yaml_value,
    ".csv": documents.lines,
    ".tsv": documents.lines,
    ".txt": documents.lines,
}
_MOST_FOLDERS = 10_000
_LONGEST = 1 << 20


def facts(path: str) -> bytes:
    """Return the facts of a file or folder as JSON, "null" if there are none; raises OSError or ValueError if it cannot
    be read."""
    told = _of_folder(path) if os.path.isdir(path) and not os.path.islink(path) else _of_file(path)
    text = json.dumps(told, sort_keys=True).encode()
    return text if len(text) <= _LONGEST else b"null"


def _of_file(path: str) -> Facts | None:
    with open_plainly(path) as file:
        beginning = file.read(8)
        file.seek(0, io.SEEK_SET)
        reader = next((reader for start, reader in _BY_BEGINNING if beginning.startswith(start)), None)
        reader = reader or _BY_SUFFIX.get(os.path.splitext(path)[1].lower(), records.facts)
        try:
            return reader(file, path)
        except Exception:  # of a reader of another project, or a number that is too large: the file is damaged
            return None


def _of_folder(path: str) -> Facts | None:
    """Return the names of the subfolders, which are classes for Keras."""
    with os.scandir(path) as entries:
        names = [entry.name for entry, _ in zip(entries, range(_MOST_FOLDERS), strict=False) if entry.is_dir()]
    return {"folders": sorted(name for name in names if not name.startswith("."))}
