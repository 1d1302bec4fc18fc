"""Elementwise functions of two tensors, with broadcasting."""

from __future__ import annotations

from collections.abc import Callable

from shapecheck.clash_kind import ClashKind
from shapecheck.models.lang import Answer, Target, Tensor, also, op
from shapecheck.models.lang.apply import stretches_to
from shapecheck.models.lang.contents import combined
from shapecheck.models.lang.summed import combined_with, scaled
from shapecheck.models.lang.suspicious import crossed, mixed, stretched
from shapecheck.shapes.broadcast import broadcast
from shapecheck.shapes.claims import FALSE, simplify
from shapecheck.shapes.shape import UNRANKED, Shape


def _register(sign: str, content: str, *names: str, dtype: str = "promote") -> Callable[..., Answer]:
    """Register an arithmetic function with its operator."""

    def elementwise(x: Tensor, y: Tensor, target: Target = Target()) -> Answer:
        if sign in ("==", "!=") and target.numpy == 1 and FALSE in map(simplify, broadcast([x.shape, y.shape])[1]):
            return UNRANKED  # before NumPy 1.25, such arrays are not equal
        known = combined(content, x.content, y.content)
        notices = [*combined_with(sign, x, y), *(mixed(x, y) if sign != "/" and not target.numpy_behavior else ())]
        return "~B, ~B -> ~B", also(content=known, notices=notices, nature=scaled(sign, x, y))

    return op(*names, operator=sign, dtype=dtype)(elementwise)


_register("+", "+", "{tf,tf.math,np,keras.ops}.add")
_register("-", "-", "{tf,tf.math,np,keras.ops}.subtract", "tf.sub")
_register("*", "*", "{tf,tf.math,np,keras.ops}.multiply", "tf.mul")
_register(
    "/",
    "/",
    "{tf,np,keras.ops}.divide",
    "tf.math.{divide,truediv}",
    "tf.{truediv,div,realdiv}",
    "{np,keras.ops}.true_divide",
)
_register("//", "//", "tf.{floordiv,floor_div}", "tf.math.floordiv", "{np,keras.ops}.floor_divide")
_register("%", "%", "tf.{mod,floormod}", "tf.math.{mod,floormod}", "np.{mod,remainder}", "keras.ops.mod")
_register("**", "**", "{tf,tf.math,np}.pow", "{np,keras.ops}.power")
_register("==", "==", "{np,keras.ops}.equal", dtype="bool")
_register("!=", "!=", "{np,keras.ops}.not_equal", dtype="bool")
_register("", "==", "{tf,tf.math}.equal", dtype="bool")
_register("", "!=", "{tf,tf.math}.not_equal", dtype="bool")
_register("<", "<", "{tf,tf.math,np,keras.ops}.less", dtype="bool")
_register("<=", "<=", "{tf,tf.math,np,keras.ops}.less_equal", dtype="bool")
_register(">", ">", "{tf,tf.math,np,keras.ops}.greater", dtype="bool")
_register(">=", ">=", "{tf,tf.math,np,keras.ops}.greater_equal", dtype="bool")
_register("", "max", "{tf,tf.math,np,keras.ops}.maximum", "np.fmax", "keras.backend.maximum")
_register("", "min", "{tf,tf.math,np,keras.ops}.minimum", "np.fmin", "keras.backend.minimum")


def _register_equality(sign: str, name: str) -> Callable[..., Answer]:
    """Register an operator of TensorFlow 2 that compares tensors: those that do not broadcast are not equal."""

    def compared(x: Tensor, y: Tensor, target: Target = Target()) -> Answer:
        if target.tensorflow == 1:
            return "~B, ~B -> ~B", also(content=combined(sign, x.content, y.content))
        shape, claims = broadcast([x.shape, y.shape])
        if any(simplify(claim) == FALSE for claim in claims):
            said = f"{x.name} {x.shape} and {y.name} {y.shape} do not broadcast, the result is one bool"
            return Shape(()), also(notices=[(ClashKind.NEVER_EQUAL, said)])
        return shape, also(content=combined(sign, x.content, y.content), notices=[*stretched(x, y), *mixed(x, y)])

    return op(name, operator=sign, dtype="bool", oracle="none: an operator")(compared)


_register_equality("==", "tf.Tensor.__eq__")
_register_equality("!=", "tf.Tensor.__ne__")


_IN_PLACE = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor", "lshift", "rshift")


@op(
    f"np.ndarray.{{{','.join(f'__i{name}__' for name in _IN_PLACE)}}}",
    operator="+= -= *= /= //= %= **= &= |= ^= <<= >>=",
    oracle="none: an operator",
)
def in_place(x: Tensor, y: Tensor) -> Answer:
    """An array keeps its shape; NumPy's scalars are not arrays."""
    if not x.rank:
        return "~B, ~B -> ~B"
    return x.shape, *stretches_to(y, x.shape)


@op("{tf.bitwise,np,keras.ops}.bitwise_and", operator="&")
@op("{tf.bitwise,np,keras.ops}.bitwise_or", operator="|")
@op("{tf.bitwise,np,keras.ops}.bitwise_xor", operator="^")
@op("{tf.bitwise,np,keras.ops}.left_shift", "{np,keras.ops}.bitwise_left_shift", operator="<<")
@op("{tf.bitwise,np,keras.ops}.right_shift", "{np,keras.ops}.bitwise_right_shift", operator=">>")
def bitwise(x: Tensor, y: Tensor) -> Answer:
    return "~B, ~B -> ~B", also(notices=crossed(x, y))


@op("{tf,tf.math,np,keras.ops}.{logical_and,logical_or}", "{tf,tf.math,np,keras.ops}.logical_xor", dtype="bool")
@op("tf.math.approximate_equal", "keras.ops.isclose", dtype="bool")
def logical(x: Tensor, y: Tensor) -> Answer:
    return "~B, ~B -> ~B", also(notices=crossed(x, y))


@op("np.isclose", dtype="bool")
def isclose(a: Tensor, b: Tensor, rtol: Tensor | None = None, atol: Tensor | None = None) -> Answer:
    """Tolerances broadcast, too."""
    if any(each is not None and each.rank != 0 for each in (rtol, atol)):
        return UNRANKED
    return "~B, ~B -> ~B", also(notices=crossed(a, b))


@op(
    "{tf,tf.math}.squared_difference",
    "tf.math.{divide_no_nan,multiply_no_nan,xlogy,xdivy,atan2}",
    "tf.{div_no_nan,atan2}",
)
@op("np.float_power", dtype="?")
@op("np.{arctan2,hypot,logaddexp,copysign,fmod,heaviside,nextafter}", "tf.{truncatediv,truncatemod}")
@op("keras.ops.{arctan2,atan2,hypot,fmax,fmin,fmod,gcd,heaviside,lcm,ldexp,logaddexp,logaddexp2,nextafter}")
@op("keras.ops.{copysign,divide_no_nan,floor_mod,squared_difference}", "np.{atan2,gcd,lcm,ldexp,logaddexp2}")
@op("{tf,tf.math}.zeta", "tf.math.{nextafter,xlog1py}")
def elementwise(x: Tensor, y: Tensor) -> Answer:
    return "~B, ~B -> ~B", also(notices=stretched(x, y))


@op("{tf,tf.math}.{igamma,igammac,polygamma}")
def special(a: Tensor, x: Tensor) -> Answer:
    return "~B, ~B -> ~B"


@op("tf.complex", "tf.dtypes.complex", dtype="complex64")
def make_complex(real: Tensor, imag: Tensor) -> Answer:
    return "~B, ~B -> ~B"
