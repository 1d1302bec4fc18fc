"""What names mean that a program uses and does not bind: programs are posted without their imports.

It knows conventions, and what a text may bind by itself.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from shapecheck.domain.values import Library, Value
from shapecheck.models.lang.loading import is_namespace
from shapecheck.models.lang.names import canonical
from shapecheck.models.lang.registry import constant, lookup
from shapecheck.source import Source

MODULES: Final = {
    "keras": "keras",
    "np": "np",
    "numpy": "np",
    "tensorflow": "tf",
    "tf": "tf",
}
"""Modules, whatever else a program imports."""

_LAYERS: Final = (
    "Activation Add AveragePooling1D AveragePooling2D BatchNormalization Bidirectional Concatenate Conv1D"
    " Conv1DTranspose Conv2D Conv2DTranspose Conv3D Conv3DTranspose ConvLSTM2D Convolution1D Convolution2D Cropping1D"
    " Cropping2D Dense DepthwiseConv2D Dropout Embedding Flatten GRU GaussianNoise GlobalAveragePooling1D"
    " GlobalAveragePooling2D GlobalMaxPooling1D GlobalMaxPooling2D InputLayer LSTM Lambda LayerNormalization LeakyReLU"
    " Masking MaxPooling1D MaxPooling2D MaxPooling3D MultiHeadAttention Multiply PReLU Permute RepeatVector Reshape"
    " SeparableConv2D SimpleRNN SpatialDropout1D SpatialDropout2D TimeDistributed UpSampling1D UpSampling2D"
    " ZeroPadding1D ZeroPadding2D"
)
_NAMES: Final = {
    **{name: f"keras.layers.{name}" for name in _LAYERS.split()},
    **{name: f"keras.optimizers.{name}" for name in ("Adam", "Nadam", "RMSprop", "SGD")},
    **{name: f"sklearn.preprocessing.{name}" for name in ("MinMaxScaler", "StandardScaler")},
    **{name: f"keras.preprocessing.image.{name}" for name in ("ImageDataGenerator", "img_to_array", "load_img")},
    "Input": "keras.Input",
    "K": "keras.backend",
    "KFold": "sklearn.model_selection.KFold",
    "LabelEncoder": "sklearn.preprocessing.LabelEncoder",
    "Model": "keras.Model",
    "OneHotEncoder": "sklearn.preprocessing.OneHotEncoder",
    "Sequential": "keras.Sequential",
    "image": "keras.preprocessing.image",
    "layers": "keras.layers",
    "load_model": "keras.models.load_model",
    "models": "keras.models",
    "np_utils": "keras.utils",
    "optimizers": "keras.optimizers",
    "pad_sequences": "keras.utils.pad_sequences",
    "pd": "pandas",
    "plt": "matplotlib.pyplot",
    "to_categorical": "keras.utils.to_categorical",
    "train_test_split": "sklearn.model_selection.train_test_split",
}
_OTHERS: Final = re.compile(
    r"^[ \t]*(?:from|import)[ \t]+(?:torch|mxnet|paddle|chainer|lasagne|jax|flax|haiku|tflearn|caffe2?|tinygrad|mlx)\b",
    re.MULTILINE,
)
"""Libraries with layers of the same names."""

_BINDING: Final = (
    r"(?:\b(?:def|class|as|global|nonlocal|del)[ \t]+{0}\b"
    r"|^(?![ \t]*from[ \t]+(?:tensorflow|keras|sklearn)\b)[^\n]*\bimport\b(?:[^\n]*|[ \t]*\([^)]*)\b{0}\b"
    r"|\b(?:for|lambda)\b[^\n]*?\b{0}\b[^\n]*?(?:\bin\b|:)|\bdef[ \t]+\w+[ \t]*\([^()]*\b{0}\b"
    r"|(?<![\w.]){0}[ \t]*(?:,[^\n=()]*|:[^\n=]*|[-+*/@|]?|:)=(?!=)|,[ \t]*{0}[ \t]*=(?!=)"
    r"|[\"']{0}[\"']|\bexec\b|\bglobals\b)"
)
"""What binds a name, save imports from the libraries, which may stand further down in a text that was put together."""


@lru_cache(maxsize=256)
def _binding(name: str) -> re.Pattern[str]:
    return re.compile(_BINDING.format(name), re.MULTILINE)


def conventional(name: str, source: Source, *, is_open: bool) -> Value | None:
    """Return what everybody takes a name for that a file does not bind; `is_open` says that it imports all names from
    a module which is not known."""
    if name in MODULES:
        return Library(MODULES[name])
    full = _NAMES.get(name)
    if full is None or is_open or source.mentions(_OTHERS) or source.mentions(_binding(name)):
        return None
    full = canonical(full)
    value = constant(full)
    if value is not None:
        return value
    return Library(full) if lookup(full) is not None or is_namespace(full) else None
