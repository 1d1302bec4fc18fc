"""The methods of NumPy's ufuncs: `np.add.reduce`, `np.maximum.accumulate`, `np.subtract.outer`."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Axes,
    Axis,
    DtypeArg,
    Flag,
    Target,
    Tensor,
    at,
    op,
    reduced,
    result,
)
from shapecheck.models.lang.axis_positions import instead, place_of
from shapecheck.models.lang.constraints import Refused, of_rank
from shapecheck.models.lang.unknown_sizes import lost
from shapecheck.models.ops.index import fits, index_shape
from shapecheck.shapes.shape import UNRANKED, Shape

SUMS = "np.{add,multiply}"
CHOICES = "np.{maximum,minimum,fmax,fmin,bitwise_and,bitwise_or,bitwise_xor,gcd}"
QUOTIENTS = "np.{divide,true_divide}"
OF_FLOATS = "np.{hypot,logaddexp,logaddexp2}"
LOGIC = "np.{logical_and,logical_or,logical_xor}"
TESTS = "np.{equal,not_equal,greater,greater_equal,less,less_equal}"


@op(f"{SUMS}.reduce", dtype="first sum")
@op(f"{CHOICES}.reduce", dtype="first")
@op(f"{OF_FLOATS}.reduce", dtype="first float")
@op(f"{LOGIC}.reduce", dtype="bool")
def reduce(
    array: Tensor, axis: Axes = (0,), dtype: DtypeArg = None, out: AnyValue = NONE, keepdims: Flag = False
) -> Answer:
    """The reduction is along the first axis, if no other is given."""
    return reduced(axis, keepdims) if array.rank != 0 else UNRANKED


@op("np.{subtract,lcm}.reduce", dtype="first")
@op("np.arctan2.reduce", dtype="first float")
@op(f"{QUOTIENTS}.reduce", dtype="first mean")
def reduce_in_order(
    array: Tensor, axis: Axis = 0, dtype: DtypeArg = None, out: AnyValue = NONE, keepdims: Flag = False
) -> Answer:
    """The reduction is along one axis only, since the order matters."""
    return reduced(axis, keepdims) if array.rank != 0 else UNRANKED


@op(f"{SUMS}.accumulate", dtype="first sum")
@op(f"{CHOICES}.accumulate", "np.{subtract,lcm}.accumulate", dtype="first")
@op(f"{QUOTIENTS}.accumulate", dtype="first mean")
@op(f"{OF_FLOATS}.accumulate", "np.arctan2.accumulate", dtype="first float")
@op(f"{LOGIC}.accumulate", dtype="bool")
def accumulate(array: Tensor, axis: Axis = 0, dtype: DtypeArg = None, out: AnyValue = NONE) -> Answer:
    if array.rank == 0:
        raise Refused(ClashKind.AXIS_RANGE, f"{array.name} is a number, which has no axis")
    return at(axis, "d -> d")


@op(f"{SUMS}.reduceat", dtype="first sum")
@op(f"{CHOICES}.reduceat", "np.{subtract,lcm}.reduceat", dtype="first")
@op(f"{QUOTIENTS}.reduceat", dtype="first mean")
@op(f"{OF_FLOATS}.reduceat", "np.arctan2.reduceat", dtype="first float")
@op(f"{LOGIC}.reduceat", dtype="bool")
def reduceat(array: Tensor, indices: Tensor, axis: Axis = 0, dtype: DtypeArg = None, out: AnyValue = NONE) -> Answer:
    """There is a part for each index, which is its start."""
    of_rank(indices, 1)
    count = indices.shape.size(0)
    return instead(array.shape, place_of(array, axis), Shape((lost("of the parts") if count is None else count,)))


@op(f"{SUMS}.outer", f"{CHOICES}.outer", "np.{subtract,lcm}.outer", dtype="common")
@op(f"{QUOTIENTS}.outer", dtype="common mean")
@op(f"{OF_FLOATS}.outer", "np.arctan2.outer", dtype="common float")
@op(f"{LOGIC}.outer", f"{TESTS}.outer", dtype="bool")
def outer(a: Tensor, b: Tensor) -> Answer:
    return "*S, *T -> *S *T"


@op(
    f"{SUMS}.at",
    f"{CHOICES}.at",
    f"{QUOTIENTS}.at",
    f"{OF_FLOATS}.at",
    "np.{arctan2,lcm}.at",
    "np.subtract.at",
    oracle="none: needs legal indices",
)
def change(a: Tensor, indices: AnyValue, b: Tensor | None = None, target: Target = Target()) -> Answer:
    """The array is changed in place: the second operand must broadcast to the part at the indices."""
    part, needs = index_shape(a, indices, target)
    return result(NONE, needs=[*needs, *(() if b is None else fits(a, part, b))])
