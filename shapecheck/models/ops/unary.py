"""Functions of each element, which keep the shape."""

from __future__ import annotations

from shapecheck.models.lang import Answer, Tensor, also, op
from shapecheck.models.lang.apply import stretches_to
from shapecheck.models.lang.contents import combined
from shapecheck.values import Const


@op(
    "{tf,tf.math,np,keras.ops}.{exp,log,sqrt,square,abs,sin,cos,tan,asin,acos,atan,tanh,sinh,cosh,sign,floor,ceil,round}",
    "{tf,tf.math,np,keras.ops}.{log1p,expm1}",
    "{tf,tf.math}.{log_sigmoid,sigmoid,rsqrt,reciprocal,erf,erfc,lgamma,digamma,rint,acosh,asinh,atanh}",
    "tf.math.{softplus,softsign,reciprocal_no_nan,bessel_i0,bessel_i1,erfinv,ndtri,invert_permutation}",
    "tf.{softplus,softsign,conj,real,imag,inv}",
    "tf.math.{conj,real,imag,angle}",
    "np.{absolute,fabs,cbrt,log2,log10,exp2,arcsin,arccos,arctan,arctanh,arcsinh,arccosh,reciprocal,rint,trunc,fix}",
    "np.{conj,conjugate,real,imag,angle,deg2rad,rad2deg,degrees,radians,sinc,i0,spacing,signbit}",
    "keras.ops.{rsqrt,sigmoid,softplus,softsign,relu,relu6,gelu,elu,selu,silu,leaky_relu,hard_sigmoid,log_sigmoid,erf}",
    "tf.nn.{relu,relu6,elu,selu,gelu,leaky_relu,sigmoid,tanh,softplus,softsign,silu,swish,log_sigmoid}",
    "keras.activations.{relu,elu,selu,gelu,sigmoid,tanh,softplus,softsign,silu,swish,hard_sigmoid,linear,exponential}",
    "keras.backend.{exp,log,sqrt,square,abs,sigmoid,tanh,relu,elu,softplus,softsign,hard_sigmoid,sign,sin,cos,round}",
)
def unary(x: Tensor) -> Answer:
    return "*S -> *S"


@op("{tf,tf.math,np,keras.ops}.negative", "tf.neg", operator="neg")
def negative(x: Tensor) -> Answer:
    return "*S -> *S", also(content=combined("-", Const(0), x.content))


@op("np.positive", "tf.identity", operator="pos")
def positive(x: Tensor) -> Answer:
    return "*S -> *S", also(content=x.content)


@op("{np,keras.ops}.logical_not", "{tf,tf.math}.logical_not", operator="~", dtype="bool")
def logical_not(x: Tensor) -> Answer:
    return "*S -> *S"


@op("np.{invert,bitwise_not}", "tf.bitwise.invert", operator="invert")
def invert(x: Tensor) -> Answer:
    return "*S -> *S"


@op(
    "{np,keras.ops}.{isnan,isinf,isfinite}",
    "{tf,tf.math}.{is_nan,is_inf,is_finite}",
    "np.{isposinf,isneginf,isreal,iscomplex}",
    dtype="bool",
)
def test_elements(x: Tensor) -> Answer:
    return "*S -> *S"


@op("tf.clip_by_value", "keras.ops.clip", "keras.backend.clip")
def clip_by_value(t: Tensor, clip_value_min: Tensor, clip_value_max: Tensor) -> Answer:
    """The bounds broadcast to the tensor, which keeps its shape."""
    return t.shape, *stretches_to(clip_value_min, t.shape), *stretches_to(clip_value_max, t.shape)


@op(
    "np.clip",
    "np.ndarray.clip",
    was={"min": "low", "max": "high", "a_min": "low", "a_max": "high"},
)
def clip(x: Tensor, low: Tensor | None = None, high: Tensor | None = None) -> Answer:
    """The bounds broadcast against the tensor."""
    bounds = ", ~B" * ((low is not None) + (high is not None))
    return f"~B{bounds} -> ~B"


@op("tf.clip_by_norm", "tf.clip_by_average_norm", "np.nan_to_num")
def keeps_shape(x: Tensor) -> Answer:
    return "*S -> *S"


@op("tf.nn.dropout", "tf.nn.experimental.stateless_dropout", "keras.backend.dropout", "keras.random.dropout")
def dropout(x: Tensor) -> Answer:
    return "*S -> *S"


@op("tf.nn.{local_response_normalization,lrn}")
def lrn(input: Tensor) -> Answer:
    return "n h w c -> n h w c"


@op("tf.nn.crelu")
def crelu(features: Tensor) -> Answer:
    return "*S c -> *S (2 * c)"


@op("tf.nn.l2_loss")
def l2_loss(t: Tensor) -> Answer:
    return "*S ->"
