"""Functions that only `keras.backend` has; its other functions are synonyms of TensorFlow's."""

from __future__ import annotations

from shapecheck.domain.values import FALSE, NONE, TRUE, Const, Lost, Scalar, Tensor, Value, as_str
from shapecheck.models.lang.answer import Answer, result
from shapecheck.models.lang.arguments import as_tensor, shape_arg
from shapecheck.models.lang.axes import at
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.parameter_kinds import Axis, Size
from shapecheck.models.lang.parameter_kinds import Tensor as Operand
from shapecheck.models.lang.registry import behaviour, op
from shapecheck.models.lang.settings import SETTINGS, setting
from shapecheck.models.lang.suspicious import turned
from shapecheck.models.layers.base_layer import format_of
from shapecheck.models.layers.inputs import as_dtype, declared_shape
from shapecheck.shapes.shape import UNRANKED, Shape


@op("keras.backend.batch_flatten")
def batch_flatten(x: Operand) -> Answer:
    return "b *S -> b (prod(S))"


@op("keras.backend.repeat")
def repeat(x: Operand, n: Size) -> Answer:
    return "b d -> b {n} d"


@op("keras.backend.repeat_elements")
def repeat_elements(x: Operand, rep: Size, axis: Axis) -> Answer:
    return at(axis, "d -> (d * rep)")


@op("keras.backend.{equal,not_equal,greater,greater_equal,less,less_equal}", dtype="bool")
def compared(x: Operand, y: Operand) -> Answer:
    return "~S, ~S -> ~S"


@op("keras.backend.pow")
def power(x: Operand, a: Operand) -> Answer:
    return "~S, ~S -> ~S"


@op("keras.backend.transpose")
def transposed(x: Operand) -> Answer:
    if x.rank is None:
        return Shape((x.shape.tail or ())[::-1], x.shape.head[::-1])
    return result(Shape(x.shape.head[::-1]), notices=turned(x))


@op("keras.backend.expand_dims")
def expanded(x: Operand, axis: Axis = -1) -> Answer:
    return at(axis, "-> 1")


@op("keras.backend.{identity,print_tensor,to_dense,moving_average_update}")
def unchanged(x: Operand) -> Answer:
    return "*S -> *S"


@behaviour("keras.backend.cast_to_floatx")
def cast_to_floatx(ctx: Context, x: Value = NONE) -> Value:
    """Return a tensor of TensorFlow for one, and an array of NumPy for anything else."""
    made = as_tensor(x, ctx)
    return x if isinstance(x, Lost) else Tensor(made.shape, None, made.library, content=made.content)


@op("keras.backend.{cumsum,cumprod}")
def cumulated(x: Operand, axis: Axis = 0) -> Answer:
    return at(axis, "d -> d")


@op("keras.backend.temporal_padding")
def temporal_padding(x: Operand) -> Answer:
    return result(UNRANKED)


@behaviour("keras.backend.placeholder")
def placeholder(ctx: Context, shape: Value = NONE, ndim: Value = NONE, dtype: Value = NONE, **others: Value) -> Value:
    return Tensor(declared_shape(ctx, NONE, ctx.freeze(shape)), as_dtype(dtype) or "float32", role="placeholder")


@behaviour("keras.backend.{eval,get_value}")
def evaluated(ctx: Context, x: Value = NONE) -> Value:
    return Tensor(x.shape, x.dtype, "np", content=x.content) if isinstance(x, Tensor) else ctx.lost("a value")


@behaviour("keras.backend.{set_value,batch_set_value,set_epsilon,reset_uids}", "keras.config.set_epsilon")
def nothing(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return NONE


@behaviour("keras.backend.count_params")
def count_params(ctx: Context, x: Value = NONE) -> Value:
    return Scalar("int")


@behaviour("keras.backend.in_train_phase")
def in_train_phase(ctx: Context, x: Value = NONE, alt: Value = NONE, training: Value = NONE) -> Value:
    return x if isinstance(x, Tensor) else ctx.call(x, [])


@behaviour("keras.backend.in_test_phase")
def in_test_phase(ctx: Context, x: Value = NONE, alt: Value = NONE, training: Value = NONE) -> Value:
    return in_train_phase(ctx, alt, x)


@behaviour("keras.backend.is_keras_tensor", "keras.utils.is_keras_tensor")
def is_keras_tensor(ctx: Context, x: Value = NONE) -> Value:
    return (TRUE if x.library == "keras" else FALSE) if isinstance(x, Tensor) else Scalar("bool")


@behaviour("keras.backend.is_sparse")
def is_sparse(ctx: Context, tensor: Value = NONE) -> Value:
    return FALSE if isinstance(tensor, Tensor) and tensor.role != "sparse" else Scalar("bool")


# Settings ----------------------------------------------------------------------------------------------------------


@behaviour("keras.backend.image_data_format", "keras.config.image_data_format")
def image_data_format(ctx: Context) -> Value:
    return setting(ctx, "data_format") or Const("channels_last")


@behaviour("keras.backend.image_dim_ordering")
def image_dim_ordering(ctx: Context) -> Value:
    said = image_data_format(ctx)
    return Const("th" if as_str(said) == "channels_first" else "tf") if isinstance(said, Const) else said


@behaviour("keras.backend.{set_image_data_format,set_image_dim_ordering}", "keras.config.set_image_data_format")
def set_image_data_format(ctx: Context, data_format: Value = NONE, **others: Value) -> Value:
    given = others.get("dim_ordering", data_format)
    try:
        ctx.set(SETTINGS, "data_format", format_of(given))
    except KeyError:
        return NONE
    return NONE


@behaviour("keras.backend.{floatx,backend}", "keras.config.{floatx,backend}")
def floatx(ctx: Context) -> Value:
    return Scalar("str")


@behaviour("keras.backend.random_uniform_variable", "keras.backend.random_normal_variable")
def random_variable(ctx: Context, shape: Value = NONE, *rest: Value, **others: Value) -> Value:
    return Tensor(shape_arg(ctx.freeze(shape), ctx), "float32", role="variable")


@behaviour(
    "keras.backend.{map_fn,foldl,foldr,rnn,switch,function,ctc_batch_cost,ctc_decode,resize_images}",
    "keras.backend.{conv1d,conv2d,conv3d,conv2d_transpose,depthwise_conv2d,separable_conv2d,pool2d,pool3d,in_top_k}",
    "keras.backend.{local_conv1d,local_conv2d,normalize_batch_in_training,batch_normalization,random_bernoulli}",
    "keras.backend.{spatial_2d_padding,spatial_3d_padding,resize_volumes,ctc_label_dense_to_sparse,batch_get_value}",
)
def not_followed(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return ctx.lost("a function of keras.backend")


@behaviour("keras.backend.gradients")
def gradients(ctx: Context, loss: Value, variables: Value) -> Value:
    return ctx.apply("tf.gradients", loss, variables)


@behaviour("keras.backend.eye")
def eye(ctx: Context, size: Value = NONE, **others: Value) -> Value:
    return ctx.apply("tf.eye", size)
