"""Functions of one item that are mapped over batches: what they are given, and what is made of their results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Const, Dict, Int, Lost, Partial, Ref, Scalar, Seq, Tensor, Value, as_size
from shapecheck.models.lang import Context
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.shapes.claims import FALSE, Equal
from shapecheck.shapes.facts import Verdict
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size

OfObject = Callable[[Context, Ref], Value]
SeveralObjects = Callable[[Context, Ref, Size | None], Value]


def each_leaf(ctx: Context, value: Value, change: Callable[[Value], Value], of_object: OfObject | None = None) -> Value:
    """Return a tree with other leaves; what is no tree of arrays and numbers is not known."""
    match value:
        case Seq(kind="list" | "tuple" as kind, items=items):
            return Seq(kind, tuple(each_leaf(ctx, item, change, of_object) for item in items))
        case Dict(items=pairs, rest=None):
            return Dict(tuple((key, each_leaf(ctx, item, change, of_object)) for key, item in pairs))
        case Const(value=None) | Lost():
            return value
        case Tensor() | Const(value=bool() | int() | float() | complex()) | Int() | Scalar():
            return change(value)
        case Ref() if of_object is not None:
            return of_object(ctx, value)
    return ctx.lost("a tree of other objects")


def for_each(axes: Value, arguments: Sequence[Value]) -> list[Value] | None:
    """Return the axes of each argument."""
    if isinstance(axes, Seq):
        return list(axes.items) if len(axes.items) == len(arguments) else None
    is_one = axes == NONE or isinstance(as_size(axes), int)
    return [axes] * len(arguments) if is_one else None


def batches(argument: Value, axis: Value) -> Iterator[tuple[Tensor, Size | None]]:
    """Yield the batches in an argument with their sizes, None for one that is not known."""
    match argument, axis:
        case _, Const(value=None):
            return
        case Tensor(), Const(value=int(place)):
            yield argument, argument.shape.size(place)
        case Seq(items=items), Seq(items=each) if len(items) == len(each):
            for pair in zip(items, each, strict=True):
                yield from batches(*pair)
        case Seq(items=items), _:
            for item in items:
                yield from batches(item, axis)
        case Dict(items=pairs), Dict():
            for key, item in pairs:
                yield from batches(item, axis.get(key) or NONE)
        case Dict(items=pairs), _:
            for _, item in pairs:
                yield from batches(item, axis)


def agree(ctx: Context, found: Sequence[tuple[Tensor, Size | None]], option: str) -> bool:
    """State that all batches have the same size, and an axis for it; `option` is the name of what tells the axes."""
    known = [(tensor, size) for tensor, size in found if size is not None]
    for tensor, size in found:
        if tensor.shape.tail is None and size is None:
            rank = len(tensor.shape.head)
            said = f"an array of rank {rank} has no such axis" if rank else "a number has no axis of a batch"
            ctx.require(ClashKind.RANK, FALSE, f"{said}: {option} must be another one for it, or None", tensor)
            return False
    for tensor, size in known[1:]:
        first = known[0][1]
        said = f"a batch of {first} and a batch of {size} are mapped together"
        if ctx.require(ClashKind.AXIS, Equal(first, size), said, known[0][0], tensor) is Verdict.NEVER:
            return False
    return True


def one_of(ctx: Context, argument: Value, axis: Value, of_object: OfObject | None = None) -> Value:
    """Return one item of a batch."""
    match argument, axis:
        case (_, Const(value=None)) | (Const(value=None), _):
            return argument
        case Tensor(), Const(value=int(place)):
            return replace(argument, shape=_without(argument.shape, place), step=0, output=0, content=None, nature="")
        case Seq(items=items), Seq(items=each) if len(items) == len(each):
            parts = zip(items, each, strict=True)
            return Seq(argument.kind, tuple(one_of(ctx, part, its, of_object) for part, its in parts))
        case Seq(items=items), Const():
            return Seq(argument.kind, tuple(one_of(ctx, item, axis, of_object) for item in items))
        case Dict(items=pairs, rest=None), Dict():
            of_keys = ((key, one_of(ctx, item, axis.get(key) or NONE, of_object)) for key, item in pairs)
            return Dict(tuple(of_keys))
        case Dict(items=pairs, rest=None), Const():
            return Dict(tuple((key, one_of(ctx, item, axis, of_object)) for key, item in pairs))
        case Ref(), Const(value=int()) if of_object is not None:
            return of_object(ctx, argument)
    return ctx.lost("an item of a batch")


def _without(shape: Shape, place: int) -> Shape:
    """Return the shape without an axis."""
    if shape.tail is not None:
        return Shape(shape.head[1:], shape.tail) if place == 0 and shape.head else UNRANKED
    if not -len(shape.head) <= place < len(shape.head):
        return UNRANKED
    at = place % len(shape.head)
    return Shape((*shape.head[:at], *shape.head[at + 1 :]))


def collected(
    ctx: Context,
    result: Value,
    axes: Value,
    size: Size | None,
    library: str,
    of_object: SeveralObjects | None = None,
) -> Value:
    """Return the results of all items, along an axis of their own, which may be told for arrays alone."""
    if isinstance(axes, Seq):
        if not isinstance(result, Seq) or len(axes.items) != len(result.items):
            return ctx.lost("axes of results")
        pairs = zip(result.items, axes.items, strict=True)
        return Seq(result.kind, tuple(collected(ctx, item, axis, size, library, of_object) for item, axis in pairs))
    if axes == NONE:
        return result
    of_arrays = isinstance(axes, Partial)
    place = as_size(axes.args[0] if isinstance(axes, Partial) else axes)

    def with_axis(leaf: Value) -> Value:
        if of_arrays and not isinstance(leaf, Tensor):
            return leaf
        item = as_tensor(leaf, ctx)
        shape = _with_axis(item.shape, place, size) if isinstance(place, int) and size is not None else UNRANKED
        return Tensor(shape, item.dtype, library)

    several = None if of_object is None else lambda ctx, value: of_object(ctx, value, size)
    return each_leaf(ctx, result, with_axis, several)


def _with_axis(shape: Shape, place: int, size: Size) -> Shape:
    head, tail = shape.head, shape.tail
    if tail is not None:
        return Shape((size, *head), tail) if place == 0 else UNRANKED
    at = place if place >= 0 else len(head) + 1 + place
    return Shape((*head[:at], size, *head[at:])) if 0 <= at <= len(head) else UNRANKED
