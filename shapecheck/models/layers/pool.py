"""Pooling layers."""

from __future__ import annotations

from typing import Any, Literal

from shapecheck.models.lang.answer import Answer
from shapecheck.models.lang.kinds import AnyValue, Flag, Sizes, Tensor
from shapecheck.models.lang.window import window
from shapecheck.models.layers.keras import keras_layer
from shapecheck.models.layers.reshape import AXES, is_first
from shapecheck.values import NONE, Value
from shapecheck.values import Tensor as TensorValue

TWO: Any = 2
Padding = Literal["valid", "same"]


def pooled(
    axes: int, inputs: Tensor, pool_size: Sizes, strides: Sizes | None, padding: str, data_format: Value
) -> Answer:
    """What the pooling layers of all dimensions share; only symbolic inputs must be as large as the window."""
    names = AXES[axes]
    before = f"b c {names}" if is_first(data_format) else f"b {names} c"
    signature = f"{before} -> {before.translate(str.maketrans('xyz', 'XYZ'))}"
    kernels, steps = pool_size.spread(axes), pool_size if strides is None else strides
    symbolic = isinstance(inputs.value, TensorValue) and inputs.value.library == "keras"
    if symbolic or padding == "same":
        return (signature, *window(names, kernels, steps, padding))
    derived, *_ = window(names, kernels, steps, padding)
    assert isinstance(derived, dict)
    return (signature, derived, *(f"{name.upper()} >= 0" for name in names.split()))


@keras_layer("keras.layers.{MaxPooling1D,MaxPool1D,AveragePooling1D,AvgPool1D}", dtype="")
def pool_1d(
    inputs: Tensor,
    pool_size: Sizes = TWO,
    strides: Sizes | None = None,
    padding: Padding = "valid",
    data_format: AnyValue = NONE,
) -> Answer:
    return pooled(1, inputs, pool_size, strides, padding, data_format)


@keras_layer("keras.layers.{MaxPooling2D,MaxPool2D,AveragePooling2D,AvgPool2D}", dtype="")
def pool_2d(
    inputs: Tensor,
    pool_size: Sizes = TWO,
    strides: Sizes | None = None,
    padding: Padding = "valid",
    data_format: AnyValue = NONE,
) -> Answer:
    return pooled(2, inputs, pool_size, strides, padding, data_format)


@keras_layer("keras.layers.{MaxPooling3D,MaxPool3D,AveragePooling3D,AvgPool3D}", dtype="")
def pool_3d(
    inputs: Tensor,
    pool_size: Sizes = TWO,
    strides: Sizes | None = None,
    padding: Padding = "valid",
    data_format: AnyValue = NONE,
) -> Answer:
    return pooled(3, inputs, pool_size, strides, padding, data_format)


def _global(axes: int, data_format: Value, keepdims: bool) -> str:
    ones = " ".join("1" * axes)
    if is_first(data_format):
        return f"b c {AXES[axes]} -> b c {ones if keepdims else ''}"
    return f"b {AXES[axes]} c -> b {ones if keepdims else ''} c"


@keras_layer("keras.layers.Global{Max,Average}Pooling1D", "keras.layers.Global{Max,Avg}Pool1D", dtype="")
def global_pool_1d(data_format: AnyValue = NONE, keepdims: Flag = False) -> Answer:
    return _global(1, data_format, keepdims)


@keras_layer("keras.layers.Global{Max,Average}Pooling2D", "keras.layers.Global{Max,Avg}Pool2D", dtype="")
def global_pool_2d(data_format: AnyValue = NONE, keepdims: Flag = False) -> Answer:
    return _global(2, data_format, keepdims)


@keras_layer("keras.layers.Global{Max,Average}Pooling3D", "keras.layers.Global{Max,Avg}Pool3D", dtype="")
def global_pool_3d(data_format: AnyValue = NONE, keepdims: Flag = False) -> Answer:
    return _global(3, data_format, keepdims)


def _adaptive(axes: int, output_size: Sizes, data_format: Value) -> Answer:
    before = f"b c {AXES[axes]}" if is_first(data_format) else f"b {AXES[axes]} c"
    sizes = dict(zip(AXES[axes].upper().split(), output_size.spread(axes), strict=True))
    return (f"{before} -> {before.translate(str.maketrans('xyz', 'XYZ'))}", sizes)


@keras_layer("keras.layers.Adaptive{Max,Average}Pooling1D", dtype="")
def adaptive_pool_1d(output_size: Sizes, data_format: AnyValue = NONE) -> Answer:
    return _adaptive(1, output_size, data_format)


@keras_layer("keras.layers.Adaptive{Max,Average}Pooling2D", dtype="")
def adaptive_pool_2d(output_size: Sizes, data_format: AnyValue = NONE) -> Answer:
    return _adaptive(2, output_size, data_format)


@keras_layer("keras.layers.Adaptive{Max,Average}Pooling3D", dtype="")
def adaptive_pool_3d(output_size: Sizes, data_format: AnyValue = NONE) -> Answer:
    return _adaptive(3, output_size, data_format)
