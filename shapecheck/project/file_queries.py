"""Queries of the file system whose answers can be stored and compared.

Start-up time counts here, so nothing is imported that takes any.
"""

from __future__ import annotations

import hashlib
import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

FileStamp = list[int]


def file_stamp(path: str) -> FileStamp | None:
    """Return the times of change, the size and the inode of a file or folder; None if there is none.

    A program that changes a file can reset the first time, but not the second.
    """
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return [status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino]


def digest(data: bytes) -> str:
    """Return a digest of a content."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _text(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _listing(folder: str) -> bytes:
    with os.scandir(folder) as entries:
        told = sorted(f"{entry.is_dir(follow_symlinks=False)} {entry.is_symlink()} {entry.name}" for entry in entries)
    return "/".join(told).encode("utf-8", "surrogatepass")


def open_plainly(path: str) -> BinaryIO:
    """Open a regular file that is no link; raises OSError or ValueError."""
    flags = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))
    number = os.open(path, flags)
    if not stat.S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        raise ValueError("no regular file")
    return os.fdopen(number, "rb")


def head(path: str) -> bytes:
    """Return the beginning of a regular file that is no link; raises OSError or ValueError."""
    with open_plainly(path) as file:
        return file.read(_HEAD_BYTES)


def facts(path: str) -> bytes:
    """Return what the header of a file with data says, or the names of subfolders, as JSON."""
    from shapecheck.project.data_headers import facts

    return facts(path)


_HEAD_BYTES = 4096

CONTENT_QUERIES: dict[str, Callable[[str], bytes]] = {"text": _text, "listing": _listing, "head": head, "facts": facts}
"""Queries about the content of a file or folder; while its stamp is the same, so is the answer."""


def content_digest(kind: str, path: str) -> str | None:
    """Return a digest of the content of a file or folder; None if it cannot be read."""
    try:
        return digest(CONTENT_QUERIES[kind](path))
    except (OSError, ValueError):
        return None


def _has_python(folder: str) -> bool:
    try:
        with os.scandir(folder) as entries:
            return any(entry.name.endswith(".py") for entry in entries)
    except OSError:
        return False


PATH_QUERIES: dict[str, Callable[[str], bool]] = {
    "file": os.path.isfile,
    "folder": os.path.isdir,
    "there": os.path.exists,
    "python": _has_python,
}
"""Queries with a yes or no answer; "python" asks whether a folder holds Python files."""
