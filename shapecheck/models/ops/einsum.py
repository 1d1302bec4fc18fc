"""Einstein summation, whose labelled equations are signatures already."""

from __future__ import annotations

import re
from collections.abc import Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.models.lang import Answer, Blind, Refused, Tensor, Tensors, Text, op
from shapecheck.shapes.shape import UNRANKED


@op("np.einsum", varargs="operands", dtype="promote")
def np_einsum(equation: Text, operands: Tensors) -> Answer:
    """NumPy broadcasts labelled axes of size 1."""
    answer = einsum(equation, operands)
    if not isinstance(answer, str) or all(1 not in operand.shape.known for operand in operands.items):
        return answer
    return UNRANKED if "~B" in answer else _stretched(answer, operands.items)


def _stretched(signature: str, operands: Sequence[Tensor]) -> str:
    """Return the signature without the labels of axes of size 1 that are larger elsewhere."""
    patterns, _, outcome = signature.partition(" -> ")
    inputs = [pattern.split() for pattern in patterns.split(",")]
    if any(operand.rank != len(labels) for operand, labels in zip(operands, inputs, strict=True)):
        return signature
    axes = [list(zip(labels, o.shape.head, strict=True)) for o, labels in zip(operands, inputs, strict=True)]
    wide = {label for each in axes for label, size in each if size != 1}
    written = [" ".join("_" if size == 1 and label in wide else label for label, size in each) for each in axes]
    return f"{', '.join(written)} -> {outcome}"


@op("{tf,keras.ops}.einsum", "tf.linalg.einsum", varargs="operands", dtype="promote")
def einsum(equation: Text, operands: Tensors) -> Answer:
    return UNRANKED if operands.repeat is not None else labelled(equation, operands.items)


def labelled(text: str, operands: Sequence[Tensor]) -> str:
    """Return the signature of an equation: each letter is an axis, the ellipsis is axes that broadcast."""
    text = text.replace(" ", "")
    if not re.fullmatch(r"[A-Za-z,.]*(->[A-Za-z.]*)?", text):
        raise Blind("an equation that cannot be read")
    left, arrow, right = text.partition("->")
    inputs = left.split(",")
    if len(inputs) != len(operands):
        raise Refused(ClashKind.RANK, f"the equation names {len(inputs)} operands, the call has {len(operands)}")
    if not arrow:
        right = _implied(inputs)
    unknown = set(right) - set(left) - {"."}
    if unknown:
        raise Refused(ClashKind.RANK, f"output label {min(unknown)!r} is in no input of {text!r}")
    return f"{', '.join(map(_pattern, inputs))} -> {_pattern(right)}"


def _implied(inputs: Sequence[str]) -> str:
    letters = "".join(inputs).replace(".", "")
    once = sorted(letter for letter in set(letters) if letters.count(letter) == 1)
    return ("..." if any("..." in part for part in inputs) else "") + "".join(once)


def _pattern(labels: str) -> str:
    return " ".join(labels.replace("...", "~")).replace("~", "~B")
