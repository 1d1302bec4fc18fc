"""Entries on disk, one file each; every failure to read or write them is harmless.

A store knows names and bytes. Writing is atomic, so several processes can share a store.
"""

from __future__ import annotations

import hashlib
import os
import sys
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

FORMAT = "1"
DAYS_KEPT = 30

_OF_THE_ROOT = {"CACHEDIR.TAG": "Signature: 8a477f597d28d172789f06886806bc55\n", ".gitignore": "*\n"}


def default_folder() -> str:
    """Return the user's own cache folder; what lies in a checked project is never trusted."""
    chosen = os.environ.get("SHAPECHECK_CACHE_DIR")
    if chosen:
        return chosen
    if sys.platform == "linux":  # the same as below, without the time that the import takes
        folder = os.environ.get("XDG_CACHE_HOME", "").strip() or os.path.expanduser("~/.cache")
        return os.path.join(folder, "shapecheck")
    from platformdirs import user_cache_dir

    return user_cache_dir("shapecheck")


@cache
def edition() -> str:
    """Return a digest that differs for every version of this code, models included."""
    found = hashlib.blake2b(digest_size=10)
    found.update(f"{FORMAT} {sys.version}".encode())
    for name, path in _own_files():
        status = os.stat(path)
        found.update(f"{name} {status.st_size} {status.st_mtime_ns}".encode())
    return found.hexdigest()


@cache
def content_edition() -> str:
    """Return a digest of this code, models included, and of Python's version, which is the same on every machine."""
    found = hashlib.blake2b(f"{FORMAT} {sys.version_info[:2]}".encode(), digest_size=10)
    for name, path in _own_files():
        with open(path, "rb") as file:
            found.update(name.encode() + file.read())
    return found.hexdigest()


def _own_files() -> Iterator[tuple[str, str]]:
    """Yield the files of this package that its results depend on: the name within the package, and the path."""
    package = os.path.dirname(os.path.dirname(__file__))
    for folder, folders, names in os.walk(package):
        folders.sort()
        for path in (os.path.join(folder, name) for name in sorted(names)):
            if path.endswith((".py", ".toml", ".json")):
                yield path[len(package) :], path


class Store:
    """The entries that this edition of the code has written."""

    def __init__(self, folder: str | PathLike[str]) -> None:
        self.root = os.fspath(folder)
        self.folder = os.path.join(folder, edition())
        self._is_writable = True

    def get(self, kind: str, key: str) -> bytes | None:
        try:
            with open(os.path.join(self.folder, kind, key), "rb") as file:
                return file.read()
        except OSError:
            return None

    def put(self, kind: str, key: str, data: bytes) -> None:
        if not self._is_writable:
            return
        try:
            self._write(os.path.join(self.folder, kind), key, data)
        except OSError:
            self._is_writable = False

    def prune(self, kind: str, most: int) -> None:
        """Remove the oldest entries of a kind if there are more than `most`."""
        try:
            with os.scandir(os.path.join(self.folder, kind)) as entries:
                found = sorted((entry.stat().st_mtime_ns, entry.path) for entry in entries)
            for _, path in found[: max(len(found) - most, 0)]:
                os.unlink(path)
        except OSError:
            pass  # another process may be at it

    def _write(self, folder: str, key: str, data: bytes) -> None:
        from tempfile import mkstemp

        if not os.path.isdir(folder):
            self._create_folder(folder)
        handle, temporary = mkstemp(prefix=".", dir=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(temporary, os.path.join(folder, key))
        except OSError:
            os.unlink(temporary)
            raise

    def _create_folder(self, folder: str) -> None:
        """Create a folder for entries, and remove those of old editions."""
        is_new = not os.path.exists(self.folder)
        os.makedirs(folder, exist_ok=True)
        for name, text in _OF_THE_ROOT.items():
            with open(os.path.join(self.root, name), "w", encoding="utf-8") as file:
                file.write(text)
        if is_new:
            _remove_old(self.root)


def _remove_old(root: str) -> None:
    import shutil
    import time

    with os.scandir(root) as entries:
        for entry in entries:
            if entry.is_dir() and time.time() - entry.stat().st_mtime > DAYS_KEPT * 86400:
                shutil.rmtree(entry.path, ignore_errors=True)
