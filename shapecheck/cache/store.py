"""Entries on disk, one file each; nothing that goes wrong with them matters.

It knows names and bytes.  Writing is atomic, so several processes can share a store.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import tempfile
import time
from functools import cache
from pathlib import Path

import shapecheck

FORMAT = "1"
DAYS_KEPT = 30


def default_folder() -> Path:
    """The user's own cache folder: what lies in a checked project is never trusted."""
    from platformdirs import user_cache_path

    chosen = os.environ.get("SHAPECHECK_CACHE_DIR")
    return Path(chosen) if chosen else user_cache_path("shapecheck")


@cache
def edition() -> str:
    """Tells this code apart from any other, models included."""
    found = hashlib.blake2b(digest_size=10)
    found.update(f"{FORMAT} {shapecheck.__version__} {platform.python_version()}".encode())
    package = os.path.dirname(shapecheck.__file__)
    for folder, folders, names in os.walk(package):
        folders.sort()
        for name in sorted(names):
            if name.endswith((".py", ".toml", ".json")):
                path = os.path.join(folder, name)
                status = os.stat(path)
                found.update(f"{path[len(package) :]} {status.st_size} {status.st_mtime_ns}".encode())
    return found.hexdigest()


class Store:
    """The entries that this edition of the code has made."""

    def __init__(self, folder: Path) -> None:
        self.root = folder
        self.folder = folder / edition()
        self._is_writable = True

    def get(self, kind: str, key: str) -> bytes | None:
        try:
            return (self.folder / kind / key).read_bytes()
        except OSError:
            return None

    def put(self, kind: str, key: str, data: bytes) -> None:
        if not self._is_writable:
            return
        try:
            self._write(self.folder / kind / key, data)
        except OSError:
            self._is_writable = False

    def _write(self, path: Path, data: bytes) -> None:
        if not path.parent.is_dir():
            self._begin(path.parent)
        handle, temporary = tempfile.mkstemp(prefix=".", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(temporary, path)
        except OSError:
            os.unlink(temporary)
            raise

    def _begin(self, folder: Path) -> None:
        """Makes a folder for entries, and takes away what older editions left."""
        is_new = not self.folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        (self.root / "CACHEDIR.TAG").write_text("Signature: 8a477f597d28d172789f06886806bc55\n", encoding="utf-8")
        (self.root / ".gitignore").write_text("*\n", encoding="utf-8")
        if is_new:
            for other in self.root.iterdir():
                if other.is_dir() and time.time() - other.stat().st_mtime > DAYS_KEPT * 86400:
                    shutil.rmtree(other, ignore_errors=True)
