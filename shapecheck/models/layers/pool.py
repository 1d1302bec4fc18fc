"""Pooling layers."""

from __future__ import annotations

from typing import Any, Literal

from shapecheck.domain.values import NONE
from shapecheck.models.lang.answer import Answer
from shapecheck.models.lang.context import Target
from shapecheck.models.lang.maps import Maps
from shapecheck.models.lang.parameter_kinds import AnyValue, Dimensions, Flag, Sizes, Tensor
from shapecheck.models.layers.base_layer import keras_layer

TWO: Any = 2
MEAN = "first -int32 -int64 -uint8"  # the dtype of averages of integers depends on the version
Padding = Literal["valid", "same"]


@keras_layer("keras.layers.{MaxPooling,MaxPool}{1,2,3}D", dtype="")
@keras_layer("keras.layers.{AveragePooling,AvgPool}{1,2,3}D", dtype=MEAN)
def pool(
    axes: Dimensions,
    inputs: Tensor,
    pool_size: Sizes = TWO,
    strides: Sizes | None = None,
    padding: Padding = "valid",
    data_format: AnyValue = NONE,
    target: Target = Target(),
) -> Answer:
    """Only symbolic inputs must be as large as the window, and all inputs in TensorFlow 1."""
    maps = Maps.of(axes, data_format)
    derived, *fits = maps.window(pool_size, strides or pool_size, padding)
    is_judged = inputs.is_symbolic or padding == "same" or target.tensorflow == 1
    return maps("b h.. c -> b H.. c"), derived, *(fits if is_judged else maps.each("{H} >= 0"))


@keras_layer("keras.layers.Global{MaxPooling,MaxPool}{1,2,3}D", dtype="")
@keras_layer("keras.layers.Global{AveragePooling,AvgPool}{1,2,3}D", dtype=MEAN)
def global_pool(axes: Dimensions, data_format: AnyValue = NONE, keepdims: Flag = False) -> Answer:
    return Maps.of(axes, data_format)("b h.. c -> b 1.. c" if keepdims else "b h.. c -> b c")


@keras_layer("keras.layers.Adaptive{Max,Average}Pooling{1,2,3}D", dtype="")
def adaptive_pool(axes: Dimensions, output_size: Sizes, data_format: AnyValue = NONE) -> Answer:
    maps = Maps.of(axes, data_format)
    return maps("b h.. c -> b H.. c"), maps.become(output_size.spread(axes))
