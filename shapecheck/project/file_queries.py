"""Looks at the file system: what a run asks, in a form in which the answers can be kept and compared.

Start-up time counts here, so nothing is imported that takes any.
"""

from __future__ import annotations

import hashlib
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

Mark = list[int]


def mark(path: str) -> Mark | None:
    """When a file or folder last changed, how long it is and which it is; None if there is none.

    Whoever changes a file can set the first time back, but not the second.
    """
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return [status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino]


def digest(data: bytes) -> str:
    """Tells contents apart."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _text(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _listing(folder: str) -> bytes:
    with os.scandir(folder) as entries:
        told = sorted(f"{entry.is_dir(follow_symlinks=False)} {entry.is_symlink()} {entry.name}" for entry in entries)
    return "/".join(told).encode("utf-8", "surrogatepass")


ABOUT_CONTENT: dict[str, Callable[[str], bytes]] = {"text": _text, "listing": _listing}
"""Questions whose answers are what a file or a folder holds; while its mark is the same, so are they."""


def content(kind: str, path: str) -> str | None:
    """A digest of what a file or folder holds; None if that cannot be read."""
    try:
        return digest(ABOUT_CONTENT[kind](path))
    except (OSError, ValueError):
        return None


def _has_python(folder: str) -> bool:
    try:
        with os.scandir(folder) as entries:
            return any(entry.name.endswith(".py") for entry in entries)
    except OSError:
        return False


ABOUT_PATHS: dict[str, Callable[[str], bool]] = {
    "file": os.path.isfile,
    "folder": os.path.isdir,
    "there": os.path.exists,
    "python": _has_python,
}
"""Questions whose answers are a yes or a no; "python" is whether a folder holds such files."""
