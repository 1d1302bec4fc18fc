"""Tensors of texts."""

from __future__ import annotations

from shapecheck.domain.values import Tensor as TensorValue
from shapecheck.domain.values import Value
from shapecheck.models.lang import Answer, Axes, Context, Flag, Tensor, Tensors, also, behaviour, op, reduced
from shapecheck.models.lang.apply import together
from shapecheck.shapes.shape import SCALAR


@op("tf.strings.{lower,upper,strip,regex_replace,unicode_transcode}", "tf.{string_strip,regex_replace}", dtype="string")
@op("tf.strings.as_string", "tf.as_string", dtype="string")
@op("tf.{io.,}{encode_base64,decode_base64,decode_compressed}", dtype="string", oracle="none: takes coded texts")
def rewritten(input: Tensor) -> Answer:
    return "*S -> *S"


@op("tf.strings.length", "tf.string_length", dtype="int32")
@op("tf.strings.unicode_script", dtype="int32", oracle="none: takes code points")
@op("tf.strings.{to_hash_bucket,to_hash_bucket_fast}", "tf.string_to_hash_bucket{,_fast}", dtype="int64")
@op("tf.strings.to_hash_bucket_strong", "tf.string_to_hash_bucket_strong", dtype="int64", oracle="none: needs a key")
def numbered(input: Tensor) -> Answer:
    return "*S -> *S"


@op("tf.strings.to_number", "tf.string_to_number", dtype="float32", oracle="none: takes texts of numbers")
def to_number(input: Tensor) -> Answer:
    return "*S -> *S"


@op("tf.strings.regex_full_match", dtype="bool")
def regex_full_match(input: Tensor) -> Answer:
    return "*S -> *S"


@op("tf.strings.substr", "tf.substr", dtype="string", oracle="none: takes positions in a text")
def substr(input: Tensor, pos: Tensor, len: Tensor) -> Answer:
    return "~B, ~B, ~B -> ~B"


@op("tf.strings.join", "tf.string_join", dtype="string", oracle="none: takes a list of texts")
def join(inputs: Tensors) -> Answer:
    """Scalars broadcast; all others have one shape."""
    shapes = [item.shape for item in inputs.items]
    shape, needs = together(shapes, " and ".join(map(str, shapes)) + " do not go together")
    return shape, *needs


@op(
    "tf.strings.reduce_join",
    "tf.reduce_join",
    dtype="string",
    was={"keep_dims": "keepdims", "reduction_indices": "axis"},
)
def reduce_join(inputs: Tensor, axis: Axes = None, keepdims: Flag = False) -> Answer:
    return reduced(axis, keepdims), also(dtype="string")


@op("tf.strings.unicode_encode", dtype="string", oracle="none: takes code points")
def unicode_encode(input: Tensor) -> Answer:
    return "*S _ -> *S"


@behaviour("tf.strings.format")
def written(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return TensorValue(SCALAR, "string", "tf")


@behaviour("tf.string_split", "tf.strings.{unicode_decode_with_offsets,unicode_split_with_offsets}")
@behaviour("tf.strings.unsorted_segment_join")
def pieces(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return ctx.lost("pieces of texts")


@op("np.{char,strings}.{decode,encode,lower,upper,strip,title}", dtype="string", oracle="none: takes texts")
@op("np.char.{array,asarray}", dtype="string", oracle="none: takes texts")
def characters(a: Tensor) -> Answer:
    return "*S -> *S"
