"""Linear systems of SciPy, given by the matrices of their states."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Tensor, Value
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.shapes.claims import Equal
from shapecheck.shapes.shape import Shape


@behaviour("scipy.signal.{StateSpace,lti,dlti,ss2tf,ss2zpk}")
def system(ctx: Context, *matrices: Value, **keywords: Value) -> Value:
    """A vector is a row: inputs of a system with several states are a column."""
    if len(matrices) == 4 and NONE not in matrices:
        a, b, c, d = (_matrix(ctx, value) for value in matrices)
        _agree(ctx, ("A", a, 0), ("A", a, 1))
        _agree(ctx, ("B", b, 0), ("A", a, 0))
        _agree(ctx, ("C", c, 1), ("A", a, 0))
        _agree(ctx, ("D", d, 0), ("C", c, 0))
        _agree(ctx, ("D", d, 1), ("B", b, 1))
    return ctx.lost("a linear system")


def _matrix(ctx: Context, value: Value) -> Tensor:
    """Return a matrix; a vector is one row, a number one element."""
    given = as_tensor(ctx.freeze(value), ctx)
    rank = given.shape.rank
    return given if rank is None else given.with_shape(Shape((1,) * (2 - rank) + given.shape.sizes))


def _agree(ctx: Context, first: tuple[str, Tensor, int], second: tuple[str, Tensor, int]) -> None:
    """State that two matrices have as many rows or columns as they must."""
    (name, matrix, axis), (other, partner, at) = first, second
    size, wanted = matrix.shape.size(axis), partner.shape.size(at)
    if size is not None and wanted is not None and matrix.shape.rank == partner.shape.rank == 2:
        said = f"{name} has {size} {_WORDS[axis]}, {other} has {wanted} {_WORDS[at]}"
        ctx.require(ClashKind.AXIS, Equal(size, wanted), said, matrix, partner)


_WORDS = ("rows", "columns")
