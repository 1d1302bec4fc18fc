"""What derivatives pass through: operations without a gradient, and arguments that only select or configure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from shapecheck.domain.values import Ref, Tensor
from shapecheck.models.lang.names import canonical
from shapecheck.source import Place

TAPE = "tf.GradientTape"
MOMENTS = ("_since", "_until", "_watched")
"""What a tape holds that tells positions in the dataflow graph."""

_WITHOUT = """
    tf.round tf.floor tf.math.ceil tf.math.rint tf.math.floordiv tf.truncatediv tf.// tf.zeros_like tf.ones_like
    tf.stop_gradient tf.numpy_function tf.range tf.one_hot tf.math.in_top_k tf.bitcast tf.strings.to_number
    keras.ops.round keras.ops.floor keras.ops.ceil keras.ops.trunc keras.ops.floor_divide keras.ops.zeros_like
    keras.ops.ones_like keras.ops.stop_gradient keras.ops.arange keras.backend.round keras.backend.zeros_like
    keras.backend.ones_like keras.backend.stop_gradient
"""

WITHOUT_GRADIENT = frozenset(canonical(name) for name in _WITHOUT.split())
"""Operations whose results are floats, and whose gradients are None."""

CONFIGURING = frozenset(
    """axis axes dtype name keepdims keep_dims shape training seed depth num perm output_type direction padding strides
    data_format transpose_a transpose_b verbose batch_size reduction from_logits""".split()
)
"""Keywords through which no derivative passes."""

MAKING_VARIABLES = ("tf.layers.", "tf.contrib.", "tf.keras.layers.", "tf.nn.dynamic_rnn", "tf.nn.static_rnn")
"""Operations that make variables of their own, of which the graph of a program tells nothing."""

WITHOUT_VARIABLES = (
    "keras.losses.",
    "keras.metrics.",
    "keras.optimizers.",
    "keras.initializers.",
    "keras.random.",
    "tf.data.",
    "tf.random.",
    "tf.GradientTape",
    "np.",
)
"""The classes of objects whose calls read no variables that are watched."""

_NUMPY_ROOTS = frozenset("np pandas scipy sklearn PIL cv2 skimage imageio random".split())
_NUMPY_RESULTS = frozenset(
    """predict predict_on_batch predict_generator numpy get_weights get_value eval convert_to_numpy to_categorical
    load_data normalize make_ndarray as_numpy_iterator""".split()
)


def gives_arrays(name: str) -> bool:
    """Return whether a library call certainly gives arrays of NumPy where its model says so."""
    return name.partition(".")[0] in _NUMPY_ROOTS or name.rpartition(".")[2] in _NUMPY_RESULTS


def keeps_tensors(cls: str) -> bool:
    """Return whether an object of TensorFlow may give tensors that it was given before, as a `TensorArray` does."""
    return cls.startswith("tf.") and not cls.startswith(WITHOUT_VARIABLES)


def has_derivative(dtype: str | None) -> bool:
    """Return whether tensors of this dtype may take part in gradients."""
    return dtype is None or not dtype.startswith(("int", "uint", "bool", "string", "str", "qint", "quint"))


Output: TypeAlias = tuple[int, int]
"""The step and output number of a tensor."""


@dataclass(frozen=True, slots=True)
class Recording:
    """What is recorded for gradients: the steps after `since` and up to `until`, None if it goes on.

    `watched` are the tensors that are watched, with the step since which they are; `watches_variables` says that
    variables are among them, and `is_automatic` that trainable variables are watched where they are used.
    """

    since: int = 0
    until: int | None = None
    watched: Mapping[Output, int] = field(default_factory=dict)
    watches_variables: bool = False
    is_automatic: bool = True


Why: TypeAlias = Literal["operation", "dtype", "array", "converted", "early", "late"]


@dataclass(frozen=True, slots=True)
class Cut:
    """A place where no derivative passes: the step of an operation, and why."""

    why: Why
    step: int
    name: str
    place: Place
    dtype: str | None = None


@dataclass(slots=True)
class Flow:
    """All that the derivatives of some tensors may reach, against the direction of the computation.

    `variables` and `objects` are the ends where gradients may be known: variables, and objects that were called.
    `watched` are the tensors there that are watched. Unless it `is_complete`, there may be more of all of them.
    """

    reached: set[Output] = field(default_factory=set)
    variables: list[Tensor] = field(default_factory=list)
    objects: list[Ref] = field(default_factory=list)
    watched: set[Output] = field(default_factory=set)
    cuts: list[Cut] = field(default_factory=list)
    is_complete: bool = True
