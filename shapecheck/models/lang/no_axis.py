"""What was given for an axis and can never be one: another operand, most often, in its place."""

from __future__ import annotations

from shapecheck.domain import values
from shapecheck.domain.values import Const, HomogeneousSeq, Scalar, Seq, Value
from shapecheck.models.lang.kinds import Parameter, Reading

ROUNDING = frozenset({"np.linalg.norm"})  # takes the whole part of a number

AT_EASE = ("np.fft.", "np.roll", "tf.sparse.")  # take the whole parts of all numbers


def no_axis(function: str, parameter: Parameter, value: Value) -> str | None:
    """Why no axis is meant; None where one may be."""
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
    """Whether it is a list with a tensor in it that is more than a number."""
    items = value.items if isinstance(value, Seq) else (value.element,) if isinstance(value, HomogeneousSeq) else ()
    return any(isinstance(item, values.Tensor) and bool(item.shape.head or item.shape.rank) for item in items)


def _is_float(value: Value) -> bool:
    return (isinstance(value, Const) and isinstance(value.value, float)) or value == Scalar("float")


def _no_axis(parameter: Parameter, value: values.Tensor) -> str | None:
    """Fractions name no axes, and neither do tables; some functions take a row of whole numbers."""
    if (value.dtype or "").startswith("float"):
        of = f"a float array of shape {value.shape}" if value.shape.rank else "a float"
        return f"{parameter.name} is {of}, not an integer"
    if len(value.shape.head) + len(value.shape.tail or ()) > 1:
        return f"{parameter.name} is an array of shape {value.shape}, not an integer"
    return None
