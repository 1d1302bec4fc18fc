"""Functions along axes: reductions, searches, sorting, and those that keep every axis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import FALSE, NONE, TRUE, Const, Lost, Seq, as_size
from shapecheck.domain.values import Tensor as TensorValue
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Axes,
    Axis,
    Blind,
    DtypeArg,
    Flag,
    Ranked,
    Refused,
    Result,
    Size,
    Tensor,
    also,
    at,
    op,
    result,
)
from shapecheck.models.lang.axis_positions import instead, place_of
from shapecheck.models.lang.constraints import broadcasting, of_rank
from shapecheck.models.lang.gradient_norms import of_gradients
from shapecheck.models.lang.summed import averaged, of_all
from shapecheck.models.lang.unknown_sizes import lost
from shapecheck.models.torch.softmax import over_samples
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import maximum

BOTH = "{torch,torch.Tensor}"


def along(input: Tensor, axes: int | Sequence[int] | None, text: str) -> Answer:
    """Return the change of some axes; a scalar has one axis, the number 0 or -1, that changes nothing."""
    named = (axes,) if isinstance(axes, int) else axes or ()
    if input.rank == 0 and set(named) <= {0, -1} and len(named) < 2:
        return result(*[Shape(())] * (text.count(",") + 1))
    return at(axes, text)


def _reduced(input: Tensor, axes: int | Sequence[int] | None, keepdim: bool) -> Answer:
    return along(input, axes, "d -> 1" if keepdim else "d ->")


@op(f"{BOTH}.mean", dtype="first")
def mean(input: Tensor, dim: Axes = None, keepdim: Flag = False) -> Answer:
    return _reduced(input, dim or None, keepdim), also(notices=averaged(input))


@op(f"{BOTH}.sum", dtype="first sum")
def summed(input: Tensor, dim: Axes = None, keepdim: Flag = False) -> Answer:
    return _reduced(input, dim or None, keepdim), also(nature=of_all(input, dim or None))


@op(f"{BOTH}.nansum", dtype="first sum")
@op(f"{BOTH}.nanmean", dtype="first")
@op(f"{BOTH}.logsumexp", "torch.special.logsumexp", dtype="first float")
@op(f"{BOTH}.{{amax,amin}}", dtype="first")
@op(f"{BOTH}.{{std,var}}", dtype="first real")
@op(f"{BOTH}.count_nonzero", dtype="int64")
def reduce(input: Tensor, dim: Axes = None, keepdim: Flag = False) -> Answer:
    """An empty list of axes means all of them."""
    return _reduced(input, dim or None, keepdim)


@op("torch.{std_mean,var_mean}", dtype="?", returns="tuple")
def with_mean(input: Tensor, dim: Axes = None, keepdim: Flag = False) -> Answer:
    kept = "1" if keepdim else ""
    return along(input, dim or None, f"d -> {kept}, {kept}")


@op(f"{BOTH}.aminmax", dtype="?", returns="tuple")
def both_ends(input: Tensor, dim: Axis | None = None, keepdim: Flag = False) -> Answer:
    kept = "1" if keepdim else ""
    return along(input, dim, f"d -> {kept}, {kept}")


@op(f"{BOTH}.prod", dtype="first sum")
def prod(input: Tensor, dim: Axis | None = None, keepdim: Flag = False) -> Answer:
    return _reduced(input, dim, keepdim)


@op(f"{BOTH}.any", dtype="?")
def any_of(input: Tensor, dim: Axes = None, keepdim: Flag = False) -> Answer:
    return _tested(input, dim, keepdim, FALSE)


@op(f"{BOTH}.all", dtype="?")
def all_of(input: Tensor, dim: Axes = None, keepdim: Flag = False) -> Answer:
    return _tested(input, dim, keepdim, TRUE)


def _tested(input: Tensor, dim: Axes, keepdim: Flag, of_none: Const) -> Answer:
    """Bytes stay bytes. The answer for no elements is known."""
    dtype = input.dtype and ("uint8" if input.dtype == "uint8" else "bool")
    is_empty = dim is None and not keepdim and input.rank is not None and 0 in input.shape.head
    return _reduced(input, dim or None, keepdim), also(dtype=dtype, content=of_none if is_empty else None)


@op(f"{BOTH}.{{argmax,argmin}}", dtype="int64")
def argmax(input: Tensor, dim: Axis | None = None, keepdim: Flag = False) -> Answer:
    if dim is None:
        return Shape(()) if not keepdim else at(None, "d -> 1")
    return _reduced(input, dim, keepdim)


@op(f"{BOTH}.{{max,min}}", dtype="?,?")
def largest(input: Tensor, dim: AnyValue = NONE, keepdim: Flag = False, other: AnyValue = NONE) -> Answer:
    """Without an axis it is one number, with an axis the values and their places; of two tensors, elementwise."""
    return _largest(input, dim if other == NONE else other, keepdim)


def _largest(input: Tensor, dim: AnyValue, keepdim: Flag) -> Answer:
    if isinstance(dim, TensorValue):
        return _larger(input, dim)
    if dim == NONE:
        return Shape(()), also(dtype=input.dtype)
    return _with_places(input, as_size(dim), keepdim)


def _larger(input: Tensor, other: TensorValue) -> Answer:
    """Return the larger of two tensors, element by element."""
    shape, needs = broadcasting([input.shape, other.shape], f"{input.name} {input.shape} and {other.shape}")
    return result(shape, needs=needs, dtype=input.dtype if input.dtype == other.dtype else None)


@op(f"{BOTH}.mode", dtype="?", returns="tuple")
def mode(input: Tensor, dim: Axis = -1, keepdim: Flag = False) -> Answer:
    return _with_places(input, dim, keepdim)


@op(f"{BOTH}.{{median,nanmedian}}", dtype="?,?")
def median(input: Tensor, dim: AnyValue = NONE, keepdim: Flag = False) -> Answer:
    if dim == NONE:
        return Shape(()), also(dtype=input.dtype)
    return _with_places(input, as_size(dim), keepdim)


def _with_places(input: Tensor, axis: object, keepdim: bool) -> Answer:
    """Return the values along an axis, and where they are."""
    if not isinstance(axis, int):
        raise Blind("the axis")
    kept = "1" if keepdim else ""
    return _typed(input, along(input, axis, f"d -> {kept}, {kept}"))


def _typed(input: Tensor, answer: Answer) -> Answer:
    """Return values of the operand's dtype, and places."""
    dtypes = (input.dtype, "int64")
    return replace(answer, dtype=dtypes) if isinstance(answer, Result) else (answer, also(dtype=dtypes))


@op(f"{BOTH}.{{cummax,cummin}}", dtype="?", returns="tuple")
def cumulative_largest(input: Tensor, dim: Axis) -> Answer:
    return _typed(input, along(input, dim, "d -> d, d"))


@op(f"{BOTH}.{{cumsum,cumprod}}", dtype="first sum")
@op(f"{BOTH}.{{logcumsumexp}}")
def cumulative(input: Tensor, dim: Axis) -> Answer:
    return along(input, dim, "d -> d")


@op(f"{BOTH}.sort", dtype="?", returns="tuple")
def sort(input: Tensor, dim: Axis = -1, descending: AnyValue = NONE) -> Answer:
    return _typed(input, along(input, dim, "d -> d, d"))


@op(f"{BOTH}.argsort", dtype="int64")
def argsort(input: Tensor, dim: Axis = -1, descending: AnyValue = NONE) -> Answer:
    return along(input, dim, "d -> d")


@op(f"{BOTH}.topk", dtype="?", returns="tuple")
def topk(input: Ranked, k: Size, dim: Axis = -1, largest: AnyValue = NONE, sorted: AnyValue = NONE) -> Answer:
    """The largest entries of an axis, which must have as many."""
    return _top(input, k, dim)


def _top(input: Ranked, k: Size, dim: Axis) -> Answer:
    if input.rank == 0 and (k in (0, 1) or not isinstance(k, int)):
        return result(input.shape, input.shape, dtype=(input.dtype, "int64"))
    place = place_of(input, dim)
    size = input.shape.head[place]
    if isinstance(k, int) and isinstance(size, int) and k > size:
        raise Refused(ClashKind.INDEX_RANGE, f"k is {k}, {input.name} has {size} on axis {place}")
    shape = instead(input.shape, place, Shape((k,)))
    return result(shape, shape, dtype=(input.dtype, "int64"))


@op(f"{BOTH}.kthvalue", dtype="?", returns="tuple")
def kthvalue(input: Tensor, k: Size, dim: Axis = -1, keepdim: Flag = False) -> Answer:
    size = 1 if input.rank == 0 else input.shape.size(dim)
    if isinstance(k, int) and (k < 1 or (isinstance(size, int) and k > size)):
        raise Refused(ClashKind.INDEX_RANGE, f"k is {k}, {input.name} has {size} on axis {dim}")
    return _with_places(input, dim, keepdim)


@op(f"{BOTH}.{{quantile,nanquantile}}")
def quantile(input: Tensor, q: Ranked, dim: Axis | None = None, keepdim: Flag = False) -> Answer:
    """Several quantiles add a first axis."""
    of_rank(q, 0, 1)
    return _reduced(input, dim, keepdim) if q.rank == 0 else _with_first(q.shape, input, dim, keepdim)


def _with_first(first: Shape, input: Tensor, dim: Axis | None, keepdim: Flag) -> Answer:
    """Return the shape without an axis, or without all, below other axes."""
    if input.rank is None or (input.rank == 0 and dim in (None, 0, -1)):
        return UNRANKED if input.rank is None else first
    gone = range(input.rank) if dim is None else (place_of(input, dim),)
    kept = [1 if at in gone else size for at, size in enumerate(input.shape.head) if keepdim or at not in gone]
    return Shape((*first.head, *kept))


@op("torch.softmax", "torch.Tensor.softmax", "torch.nn.functional.{softmax,softmin}", "torch.special.softmax")
def softmax(input: Tensor, dim: Axis | None = None, _stacklevel: AnyValue = NONE, dtype: DtypeArg = None) -> Answer:
    """Without an axis, PyTorch takes one by the rank, and warns."""
    return _normalised(input, dim)


def _normalised(input: Tensor, dim: Axis | None) -> Answer:
    if dim is None:
        return "*S -> *S", also(nature="softmax")
    last = (input.rank is None and dim == -1) or (input.rank is not None and dim in (-1, input.rank - 1))
    notices = over_samples(input, dim) if input.rank else []
    changed = along(input, dim, "d -> d")
    return (
        changed if input.rank == 0 else (changed, also(nature="softmax" if last or dim == 1 else "", notices=notices))
    )


@op("torch.log_softmax", "torch.Tensor.log_softmax", "torch.nn.functional.log_softmax", "torch.special.log_softmax")
def log_softmax(input: Tensor, dim: Axis | None = None, _stacklevel: AnyValue = NONE, dtype: DtypeArg = None) -> Answer:
    return _of_logarithms(input, dim)


def _of_logarithms(input: Tensor, dim: Axis | None) -> Answer:
    if dim is None:
        return "*S -> *S"
    notices = over_samples(input, dim) if input.rank else []
    changed = along(input, dim, "d -> d")
    return changed if input.rank == 0 else (changed, also(notices=notices))


@op(f"{BOTH}.norm", "torch.linalg.norm", "torch.linalg.vector_norm", dtype="first real")
def norm(input: Tensor, p: AnyValue = NONE, dim: Axes = None, keepdim: Flag = False) -> Answer:
    return _reduced(input, dim or None, keepdim), also(nature=of_gradients(input))


FRO = Const("fro")
ORDERS = ("fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf)
"""The norms of matrices."""


@op("torch.linalg.matrix_norm", dtype="first real")
def matrix_norm(input: Tensor, ord: AnyValue = FRO, dim: Axes = (-2, -1), keepdim: Flag = False) -> Answer:
    if dim is None or len(dim) != 2:
        raise Refused(ClashKind.RANK, f"dim {dim} does not name two axes")
    is_norm = not isinstance(ord, Const) or ord.value in ORDERS
    return at(dim, "d -> 1" if keepdim else "d ->") if is_norm else UNRANKED


@op("torch.nn.functional.normalize")
def normalize(input: Tensor, p: AnyValue = NONE, dim: Axis = 1) -> Answer:
    return along(input, dim, "d -> d")


def similarity(x1: Tensor, x2: Tensor, dim: Axis, keepdim: bool = False) -> Answer:
    """Return one number for each pair of vectors along an axis, after both were broadcast."""
    if x1.rank is None or x2.rank is None:
        return UNRANKED
    shape, needs = broadcasting([x1.shape, x2.shape], f"{x1.name} {x1.shape} and {x2.name} {x2.shape}")
    has_axis = shape.tail is None and -len(shape.head) <= dim < len(shape.head)
    kept = Shape((1,) if keepdim else ())
    return result(instead(shape, dim % len(shape.head), kept) if has_axis else UNRANKED, needs=needs)


@op(f"{BOTH}.diff")
def diff(input: Ranked, n: Size = 1, dim: Axis = -1) -> Answer:
    place = place_of(input, dim)
    return instead(input.shape, place, Shape((maximum(input.shape.head[place] - n, 0),)))


@op(f"{BOTH}.nonzero", dtype="int64")
def nonzero(input: Tensor, as_tuple: Flag = False) -> Answer:
    return _places(input, as_tuple)


def _places(input: Tensor, as_tuple: Flag) -> Answer:
    count = lost("the entries that are not 0")
    if as_tuple:
        if not input.rank:
            return result(Lost("a tuple of places"))
        return result(Seq("tuple", (TensorValue(Shape((count,)), "int64", "torch"),) * input.rank))
    return Shape((count, input.rank)) if input.rank is not None else Shape((count, lost("the rank")))


@op(f"{BOTH}.bincount", dtype="int64")
def bincount(input: Tensor) -> Answer:
    return Shape((lost("the largest number"),))


@op(f"{BOTH}.masked_select")
def masked_select(input: Tensor, mask: Tensor) -> Answer:
    return "~B, ~B -> (n)", {"n": lost("the entries of a mask")}, also(dtype=input.dtype)


@op(f"{BOTH}.trace", dtype="first sum")
def trace(input: Tensor) -> Answer:
    return "m n ->"


@op(f"{BOTH}.diag")
def diag(input: Tensor, diagonal: Size = 0) -> Answer:
    if diagonal != 0 or input.rank is None:
        return UNRANKED
    return "n -> n n" if input.rank == 1 else "m n -> (min(m, n))"
