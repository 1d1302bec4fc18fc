"""Arguments that can never be an axis: most often, another operand in its position."""

from __future__ import annotations

from shapecheck.domain import values
from shapecheck.domain.values import Const, HomogeneousSeq, Scalar, Seq, Value
from shapecheck.models.lang.parameter_kinds import Parameter, Reading

ROUNDING = frozenset({"np.linalg.norm"})  # converts a number to an integer

AT_EASE = ("np.fft.", "np.roll", "tf.sparse.")  # convert all numbers to integers


def no_axis(function: str, parameter: Parameter, value: Value) -> str | None:
    """Return the reason why an argument cannot be an axis; None where it may be one."""
    if parameter.reading not in (Reading.AXIS, Reading.AXES):
        return None
    if of_tensors(value):
        return f"{parameter.name} is a list of tensors, not a number"
    if not function.startswith(("np.", "tf.", "keras.ops.")) or function.startswith(AT_EASE):
        return None
    if isinstance(value, values.Tensor):
        return _no_axis(parameter, value)
    if function not in ROUNDING and _is_float(value):
        return f"{parameter.name} is a float, not an integer"
    return None


def of_tensors(value: Value) -> bool:
    """Return whether it is a list that contains a tensor with axes."""
    items = value.items if isinstance(value, Seq) else (value.element,) if isinstance(value, HomogeneousSeq) else ()
    return any(isinstance(item, values.Tensor) and bool(item.shape.head or item.shape.rank) for item in items)


def _is_float(value: Value) -> bool:
    return (isinstance(value, Const) and isinstance(value.value, float)) or value == Scalar("float")


def _no_axis(parameter: Parameter, value: values.Tensor) -> str | None:
    """Return the reason why a value cannot be an axis: fractions and tables name none; some functions take a vector of
    integers.
    """
    if (value.dtype or "").startswith("float"):
        of = f"a float array of shape {value.shape}" if value.shape.rank else "a float"
        return f"{parameter.name} is {of}, not an integer"
    if len(value.shape.head) + len(value.shape.tail or ()) > 1:
        return f"{parameter.name} is an array of shape {value.shape}, not an integer"
    return None
