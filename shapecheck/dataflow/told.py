"""Which version of Keras a text is written for, by names that only one of them has."""

from __future__ import annotations

import re

_KERAS_3 = re.compile(
    r"\bkeras\.(?:ops|random|tree|config|Variable|KerasTensor|Operation|Function)\b"
    r"|^\s*from +keras +import\b[^\n]*\b(?:ops|KerasTensor|Operation)\b"
    r"|\bKERAS_BACKEND[\"']\] *= *[\"'](?:jax|torch)",
    re.MULTILINE,
)
_MODULES_OF_2 = (
    r"engine|objectives|wrappers|utils\.(?:np_utils|generic_utils|vis_utils|data_utils)"
    r"|layers\.(?:core|convolutional|recurrent|normalization|merge|advanced_activations|embeddings|pooling|noise|local)"
)
_KERAS_2 = re.compile(
    rf"^\s*(?:from|import) +(?:tensorflow\.)?keras\.(?:{_MODULES_OF_2})\b"
    r"|^\s*from +(?:tensorflow\.)?keras\.utils +import\b[^\n]*\b(?:np_utils|multi_gpu_model)\b"
    r"|^\s*from +keras\.preprocessing(?:\.text|\.image +import\b[^\n]*\bImageDataGenerator|\.sequence +import +Time)\b"
    r"|^\s*(?:import|from) +tf_keras\b|\btensorflow\.python\.keras\b|\bTF_USE_LEGACY_KERAS[\"']\] *= *[\"']1"
    r"|\.(?:fit|predict|evaluate)_generator\(|\b(?:nb_epoch|border_mode|batch_input_shape) *=|\bCuDNN(?:LSTM|GRU)\(",
    re.MULTILINE,
)


def keras_of(text: str) -> int | None:
    """The major version of Keras, where the names in a text are those of one alone."""
    is_new, is_old = _KERAS_3.search(text) is not None, _KERAS_2.search(text) is not None
    return 3 if is_new and not is_old else 2 if is_old and not is_new else None
