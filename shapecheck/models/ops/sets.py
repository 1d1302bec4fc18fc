"""Operations on sets, of which each row of a tensor is one."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.models.lang import Answer, Flag, Ranked, Refused, Tensor, op
from shapecheck.models.lang.constraints import each_equal, equal_ranks
from shapecheck.models.lang.unknown_sizes import counted
from shapecheck.models.ops.sparse import sparse
from shapecheck.shapes.shape import UNRANKED, Shape

OLD = "tf.sets.set_{intersection,difference,union}"


@op("tf.sets.{intersection,difference,union}", OLD, oracle="none: gives a sparse tensor")
def combined(a: Tensor, b: Tensor, validate_indices: Flag = True) -> Answer:
    """Return a set for each pair of sets; how many elements the largest has is not known."""
    equal_ranks(_sets(a), _sets(b))
    needs = each_equal(ClashKind.AXIS, a.shape.head[:-1], b.shape.head[:-1], "a has {} sets on an axis, b has {}")
    shape = Shape((*a.shape.head[:-1], counted("the elements of the largest set")))
    return sparse(UNRANKED if a.rank is None else shape, a, needs if a.rank == b.rank else ())


def _sets(operand: Tensor) -> Tensor:
    """Return the operand, which has an axis for the elements of a set, and another."""
    if operand.rank is not None and operand.rank < 2:
        raise Refused(ClashKind.RANK, f"{operand.name} has rank {operand.rank}, at least 2 is needed")
    return operand


@op("tf.sets.size", "tf.sets.set_size", dtype="int32", oracle="none: takes a sparse tensor")
def size(a: Ranked, validate_indices: Flag = True) -> Answer:
    return Shape(a.shape.head[:-1])
