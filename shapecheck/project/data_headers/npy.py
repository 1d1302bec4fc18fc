"""The header of a file with one array in NumPy's own format. Nothing in the file is ever run or unpickled."""

from __future__ import annotations

import ast
import re
from typing import Any, BinaryIO, NamedTuple

LONGEST = 4096
"""The number of bytes at the beginning of a file in which its header must end."""
_MAGIC = b"\x93NUMPY"
_LENGTH_BYTES = {1: 2, 2: 4, 3: 4}
_KINDS = {"i": "int", "u": "uint", "f": "float", "c": "complex"}
_MOST_BYTES = {"i": 8, "u": 8, "f": 8, "c": 16}


class Header(NamedTuple):
    """The shape and the dtype of an array."""

    sizes: tuple[int, ...]
    dtype: str


def facts(file: BinaryIO, path: str) -> dict[str, Any] | None:
    found = header(file.read(LONGEST))
    return None if found is None else {"arrays": {"": [found.sizes, found.dtype]}}


def header(head: bytes) -> Header | None:
    """Return what the beginning of a file says; None for another format, damaged files, and arrays of objects, texts
    or records."""
    if head[:6] != _MAGIC or len(head) < 12 or head[6] not in _LENGTH_BYTES:
        return None
    start = 8 + _LENGTH_BYTES[head[6]]
    end = start + int.from_bytes(head[8:start], "little")
    if end > len(head):
        return None
    try:
        fields = ast.literal_eval(head[start:end].decode("utf-8").strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    if not isinstance(fields, dict) or set(fields) != {"descr", "fortran_order", "shape"}:
        return None
    dtype = _dtype(fields["descr"])
    return Header(fields["shape"], dtype) if dtype is not None and _are_sizes(fields["shape"]) else None


def _are_sizes(shape: object) -> bool:
    return isinstance(shape, tuple) and all(type(size) is int and size >= 0 for size in shape)


def _dtype(code: object) -> str | None:
    """Return the name of a dtype such as `<f4`."""
    if code == "|b1":
        return "bool"
    found = re.fullmatch(r"[<>|=]([iufc])([1248]|16)", code) if isinstance(code, str) else None
    if found is None or int(found[2]) > _MOST_BYTES[found[1]]:
        return None
    return f"{_KINDS[found[1]]}{8 * int(found[2])}"
