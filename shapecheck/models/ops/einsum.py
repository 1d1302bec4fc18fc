"""Einstein summation: a labelled equation is a signature already."""

from __future__ import annotations

import re
from collections.abc import Sequence

from shapecheck.models.lang import Answer, Blind, Tensor, Tensors, Text, never, op, result
from shapecheck.shapes.shape import UNRANKED


@op("{tf,np,keras.ops}.einsum", "tf.linalg.einsum", varargs="operands", dtype="promote", rung=3)
def einsum(equation: Text, operands: Tensors) -> Answer:
    return UNRANKED if operands.repeat is not None else labelled(equation, operands.items)


def labelled(text: str, operands: Sequence[Tensor]) -> Answer:
    """The signature that an equation is: each letter an axis, the ellipsis axes that broadcast."""
    text = text.replace(" ", "")
    if not re.fullmatch(r"[A-Za-z,.]*(->[A-Za-z.]*)?", text):
        raise Blind("an equation that cannot be read")
    left, arrow, right = text.partition("->")
    inputs = left.split(",")
    if len(inputs) != len(operands):
        said = f"the equation names {len(inputs)} operands, the call has {len(operands)}"
        return result(UNRANKED, needs=[never("rank", said)])
    if not arrow:
        right = _implied(inputs)
    unknown = set(right) - set(left) - {"."}
    if unknown:
        said = f"output label {min(unknown)!r} is in no input of {text!r}"
        return result(UNRANKED, needs=[never("rank", said)])
    return f"{', '.join(map(_pattern, inputs))} -> {_pattern(right)}"


def _implied(inputs: Sequence[str]) -> str:
    letters = "".join(inputs).replace(".", "")
    once = sorted(letter for letter in set(letters) if letters.count(letter) == 1)
    return ("..." if any("..." in part for part in inputs) else "") + "".join(once)


def _pattern(labels: str) -> str:
    return " ".join(labels.replace("...", "~")).replace("~", "~B")
