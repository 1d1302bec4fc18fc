"""Results that machines share: entries at a URL that fsspec reaches, such as a folder, an object store or a server.

An entry begins with a digest of its name and its content; one that is spoilt is as good as absent. Nothing of it is
executed, but whoever can write there can hide findings, so only the command line names such a place.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
from collections.abc import Iterable, Mapping
from typing import Any

from shapecheck.cache.store import content_edition
from shapecheck.config import BadConfig

_DIGEST = 32


class SharedStore:
    """The entries at a URL that the same code has written, on whatever machine. Raises BadConfig if the URL cannot be
    used; later failures cost only time."""

    def __init__(self, url: str) -> None:
        try:
            self._files, root = _filesystem(url)
            self._folder = f"{root.rstrip('/')}/{content_edition()}"
            self._files.makedirs(self._folder, exist_ok=True)
        except BadConfig:
            raise
        except Exception as error:  # whatever the library of a store raises
            raise BadConfig(f"shared-cache: {url}: {error}") from None

    def get(self, names: Iterable[str]) -> dict[str, bytes]:
        """Return the entries of those names that are there and unspoilt; they are fetched at the same time where the
        store can do this."""
        paths = {f"{self._folder}/{name}": name for name in names}
        found: dict[str, bytes] = {}
        with contextlib.suppress(Exception):
            found = self._files.cat(list(paths), on_error="omit") if paths else {}
        given = {_name_of(path): data for path, data in found.items()}
        return {name: data[_DIGEST:] for name, data in given.items() if data[:_DIGEST] == _digest(name, data[_DIGEST:])}

    def put(self, entries: Mapping[str, bytes]) -> None:
        with contextlib.suppress(Exception):
            self._files.pipe({f"{self._folder}/{name}": _digest(name, data) + data for name, data in entries.items()})


def _filesystem(url: str) -> tuple[Any, str]:
    """Return the file system of a URL, and the path of the URL on it."""
    try:
        fsspec = importlib.import_module("fsspec.core")
    except ImportError:
        raise BadConfig("shared-cache: fsspec is not installed: pip install 'tensor-shapecheck[shared]'") from None
    found: tuple[Any, str] = fsspec.url_to_fs(url)
    return found


def _name_of(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]


def _digest(name: str, data: bytes) -> bytes:
    return hashlib.blake2b(name.encode() + b"\0" + data, digest_size=_DIGEST).digest()
