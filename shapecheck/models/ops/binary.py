"""Functions of two tensors, element by element, with broadcasting."""

from __future__ import annotations

from collections.abc import Callable

from shapecheck.models.lang import Answer, Tensor, also, op
from shapecheck.models.lang.apply import stretches_to
from shapecheck.models.lang.contents import combined
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Size, is_lost


def stretched(x: Tensor, y: Tensor) -> list[tuple[str, str]]:
    """The pattern of broadcasting that enlarges both operands, (N, 1) with (N,) for one."""
    if x.shape.tail is not None or y.shape.tail is not None:
        return []
    if not (_enlarges(x.shape, y.shape) and _enlarges(y.shape, x.shape)):
        return []
    return [("stretch-both", f"{x.name} {x.shape} and {y.name} {y.shape} are both stretched")]


def _enlarges(shape: Shape, other: Shape) -> bool:
    """Whether an axis of `shape` is 1 or missing where the other's is surely larger."""
    pairs = [(shape.head[-axis] if axis <= len(shape.head) else 1, other.head[-axis]) for axis in _axes(other)]
    return any(mine == 1 and _is_large(yours) for mine, yours in pairs)


def _axes(shape: Shape) -> range:
    return range(1, len(shape.head) + 1)


def _is_large(size: Size) -> bool:
    return size > 1 if isinstance(size, int) else not is_lost(size)


def _register(sign: str, content: str, *names: str, dtype: str = "promote") -> Callable[[Tensor, Tensor], Answer]:
    """An arithmetic function with its operator."""

    def elementwise(x: Tensor, y: Tensor) -> Answer:
        known = combined(content, x.content, y.content)
        return "~B, ~B -> ~B", also(content=known, notices=stretched(x, y))

    return op(*names, operator=sign, dtype=dtype)(elementwise)


_register("+", "+", "{tf,tf.math,np,keras.ops}.add")
_register("-", "-", "{tf,tf.math,np,keras.ops}.subtract", "tf.sub")
_register("*", "*", "{tf,tf.math,np,keras.ops}.multiply", "tf.mul")
_register(
    "/", "/", "{tf,np,keras.ops}.divide", "tf.math.{divide,truediv}", "tf.{truediv,div,realdiv}", "np.true_divide"
)
_register("//", "//", "tf.{floordiv,floor_div}", "tf.math.floordiv", "{np,keras.ops}.floor_divide")
_register("%", "%", "tf.{mod,floormod}", "tf.math.{mod,floormod}", "np.{mod,remainder}", "keras.ops.mod")
_register("**", "**", "{tf,tf.math}.pow", "{np,keras.ops}.power")
_register("==", "==", "{tf,tf.math,np,keras.ops}.equal", dtype="bool")
_register("!=", "!=", "{tf,tf.math,np,keras.ops}.not_equal", dtype="bool")
_register("<", "<", "{tf,tf.math,np,keras.ops}.less", dtype="bool")
_register("<=", "<=", "{tf,tf.math,np,keras.ops}.less_equal", dtype="bool")
_register(">", ">", "{tf,tf.math,np,keras.ops}.greater", dtype="bool")
_register(">=", ">=", "{tf,tf.math,np,keras.ops}.greater_equal", dtype="bool")
_register("", "max", "{tf,tf.math,np,keras.ops}.maximum", "np.fmax", "keras.backend.maximum")
_register("", "min", "{tf,tf.math,np,keras.ops}.minimum", "np.fmin", "keras.backend.minimum")


_IN_PLACE = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor", "lshift", "rshift")


@op(
    f"np.ndarray.{{{','.join(f'__i{name}__' for name in _IN_PLACE)}}}",
    operator="+= -= *= /= //= %= **= &= |= ^= <<= >>=",
    oracle="none: an operator",
)
def in_place(x: Tensor, y: Tensor) -> Answer:
    """An array keeps its shape; NumPy's scalars are no arrays."""
    if not x.rank:
        return "~B, ~B -> ~B"
    return x.shape, *stretches_to(y, x.shape)


@op("tf.bitwise.bitwise_and", "np.bitwise_and", operator="&")
@op("tf.bitwise.bitwise_or", "np.bitwise_or", operator="|")
@op("tf.bitwise.bitwise_xor", "np.bitwise_xor", operator="^")
@op("tf.bitwise.left_shift", "np.left_shift", operator="<<")
@op("tf.bitwise.right_shift", "np.right_shift", operator=">>")
def bitwise(x: Tensor, y: Tensor) -> Answer:
    return "~B, ~B -> ~B"


@op("{tf,tf.math,np,keras.ops}.{logical_and,logical_or}", "{tf.math,np,keras.ops}.logical_xor", dtype="bool")
@op("tf.math.approximate_equal", "np.isclose", "keras.ops.isclose", dtype="bool")
def logical(x: Tensor, y: Tensor) -> Answer:
    return "~B, ~B -> ~B"


@op(
    "{tf,tf.math}.squared_difference",
    "tf.math.{divide_no_nan,multiply_no_nan,xlogy,xdivy,atan2}",
    "tf.{div_no_nan,atan2}",
)
@op("np.{arctan2,hypot,logaddexp,copysign,float_power,fmod,heaviside,nextafter}", "tf.{truncatediv,truncatemod}")
@op("keras.ops.arctan2", "tf.math.zeta")
def elementwise(x: Tensor, y: Tensor) -> Answer:
    return "~B, ~B -> ~B", also(notices=stretched(x, y))


@op("tf.math.{igamma,igammac,polygamma}")
def special(a: Tensor, x: Tensor) -> Answer:
    return "~B, ~B -> ~B"


@op("tf.complex", "tf.dtypes.complex", dtype="complex64")
def make_complex(real: Tensor, imag: Tensor) -> Answer:
    return "~B, ~B -> ~B"
