"""Elementwise functions and operators, with broadcasting."""

from __future__ import annotations

from collections.abc import Callable

from shapecheck.domain import values
from shapecheck.models.lang import Answer, AnyValue, Blind, Tensor, also, op
from shapecheck.models.lang.apply import stretches_to
from shapecheck.models.lang.dtypes import is_python_number
from shapecheck.models.lang.gradient_norms import of_gradients
from shapecheck.models.lang.summed import combined_with, scaled

LISTS = (values.Seq, values.HomogeneousSeq)
FLOATING = """
acos acosh arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh cos cosh deg2rad digamma erf erfc erfinv
exp exp2 expm1 i0 lgamma log log10 log1p log2 logit rad2deg reciprocal rsqrt sin sinc sinh sqrt tan tanh
"""
KEEPING = """
ceil clone conj conj_physical detach fix floor frac nan_to_num relu round sgn sign trunc
"""
IN_PLACE = """
abs_ absolute_ acos_ acosh_ arccos_ arccosh_ arcsin_ arcsinh_ arctan_ arctanh_ asin_ asinh_ atan_ atanh_ bernoulli_
bitwise_not_ ceil_ clamp_ clamp_max_ clamp_min_ clip_ conj_physical_ cos_ cosh_ cumprod_ cumsum_ deg2rad_ digamma_
dropout_ erf_ erfc_ erfinv_ exp_ exp2_ expm1_ fill_ fix_ floor_ frac_ i0_ lgamma_ log_ log10_ log1p_ log2_
logical_not_ logit_ mvlgamma_ nan_to_num_ neg_ negative_ normal_ polygamma_ rad2deg_ random_ reciprocal_ relu_ round_
rsqrt_ sgn_ sigmoid_ sign_ sin_ sinc_ sinh_ sqrt_ square_ tan_ tanh_ trunc_ uniform_ zero_
"""
OF_MODULE_TOO = """
abs_ acos_ acosh_ arccos_ arccosh_ arcsin_ arcsinh_ arctan_ arctanh_ asin_ asinh_ atan_ atanh_ ceil_ celu_ clamp_
clamp_max_ clamp_min_ clip_ conj_physical_ cos_ cosh_ deg2rad_ detach_ erf_ erfc_ exp_ exp2_ expm1_ fill fill_ fix_
floor_ frac_ i0_ log_ log10_ log1p_ log2_ logit_ nan_to_num_ neg_ negative_ rad2deg_ reciprocal_ relu_ round_ rrelu_
rsqrt_ selu_ sigmoid_ sin_ sinc_ sinh_ sqrt_ square_ tan_ tanh_ threshold_ trunc_ zero_ resolve_conj resolve_neg
"""
SPECIAL = """
airy_ai bessel_j0 bessel_j1 bessel_y0 bessel_y1 digamma entr erfcx gammaln i0 i0e i1 i1e log_ndtr modified_bessel_i0
modified_bessel_i1 modified_bessel_k0 modified_bessel_k1 ndtr ndtri psi scaled_modified_bessel_k0
scaled_modified_bessel_k1 spherical_bessel_j0
"""
OF_TWO_NUMBERS = """
gammainc gammaincc xlog1py xlogy zeta chebyshev_polynomial_t chebyshev_polynomial_u chebyshev_polynomial_v
chebyshev_polynomial_w hermite_polynomial_h hermite_polynomial_he laguerre_polynomial_l legendre_polynomial_p
"""
BOTH = "{torch,torch.Tensor}"


def _each(names: str) -> str:
    return f"{{{','.join(names.split())}}}"


@op(f"{BOTH}.{_each(FLOATING)}", "torch.special.{erf,erfc,erfinv,exp2,expm1,log1p,logit,sinc}", dtype="first float")
def floating(input: Tensor) -> Answer:
    return "*S -> *S", also(nature=of_gradients(input))


@op(f"torch.special.{_each(SPECIAL)}", dtype="first float")
@op("torch.{special.,}polygamma", "torch.special.multigammaln", f"{BOTH}.mvlgamma", dtype="?", oracle="none: an order")
def special(input: Tensor) -> Answer:
    return "*S -> *S"


@op("torch.Tensor.polygamma", dtype="?", oracle="none: an order")
def polygamma(input: Tensor) -> Answer:
    return "*S -> *S"


@op(f"{BOTH}.frexp", dtype="first,int32")
def frexp(input: Tensor) -> Answer:
    return "*S -> *S, *S"


@op(f"{BOTH}.{_each(KEEPING)}", "torch.special.round")
@op(f"torch.{_each(OF_MODULE_TOO)}")
@op("torch.Tensor.{hardshrink,as_subclass,resolve_conj,resolve_neg,xpu}", oracle="none: as the function")
@op("torch.Tensor.{contiguous,requires_grad_,detach_,pin_memory,share_memory_,cuda,cpu}")
@op(f"torch.Tensor.{_each(IN_PLACE)}")
def kept(input: Tensor) -> Answer:
    return "*S -> *S", also(nature=input.nature)


@op(f"{BOTH}.{{neg,negative}}", operator="neg")
def negated(input: Tensor) -> Answer:
    return "*S -> *S", also(nature=scaled("-", input))


@op(f"{BOTH}.positive", operator="pos")
def unchanged(input: Tensor) -> Answer:
    return "*S -> *S", also(nature=input.nature)


@op(f"{BOTH}.bitwise_not", operator="invert")
def inverted(input: Tensor) -> Answer:
    return "*S -> *S"


@op(f"{BOTH}.{{abs,absolute}}", dtype="first real")
def absolute(input: Tensor) -> Answer:
    return "*S -> *S"


@op(f"{BOTH}.sigmoid", "torch.special.expit", "torch.nn.functional.sigmoid", dtype="first float")
def sigmoid(input: Tensor) -> Answer:
    return "*S -> *S", also(nature="sigmoid")


@op(f"{BOTH}.square", dtype="first whole")
def square(input: Tensor) -> Answer:
    return "*S -> *S", also(nature=of_gradients(input))


@op(f"{BOTH}.{{isnan,isinf,isfinite,isposinf,isneginf,isreal,logical_not,signbit}}", dtype="bool")
def tested(input: Tensor) -> Answer:
    return "*S -> *S"


@op(f"{BOTH}.{{clamp,clip}}", dtype="?")
def clamp(input: Tensor, min: Tensor | None = None, max: Tensor | None = None) -> Answer:
    """Bounds broadcast, too."""
    if any(bound is not None and bound.rank != 0 for bound in (min, max)):
        return "~B, ~B, ~B -> ~B" if min is not None and max is not None else "~B, ~B -> ~B"
    return input.shape, also(dtype=_clamped(input, min, max))


def _clamped(input: Tensor, *bounds: Tensor | None) -> str | None:
    """Floats stay what they are, unless it is a number with a bound of another dtype."""
    given = [each for each in bounds if each is not None]
    is_kept = input.rank or all(is_python_number(each) or each.dtype == input.dtype for each in given)
    return input.dtype if is_kept and (input.dtype or "").startswith("float") else None


@op(f"{BOTH}.{{clamp_min,clamp_max}}", dtype="?")
def clamp_one(input: Tensor, bound: Tensor) -> Answer:
    return "~B, ~B -> ~B"


# Two operands --------------------------------------------------------------------------------------------------------


def _register(sign: str, names: str, dtype: str = "promote") -> Callable[..., Answer]:
    """Register an arithmetic function with its operator."""

    def combined(input: Tensor, other: Tensor) -> Answer:
        if sign in ("==", "!=") and any(isinstance(each.given, LISTS) for each in (input, other)):
            raise Blind("a tensor is never equal to a list")
        return "~B, ~B -> ~B", also(notices=combined_with(sign, input, other), nature=scaled(sign, input, other))

    return op(f"{BOTH}.{_each(names)}", operator=sign, dtype=dtype)(combined)


_register("+", "add")
_register("-", "sub subtract")
_register("*", "mul multiply")
_register("/", "div divide true_divide", dtype="promote float")
_register("//", "floor_divide")
_register("%", "remainder")
_register("", "fmod")
_register("**", "pow")
_register("==", "eq", dtype="bool")
_register("!=", "ne not_equal", dtype="bool")
_register("<", "lt less", dtype="bool")
_register("<=", "le less_equal", dtype="bool")
_register(">", "gt greater", dtype="bool")
_register(">=", "ge greater_equal", dtype="bool")
_register("&", "bitwise_and")
_register("|", "bitwise_or")
_register("^", "bitwise_xor")
_register("<<", "bitwise_left_shift")
_register(">>", "bitwise_right_shift")
_register("", "maximum minimum fmax fmin")


@op(f"{BOTH}.{{logical_and,logical_or,logical_xor}}", dtype="bool")
@op(f"{BOTH}.{{isclose}}", dtype="bool")
def logical(input: Tensor, other: Tensor) -> Answer:
    return "~B, ~B -> ~B"


@op(f"{BOTH}.{{atan2,arctan2,hypot,logaddexp,logaddexp2,copysign,xlogy,float_power,igamma,igammac}}", dtype="?")
@op(f"torch.special.{_each(OF_TWO_NUMBERS)}", dtype="?")
def of_floats(input: Tensor, other: Tensor) -> Answer:
    return "~B, ~B -> ~B"


_SIGNS = """
add sub mul div floor_divide remainder pow bitwise_and bitwise_or bitwise_xor eq ne lt le gt ge fmod arctan2 atan2
bitwise_left_shift bitwise_right_shift copysign divide gcd greater greater_equal heaviside hypot igamma
igammac lcm ldexp less less_equal logical_and logical_or logical_xor multiply nextafter not_equal subtract true_divide
xlogy
"""
_DUNDERS = "add sub mul truediv floordiv mod pow and or xor lshift rshift"


@op(f"torch.Tensor.{{{','.join(f'{name}_' for name in _SIGNS.split())},copy_}}")
@op(
    f"torch.Tensor.{{{','.join(f'__i{name}__' for name in _DUNDERS.split())}}}",
    operator="+= -= *= /= //= %= **= &= |= ^= <<= >>=",
    oracle="none: an operator",
)
def in_place(input: Tensor, other: Tensor) -> Answer:
    """A tensor keeps its shape."""
    if input.shape.tail is not None:
        return "~B, ~B -> ~B"
    return input.shape, *stretches_to(other, input.shape)


@op("torch.Tensor.float_power_", oracle="none: of float64 only")
def float_power(input: Tensor, other: Tensor) -> Answer:
    return input.shape


@op("torch.where", dtype="?")
def where(condition: Tensor, input: Tensor, other: Tensor) -> Answer:
    dtype = input.dtype if input.dtype == other.dtype else None
    return "~B, ~B, ~B -> ~B", also(dtype=dtype)


@op("torch.Tensor.where")
def where_of(input: Tensor, condition: Tensor, other: Tensor) -> Answer:
    return "~B, ~B, ~B -> ~B"


@op(f"{BOTH}.masked_fill")
def masked_fill(input: Tensor, mask: Tensor, value: AnyValue) -> Answer:
    return "~B, ~B -> ~B", also(dtype=input.dtype)


@op("torch.Tensor.masked_fill_")
def masked_fill_in_place(input: Tensor, mask: Tensor, value: AnyValue) -> Answer:
    return input.shape, *stretches_to(mask, input.shape)


@op(f"{BOTH}.lerp", dtype="?")
def lerp(input: Tensor, end: Tensor, weight: Tensor) -> Answer:
    is_one = input.dtype == end.dtype and (is_python_number(weight) or weight.dtype == input.dtype)
    return "~B, ~B, ~B -> ~B", also(dtype=input.dtype if is_one else None)


@op(f"{BOTH}.{{addcmul,addcdiv}}", dtype="?")
def added(input: Tensor, tensor1: Tensor, tensor2: Tensor) -> Answer:
    return "~B, ~B, ~B -> ~B"
