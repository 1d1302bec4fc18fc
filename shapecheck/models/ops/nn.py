"""The rest of tf.nn: convolution in any number of axes, morphology, moments, samplers, CTC."""

from __future__ import annotations

from typing import Literal

from shapecheck.clash_kind import ClashKind
from shapecheck.models.lang import (
    ONE,
    Answer,
    Axes,
    Axis,
    Blind,
    Flag,
    Maps,
    Need,
    ShapeArg,
    Size,
    Sizes,
    Tensor,
    Text,
    at_least,
    op,
    result,
)
from shapecheck.models.ops.axis import moments
from shapecheck.models.ops.conv import convolved, not_both, transposed
from shapecheck.models.ops.pool import pooled
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape
from shapecheck.shapes.size import Kind, fresh
from shapecheck.shapes.size import Size as AnySize

Padding = Literal["SAME", "VALID"]


@op("tf.nn.convolution", was={"filter": "filters", "dilation_rate": "dilations"})
def convolution(
    input: Tensor,
    filters: Tensor,
    strides: Sizes = ONE,
    padding: Padding = "VALID",
    data_format: Text | None = None,
    dilations: Sizes | None = None,
) -> Answer:
    """The filter's rank determines the number of spatial axes."""
    not_both(strides, dilations)
    if filters.rank not in (3, 4, 5) or input.rank != filters.rank:
        return UNRANKED
    return convolved(filters.rank - 2, strides, padding, dilations, data_format)


@op("tf.nn.pool")
def pool(
    input: Tensor,
    window_shape: Sizes,
    pooling_type: Literal["MAX", "AVG"],
    strides: Sizes = ONE,
    padding: Padding = "VALID",
    data_format: Text | None = None,
) -> Answer:
    """The window has one entry for each spatial axis."""
    if (wide := window_shape.known) is None or window_shape.is_single or len(wide) > 3:
        return UNRANKED
    steps = strides.spread(len(wide))
    return *pooled(len(wide), window_shape, strides, padding, data_format), *map(_covers, wide, steps)


def _covers(wide: AnySize, step: AnySize) -> Need:
    return at_least(ClashKind.NEGATIVE_SIZE, wide, step, f"a step of {step} is longer than the window of {wide}")


@op("tf.nn.{conv1d_transpose,conv_transpose,atrous_conv2d_transpose}", oracle="none: shapes of several forms")
def conv_transpose(input: Tensor, filters: Tensor, output_shape: ShapeArg, strides: Sizes = ONE) -> Answer:
    if input.rank != 4 or filters.rank != 4 or output_shape.tail is not None or len(output_shape.head) != 4:
        return output_shape if input.rank is not None and len(output_shape.head) == input.rank else UNRANKED
    return transposed(Maps(2), input, filters, output_shape, Sizes(None, strides.fresh), "SAME")


@op("tf.nn.{dilation2d,erosion2d}", was={"filter": "filters", "value": "input", "kernel": "filters"})
def dilation2d(input: Tensor, filters: Tensor, strides: Sizes, padding: Padding, dilations: Sizes) -> Answer:
    """Each channel has its own filter."""
    return "n h w c, p q c -> n H W c", *Maps(2).window(None, strides, padding, dilations, may_be_empty=True)


@op("tf.nn.{fractional_max_pool,fractional_avg_pool}", returns="tuple", oracle="none: ratios and random parts")
def fractional_pool(value: Tensor) -> Answer:
    """Return the result, and the positions where rows and columns were divided."""
    return "n _ _ c -> n h w c, _, _", {name: fresh("?", Kind.LOST, why="a fraction") for name in ("h", "w")}


@op("tf.nn.depthwise_conv2d_backprop_input", oracle="none: a gradient", was={"input_sizes": "shape"})
@op("tf.nn.depthwise_conv2d_native_backprop_input", oracle="none: a gradient", was={"input_sizes": "shape"})
@op("tf.nn.{conv2d_backprop_input,conv3d_backprop_input_v2}", oracle="none: a gradient")
def backprop_input(shape: ShapeArg) -> Answer:
    return shape if len(shape.head) > 2 else UNRANKED  # height and width alone


@op(
    "tf.nn.depthwise_conv2d_backprop_filter", "tf.nn.depthwise_conv2d_native_backprop_filter", oracle="none: a gradient"
)
@op("tf.nn.conv2d_backprop_filter", "tf.nn.conv3d_backprop_filter{,_v2}", oracle="none: a gradient")
def backprop_filter(input: Tensor, filter_sizes: ShapeArg) -> Answer:
    return filter_sizes


# Moments -------------------------------------------------------------------------------------------------------------


@op("tf.nn.weighted_moments", was={"keep_dims": "keepdims"}, returns="tuple", oracle="none: weights broadcast")
def weighted_moments(x: Tensor, axes: Axes, frequency_weights: Tensor, keepdims: Flag = False) -> Answer:
    answer: Answer = moments(x, axes, keepdims)
    return answer


@op("tf.nn.sufficient_statistics", oracle="none: the last result may be None")
def sufficient_statistics(x: Tensor, axes: Axes) -> Answer:
    raise Blind("what may be None")


@op("tf.nn.normalize_moments", returns="tuple", oracle="none: takes statistics")
def normalize_moments(counts: Tensor, mean_ss: Tensor, variance_ss: Tensor) -> Answer:
    return "~B, ~B, ~B -> ~B, ~B"


@op("tf.nn.batch_norm_with_global_normalization", was={"t": "input", "m": "mean", "v": "variance"})
def batch_norm(input: Tensor, mean: Tensor, variance: Tensor, beta: Tensor, gamma: Tensor) -> Answer:
    return "~B, ~B, ~B, ~B, ~B -> ~B"


@op("tf.nn.compute_average_loss", oracle="none: asks for the strategy")
def average_loss(per_example_loss: Tensor) -> Answer:
    return "n *S -> "


@op("tf.nn.scale_regularization_loss", oracle="none: asks for the strategy")
def regularization_loss(regularization_loss: Tensor) -> Answer:
    return SCALAR


@op("tf.nn.isotonic_regression", returns="tuple", dtype=",int32")
def isotonic_regression(inputs: Tensor, axis: Axis = -1) -> Answer:
    return "*S n -> *S n, *S n" if axis == -1 else result(UNRANKED, UNRANKED)


# Picking --------------------------------------------------------------------------------------------------------------


@op("{tf.nn,tf.math}.{approx_max_k,approx_min_k}", returns="tuple", oracle="none: only on some devices")
@op("tf.approx_top_k", returns="tuple", oracle="none: only on some devices")
def approx_k(operand: Tensor, k: Size, reduction_dimension: Axis = -1) -> Answer:
    if reduction_dimension != -1:
        return result(UNRANKED, UNRANKED)
    return "*S n -> *S {k}, *S {k}", "n >= k"


@op("tf.nn.{safe_embedding_lookup_sparse,embedding_lookup_sparse}", oracle="none: sparse indices")
def embedding_lookup_sparse(params: Tensor) -> Answer:
    return "_ *E -> n *E", {"n": fresh("?", Kind.LOST, why="as many rows as the indices tell")}


@op("{tf.nn,tf.random}.{all,fixed_unigram,learned_unigram,log_uniform,uniform}_candidate_sampler", oracle="none: odds")
def candidates(true_classes: Tensor, num_true: Size, num_sampled: Size) -> Answer:
    """Return the classes, and the expected counts of the true and the sampled ones."""
    return "b t -> {n}, b t, {n}", {"n": num_sampled}


@op("tf.nn.collapse_repeated", returns="tuple", oracle="none: lengths broadcast")
def collapse_repeated(labels: Tensor, seq_length: Tensor) -> Answer:
    return "b _, b -> b {t}, b", {"t": fresh("?", Kind.LOST, why="without what is repeated")}


# Blocks ------------------------------------------------------------------------------------------------------------


@op(
    "tf.{nn.,}space_to_batch",
    "tf.space_to_batch_nd",
    oracle="none: several forms",
    was={"input": "x"},
)
@op("tf.batch_to_space", "tf.batch_to_space_nd", oracle="none: several forms", was={"input": "x"})
def blocks(x: Tensor) -> Answer:
    return UNRANKED if x.rank is None else Shape(tuple(fresh("?", Kind.LOST) for _ in x.shape.head))


@op("tf.extract_volume_patches", oracle="none: windows over volumes")
def extract_volume_patches(input: Tensor) -> Answer:
    return "n _ _ _ _ -> n _ _ _ _"
