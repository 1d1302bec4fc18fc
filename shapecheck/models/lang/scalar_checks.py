"""Arguments that are not the one number, boolean or text that they must be: arrays, most often another operand in
their position, and floats, most often a quotient."""

from __future__ import annotations

from shapecheck.domain import values
from shapecheck.domain.values import Value
from shapecheck.models.lang.context import Target
from shapecheck.models.lang.parameter_kinds import Parameter, Reading
from shapecheck.shapes.shape import Shape

LIBRARIES = ("np.", "tf.", "keras.ops.", "keras.activations.", "scipy.")  # their functions check their arguments
INTEGRAL = ("np.", "scipy.")  # their functions refuse floats, even integral ones, as sizes
ROUNDING = (
    *(f"np.{name}" for name in "bartlett blackman hamming hanning kaiser repeat roll rollaxis rot90 tile tri".split()),
    *(f"np.{name}" for name in "ndarray.repeat tril_indices triu_indices".split()),
    "scipy.signal.",
)
SIZED = (Reading.SIZE, Reading.SIZES, Reading.SHAPE)
WANTED = {
    Reading.SIZE: "not a number",
    Reading.FLAG: "neither true nor false",
    Reading.CHOICE: "none of the words that are taken",
    Reading.AXIS: "which names no axis",
}


def no_number(function: str, parameter: Parameter, value: Value) -> str | None:
    """Return the reason why an argument does not suit a parameter; None where it may, as an array of one number."""
    wanted = WANTED.get(parameter.reading)
    if wanted is None or not isinstance(value, values.Tensor) or not function.startswith(LIBRARIES):
        return None
    is_open = ... in parameter.options
    if is_open or not any(isinstance(size, int) and size > 1 for size in value.shape.known):
        return None
    return f"{parameter.name} is an array of shape {value.shape}, {wanted}"


def no_integer(function: str, parameter: Parameter, value: Value, target: Target) -> str | None:
    """Return the reason why an argument is no size or shape. A quotient of integers is a float since Python 3."""
    if parameter.reading not in SIZED or not function.startswith(INTEGRAL) or function.startswith(ROUNDING):
        return None
    if target.dated or target.tensorflow == 1 or ... in parameter.options:
        return None
    if is_float(value):
        return f"{parameter.name} is a float, not an integer"
    if isinstance(value, values.Seq) and any(map(is_float, value.items)):
        return f"{parameter.name} has a float in it, where all must be integers"
    return None


def is_float(value: Value) -> bool:
    """Return whether a value is a float, or NumPy's number of that type."""
    match value:
        case values.Const(value=float()) | values.Scalar(kind="float"):
            return True
        case values.Tensor(library="np", role="tensor", shape=Shape(head=(), tail=None), dtype=str(dtype)):
            return dtype.startswith("float")
    return False
