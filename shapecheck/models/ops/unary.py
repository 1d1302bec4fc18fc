"""Elementwise functions, which keep the shape."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, floor, isfinite

from shapecheck.domain.values import Const
from shapecheck.models.lang import Answer, Axes, Axis, Tensor, also, at, op
from shapecheck.models.lang.apply import stretches_to
from shapecheck.models.lang.contents import combined
from shapecheck.models.lang.gradient_norms import of_gradients
from shapecheck.models.lang.summed import scaled


@op(
    "{tf,tf.math,np,keras.ops}.{exp,log,sqrt,square,abs,sin,cos,tan,asin,acos,atan,tanh,sinh,cosh,sign,round}",
    "{tf,tf.math,np,keras.ops}.{log1p,expm1,acosh,asinh,atanh}",
    "{tf,tf.math}.{log_sigmoid,rsqrt,reciprocal,erf,erfc,lgamma,digamma,rint}",
    "tf.math.{softplus,softsign,reciprocal_no_nan,bessel_i0,bessel_i1,bessel_i0e,bessel_i1e,erfinv,erfcinv,ndtri}",
    "tf.math.special.{dawsn,expint,fresnel_cos,fresnel_sin,spence,bessel_j0,bessel_j1,bessel_k0,bessel_k1}",
    "tf.math.special.{bessel_i0,bessel_i0e,bessel_i1,bessel_i1e,bessel_k0e,bessel_k1e,bessel_y0,bessel_y1}",
    "tf.{softplus,softsign,conj,real,imag,inv,angle}",
    "tf.math.{conj,real,imag,angle}",
    "np.{absolute,fabs,cbrt,log2,log10,exp2,arcsin,arccos,arctan,arctanh,arcsinh,arccosh,reciprocal,rint,trunc,fix}",
    "np.{conj,conjugate,real,imag,angle,deg2rad,rad2deg,degrees,radians,sinc,i0,spacing,around,bitwise_count}",
    "np.ndarray.{conj,conjugate,byteswap,round}",
    "keras.ops.{rsqrt,softplus,softsign,relu,relu6,gelu,elu,selu,silu,swish,leaky_relu,hard_sigmoid,log_sigmoid}",
    "{keras.ops,keras.activations}.{celu,hard_shrink,hard_silu,hard_swish,hard_tanh,soft_shrink,sparse_plus}",
    "{keras.ops,keras.activations}.{sparse_sigmoid,squareplus,tanh_shrink,threshold}",
    "keras.ops.{absolute,arccos,arccosh,arcsin,arcsinh,arctan,arctanh,cbrt,conj,conjugate,deg2rad,rad2deg,exp2,fabs}",
    "keras.ops.{i0,angle,real,imag,log2,log10,reciprocal,sinc,trunc,erf,erfc,erfinv}",
    "tf.nn.{relu,relu6,elu,selu,gelu,leaky_relu,tanh,softplus,softsign,silu,swish,log_sigmoid}",
    "keras.activations.{relu,elu,selu,gelu,tanh,softplus,softsign,silu,swish,hard_sigmoid,linear,exponential}",
    "keras.activations.{leaky_relu,log_sigmoid,mish,relu6}",
    "keras.backend.{exp,log,sqrt,square,abs,tanh,relu,elu,softplus,softsign,hard_sigmoid,sign,sin,cos,round}",
)
def unary(x: Tensor) -> Answer:
    return "*S -> *S", also(nature=of_gradients(x))


@op("{tf,tf.math,np,keras.ops}.ceil")
def rounded_up(x: Tensor) -> Answer:
    return "*S -> *S", also(content=_rounded(ceil, x))


@op("{tf,tf.math,np,keras.ops}.floor")
def rounded_down(x: Tensor) -> Answer:
    return "*S -> *S", also(content=_rounded(floor, x))


def _rounded(function: Callable[[float], int], x: Tensor) -> Const | None:
    """Return a rounded number that is known: it may be the number of batches."""
    known = x.content.value if isinstance(x.content, Const) else None
    return Const(float(function(known))) if isinstance(known, (int, float)) and isfinite(known) else None


@op("{tf,tf.math,tf.nn,keras.ops,keras.activations,keras.backend}.sigmoid")
def sigmoid(x: Tensor) -> Answer:
    return "*S -> *S", also(nature="sigmoid")


@op("{tf,tf.math,np,keras.ops}.negative", "tf.neg", operator="neg")
def negative(x: Tensor) -> Answer:
    return "*S -> *S", also(content=combined("-", Const(0), x.content), nature=scaled("-", x))


@op("np.positive", "tf.identity", operator="pos")
def positive(x: Tensor) -> Answer:
    return "*S -> *S", also(content=x.content, nature=x.nature)


@op("{np,keras.ops}.logical_not", "{tf,tf.math}.logical_not", operator="~", dtype="bool")
def logical_not(x: Tensor) -> Answer:
    return "*S -> *S"


@op("np.{invert,bitwise_not,bitwise_invert}", "tf.bitwise.invert", "keras.ops.bitwise_{invert,not}", operator="invert")
def invert(x: Tensor) -> Answer:
    return "*S -> *S"


@op(
    "{np,keras.ops}.{isnan,isinf,isfinite}",
    "{tf,tf.math}.{is_nan,is_inf,is_finite}",
    "np.{isposinf,isneginf,isreal,iscomplex}",
    "{np,keras.ops}.signbit",
    "keras.ops.{isposinf,isneginf,isreal}",
    dtype="bool",
)
def test_elements(x: Tensor) -> Answer:
    return "*S -> *S"


@op("keras.ops.clip", dtype="first -bool")
@op("tf.clip_by_value", "keras.backend.clip")
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


@op("tf.clip_by_average_norm", "{np,keras.ops}.nan_to_num", "np.real_if_close")
def keeps_shape(x: Tensor) -> Answer:
    return "*S -> *S"


@op("tf.clip_by_norm")
def clip_by_norm(t: Tensor, axes: Axes = None) -> Answer:
    """The norm is that of all elements, or along some axes."""
    return "*S -> *S" if axes is None else at(axes, "d -> d")


@op("tf.nn.dropout", "tf.nn.experimental.stateless_dropout", "keras.backend.dropout", "keras.random.dropout")
def dropout(x: Tensor) -> Answer:
    return "*S -> *S"


@op("tf.nn.{local_response_normalization,lrn}")
def lrn(input: Tensor) -> Answer:
    return "n h w c -> n h w c"


@op("np.isnat", dtype="bool", oracle="none: takes dates")
def isnat(x: Tensor) -> Answer:
    return "*S -> *S"


@op("{tf.math,tf}.invert_permutation", oracle="none: takes a permutation")
def invert_permutation(x: Tensor) -> Answer:
    return "n -> n"


@op("keras.{ops,activations}.sparsemax")
def sparsemax(x: Tensor, axis: Axis = -1) -> Answer:
    return at(axis, "d -> d")


@op("keras.{ops,activations}.glu")
def glu(x: Tensor, axis: Axis = -1) -> Answer:
    """One half of the axis gates the other half."""
    return at(axis, "d -> (d // 2)"), "d % 2 == 0"


@op("tf.nn.crelu")
def crelu(features: Tensor, axis: Axis = -1) -> Answer:
    return at(axis, "c -> (2 * c)")


@op("tf.nn.l2_loss")
def l2_loss(t: Tensor) -> Answer:
    return "*S ->"


@op("{tf,tf.math}.{is_non_decreasing,is_strictly_increasing}", dtype="bool")
def is_sorted(x: Tensor) -> Answer:
    return "*S ->"


@op("np.modf", returns="tuple")
@op("np.frexp", returns="tuple", dtype=",int32")
def in_two(x: Tensor) -> Answer:
    return "*S -> *S, *S"


@op("keras.ops.view_as_complex", dtype="complex64")
def view_as_complex(x: Tensor) -> Answer:
    """The last axis contains the real and the imaginary part."""
    return "*S 2 -> *S"


@op("keras.ops.view_as_real", dtype="float32")
def view_as_real(x: Tensor) -> Answer:
    return "*S -> *S 2"
