"""Which version of Keras a text is written for, by names that only one of them has."""

from __future__ import annotations

import re

_KERAS_3 = re.compile(
    r"\bkeras\.(?:ops|random|tree|config|Variable|KerasTensor|Operation|Function)\b"
    r"|^\s*from +keras +import\b[^\n]*\b(?:ops|KerasTensor|Operation)\b"
    r"|\bKERAS_BACKEND[\"']\] *= *[\"'](?:jax|torch)",
    re.MULTILINE,
)
_KERAS_2 = re.compile(
    r"^\s*(?:import|from) +tf_keras\b|\btensorflow\.python\.keras\b|\bTF_USE_LEGACY_KERAS[\"']\] *= *[\"']1",
    re.MULTILINE,
)
_OF_TENSORFLOW = re.compile(r"\btensorflow\.keras\b|\btf\.keras\b")
_BEFORE_3 = re.compile(r"\.(?:fit|predict|evaluate)_generator\(|\bbatch_input_shape *=|\bCuDNN(?:LSTM|GRU)\(")
_PLAIN = re.compile(r"^\s*(?:import|from) +keras\b", re.MULTILINE)  # which may be Keras 1


def keras_of(text: str) -> int | None:
    """The major version of Keras, where the names in a text are those of one alone."""
    if "keras" not in text and "KERAS" not in text:
        return None  # most files, and looking for the names takes long
    is_new, is_old = _KERAS_3.search(text) is not None, _KERAS_2.search(text) is not None
    if not is_old and not _PLAIN.search(text):
        is_old = _OF_TENSORFLOW.search(text) is not None and _BEFORE_3.search(text) is not None
    return 3 if is_new and not is_old else 2 if is_old and not is_new else None
