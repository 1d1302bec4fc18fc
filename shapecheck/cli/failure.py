"""The end of a run that cannot continue: one line on standard error, and an exit status."""

from __future__ import annotations

import sys


def fail(message: str, status: int) -> int:
    print(f"shapecheck: {' '.join(message.split())}", file=sys.stderr)
    return status
