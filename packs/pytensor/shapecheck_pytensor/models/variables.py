"""Symbolic variables, with the sizes that the program declares."""

from __future__ import annotations

from shapecheck.models.lang import Answer, AnyValue, DtypeArg, Shape, ShapeArg, Size, Tensor, lost, op

NONE_GIVEN = None


def _declared(rank: int, shape: Shape | None) -> Shape:
    """Return the declared sizes; what is not declared is not known."""
    return Shape(tuple(lost("a size that is not declared") for _ in range(rank))) if shape is None else shape


@op("pytensor.{scalar,dscalar,fscalar,iscalar,lscalar}", dtype="?")
def scalar(name: AnyValue = NONE_GIVEN, dtype: DtypeArg = None) -> Answer:
    return Shape(())


@op("pytensor.{vector,dvector,fvector,ivector,lvector}", dtype="?")
def vector(name: AnyValue = NONE_GIVEN, dtype: DtypeArg = None, shape: ShapeArg | None = None) -> Answer:
    return _declared(1, shape)


@op("pytensor.{matrix,dmatrix,fmatrix,imatrix,lmatrix}", dtype="?")
def matrix(name: AnyValue = NONE_GIVEN, dtype: DtypeArg = None, shape: ShapeArg | None = None) -> Answer:
    return _declared(2, shape)


@op("pytensor.{tensor3,dtensor3,ftensor3}", dtype="?")
def tensor3(name: AnyValue = NONE_GIVEN, dtype: DtypeArg = None, shape: ShapeArg | None = None) -> Answer:
    return _declared(3, shape)


@op("pytensor.tensor_of", dtype="?")
def tensor(name: AnyValue = NONE_GIVEN, dtype: DtypeArg = None, shape: ShapeArg | None = None) -> Answer:
    return Shape((), ()) if shape is None else shape


@op("pytensor.{as_tensor_variable,as_tensor,constant}", dtype="first")
def constant(x: Tensor) -> Answer:
    return "*S -> *S"


@op("pytensor.shared", dtype="first")
def shared(value: Tensor) -> Answer:
    """The sizes of a shared variable may change."""
    rank = value.rank
    return Shape((), ()) if rank is None else _declared(rank, None)


@op("pytensor.{zeros,ones,empty}", dtype="?")
def filled(shape: ShapeArg, dtype: DtypeArg = None) -> Answer:
    return shape


@op("pytensor.{zeros_like,ones_like}", dtype="?")
def like(model: Tensor) -> Answer:
    return "*S -> *S"


@op("pytensor.eye", dtype="?")
def eye(n: Size, m: Size | None = None) -> Answer:
    return Shape((n, n if m is None else m))
