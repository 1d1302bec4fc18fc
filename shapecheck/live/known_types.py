"""The classes whose objects may be asked, and for what: attributes of libraries, which run none of the user's code."""

from __future__ import annotations

import sys

ARRAYS = {
    "numpy.ndarray": "array",
    "numpy.memmap": "array",
    "tensorflow.python.framework.ops.EagerTensor": "tensor",
    "tensorflow.python.framework.ops.SymbolicTensor": "tensor",
    "tensorflow.python.framework.tensor.Tensor": "tensor",
    "tensorflow.python.ops.resource_variable_ops.ResourceVariable": "variable",
    "keras.src.backend.tensorflow.core.Variable": "variable",
    "keras.src.backend.Variable": "variable",
    "keras.src.backend.common.keras_tensor.KerasTensor": "symbolic",
}
"""How an array of each class is made in a snapshot; they are asked for `shape` and `dtype`."""
FRAME = "pandas.core.frame.DataFrame"
SERIES = "pandas.core.series.Series"
DATASET = "tensorflow.python.data.ops.dataset_ops.DatasetV2"
SPEC = "tensorflow.python.framework.tensor.TensorSpec"
SEQUENTIAL = "keras.src.models.sequential.Sequential"
FUNCTIONAL = "keras.src.models.functional.Functional"
MODEL = "keras.src.models.model.Model"
LAYER = "keras.src.layers.layer.Layer"
TRACED = "tensorflow.python.eager.polymorphic_function.polymorphic_function.Function"
_LIBRARIES = ("keras", "numpy", "tensorflow", "pandas")
_EARLIER = {"pandas.DataFrame": FRAME, "pandas.Series": SERIES}
"""Names since pandas 3, and those before it, which stand for both."""


def name_of(cls: type) -> str:
    """Return the full name of a class of a library; "" for any other class, whatever it says of itself."""
    module, name = (type.__getattribute__(cls, part) for part in ("__module__", "__qualname__"))
    if not isinstance(module, str) or module.split(".")[0] not in _LIBRARIES:
        return ""
    found: object = sys.modules.get(module)
    for part in name.split("."):
        found = None if found is None else vars(found).get(part)
    full = f"{module}.{name}"
    return _EARLIER.get(full, full) if found is cls else ""


def type_name(value: object) -> str:
    """Return the full name of the class of an object, if that is one of a library."""
    return name_of(type(value))


def is_a(value: object, name: str) -> bool:
    """Return whether the class of an object, or a base of it, is a certain class of a library."""
    return any(name_of(cls) == name for cls in type(value).__mro__)


def is_of_library(value: object) -> bool:
    """Return whether the class of an object is one of Keras itself, so that its attributes are the library's."""
    return type_name(value).startswith("keras.")


def own_attributes(value: object) -> dict[str, object]:
    """Return what an object holds itself, without asking it."""
    try:
        found = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return {}
    return dict(found) if type(found) is dict else {}
