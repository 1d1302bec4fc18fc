"""How a run ends that cannot go on: one line on standard error, and a status."""

from __future__ import annotations

import sys


def fail(message: str, status: int) -> int:
    print(f"shapecheck: {' '.join(message.split())}", file=sys.stderr)
    return status
