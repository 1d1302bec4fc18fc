"""Library versions that a text targets, by the names that it uses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from shapecheck.source import Source
from shapecheck.target import Target

OLD_TENSORFLOW = re.compile(
    r"tf\.(?:placeholder|Session|InteractiveSession|get_variable|global_variables_initializer|app\.flags|contrib)\b"
    r"|tensorflow\.contrib|tf\.__version__ *== *[\"']1\."
    r"|^ *%tensorflow_version +1\b|^ *[!%] *pip3? +install\b[^\n]* tensorflow(?:-gpu|-cpu)?==1\.",
    re.MULTILINE,
)
COMPAT = re.compile(
    r"tensorflow\.compat\.v1|tf\.compat\.v1|compat import v1|disable_v2_behavior|disable_eager_execution"
)
CLASSIC = re.compile(r"\bdisable_(?:v2_behavior|resource_variables)\(")
NUMPY_BEHAVIOR = re.compile(r"enable_numpy_behavior|set_dtype_conversion_mode")
THEANO = re.compile(r"^[ \t]*(?:import|from)[ \t]+theano\b", re.MULTILINE)
ORDER_OF_AXES = re.compile(r"\bset_image_(?:data_format|dim_ordering)\(")
EAGER = "enable_eager_execution"  # variables of TensorFlow 1 are made while the program runs
BEFORE_1_0 = re.compile(
    r"\btf\.(?:mul|sub|neg|inv|pack|unpack|select|batch_matmul|complex_abs|listdiff|initialize_(?:all_)?variables"
    r"|concat_v2|merge_(?:all_)?summar\w+|\w+_summary|train\.SummaryWriter|nn\.(?:rnn|bidirectional_rnn|seq2seq))\b"
    r"|\btensorflow\.models\.rnn\b|\bconcat_dim=|\bsplit_dim=|\b(?:tf|tensorflow)\.(?:__version__|VERSION)(?! *==)"
)
SINCE_1_0 = re.compile(
    r"\btf\.(?:compat|keras|layers|data|losses|estimator|function|GradientTape|Module|random|math|linalg|io)\."
    r"|\btf\.(?:function|GradientTape|Module)\b|\btf\.__version__ *== *[\"'][12]\.|\btensorflow\.(?:compat|keras)\b"
    r"|^\s*(?:import|from) +keras\b|\btf\.(?:reduce|arg)_?\w+\([^()]*\bkeepdims=|_with_logits_v2\b",
    re.MULTILINE,
)
SINCE_1_2 = re.compile(
    r"\btf\.(?:compat|keras|data|estimator|function|GradientTape|Module)\b|\btf\.__version__ *== *[\"']2\."
    r"|\btensorflow\.(?:compat|keras)\b"
)
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
_BEFORE_3 = re.compile(
    r"\.(?:fit|predict|evaluate)_generator\(|\boptimizers\.legacy\.|\bbatch_input_shape *=|\bCuDNN(?:LSTM|GRU)\("
)
_PLAIN = re.compile(r"^\s*(?:import|from) +keras\b", re.MULTILINE)  # which may be Keras 1


def is_tensorflow_1(source: Source) -> bool:
    return not COMPAT.search(source.text) and OLD_TENSORFLOW.search(source.text) is not None


def keras_of(text: str) -> int | None:
    """Return the major version of Keras if the names in a text belong to one version alone."""
    if "keras" not in text and "KERAS" not in text:
        return None  # most files, and looking for the names takes long
    is_new, is_old = _KERAS_3.search(text) is not None, _KERAS_2.search(text) is not None
    if not is_old and not _PLAIN.search(text):
        is_old = _OF_TENSORFLOW.search(text) is not None and _BEFORE_3.search(text) is not None
    return 3 if is_new and not is_old else 2 if is_old and not is_new else None


def common_target(texts: Sequence[str], target: Target) -> Target:
    """Return the target that holds for all files: one of them may change how tensors behave in the others."""
    return replace(
        target,
        before_1_0=any(map(BEFORE_1_0.search, texts)),
        since_1_0=any(map(SINCE_1_0.search, texts)),
        since_1_2=any(map(SINCE_1_2.search, texts)),
        numpy_behavior=any(map(NUMPY_BEHAVIOR.search, texts)),
        order_of_axes_set=any(map(ORDER_OF_AXES.search, texts)),
    )
