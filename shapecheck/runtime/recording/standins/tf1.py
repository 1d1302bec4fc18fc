"""Programs of TensorFlow 1 on TensorFlow 2: `import tensorflow` gives its version 1 module."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from shapecheck.runtime.recording.standins.imports import after

_IMPORT: Final = re.compile(r"^([ \t]*)import tensorflow as (\w+)", re.MULTILINE)
_PLAIN: Final = re.compile(r"^([ \t]*)import tensorflow(?=[ \t]*(?:#.*)?$)", re.MULTILINE)


def begin() -> Callable[[str], str]:
    after("tensorflow.compat.v1")(_old_behaviour)
    return _changed


def _old_behaviour(module: Any) -> None:
    module.disable_v2_behavior()


def _changed(text: str) -> str:
    text = _IMPORT.sub(r"\1import tensorflow.compat.v1 as \2", text)
    return _PLAIN.sub(r"\1import tensorflow.compat.v1 as tensorflow", text)
