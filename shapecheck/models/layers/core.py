"""Layers that work on the last axis, or on each element."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.models.lang.answer import Answer, result
from shapecheck.models.lang.apply import same
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.kinds import AnyValue, Axes, Axis, Size, Tensor
from shapecheck.models.lang.needs import Need
from shapecheck.models.lang.op import behaviour
from shapecheck.models.lang.suspicious import nature_of, over_batch
from shapecheck.models.layers.keras import declared_apart, keras_layer, notice_softmax, remember
from shapecheck.models.layers.structure import as_tensors, change, data
from shapecheck.shapes.facts import AtLeast
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, fresh
from shapecheck.values import NONE, Const, Ref, Value, as_size, as_str, items_of
from shapecheck.values import Tensor as TensorValue

WORDS = Const("whitespace")


@keras_layer("keras.layers.Dense")
def dense(units: Size) -> Answer:
    return "b *S @i -> b *S {units}"


@keras_layer("keras.layers.{MaxoutDense,Highway}", oracle="none: only in Keras 1")
def dense_of_keras_1(units: Size) -> Answer:
    return "b @i -> b {units}"


@keras_layer("keras.layers.{Embedding,ReversibleEmbedding}")
def embedding(input_dim: Size, output_dim: Size, _given_weights: AnyValue = NONE) -> Answer:
    """Ready-made weights come as a list of one matrix."""
    made = (items_of(_given_weights) or (_given_weights,))[0]
    needs: list[Need] = []
    if isinstance(made, TensorValue) and made.content is None:
        wanted, given = Shape((input_dim, output_dim)), Tensor("the given matrix", made.shape)
        needs = same(given, made.shape, Tensor("the layer", wanted), wanted, "set-shape")
    return "*S -> *S {output_dim}", *needs


@behaviour("keras.layers.Embedding.compute_mask")
def mask_of_words(ctx: Context, self: Ref, inputs: Value, *rest: Value, **others: Value) -> Value:
    if ctx.get(self, "mask_zero") in (None, NONE, Const(False)):
        return NONE
    return change(as_tensors(data(ctx.freeze(inputs))), lambda tensor: TensorValue(tensor.shape, "bool"))


@keras_layer(
    "keras.layers.{Dropout,AlphaDropout,GaussianDropout,GaussianNoise,ActivityRegularization,Identity,Rescaling}",
    "keras.layers.{ReLU,LeakyReLU,ELU,ThresholdedReLU,ParametricSoftplus,SReLU,UnitNormalization}",
    dtype="",
)
def elementwise() -> Answer:
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
    rank = inputs.rank
    if rank is None or not rank:
        return "*S -> *S"
    shared = {axis % rank for axis in shared_axes or ()}
    axes = " ".join("b" if not axis else f"n{axis}" if axis in shared else f"@n{axis}" for axis in range(rank))
    return f"{axes} -> {axes}"


@keras_layer("keras.layers.Softmax", dtype="")
def softmax(inputs: Tensor, axis: Axes = (-1,)) -> Answer:
    rank = inputs.rank
    axes = axis or (-1,)
    if rank is not None and rank > 1 and all(-rank <= at < rank for at in axes) and len(axes) == 1:
        notices = over_batch(inputs, axes[0])
        if inputs.shape.size(axes[0]) == 1:
            notices.append(("size1-axis", "softmax over an axis of size 1 is always 1"))
        return result(inputs.shape, notices=notices, nature="softmax")
    if rank is not None and any(not -rank <= at < rank for at in axes) and _is_eager(inputs):
        said = f"axis {axes[0]} is out of range: inputs has {rank} axes"
        return result(inputs.shape, needs=[Need("axis-range", AtLeast(0, 1), said)])
    return "*S -> *S"


def _is_eager(operand: Tensor) -> bool:
    return isinstance(operand.value, TensorValue) and operand.value.library != "keras"


@behaviour("keras.layers.Activation")
def activation(ctx: Context, activation: Value = NONE, **others: Value) -> Value:
    return ctx.new("keras.layers.Activation", activation=activation, **declared_apart(others))


@behaviour("keras.layers.Activation.__call__")
def call_activation(ctx: Context, self: Ref, inputs: Value = NONE, **others: Value) -> Value:
    return _apply(ctx, self, ctx.get(self, "activation") or NONE, as_tensors(data(ctx.freeze(inputs))))


def _apply(ctx: Context, self: Ref, function: Value, inputs: Value) -> Value:
    """Named activations keep the shape; functions of the program are called."""
    if as_str(function) is not None or function == NONE:
        outputs = _activated(function, inputs)
        notice_softmax(ctx, function, inputs)
    else:
        outputs = ctx.freeze(ctx.call(function, [inputs]))
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
    given = as_tensors(data(ctx.freeze(inputs)))
    arguments = ctx.freeze(ctx.get(self, "arguments") or NONE)
    keywords = {
        name.value: value
        for name, value in getattr(arguments, "items", ())
        if isinstance(name, Const) and isinstance(name.value, str)
    }
    outputs = ctx.freeze(ctx.call(ctx.get(self, "function") or NONE, [given], keywords))
    remember(ctx, self, given, outputs)
    return outputs


@keras_layer("keras.layers.RepeatVector")
def repeat_vector(n: Size) -> Answer:
    return "b c -> b {n} c"


@keras_layer("keras.layers.CategoryEncoding")
def category_encoding(inputs: Tensor, num_tokens: Size, output_mode: AnyValue = NONE) -> Answer:
    shape = inputs.shape
    if as_str(output_mode) == "int" or shape.tail is not None:
        return "*S -> *T"
    if len(shape.head) > 2 and as_str(output_mode) != "one_hot":
        return result(UNRANKED)
    one_hot = as_str(output_mode) == "one_hot"
    single = bool(shape.head) and shape.head[-1] == 1 and getattr(inputs.value, "static", True)
    if one_hot and single and len(shape.head) == 1:  # Keras 2 takes it for one item, Keras 3 for a batch
        return result(UNRANKED)
    return result(Shape((*(shape.head if one_hot and not single else shape.head[:-1]), num_tokens)))


@keras_layer("keras.layers.{StringLookup,IntegerLookup}", dtype="int64")
def lookup_layer(inputs: Tensor, output_mode: AnyValue = NONE) -> Answer:
    return "*S -> *S" if as_str(output_mode) in (None, "int") else result(UNRANKED)


@keras_layer("keras.layers.{Hashing,Discretization}", dtype="int64")
def hashing(inputs: Tensor, output_mode: AnyValue = NONE) -> Answer:
    return "*S -> *S" if as_str(output_mode) in (None, "int") else result(UNRANKED)


@keras_layer("keras.layers.TextVectorization", dtype="int64", oracle="none: needs text")
def text_vectorization(
    inputs: Tensor,
    output_mode: AnyValue = NONE,
    output_sequence_length: AnyValue = NONE,
    split: AnyValue = WORDS,
    ragged: AnyValue = Const(False),
) -> Answer:
    """Numbers of words; how many, no model knows while it is built, unless the layer was told."""
    shape, length = inputs.shape, as_size(output_sequence_length)
    if shape.tail is not None or as_str(output_mode) not in (None, "int"):
        return result(UNRANKED)
    rows = shape.head[:-1] if len(shape.head) > 1 and shape.head[-1] == 1 else shape.head
    if length is None and (output_sequence_length, split, ragged) == (NONE, WORDS, Const(False)):
        is_declared = getattr(inputs.value, "library", "") == "keras"
        length = fresh("words", Kind.DYNAMIC if is_declared else Kind.DATA, why="as many words as the longest text has")
    return "*S -> *T" if length is None else result(Shape((*rows, length)))


@behaviour("keras.layers.{StringLookup,IntegerLookup,TextVectorization,Normalization,Discretization}.adapt")
def adapt(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    return NONE


@keras_layer("keras.layers.Normalization", dtype="float32")
def normalization(axis: Axis = -1) -> Answer:
    return "*S -> *S"


@keras_layer("keras.layers.EinsumDense", was={"output_shape": "projected"}, oracle="none: needs an equation")
def einsum_dense(inputs: Tensor, equation: AnyValue, projected: AnyValue = NONE) -> Answer:
    text, sizes = as_str(equation), items_of(projected) or (projected,)
    rank = inputs.rank
    if text is None or rank is None or "." in text:
        return result(UNRANKED)
    before, after = text.replace(" ", "").split("->")
    labels = before.split(",")[0]
    if len(labels) != rank:
        return result(UNRANKED)
    known = dict(zip(labels, inputs.shape.head, strict=True))
    given = dict(zip(reversed(after), (as_size(size) for size in reversed(sizes)), strict=False))
    found = [known.get(label, given.get(label)) for label in after]
    return result(Shape(tuple(size for size in found if size is not None)) if None not in found else UNRANKED)
