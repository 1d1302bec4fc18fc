"""Arguments that are not the one number, boolean or text that they must be: arrays, most often another operand in
their position, and floats, most often a quotient."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain import values
from shapecheck.domain.values import Value
from shapecheck.models.lang.context import Context, Target
from shapecheck.models.lang.parameter_kinds import Parameter, Reading
from shapecheck.shapes.claims import FALSE
from shapecheck.shapes.shape import Shape

LIBRARIES = ("np.", "tf.", "keras.ops.", "keras.activations.", "scipy.")  # their functions check their arguments
INTEGRAL = ("np.", "scipy.", "tf.", "keras.ops.", "keras.random.")  # refuse floats, even whole ones, as sizes
TENSORS = ("tf.", "keras.")  # convert NumPy's numbers, and take whole floats as sizes of a window
ROUNDING = (
    *(f"np.{name}" for name in "bartlett blackman hamming hanning kaiser repeat roll rollaxis rot90 tile tri".split()),
    *(f"np.{name}" for name in "ndarray.repeat tril_indices triu_indices".split()),
    *(f"keras.ops.{name}" for name in "bartlett blackman hamming hanning kaiser".split()),
    *(f"{library}.{name}" for library in ("tf.nn", "keras.ops") for name in ("depth_to_space", "space_to_depth")),
    "scipy.linalg.",
    "scipy.signal.",
    "scipy.special.",
    "tf.sparse.",
    "tf.signal.",
)
WITHOUT_CODES = ("jax.", "torch.")  # have no numbers for dtypes
PLAIN = ("np.", "scipy.")  # take sequences in the place of numbers only where a model says so
SIZED = (Reading.SIZE, Reading.SIZES, Reading.SHAPE)
WANTED = {
    Reading.SIZE: "not a number",
    Reading.FLAG: "neither true nor false",
    Reading.CHOICE: "none of the words that are taken",
    Reading.AXIS: "which names no axis",
}


def no_number(function: str, parameter: Parameter, value: Value) -> str | None:
    """Return the reason why an argument does not suit a parameter; None where it may, as an array of one number."""
    if parameter.reading is Reading.DTYPE and isinstance(value, values.Const) and type(value.value) is int:
        said = f"{parameter.name} is {value.value}, a number and no dtype"
        return said if function.startswith(WITHOUT_CODES) else None
    if parameter.reading is Reading.SHAPE and function.startswith("np.") and not function.startswith("np.fft."):
        is_open = isinstance(value, values.Seq) and values.NONE in value.items
        return f"{parameter.name} has None in it, where all must be integers" if is_open else None
    wanted = WANTED.get(parameter.reading)
    if parameter.reading is Reading.SIZE and isinstance(value, values.Seq) and function.startswith(PLAIN):
        return None if ... in parameter.options else f"{parameter.name} is a {value.kind}, {wanted}"
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
    if parameter.reading is Reading.SIZES and function.startswith(TENSORS):
        return None
    if target.dated or target.tensorflow == 1 or ... in parameter.options:
        return None
    if is_python_float(value) or (is_float(value) and not function.startswith(TENSORS)):
        return f"{parameter.name} is a float, not an integer"
    items = value.items if isinstance(value, values.Seq) else ()
    if any(map(is_float, items)):
        return f"{parameter.name} has a float in it, where all must be integers"
    return None


def require_integer(ctx: Context, name: str, value: Value) -> None:
    """State that a number given to TensorFlow 2 is no float."""
    if is_python_float(value) and not ctx.target.dated and ctx.target.tensorflow != 1:
        ctx.require(ClashKind.NOT_INTEGER, FALSE, f"{name} is a float, not an integer", value)


def is_python_float(value: Value) -> bool:
    """Return whether a value is a float of Python; TensorFlow converts a single number of NumPy."""
    match value:
        case values.Const(value=float()) | values.Scalar(kind="float"):
            return True
    return False


def is_float(value: Value) -> bool:
    """Return whether a value is a float, or NumPy's number of that type."""
    if is_python_float(value):
        return True
    match value:
        case values.Tensor(library="np", role="tensor", shape=Shape(head=(), tail=None), dtype=str(dtype)):
            return dtype.startswith("float")
    return False
