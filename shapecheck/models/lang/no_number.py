"""An array where a function takes one number, one truth value or one word: another operand, most often."""

from __future__ import annotations

from shapecheck.domain import values
from shapecheck.domain.values import Value
from shapecheck.models.lang.kinds import Parameter, Reading

LIBRARIES = ("np.", "tf.", "keras.ops.", "keras.activations.", "scipy.")  # whose functions ask for what they can use
WANTED = {
    Reading.SIZE: "not a number",
    Reading.FLAG: "neither true nor false",
    Reading.CHOICE: "none of the words that are taken",
    Reading.AXIS: "which names no axis",
}


def no_number(function: str, parameter: Parameter, value: Value) -> str | None:
    """Why an argument cannot be what a parameter takes; None where it may be, as an array of a single number."""
    wanted = WANTED.get(parameter.reading)
    if wanted is None or not isinstance(value, values.Tensor) or not function.startswith(LIBRARIES):
        return None
    is_open = ... in parameter.options
    if is_open or not any(isinstance(size, int) and size > 1 for size in value.shape.known):
        return None
    return f"{parameter.name} is an array of shape {value.shape}, {wanted}"
