"""The first example in a file of TFRecord: what its features are, and how many values each has.

A file is a row of records: a length of 8 bytes, its checksum, the content, and another checksum. The content is a
message of Protocol Buffers, a row of fields, each with a number, a type and a value.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO, TypeAlias

Field: TypeAlias = tuple[int, "int | memoryview"]

_LONGEST = 1 << 22
_MOST_FEATURES = 1000
_KINDS = {1: "string", 2: "float32", 3: "int64"}
_CASTAGNOLI = 0x82F63B78
_MASK = 0xA282EAD8


def facts(file: BinaryIO, path: str) -> dict[str, Any] | None:
    """Return the kind and the number of values of each feature that has any."""
    start = file.read(12)
    length = int.from_bytes(start[:8], "little")
    if len(start) < 12 or int.from_bytes(start[8:], "little") != checksum(start[:8]) or length > _LONGEST:
        return None
    content = file.read(length)
    return {"features": dict(_features(memoryview(content)))} if len(content) == length else None


def checksum(data: bytes) -> int:
    """Return the masked checksum (CRC-32C) of a few bytes."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (_CASTAGNOLI if crc & 1 else 0)
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + _MASK) & 0xFFFFFFFF


def _features(example: memoryview) -> Iterator[tuple[str, list[object]]]:
    for features in _messages(example, 1):
        for _, entry in zip(range(_MOST_FEATURES), _messages(features, 1), strict=False):
            name = b"".join(map(bytes, _messages(entry, 1))).decode()
            for kind, values in (field for feature in _messages(entry, 2) for field in _fields(feature)):
                if isinstance(values, memoryview):
                    yield (
                        name,
                        [_KINDS[kind], sum(_count(kind, each) for number, each in _fields(values) if number == 1)],
                    )


def _count(kind: int, field: int | memoryview) -> int:
    """Return the number of values in a field: one, or those that are packed in it."""
    if isinstance(field, int) or _KINDS[kind] == "string":
        return 1
    return len(field) // 4 if _KINDS[kind] == "float32" else sum(byte < 0x80 for byte in field)


def _messages(message: memoryview, wanted: int) -> Iterator[memoryview]:
    """Yield the fields of a number that are messages or texts themselves."""
    return (value for number, value in _fields(message) if number == wanted and isinstance(value, memoryview))


def _fields(message: memoryview) -> Iterator[Field]:
    """Yield the number and the value of each field; raise ValueError where they do not fill the message."""
    at = 0
    while at < len(message):
        key, at = _number(message, at)
        kind = key & 7
        if kind == 0:
            value, at = _number(message, at)
            yield key >> 3, value
            continue
        if kind not in (1, 2, 5):
            raise ValueError("a group, or no message")
        length, at = _number(message, at) if kind == 2 else ({1: 8, 5: 4}[kind], at)
        if at + length > len(message):
            raise ValueError("a field beyond the end")
        yield key >> 3, message[at : at + length] if kind == 2 else int.from_bytes(message[at : at + length], "little")
        at += length


def _number(message: memoryview, at: int) -> tuple[int, int]:
    """Return an integer of up to ten bytes, seven bits in each, and where it ends."""
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(message):
            break
        byte, at = message[at], at + 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
    raise ValueError("a number without an end")
