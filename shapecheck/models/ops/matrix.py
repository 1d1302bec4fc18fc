"""NumPy's matrices: how they are made, their `*`, and what they have beyond other arrays."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.models.lang import Answer, Blind, Context, Tensor, attribute, behaviour, equal, op, result
from shapecheck.models.lang.matrix import MATRIX, as_matrix, is_matrix, two_axes
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Kind, fresh
from shapecheck.values import NONE, Value, as_size, as_str
from shapecheck.values import Tensor as TensorValue


@op("np.{mat,matrix,asmatrix}", oracle="none: a matrix, not an array", rung=3)
def matrix(data: Tensor) -> Answer:
    text = as_str(data.content) if data.content is not None else None
    shape = two_axes(data.shape) if text is None else _written(text)
    if shape is None or (data.dtype == "string" and text is None):
        shape = Shape((fresh("?", Kind.LOST), fresh("?", Kind.LOST)))
    if not shape.head:
        shape = Shape((1, 1))
    dtype = data.dtype if text is None else None
    return result(TensorValue(shape, dtype, "np", role=MATRIX))


def _written(text: str) -> Shape | None:
    """ "1 2; 3 4" has two rows and two columns."""
    rows = [row.replace(",", " ").split() for row in text.strip(" []").split(";")]
    return Shape((len(rows), len(rows[0]))) if len({len(row) for row in rows}) == 1 else None


@op("np.matrix.__mul__", operator="matrix*", dtype="promote", oracle="none: an operator")
def product(x: Tensor, y: Tensor) -> Answer:
    """A vector is a single row; a number is no matrix."""
    if x.rank is None or y.rank is None or max(x.rank, y.rank) > 2:
        raise Blind("what a matrix is multiplied with")
    left, right = two_axes(x.shape), two_axes(y.shape)
    if left is None or right is None or not left.head or not right.head:
        return "~B, ~B -> ~B"
    (rows, inner), (outer, columns) = left.head, right.head
    said = f"{x.name} has {inner} columns, {y.name} has {outer} rows"
    return result(Shape((rows, columns)), needs=[equal("axis", inner, outer, said)])


@op("np.matrix.__pow__", operator="matrix**", oracle="none: an operator")
def power(x: Tensor, y: Tensor) -> Answer:
    if x.rank != 2 or y.rank != 0:
        raise Blind("what a matrix is raised to")
    return "n n, -> n n"


@behaviour("np.matrix.{sum,mean,std,var,max,min,prod,any,all,argmax,argmin}")
def reduced(ctx: Context, self: Value, axis: Value = NONE, *rest: Value, **others: Value) -> Value:
    """Along an axis, which stays."""
    number = as_size(axis)
    if not is_matrix(self) or rest or others or (axis != NONE and number not in (0, 1, -1, -2)):
        return ctx.lost("reduction of a matrix")
    if number is None:
        return TensorValue(Shape(()), self.dtype, "np")
    rows, columns = self.shape.head
    return as_matrix(Shape((1, columns) if number in (0, -2) else (rows, 1)), self)


@behaviour("np.matrix.{flatten,ravel}")
def flattened(ctx: Context, self: Value, *rest: Value, **others: Value) -> Value:
    if not is_matrix(self):
        return ctx.lost("a matrix")
    rows, columns = self.shape.head
    return as_matrix(Shape((1, rows * columns)), self)


@behaviour("np.matrix.getA")
@attribute("np.matrix.A")
def as_array(ctx: Context, self: Value) -> Value:
    return replace(self, role="tensor", step=0, output=0) if is_matrix(self) else ctx.lost("a matrix")


@behaviour("np.matrix.getA1")
@attribute("np.matrix.A1")
def as_vector(ctx: Context, self: Value) -> Value:
    return ctx.apply("np.ravel", as_array(ctx, self)) if is_matrix(self) else ctx.lost("a matrix")


@behaviour("np.matrix.{getT,getH,getI}")
@attribute("np.matrix.{T,H,I}")
def turned(ctx: Context, self: Value) -> Value:
    """Transposed, conjugated or inverted (as a pseudo-inverse, where it is not square)."""
    return as_matrix(Shape(self.shape.head[::-1]), self) if is_matrix(self) else ctx.lost("a matrix")
