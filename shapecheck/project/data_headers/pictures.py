"""The height, the width and the number of channels of a picture."""

from __future__ import annotations

import struct
from typing import Any, BinaryIO

_CHANNELS_OF_PNG = {0: 1, 2: 3, 4: 2, 6: 4}  # those of a palette depend on it
_FRAMES_OF_JPEG = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
_APP1 = 0xE1
_MOST_SEGMENTS = 1000


def _picture(height: int, width: int, channels: int | None) -> dict[str, Any] | None:
    return {"picture": [height, width, channels]} if height > 0 and width > 0 else None


def png(file: BinaryIO, path: str) -> dict[str, Any] | None:
    head = file.read(26)
    width, height, _, colours = struct.unpack(">IIBB", head[16:26])
    return _picture(height, width, _CHANNELS_OF_PNG.get(colours)) if head[12:16] == b"IHDR" else None


def jpeg(file: BinaryIO, path: str) -> dict[str, Any] | None:
    """Read the segments up to that of the frame; "may_turn" says that Exif data may turn the picture."""
    file.seek(2)
    may_turn = False
    for _ in range(_MOST_SEGMENTS):
        marker, kind, length = struct.unpack(">BBH", file.read(4))
        if marker != 0xFF:
            return None
        if kind in _FRAMES_OF_JPEG:
            _, height, width, channels = struct.unpack(">BHHB", file.read(6))
            found = _picture(height, width, channels)
            return {**found, "may_turn": may_turn} if found is not None else None
        may_turn |= kind == _APP1
        file.seek(length - 2, 1)
    return None


def bmp(file: BinaryIO, path: str) -> dict[str, Any] | None:
    width, height, _, bits = struct.unpack("<iiHH", file.read(30)[18:])
    return _picture(abs(height), width, {24: 3, 32: 4}.get(bits))
