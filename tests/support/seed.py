"""The seed of everything that tests draw: SHAPECHECK_SEED, which pytest prints; the same one draws the same."""

from __future__ import annotations

import os
import zlib
from random import Random

SEED = int(os.environ.get("SHAPECHECK_SEED", "0"))


def draws(subject: str, seed: int = SEED) -> Random:
    """Return the source of all that is drawn for a test of something."""
    return Random(zlib.crc32(subject.encode()) + seed)
