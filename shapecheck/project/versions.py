"""Library versions that a program targets, by the names that it uses and by what it declares."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from shapecheck.project.declared_versions import Declared
from shapecheck.project.version_ranges import VersionRange
from shapecheck.source import Source
from shapecheck.target import Target

OLD_TENSORFLOW = re.compile(
    r"tf\.(?:placeholder|Session|InteractiveSession|get_variable|global_variables_initializer|app\.flags|contrib"
    r"|assign(?:_add|_sub)?)\b"
    r"|tensorflow\.contrib|tf\.__version__ *== *[\"']1\.",
    re.MULTILINE,
)
SINCE_2_0 = re.compile(
    r"\btf\.(?:function|GradientTape|compat\.v[12])\b|\bv2_behavior\b|\b(?:tf|tensorflow)\.__version__ *== *[\"']2\."
)
COMPAT = re.compile(
    r"tensorflow\.compat\.v1|tf\.compat\.v1|compat import v1|disable_v2_behavior|disable_eager_execution"
)
CLASSIC = re.compile(r"\bdisable_(?:v2_behavior|resource_variables)\(")
DEFERRED = re.compile(r"\bdisable_(?:v2_behavior|eager_execution)\(")
EAGER_TOO = re.compile(
    r"enable_eager_execution|enable_v2_behavior|executing_eagerly"
    r"|^[ \t]*(?:if|elif|else)\b(?![^\n]*(?:__name__|[vV]ersion))[^\n]*:\n"
    r"[ \t]*[\w.]+\.disable_(?:v2_behavior|eager_execution)\("
    r"|\bGradientTape\b[\s\S]*\bdisable_(?:v2_behavior|eager_execution)\(",
    re.MULTILINE,
)
"""What shows that a program also runs eagerly, such as a choice of its own, or a tape before it builds graphs."""
NUMPY_BEHAVIOR = re.compile(r"enable_numpy_behavior|set_dtype_conversion_mode")
BACKEND = re.compile(r"\bKERAS_BACKEND[\"']\] *= *[\"'](?:jax|torch)")
OTHER_ARRAYS = re.compile(
    r"^[ \t]*(?:from|import)[ \t]+(?:torch|jax|flax|mxnet|paddle|chainer|cupy|mlx|tinygrad|mindspore)\b", re.MULTILINE
)
THEANO = re.compile(
    r"^[ \t]*(?:import|from)[ \t]+theano\b|\bTHEANO_FLAGS\b|\bKERAS_BACKEND\b.{1,9}\btheano\b", re.MULTILINE
)
ORDER_OF_AXES = re.compile(r"\bset_image_(?:data_format|dim_ordering)\(")
_SIDE = r"\s*,\s*(?:\d{2,}|[A-Za-z_][\w.]*)"
CHANNELS_FIRST = re.compile(rf"\b(?:input_shape *= *|Input\( *(?:shape *= *)?)\( *[13]{_SIDE}{_SIDE}\s*\)")
EAGER = "enable_eager_execution"  # variables of TensorFlow 1 are made while the program runs
BEFORE_1_0 = re.compile(
    r"\btf\.(?:mul|sub|neg|inv|pack|unpack|select|batch_matmul|complex_abs|listdiff|initialize_(?:all_)?variables"
    r"|concat_v2|merge_(?:all_)?summar\w+|\w+_summary|train\.SummaryWriter|nn\.(?:rnn|bidirectional_rnn|seq2seq))\b"
    r"|\btensorflow\.models\.rnn\b|\bconcat_dim=|\bsplit_dim=|\b(?:tf|tensorflow)\.(?:__version__|VERSION)(?! *==)"
)
SINCE_1_0 = re.compile(
    r"\btf\.(?:compat\.v[12]|keras|layers|data|losses|estimator|function|GradientTape|Module|random|math|linalg|io)\."
    r"|\btf\.(?:function|GradientTape|Module)\b|\btf\.__version__ *== *[\"'][12]\."
    r"|\btensorflow\.(?:compat(?:\.v[12]| import)|keras)\b"
    r"|^\s*(?:import|from) +keras\b|\btf\.(?:reduce|arg)_?\w+\([^()]*\bkeepdims=|_with_logits_v2\b",
    re.MULTILINE,
)
SINCE_1_2 = re.compile(
    r"\btf\.(?:compat\.v[12]|keras|data|estimator|function|GradientTape|Module)\b|\btf\.__version__ *== *[\"']2\."
    r"|\btensorflow\.(?:compat(?:\.v[12]| import)|keras)\b"
)
_KERAS_3 = re.compile(
    r"\bkeras\.(?:ops|random|tree|config|Variable|KerasTensor|Operation|Function)\b"
    r"|^\s*from +keras +import\b[^\n]*\b(?:ops|KerasTensor|Operation)\b"
    rf"|{BACKEND.pattern}",
    re.MULTILINE,
)
_KERAS_2 = re.compile(
    r"^\s*(?:import|from) +tf_keras\b|\b(?:tensorflow|tf)\.python\.keras\b|\bTF_USE_LEGACY_KERAS[\"']\] *= *[\"']1",
    re.MULTILINE,
)
_OF_TENSORFLOW = re.compile(r"\btensorflow\.keras\b|\btf\.keras\b")
_BEFORE_3 = re.compile(
    r"\.(?:fit|predict|evaluate)_generator\(|\boptimizers\.legacy\.|\bbatch_input_shape *=|\bCuDNN(?:LSTM|GRU)\("
)
ANY = VersionRange()
PLAIN_KERAS = re.compile(r"^\s*(?:import|from) +keras\b", re.MULTILINE)  # which may be Keras 1
DATED = re.compile(
    r"\bnp\.(?:float|int|bool|object)\b(?![\w.])|\bnp_utils\b|\.vis_utils\b|\bkeras\.(?:engine|wrappers|objectives)\b"
    r"|\bkeras\.layers\.(?:core|convolutional|normalization|recurrent|pooling|merge|embeddings|advanced_activations"
    r"|wrappers|noise|local|experimental)\b|\btensorflow_backend\b|\bmulti_gpu_model\b|\.predict_classes\("
    r"|\b(?:nb_epoch|samples_per_epoch|nb_filter|nb_val_samples|border_mode|subsample) *="
    r"|\b(?:Adam|SGD|RMSprop|Adagrad|Adadelta|Nadam|Adamax)\([^()\n]*\b(?:lr|decay) *="
    r"|\bModelCheckpoint\([^()\n]*\.(?:h5|hdf5)\b|\.save_weights\([^()\n]*(?<!\.weights)\.(?:h5|hdf5)\b"
    r"|\bsklearn\.(?:cross_validation|externals|grid_search)\b|\bscipy\.misc\b|\bmisc\.im(?:read|resize|save)\("
    r"|\.as_matrix\(\)|\bkeras\.utils\.\w+_utils\b|\.add_weight\(\s*[\"'][^()]*\bshape *="
    r"|\bK\.(?:set_session|get_session|tf|function|(?:set_)?learning_phase|placeholder|in_(?:train|test)_phase)\b"
    r"|^[ \t]*import (?:cPickle|urllib2|ConfigParser)\b",
    re.MULTILINE,
)
"""Names that the present versions of Keras, NumPy, SciPy, scikit-learn and pandas no longer have."""

ONLY_1 = re.compile(
    r"\btf\.(?:log|div|ceil|mod|erf|floordiv|count_nonzero|random_(?:normal|uniform|crop|shuffle)|truncated_normal"
    r"|to_(?:float|double|int32|int64)|depth_to_space|space_to_depth|extract_image_patches|matrix_\w+|py_func"
    r"|is_(?:nan|inf)|set_random_seed|variable_scope|get_collection|trainable_variables|layers|image\.resize_\w+"
    r"|train\.\w+Optimizer)\b"
)
"""Names that TensorFlow 2 does not have at this place."""


_COMMENTS = re.compile(r"(?:^|(?<=[\s)]))#[^\n]*", re.MULTILINE)


def is_tensorflow_1(source: Source) -> bool:
    """Return whether a program uses what only TensorFlow 1 has; a comment may name what was there before."""
    if COMPAT.search(source.text) or not OLD_TENSORFLOW.search(source.text):
        return False
    return OLD_TENSORFLOW.search(_COMMENTS.sub("", source.text)) is not None


def keras_of(text: str) -> int | None:
    """Return the major version of Keras if the names in a text belong to one version alone."""
    if "keras" not in text and "KERAS" not in text:
        return None  # most files, and looking for the names takes long
    is_new, is_old = _KERAS_3.search(text) is not None, _KERAS_2.search(text) is not None
    if not is_old and not PLAIN_KERAS.search(text):
        is_told = _BEFORE_3.search(text) is not None or DEFERRED.search(text) is not None
        is_old = is_told and _OF_TENSORFLOW.search(text) is not None
    return 3 if is_new and not is_old else 2 if is_old and not is_new else None


def with_declared(target: Target, declared: Declared, text: str) -> Target:
    """Return the target with the versions that are declared where the names in a text do not tell them."""
    tensorflow, keras, numpy = (declared.get(name, ANY) for name in ("tensorflow", "keras", "numpy"))
    major = _of_tensorflow(tensorflow)
    if target.tensorflow is None and not (major == 1 and SINCE_2_0.search(text)):
        target = replace(target, tensorflow=major)
    if target.keras is None:
        target = replace(target, keras=_of_keras(keras, tensorflow, numpy, declared.get("python", ANY)))
    if target.numpy is None:
        target = replace(target, numpy=1 if numpy.is_below((2,)) else 2 if numpy.is_from((2,)) else None)
    is_open = (tensorflow.low is not None and tensorflow.high is None) or (keras.low is not None and keras.high is None)
    dated = target.dated or (is_open and target.keras is None)
    return replace(target, dated=dated, since_1_14=target.tensorflow == 1 and tensorflow.is_from((1, 14)))


def _of_tensorflow(declared: VersionRange) -> int | None:
    return 1 if declared.is_below((2,)) else 2 if declared.is_from((2,)) else None


def _of_keras(keras: VersionRange, tensorflow: VersionRange, numpy: VersionRange, python: VersionRange) -> int | None:
    """Return the version of Keras: as declared, or the one that the versions of the other libraries come with.

    TensorFlow since 2.16 comes with Keras 3, which needs NumPy 1.23 and Python 3.8; no older one runs on Python 3.12.
    """
    if keras != ANY:
        return 1 if keras.is_below((2,)) else 2 if keras.is_below((3,)) else 3 if keras.is_from((3,)) else None
    if tensorflow.is_below((2, 16)) or numpy.is_below((1, 23)) or python.is_below((3, 8)):
        return 2
    return 3 if tensorflow.is_from((2, 16)) or python.is_from((3, 12)) else None


def common_target(texts: Sequence[str], target: Target) -> Target:
    """Return the target that holds for all files: one of them may change how tensors behave in the others."""
    return replace(
        target,
        before_1_0=any(map(BEFORE_1_0.search, texts)),
        since_1_0=any(map(SINCE_1_0.search, texts)),
        since_1_2=any(map(SINCE_1_2.search, texts)),
        numpy_behavior=any(map(NUMPY_BEHAVIOR.search, texts)),
        order_of_axes_set=any(map(ORDER_OF_AXES.search, texts)),
        dated=any(map(_is_dated, texts)),
    )


def _is_dated(text: str) -> bool:
    return DATED.search(text) is not None or (ONLY_1.search(text) is not None and COMPAT.search(text) is None)
