"""Arguments that can never be an axis: most often, another operand in its position."""

from __future__ import annotations

from shapecheck.domain import values
from shapecheck.domain.values import Const, HomogeneousSeq, Scalar, Seq, Value, as_size
from shapecheck.models.lang.parameter_kinds import Parameter, Reading

ROUNDING = frozenset(  # convert a number to an integer
    "np.linalg.norm tf.nn.softmax tf.nn.log_softmax tf.math.softmax tf.math.log_softmax tf.squeeze keras.ops.softmax "
    "keras.ops.log_softmax keras.ops.batch_normalization".split()
)

LISTED = frozenset(  # take an array of axes, or of one axis
    f"np.{name}"
    for name in (
        "average diff expand_dims flip geomspace gradient linspace logspace median moveaxis nanmedian nanpercentile "
        "nanquantile "
        "percentile permute_dims quantile roll transpose unstack lib.stride_tricks.sliding_window_view "
        "ndarray.transpose tensordot rot90 linalg.tensorsolve linalg.vector_norm linalg.matrix_norm"
    ).split()
)
AT_EASE = ("np.fft.", "np.roll", "tf.sparse.")  # convert all numbers to integers


def no_axis(function: str, parameter: Parameter, value: Value, *, may_be_named: bool = False) -> str | None:
    """Return the reason why an argument cannot be an axis, unless axes may have names; None where it may be one."""
    if parameter.reading not in (Reading.AXIS, Reading.AXES):
        return None
    if of_tensors(value):
        return f"{parameter.name} is a list of tensors, not a number"
    if function in ("tf.reverse", "tf.reverse_v2") and as_size(value) is not None:
        return f"{parameter.name} is one number, where a list is taken"
    if not function.startswith(("np.", "tf.", "keras.ops.")) or function.startswith(AT_EASE):
        return None
    if isinstance(value, values.Tensor):
        return _no_axis(parameter, value, may_list=not function.startswith("np.") or function in LISTED)
    if isinstance(value, Seq) and value.kind == "list" and function.startswith("np.") and function not in LISTED:
        return f"{parameter.name} is a list, where an integer or a tuple is taken" if _of_integers(value) else None
    if function not in ROUNDING and _is_float(value):
        return f"{parameter.name} is a float, not an integer"
    items = value.items if isinstance(value, Seq) and function not in ROUNDING else ()
    if any(map(_is_float, items)):
        return f"{parameter.name} contains a float, not only integers"
    if not may_be_named and any(isinstance(item, Const) and isinstance(item.value, str) for item in items):
        return f"{parameter.name} contains a text, not only integers"
    return None


def of_tensors(value: Value) -> bool:
    """Return whether it is a list that contains a tensor with axes."""
    items = value.items if isinstance(value, Seq) else (value.element,) if isinstance(value, HomogeneousSeq) else ()
    return any(isinstance(item, values.Tensor) and bool(item.shape.head or item.shape.rank) for item in items)


def _of_integers(value: Seq) -> bool:
    return bool(value.items) and all(isinstance(as_size(item), int) for item in value.items)


def _is_float(value: Value) -> bool:
    return (isinstance(value, Const) and isinstance(value.value, float)) or value == Scalar("float")


def _no_axis(parameter: Parameter, value: values.Tensor, *, may_list: bool) -> str | None:
    """Return the reason why a value cannot be an axis: fractions and tables name none; some functions take a vector of
    integers, where others take only a tuple.
    """
    if (value.dtype or "").startswith("float"):
        of = f"a float array of shape {value.shape}" if value.shape.rank else "a float"
        return f"{parameter.name} is {of}, not an integer"
    several = not may_list and any(isinstance(size, int) and size > 1 for size in value.shape.known)
    if several or len(value.shape.head) + len(value.shape.tail or ()) > 1:
        return f"{parameter.name} is an array of shape {value.shape}, not an integer"
    return None
