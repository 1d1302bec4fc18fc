"""Arrays as arguments that must be one number, boolean or text: most often, another operand in their position."""

from __future__ import annotations

from shapecheck.domain import values
from shapecheck.domain.values import Value
from shapecheck.models.lang.parameter_kinds import Parameter, Reading

LIBRARIES = ("np.", "tf.", "keras.ops.", "keras.activations.", "scipy.")  # their functions check their arguments
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
