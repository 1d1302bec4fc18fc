"""Pooling layers."""

from __future__ import annotations

from typing import Any, Literal

from shapecheck.models.lang.answer import Answer
from shapecheck.models.lang.context import Target
from shapecheck.models.lang.kinds import AnyValue, Dimensions, Flag, Sizes, Tensor
from shapecheck.models.lang.window import window
from shapecheck.models.layers.keras import keras_layer
from shapecheck.models.layers.reshape import AXES, is_first
from shapecheck.values import NONE
from shapecheck.values import Tensor as TensorValue

TWO: Any = 2
Padding = Literal["valid", "same"]


@keras_layer("keras.layers.{MaxPooling,MaxPool,AveragePooling,AvgPool}{1,2,3}D", dtype="")
def pool(
    axes: Dimensions,
    inputs: Tensor,
    pool_size: Sizes = TWO,
    strides: Sizes | None = None,
    padding: Padding = "valid",
    data_format: AnyValue = NONE,
    target: Target = Target(),
) -> Answer:
    """Only symbolic inputs must be as large as the window, and all that TensorFlow 1 computes with."""
    names = AXES[axes]
    before = f"b c {names}" if is_first(data_format) else f"b {names} c"
    signature = f"{before} -> {before.translate(str.maketrans('xyz', 'XYZ'))}"
    kernels, steps = pool_size.spread(axes), pool_size if strides is None else strides
    symbolic = isinstance(inputs.value, TensorValue) and inputs.value.library == "keras"
    if symbolic or padding == "same" or target.tensorflow == 1:
        return (signature, *window(names, kernels, steps, padding))
    derived, *_ = window(names, kernels, steps, padding)
    assert isinstance(derived, dict)
    return (signature, derived, *(f"{name.upper()} >= 0" for name in names.split()))


@keras_layer("keras.layers.Global{MaxPooling,AveragePooling,MaxPool,AvgPool}{1,2,3}D", dtype="")
def global_pool(axes: Dimensions, data_format: AnyValue = NONE, keepdims: Flag = False) -> Answer:
    ones = " ".join("1" * axes)
    if is_first(data_format):
        return f"b c {AXES[axes]} -> b c {ones if keepdims else ''}"
    return f"b {AXES[axes]} c -> b {ones if keepdims else ''} c"


@keras_layer("keras.layers.Adaptive{Max,Average}Pooling{1,2,3}D", dtype="")
def adaptive_pool(axes: Dimensions, output_size: Sizes, data_format: AnyValue = NONE) -> Answer:
    before = f"b c {AXES[axes]}" if is_first(data_format) else f"b {AXES[axes]} c"
    sizes = dict(zip(AXES[axes].upper().split(), output_size.spread(axes), strict=True))
    return (f"{before} -> {before.translate(str.maketrans('xyz', 'XYZ'))}", sizes)
