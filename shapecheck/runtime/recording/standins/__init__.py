"""Stand-ins for a program's external needs, so that it runs offline and in seconds.

They are installed in the process of the program, on request only. Each replaces one thing (a data set, a download, a
long training) and keeps its shapes; what is cut short is reported to the recorder.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Final

from shapecheck.runtime.recording.recorder import Recorder
from shapecheck.runtime.recording.standins import imports, tf1, work

_FILES: Final = (
    "applications",
    "datasets",
    "doctests",
    "downloads",
    "files",
    "loops",
    "mnist",
    "pictures",
    "screens",
    "training",
)


def begin(recorder: Recorder, *, is_tf1: bool, synthetic: bool) -> Callable[[str], str] | None:
    """Install the stand-ins; return the change that program texts need, if any."""
    work.recorder = recorder
    if synthetic:
        for name in _FILES:
            importlib.import_module(f"{__name__}.{name}").begin()
    imports.begin()
    return tf1.begin() if is_tf1 else None
