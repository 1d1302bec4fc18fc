"""The seed of all random samples in tests: SHAPECHECK_SEED, which pytest prints; the same seed gives the same
samples."""

from __future__ import annotations

import os
import zlib
from random import Random

SEED = int(os.environ.get("SHAPECHECK_SEED", "0"))


def draws(subject: str, seed: int = SEED) -> Random:
    """Return the random generator for a test of something."""
    return Random(zlib.crc32(subject.encode()) + seed)
