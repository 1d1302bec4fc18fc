"""NumPy's matrices: creation, the `*` operator, and attributes that other arrays do not have."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Value, as_size, as_str
from shapecheck.domain.values import Tensor as TensorValue
from shapecheck.models.lang import Answer, Blind, Context, Ranked, Tensor, attribute, behaviour, equal, op, result
from shapecheck.models.lang.np_matrix import MATRIX, as_matrix, is_matrix, two_axes
from shapecheck.models.lang.unknown_sizes import lost
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Size


@op("np.{mat,matrix,asmatrix}", oracle="none: a matrix, not an array")
def matrix(data: Tensor) -> Answer:
    """Convert an array or a text; a scalar becomes one row with one column."""
    shape = _written(data) if data.dtype == "string" else two_axes(data.shape)
    rows, columns = (lost(), lost()) if shape is None else shape.head or (1, 1)
    dtype = None if data.dtype == "string" else data.dtype
    return result(TensorValue(Shape((rows, columns)), dtype, "np", role=MATRIX))


def _written(data: Tensor) -> Shape | None:
    """Return the shape of a matrix given as text: "1 2; 3 4" has two rows and two columns."""
    text = as_str(data.content) if data.content is not None else None
    rows = [row.replace(",", " ").split() for row in (text or "").strip(" []").split(";")]
    return Shape((len(rows), len(rows[0]))) if text is not None and len({len(row) for row in rows}) == 1 else None


@op("np.matrix.__mul__", operator="matrix*", dtype="promote", oracle="none: an operator")
def product(x: Ranked, y: Ranked) -> Answer:
    """A vector is read as a single row; a number is not a matrix."""
    if not x.rank or not y.rank:
        return "~B, ~B -> ~B"
    (rows, inner), (outer, columns) = _table(x), _table(y)
    return Shape((rows, columns)), equal(ClashKind.AXIS, inner, outer, f"x has {inner} columns, y has {outer} rows")


def _table(x: Ranked) -> tuple[Size, ...]:
    """Return the rows and columns."""
    shape = two_axes(x.shape)
    if shape is None:
        raise Blind("what a matrix is multiplied with")
    return shape.head


@op("np.matrix.__pow__", operator="matrix**", oracle="none: an operator")
def power(x: Tensor, y: Tensor) -> Answer:
    if x.rank != 2 or y.rank != 0:
        raise Blind("what a matrix is raised to")
    return "n n, -> n n"


@behaviour("np.matrix.{sum,mean,std,var,max,min,prod,any,all,argmax,argmin}")
def reduced(ctx: Context, self: Value, axis: Value = NONE, *rest: Value, **others: Value) -> Value:
    """A reduction along an axis keeps that axis."""
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
    """Transpose, conjugate or invert (as a pseudo-inverse, if it is not square)."""
    return as_matrix(Shape(self.shape.head[::-1]), self) if is_matrix(self) else ctx.lost("a matrix")
