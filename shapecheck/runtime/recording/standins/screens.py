"""Nothing waits for a person: no window is shown, and questions answer themselves."""

from __future__ import annotations

import builtins
from typing import Any

from shapecheck.runtime.recording.standins.imports import after


def begin() -> None:
    builtins.input = lambda prompt="": "1"
    after("cv2")(_silent)


def _silent(module: Any) -> None:
    module.imshow = lambda *args: None
    module.waitKey = lambda *args: 27
    module.destroyAllWindows = lambda: None
