"""The channels of a recording."""

from __future__ import annotations

import wave
from typing import Any, BinaryIO

_DTYPES = {1: "uint8", 2: "int16", 4: "int32"}


def wav(file: BinaryIO, path: str) -> dict[str, Any] | None:
    with wave.open(file) as sound:
        dtype = _DTYPES.get(sound.getsampwidth())
        return {"sound": [sound.getnframes(), sound.getnchannels(), sound.getframerate(), dtype]}
