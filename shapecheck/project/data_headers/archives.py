"""Archives: several arrays of NumPy in one file, and models of Keras."""

from __future__ import annotations

import json
import zipfile
from typing import Any, BinaryIO

from shapecheck.project.data_headers import npy

_MOST_MEMBERS = 1000
_LONGEST_CONFIG = 1 << 20


def facts(file: BinaryIO, path: str) -> dict[str, Any] | None:
    """Return the arrays by name, or the configuration of a model."""
    with zipfile.ZipFile(file) as archive:
        members = archive.infolist()[:_MOST_MEMBERS]
        names = [member.filename for member in members]
        if "config.json" in names:
            config = _start(archive, "config.json", _LONGEST_CONFIG)
            return {"model": json.loads(config)} if len(config) < _LONGEST_CONFIG else None
        if not names or not all(name.endswith(".npy") for name in names):
            return None
        headers = {name[:-4]: npy.header(_start(archive, name, npy.LONGEST)) for name in names}
    return {"arrays": {name: None if found is None else [found.sizes, found.dtype] for name, found in headers.items()}}


def _start(archive: zipfile.ZipFile, name: str, length: int) -> bytes:
    with archive.open(name) as member:
        return member.read(length)
