"""Layers that act on the last axis, or on each element."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import FALSE, NONE, TRUE, Const, Partial, Ref, Value, as_size, as_str, items_of
from shapecheck.domain.values import Tensor as TensorValue
from shapecheck.models.lang.answer import Answer, also, result
from shapecheck.models.lang.apply import same
from shapecheck.models.lang.constraints import Need, Refused
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.element_bounds import require_below
from shapecheck.models.lang.parameter_kinds import AnyValue, Axes, Blind, Ranked, Size, Tensor
from shapecheck.models.lang.registry import REGISTRY, behaviour
from shapecheck.models.lang.signature import remembering
from shapecheck.models.lang.suspicious import nature_of, over_batch
from shapecheck.models.layers.base_layer import declared_apart, keras_layer, notice_softmax, remember
from shapecheck.models.layers.compute_dtype import taken
from shapecheck.models.layers.structure import as_tensors, change, data
from shapecheck.models.layers.traced_calls import call_in_layer
from shapecheck.models.layers.vocabulary import check_lookup, count_words, without_padding
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, fresh
from shapecheck.shapes.size import Size as AnySize

WORDS, ONE = Const("whitespace"), Const(1)


@keras_layer("keras.layers.Dense")
def dense(units: Size) -> Answer:
    return "b *S @i -> b *S {units}"


@keras_layer("keras.layers.{MaxoutDense,Highway}", oracle="none: only in Keras 1")
def dense_of_keras_1(units: Size) -> Answer:
    return "b @i -> b {units}"


@keras_layer("keras.layers.{Embedding,ReversibleEmbedding}")
def embedding(input_dim: Size, output_dim: Size, _given_weights: AnyValue = NONE) -> Answer:
    """Initial weights are given as a list of one matrix."""
    made = (items_of(_given_weights) or (_given_weights,))[0]
    needs = _same_matrix(made, Shape((input_dim, output_dim)))
    return "*S -> *S {output_dim}", *needs, also(notices=without_padding(input_dim))


_embed = REGISTRY["keras.layers.Embedding.__call__"].definition.function


@behaviour("keras.layers.Embedding.__call__", anew=True)
def call_embedding(ctx: Context, self: Ref, inputs: Value = NONE, *rest: Value, **others: Value) -> Value:
    """State that there is a row for each number as well."""
    require_below(ctx, "inputs", inputs, ctx.get(self, "input_dim") or NONE, "rows")
    check_lookup(ctx, inputs, ctx.get(self, "input_dim") or NONE)
    output: Value = _embed(ctx, self, inputs, *rest, **others)
    return output


def _same_matrix(made: Value, wanted: Shape) -> list[Need]:
    """Return the constraint that given weights have the shape of the layer's weights."""
    if not isinstance(made, TensorValue) or made.content is not None:
        return []
    return same(
        Tensor("the given matrix", made.shape), made.shape, Tensor("the layer", wanted), wanted, ClashKind.SET_SHAPE
    )


@behaviour("keras.layers.Embedding.compute_mask")
def mask_of_words(ctx: Context, self: Ref, inputs: Value, *rest: Value, **others: Value) -> Value:
    if ctx.get(self, "mask_zero") in (None, NONE, Const(False)):
        return NONE
    return change(as_tensors(data(ctx.freeze(inputs))), lambda tensor: TensorValue(tensor.shape, "bool"))


@keras_layer(
    "keras.layers.{Dropout,AlphaDropout,GaussianDropout,GaussianNoise,ActivityRegularization,Identity}",
    "keras.layers.{ReLU,LeakyReLU,ELU,ThresholdedReLU,ParametricSoftplus,SReLU,UnitNormalization}",
    dtype="",
)
def elementwise() -> Answer:
    return "*S -> *S"


@keras_layer("keras.layers.Rescaling")
def rescaling() -> Answer:
    return "*S -> *S"


@keras_layer("keras.layers.SpatialDropout1D", dtype="")
def spatial_dropout_1d() -> Answer:
    return "b t c -> b t c"


@keras_layer("keras.layers.SpatialDropout2D", dtype="")
def spatial_dropout_2d() -> Answer:
    return "b h w c -> b h w c"


@keras_layer("keras.layers.SpatialDropout3D", dtype="")
def spatial_dropout_3d() -> Answer:
    return "b d h w c -> b d h w c"


@keras_layer("keras.layers.Masking", dtype="")
def masking() -> Answer:
    return "*S c -> *S c"


@keras_layer("keras.layers.PReLU", same_rank=True)
def prelu(inputs: Tensor, shared_axes: Axes = None) -> Answer:
    """Each axis has its own weights, except the batch and the shared axes."""
    if not inputs.rank:
        return "*S -> *S"
    shared = {0, *(axis % inputs.rank for axis in shared_axes or ())}
    return remembering(inputs.rank, set(range(inputs.rank)) - shared)


@keras_layer("keras.layers.Softmax", dtype="")
def softmax(inputs: Tensor, axis: Axes = (-1,)) -> Answer:
    rank, axes = inputs.rank, axis or (-1,)
    if rank is not None and not all(-rank <= at < rank for at in axes):
        return _out_of_range(inputs, axes[0])
    return _of_one_axis(inputs, axes[0]) if len(axes) == 1 and rank not in (None, 1) else "*S -> *S"


def _out_of_range(inputs: Tensor, axis: int) -> Answer:
    """Return the result for an input that is out of range; a functional model is built all the same."""
    if inputs.is_symbolic:
        return "*S -> *S"
    raise Refused(ClashKind.AXIS_RANGE, f"axis {axis} is out of range: inputs has {inputs.rank} axes")


def _of_one_axis(inputs: Tensor, axis: int) -> Answer:
    notices = over_batch(inputs, axis)
    if inputs.shape.size(axis) == 1:
        notices.append((ClashKind.SIZE1_AXIS, "softmax over an axis of size 1 is always 1"))
    return result(inputs.shape, notices=notices, nature="softmax")


@behaviour("keras.layers.Activation")
def activation(ctx: Context, activation: Value = NONE, **others: Value) -> Value:
    return ctx.new("keras.layers.Activation", activation=activation, **declared_apart(others))


@behaviour("keras.layers.Activation.__call__")
def call_activation(ctx: Context, self: Ref, inputs: Value = NONE, **others: Value) -> Value:
    return _apply(ctx, self, ctx.get(self, "activation") or NONE, taken(ctx, self, inputs))


def _apply(ctx: Context, self: Ref, function: Value, inputs: Value) -> Value:
    """Apply an activation: named ones keep the shape, functions of the program are called."""
    if as_str(function) is not None or function == NONE:
        outputs = _activated(function, inputs)
        notice_softmax(ctx, function, inputs)
    else:
        outputs = ctx.freeze(call_in_layer(ctx, function, [inputs], may_convert=False))
    remember(ctx, self, inputs, outputs)
    return outputs if isinstance(outputs, TensorValue) else ctx.lost("what an activation gives")


def _activated(function: Value, inputs: Value) -> Value:
    nature = nature_of(function)
    if nature == "linear":
        return inputs
    return change(inputs, lambda tensor: replace(tensor, nature=nature, step=0, output=0))


@behaviour("keras.layers.Lambda")
def lambda_layer(
    ctx: Context,
    function: Value = NONE,
    output_shape: Value = NONE,
    mask: Value = NONE,
    arguments: Value = NONE,
    **others: Value,
) -> Value:
    return ctx.new(
        "keras.layers.Lambda", function=function, _given=output_shape, arguments=arguments, **declared_apart(others)
    )


@behaviour("keras.layers.Lambda.__call__")
def call_lambda(ctx: Context, self: Ref, inputs: Value = NONE, **others: Value) -> Value:
    given = taken(ctx, self, inputs)
    arguments = ctx.freeze(ctx.get(self, "arguments") or NONE)
    keywords = tuple(
        (name.value, value)
        for name, value in getattr(arguments, "items", ())
        if isinstance(name, Const) and isinstance(name.value, str)
    )
    function = ctx.get(self, "function") or NONE
    bound = Partial(function, (), keywords) if keywords else function  # which are not converted to tensors
    outputs = ctx.freeze(call_in_layer(ctx, bound, [given], may_convert=False))
    remember(ctx, self, given, outputs)
    return outputs


@keras_layer("keras.layers.RepeatVector", dtype="")
def repeat_vector(n: Size) -> Answer:
    return "b c -> b {n} c"


@keras_layer("keras.layers.CategoryEncoding")
def category_encoding(inputs: Tensor, num_tokens: Size, output_mode: AnyValue = NONE) -> Answer:
    """The numbers of a row are encoded together, or each separately."""
    return UNRANKED if as_str(output_mode) == "int" else _encoded(inputs, output_mode, num_tokens)


def _encoded(inputs: Tensor, mode: Value, tokens: Size) -> Answer:
    """Return a row of numbers for each item ("one_hot"), or for each row of items."""
    if as_str(mode) == "one_hot":
        return _one_by_one(inputs, tokens)
    return UNRANKED if inputs.rank not in (0, 1, 2) else ("b? t? -> b? n", {"n": tokens})


def _one_by_one(inputs: Tensor, tokens: Size) -> Answer:
    """Encode each number separately: an axis of size 1 is removed, except an only axis, which Keras 2 reads as one
    item and Keras 3 as a batch.
    """
    is_single = inputs.shape.size(-1) == 1 and getattr(inputs.value, "static", True)
    if not inputs.rank or (is_single and inputs.rank == 1):
        return UNRANKED
    return "*S _ -> *S n" if is_single else "*S -> *S n", {"n": tokens}


@keras_layer("keras.layers.{StringLookup,IntegerLookup}", dtype="int64")
def lookup_layer(
    inputs: Tensor,
    output_mode: AnyValue = NONE,
    vocabulary: AnyValue = NONE,
    num_oov_indices: AnyValue = ONE,
    max_tokens: AnyValue = NONE,
    pad_to_max_tokens: AnyValue = FALSE,
) -> Answer:
    """An encoding has a place for each word, and for those that are unknown."""
    padded, unknown = as_size(max_tokens) if pad_to_max_tokens == TRUE else None, as_size(num_oov_indices)
    words = count_words(vocabulary) if pad_to_max_tokens == FALSE else None
    return _looked_up(inputs, output_mode, words + unknown if words and unknown is not None else padded)


def _looked_up(inputs: Tensor, mode: Value, tokens: AnySize | None) -> Answer:
    """Return the numbers of the items, or an encoding of them, whose length only the data may tell."""
    if mode == NONE or as_str(mode) == "int":
        return "*S -> *S"
    if as_str(mode) not in ("one_hot", "multi_hot", "count", "tf_idf"):
        return result(UNRANKED, dtype="?")
    size = fresh("tokens", Kind.DATA, why="as many as the data have") if tokens is None else tokens
    answer = _encoded(inputs, mode, size)
    return (*answer, also(dtype="?")) if isinstance(answer, tuple) else result(UNRANKED, dtype="?")


@keras_layer("keras.layers.Hashing", dtype="int64")
def hashing(inputs: Tensor, num_bins: Size, output_mode: AnyValue = NONE) -> Answer:
    return _looked_up(inputs, output_mode, num_bins)


@keras_layer("keras.layers.Discretization", dtype="?")
def discretization(
    inputs: Tensor, output_mode: AnyValue = NONE, bin_boundaries: AnyValue = NONE, num_bins: AnyValue = NONE
) -> Answer:
    """The result has the numbers of bins, or another encoding of them."""
    bounds = items_of(bin_boundaries)
    return _looked_up(inputs, output_mode, as_size(num_bins) if bounds is None else len(bounds) + 1)


@keras_layer("keras.layers.TextVectorization", dtype="int64", oracle="none: needs text")
def text_vectorization(
    inputs: Ranked,
    output_mode: Literal["int"] = "int",
    output_sequence_length: AnyValue = NONE,
    split: AnyValue = WORDS,
    ragged: AnyValue = FALSE,
) -> Answer:
    """The result has word numbers; their count is not known in a symbolic model, unless the layer specifies it."""
    is_column = inputs.rank > 1 and inputs.shape.size(-1) == 1
    sizes = {"n": _words(inputs, output_sequence_length, is_plain=(split, ragged) == (WORDS, FALSE))}
    return "*S _ -> *S n" if is_column else "*S -> *S n", sizes


def _words(inputs: Tensor, told: Value, is_plain: bool) -> Size:
    length = as_size(told)
    if length is not None:
        return length
    if told != NONE or not is_plain:
        raise Blind("how many words there are")
    kind = Kind.DYNAMIC if inputs.is_symbolic else Kind.DATA
    return fresh("words", kind, why="as many words as the longest text has")


@behaviour("keras.layers.{StringLookup,IntegerLookup,TextVectorization,Discretization}.adapt")
def adapt(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    return NONE


@keras_layer("keras.layers.EinsumDense", was={"output_shape": "projected"}, oracle="none: needs an equation")
def einsum_dense(inputs: Tensor, equation: AnyValue, projected: AnyValue = NONE) -> Answer:
    """The common axes of input and kernel are summed over; sizes that only the kernel has are given separately."""
    before, after = _sides(equation)
    told = zip(reversed(after), map(as_size, reversed(items_of(projected) or (projected,))), strict=False)
    sizes = {label: size for label, size in told if size is not None and label not in before}
    return f"{' '.join(before)} -> {' '.join(after)}", sizes


def _sides(equation: Value) -> tuple[str, str]:
    """Return the labels of the input and of the output."""
    text = as_str(equation)
    if text is None or "." in text or "->" not in text:
        raise Blind("the equation")
    before, after = text.replace(" ", "").split("->")
    return before.split(",")[0], after
