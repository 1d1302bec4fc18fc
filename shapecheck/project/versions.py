"""Library versions that a text is written for, by the names that it uses."""

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
NUMPY_BEHAVIOR = "enable_numpy_behavior"
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


def _is_old(source: Source) -> bool:
    return not COMPAT.search(source.text) and OLD_TENSORFLOW.search(source.text) is not None


def common_target(texts: Sequence[str], target: Target) -> Target:
    """What is true of all files: one of them may change how tensors behave in the others."""
    return replace(
        target,
        before_1_0=any(map(BEFORE_1_0.search, texts)),
        since_1_0=any(map(SINCE_1_0.search, texts)),
        since_1_2=any(map(SINCE_1_2.search, texts)),
        numpy_behavior=any(NUMPY_BEHAVIOR in text for text in texts),
        order_of_axes_set=any(map(ORDER_OF_AXES.search, texts)),
    )
