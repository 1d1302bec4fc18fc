"""Where child processes import this package from, installed or not."""

from __future__ import annotations

from pathlib import Path
from typing import Final

PACKAGE_PARENT: Final = Path(__file__).resolve().parents[2]
