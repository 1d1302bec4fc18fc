"""Convolution layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from shapecheck.domain.values import NONE, Lost, Seq, Value, as_size, as_str
from shapecheck.models.lang.answer import Answer, also
from shapecheck.models.lang.constraints import multiple
from shapecheck.models.lang.context import Context, Target
from shapecheck.models.lang.maps import ONE, Maps
from shapecheck.models.lang.parameter_kinds import AnyValue, Dimensions, Size, Sizes, Tensor, everywhere
from shapecheck.models.lang.registry import REGISTRY, behaviour
from shapecheck.models.lang.suspicious import misplaced_channels
from shapecheck.models.layers.base_layer import keras_layer, note_open_order
from shapecheck.shapes.size import Size as AnySize

Padding = Literal["valid", "same"]
ROWS = {"nb_row": "kernel_size", "nb_col": "kernel_size"}


def convolved(
    axes: int,
    kernel_size: Sizes,
    strides: Sizes,
    padding: str,
    data_format: Value,
    dilation_rate: Sizes,
    groups: AnySize = 1,
    batch: str = "*N b",
) -> tuple[Any, ...]:
    """Return the common part of the plain convolutions of all dimensions."""
    maps = Maps.of(axes, data_format)
    grouped = (multiple("@c", groups, "channels"), multiple("filters", groups, "filters")) if groups != 1 else ()
    extras = maps.window(kernel_size, strides, padding, dilation_rate)
    return maps(f"{batch} h.. @c -> {batch} H.. {{filters}}"), *extras, *grouped


@keras_layer("keras.layers.{Conv1D,Convolution1D,AtrousConvolution1D}", one_batch=True)
def conv_1d(
    filters: Size,
    kernel_size: Sizes,
    strides: Sizes = ONE,
    padding: Literal["valid", "same", "causal"] = "valid",
    data_format: AnyValue = NONE,
    dilation_rate: Sizes = ONE,
    groups: Size = 1,
) -> Answer:
    return convolved(1, kernel_size, strides, padding, data_format, dilation_rate, groups)


@keras_layer("keras.layers.{Conv,Convolution}{2,3}D", "keras.layers.AtrousConvolution2D", one_batch=True, was=ROWS)
def conv(
    axes: Dimensions,
    inputs: Tensor,
    filters: Size,
    kernel_size: Sizes,
    strides: Sizes = ONE,
    padding: Padding = "valid",
    data_format: AnyValue = NONE,
    dilation_rate: Sizes = ONE,
    groups: Size = 1,
) -> Answer:
    answer = convolved(axes, kernel_size, strides, padding, data_format, dilation_rate, groups)
    declared = getattr(inputs.value, "role", "") == "placeholder" and kernel_size.spread(axes)[0] != 1
    notices = misplaced_channels(inputs.shape, Maps.of(axes, data_format).first) if declared else []
    return (*answer, also(notices=notices))


# Transposed --------------------------------------------------------------------------------------------------------


@keras_layer("keras.layers.{Conv,Convolution}{1,2,3}DTranspose", "keras.layers.Deconvolution{2,3}D", was=ROWS)
def conv_transpose(
    axes: Dimensions,
    filters: Size,
    kernel_size: Sizes,
    strides: Sizes = ONE,
    padding: Padding = "valid",
    output_padding: Sizes | None = None,
    data_format: AnyValue = NONE,
    dilation_rate: Sizes = ONE,
    target: Target = Target(),
) -> Answer:
    """Keras 2 does not support dilation in three dimensions."""
    maps = Maps.of(axes, data_format)
    gaps = everywhere(1) if axes == 3 and target.keras == 2 else dilation_rate
    wider = maps.unwindow(kernel_size, strides, padding, gaps, output_padding)
    return maps("b h.. @c -> b H.. {filters}"), wider


# Depthwise and separable -------------------------------------------------------------------------------------------


@keras_layer("keras.layers.DepthwiseConv{1,2}D", one_batch=True)
def depthwise_conv(
    axes: Dimensions,
    kernel_size: Sizes,
    strides: Sizes = ONE,
    padding: Padding = "valid",
    depth_multiplier: Size = 1,
    data_format: AnyValue = NONE,
    dilation_rate: Sizes = ONE,
) -> Answer:
    """Apply one or more filters to each channel."""
    maps = Maps.of(axes, data_format)
    signature = maps("b h.. @c -> b H.. {@c * depth_multiplier}")
    return signature, *maps.window(kernel_size, strides, padding, dilation_rate)


@keras_layer("keras.layers.{SeparableConv1D,SeparableConvolution1D}", one_batch=True)
def separable_conv_1d(
    filters: Size,
    kernel_size: Sizes,
    strides: Sizes = ONE,
    padding: Literal["valid", "same", "causal"] = "valid",
    data_format: AnyValue = NONE,
    dilation_rate: Sizes = ONE,
) -> Answer:
    return convolved(1, kernel_size, strides, padding, data_format, dilation_rate, batch="b")


@keras_layer("keras.layers.{SeparableConv2D,SeparableConvolution2D}", one_batch=True, was=ROWS)
def separable_conv_2d(
    filters: Size,
    kernel_size: Sizes,
    strides: Sizes = ONE,
    padding: Padding = "valid",
    data_format: AnyValue = NONE,
    dilation_rate: Sizes = ONE,
) -> Answer:
    return convolved(2, kernel_size, strides, padding, data_format, dilation_rate, batch="b")


@keras_layer("keras.layers.LocallyConnected1D")
def locally_connected_1d(filters: Size, kernel_size: Sizes, strides: Sizes = ONE, padding: Padding = "valid") -> Answer:
    return convolved(1, kernel_size, strides, padding, NONE, everywhere(1), batch="b")


@keras_layer("keras.layers.LocallyConnected2D", was=ROWS)
def locally_connected_2d(
    filters: Size,
    kernel_size: Sizes,
    strides: Sizes = ONE,
    padding: Padding = "valid",
    data_format: AnyValue = NONE,
) -> Answer:
    return convolved(2, kernel_size, strides, padding, data_format, everywhere(1), batch="b")


# Keras 1 -----------------------------------------------------------------------------------------------------------

OLD_WORDS = {"border_mode", "subsample", "dim_ordering", "nb_filter", "nb_row", "nb_col", "init", "W_regularizer"}
OLD_WORDS |= {"b_regularizer", "W_constraint", "bias", "input_dim", "atrous_rate"}
NEW_WORDS = {"strides", "padding", "data_format", "dilation_rate", "groups", "use_bias", "kernel_initializer"}
NEW_WORDS |= {"bias_initializer", "kernel_regularizer", "bias_regularizer", "kernel_constraint", "bias_constraint"}


def _is_new(args: Sequence[Value], keywords: Mapping[str, Value]) -> bool:
    """Return whether a call can only be one of Keras 2."""
    return bool(NEW_WORDS & set(keywords)) or (len(args) > 3 and as_str(args[3]) in ("valid", "same"))


def _rows_and_columns(name: str) -> None:
    """Support two-dimensional convolutions made as in Keras 1: `Convolution2D(filters, rows, columns)`."""
    new = REGISTRY[name].definition.function

    def make(ctx: Context, *args: Value, **keywords: Value) -> Value:
        rows, columns = keywords.pop("nb_row", None), keywords.pop("nb_col", None)
        three = len(args) >= 3 and as_size(args[1]) is not None and as_size(args[2]) is not None
        if rows is not None and columns is not None:
            keywords["kernel_size"] = Seq("tuple", (rows, columns))
        elif three and (OLD_WORDS & set(keywords) or ctx.target.keras == 1):
            args = (args[0], Seq("tuple", (args[1], args[2])))
        elif three and ctx.target.keras != 3 and not _is_new(args, keywords):
            args = (args[0], Lost("a kernel of Keras 1 or 2"), Lost("a stride of Keras 1 or 2"))
            note_open_order(ctx)
        made: Value = new(ctx, *args, **keywords)
        return made

    make.__module__ = __name__
    behaviour(name, anew=True)(make)


for _name in ("Conv2D", "Convolution2D", "SeparableConv2D", "SeparableConvolution2D", "LocallyConnected2D"):
    _rows_and_columns(f"keras.layers.{_name}")
