"""The methods of NumPy's ufuncs: `np.add.reduce`, `np.maximum.accumulate`, `np.subtract.outer`."""

from __future__ import annotations

from shapecheck.domain.values import NONE
from shapecheck.models.lang import Answer, Axes, Axis, Flag, Tensor, at, op, reduced, result
from shapecheck.models.lang.needs import Refused, of_rank
from shapecheck.models.lang.places import instead, place_of
from shapecheck.models.lang.unknown import lost
from shapecheck.shapes.shape import UNRANKED, Shape

SUMS = "np.{add,multiply}"
CHOICES = "np.{subtract,maximum,minimum,fmax,fmin,bitwise_and,bitwise_or,bitwise_xor,gcd,lcm}"
QUOTIENTS = "np.{divide,true_divide,hypot,logaddexp,logaddexp2,arctan2}"
TESTS = "np.{logical_and,logical_or,logical_xor,equal,not_equal,greater,greater_equal,less,less_equal}"


@op(f"{SUMS}.reduce", dtype="first sum")
@op(f"{CHOICES}.reduce", dtype="first")
@op(f"{QUOTIENTS}.reduce", dtype="first mean")
@op(f"{TESTS}.reduce", dtype="bool")
def reduce(array: Tensor, axis: Axes = (0,), keepdims: Flag = False) -> Answer:
    """Along the first axis, if no other is told."""
    return reduced(axis, keepdims) if array.rank != 0 else UNRANKED


@op(f"{SUMS}.accumulate", dtype="first sum")
@op(f"{CHOICES}.accumulate", dtype="first")
@op(f"{QUOTIENTS}.accumulate", dtype="first mean")
@op(f"{TESTS}.accumulate", dtype="bool")
def accumulate(array: Tensor, axis: Axis = 0) -> Answer:
    if array.rank == 0:
        raise Refused("axis-range", f"{array.name} is a number, which has no axis")
    return at(axis, "d -> d")


@op(f"{SUMS}.reduceat", dtype="first sum")
@op(f"{CHOICES}.reduceat", dtype="first")
@op(f"{QUOTIENTS}.reduceat", dtype="first mean")
@op(f"{TESTS}.reduceat", dtype="bool")
def reduceat(array: Tensor, indices: Tensor, axis: Axis = 0) -> Answer:
    """A part for each index, which is where it starts."""
    of_rank(indices, 1)
    count = indices.shape.size(0)
    return instead(array.shape, place_of(array, axis), Shape((lost("of the parts") if count is None else count,)))


@op(f"{SUMS}.outer", f"{CHOICES}.outer", dtype="promote")
@op(f"{QUOTIENTS}.outer", dtype="promote float")
@op(f"{TESTS}.outer", dtype="bool")
def outer(a: Tensor, b: Tensor) -> Answer:
    return "*S, *T -> *S *T"


@op(f"{SUMS}.at", f"{CHOICES}.at", f"{QUOTIENTS}.at", oracle="none: needs legal indices")
def change(a: Tensor, indices: Tensor, b: Tensor | None = None) -> Answer:
    """The array is changed where it stands."""
    return result(NONE)
