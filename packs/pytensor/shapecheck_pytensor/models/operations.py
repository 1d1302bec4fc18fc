"""Operations: elementwise ones, products, reductions, and new orders of axes."""

from __future__ import annotations

from collections.abc import Callable

from shapecheck.domain.values import Value
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Axes,
    Axis,
    Context,
    Flag,
    Ranked,
    ShapeArg,
    Tensor,
    Tensors,
    at,
    attribute,
    op,
    reduced,
)
from shapecheck.models.ops import join, reshape

BOTH = "{pytensor,pytensor.Variable}"


@op("pytensor.{exp,log,log1p,sqrt,sqr,square,tanh,sin,cos,abs,neg,sign,sigmoid,softplus,floor,ceil,round,clip,erf}")
def elementwise(x: Tensor) -> Answer:
    return "*S -> *S"


def _register(sign: str, name: str) -> Callable[..., Answer]:
    def of_two(x: Tensor, y: Tensor) -> Answer:
        return "~B, ~B -> ~B"

    of_two.__module__ = __name__
    return op(f"pytensor.{name}", operator=sign, dtype="?")(of_two)


for _sign, _name in (
    *(("+", "add"), ("-", "sub"), ("*", "mul"), ("/", "true_div"), ("//", "int_div"), ("**", "pow"), ("%", "mod")),
    *(("<", "lt"), ("<=", "le"), (">", "gt"), (">=", "ge"), ("", "eq"), ("", "neq"), ("", "maximum"), ("", "minimum")),
):
    _register(_sign, _name)


@op("pytensor.{switch,where}", dtype="?")
def switch(cond: Tensor, ift: Tensor, iff: Tensor) -> Answer:
    return "~B, ~B, ~B -> ~B"


@op("pytensor.matmul", operator="@", dtype="?")
def matmul(x1: Tensor, x2: Tensor) -> Answer:
    return "~B m? k, ~B k n? -> ~B m? n?"


@op("pytensor.dot", "pytensor.Variable.dot", dtype="?")
def dot(x: Tensor, y: Tensor) -> Answer:
    return "m? k, k n? -> m? n?"


@op("pytensor.outer", dtype="?")
def outer(x: Tensor, y: Tensor) -> Answer:
    return "m, n -> m n"


@op(f"{BOTH}.{{sum,prod,mean,max,min,std,var,any,all}}", dtype="?")
def reduction(input: Tensor, axis: Axes = None, keepdims: Flag = False) -> Answer:
    return reduced(axis, keepdims)


@op(f"{BOTH}.{{argmax,argmin}}", dtype="int64")
def place(x: Tensor, axis: Axis | None = None, keepdims: Flag = False) -> Answer:
    return reduced(axis, keepdims)


@op("pytensor.{softmax,log_softmax}", f"{BOTH}.{{cumsum,sort}}", dtype="first")
def along(x: Tensor, axis: Axis = -1) -> Answer:
    return at(axis, "d -> d")


@op("pytensor.reshape", "pytensor.Variable.reshape", dtype="first")
def reshaped(x: Tensor, newshape: ShapeArg, ndim: AnyValue = None) -> Answer:
    return reshape.reshape(x, newshape)


@op(f"{BOTH}.flatten", dtype="first")
def flattened(x: Tensor) -> Answer:
    return "*S -> (prod(S))"


@op(f"{BOTH}.transpose", dtype="first")
def transpose(x: Ranked, axes: Axes = None) -> Answer:
    return reshape.transpose(x, axes)


@attribute("pytensor.Variable.T")
def turned(ctx: Context, self: Value) -> Value:
    return ctx.apply("pytensor.transpose", self)


@op("pytensor.expand_dims", dtype="first")
def expanded(x: Tensor, axis: Axis) -> Answer:
    return at(axis, "-> 1")


@op("pytensor.{concatenate,join}", dtype="?")
def concatenate(tensor_list: Tensors, axis: Axis = 0) -> Answer:
    return join.concatenated(tensor_list, axis)


@op("pytensor.stack", dtype="?")
def stack(tensors: Tensors, axis: Axis = 0) -> Answer:
    return join.stack(tensors, axis)
