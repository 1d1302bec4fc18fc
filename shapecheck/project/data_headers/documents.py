"""Short texts: the value in a file of JSON or YAML, such as the options of a program, and the lines of a table."""

from __future__ import annotations

import importlib
import json
from typing import Any, BinaryIO

_LONGEST = 1 << 16
_LONGEST_TABLE = 1 << 20


def json_value(file: BinaryIO, path: str) -> dict[str, Any] | None:
    text = file.read(_LONGEST + 1)
    return {"value": json.loads(text)} if len(text) <= _LONGEST else None


def lines(file: BinaryIO, path: str) -> dict[str, Any] | None:
    """Count the lines of a table, unless quotes or empty lines leave room for doubt."""
    text = file.read(_LONGEST_TABLE + 1)
    is_plain = len(text) <= _LONGEST_TABLE and b'"' not in text and b"\n\n" not in text.replace(b"\r", b"")
    return {"lines": len(text.splitlines())} if is_plain else None


def yaml_value(file: BinaryIO, path: str) -> dict[str, Any] | None:
    """Read plain values only: no tag makes an object. An alias may stand for more than memory holds."""
    text = file.read(_LONGEST + 1)
    is_plain = len(text) <= _LONGEST and b"*" not in text
    return {"value": importlib.import_module("yaml").safe_load(text)} if is_plain else None
