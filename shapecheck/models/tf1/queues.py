"""The input queues of TensorFlow 1: readers, producers and batches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    FALSE,
    NONE,
    Const,
    Dict,
    HomogeneousSeq,
    Scalar,
    Seq,
    Tensor,
    Value,
    as_size,
    items_of,
)
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.lang.ranks import require_rank
from shapecheck.models.lang.unknown_sizes import IN_FILE
from shapecheck.models.tf1.queue_objects import QUEUE
from shapecheck.shapes.claims import FALSE as NEVER
from shapecheck.shapes.claims import AtLeast, Equal
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape
from shapecheck.shapes.size import Kind
from shapecheck.shapes.symbol import Symbol
from shapecheck.shapes.text import show

READER = "tf.ReaderBase"


# Readers ------------------------------------------------------------------------------------------------------------


@behaviour("tf.train.{range_input_producer,input_producer}")
def producer(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return ctx.new(QUEUE)


@behaviour("tf.train.string_input_producer")
def string_producer(ctx: Context, string_tensor: Value, *args: Value, **keywords: Value) -> Value:
    """Return a queue of names, which are given as a vector."""
    require_rank(ctx, "string_tensor", ctx.freeze(string_tensor), 1)
    return ctx.new(QUEUE)


@behaviour("tf.{TFRecordReader,WholeFileReader,TextLineReader,FixedLengthRecordReader,IdentityReader,LMDBReader}")
def reader(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return ctx.new(READER)


@behaviour(f"{READER}.read")
def read(ctx: Context, self: Value, queue: Value, name: Value = NONE) -> Value:
    return Seq("tuple", (Tensor(SCALAR, "string"), Tensor(SCALAR, "string")))


@behaviour(f"{READER}.read_up_to")
def read_up_to(ctx: Context, self: Value, queue: Value, num_records: Value, name: Value = NONE) -> Value:
    many = ctx.fresh("records", Kind.DYNAMIC, "as many as there are")
    return Seq("tuple", (Tensor(Shape((many,)), "string"), Tensor(Shape((many,)), "string")))


@behaviour("tf.train.slice_input_producer")
def slice_input_producer(ctx: Context, tensor_list: Value, *args: Value, **keywords: Value) -> Value:
    tensors = [as_tensor(item, ctx) for item in items_of(tensor_list) or ()]
    if not tensors:
        return ctx.lost("slices of unknown tensors")
    for tensor in tensors[1:]:
        first, size = tensors[0].shape.size(0), tensor.shape.size(0)
        if first is not None and size is not None and first != size:
            ctx.require(ClashKind.AXIS, Equal(first, size), f"the tensors have {first} and {size} rows", *tensors)
    return Seq("list", tuple(_slice(ctx, tensor) for tensor in tensors))


def _made(tensor: Tensor, shape: Shape) -> Tensor:
    return replace(tensor, shape=shape, step=0, output=0, content=None, library="tf", role="tensor")


def _slice(ctx: Context, tensor: Tensor) -> Tensor:
    shape = tensor.shape
    if shape.rank == 0:
        ctx.require(ClashKind.RANK, AtLeast(0, 1), "a scalar cannot be sliced", tensor)
        return _made(tensor, UNRANKED)
    return _made(tensor, Shape(shape.head[1:], shape.tail) if shape.head else UNRANKED)


# Batches ------------------------------------------------------------------------------------------------------------


@behaviour("tf.train.{batch,maybe_batch}")
def batch(
    ctx: Context,
    tensors: Value,
    batch_size: Value,
    num_threads: Value = NONE,
    capacity: Value = NONE,
    enqueue_many: Value = FALSE,
    shapes: Value = NONE,
    dynamic_pad: Value = FALSE,
    allow_smaller_final_batch: Value = FALSE,
    **keywords: Value,
) -> Value:
    if dynamic_pad == FALSE and shapes == NONE:
        _are_fixed(ctx, tensors, enqueue_many)
    return _batched(ctx, tensors, batch_size, enqueue_many, allow_smaller_final_batch, shapes)


@behaviour("tf.train.{shuffle_batch,maybe_shuffle_batch}")
def shuffle_batch(
    ctx: Context,
    tensors: Value,
    batch_size: Value,
    capacity: Value = NONE,
    min_after_dequeue: Value = NONE,
    num_threads: Value = NONE,
    seed: Value = NONE,
    enqueue_many: Value = FALSE,
    shapes: Value = NONE,
    allow_smaller_final_batch: Value = FALSE,
    **keywords: Value,
) -> Value:
    if shapes == NONE:
        _are_fixed(ctx, tensors, enqueue_many)
    return _batched(ctx, tensors, batch_size, enqueue_many, allow_smaller_final_batch, shapes)


@behaviour("tf.train.{batch_join,shuffle_batch_join}")
def batch_join(
    ctx: Context, tensors_list: Value, batch_size: Value, *args: Value, enqueue_many: Value = FALSE, **keywords: Value
) -> Value:
    first = ctx.element(tensors_list)
    smaller = keywords.get("allow_smaller_final_batch", FALSE)
    return _batched(ctx, first, batch_size, enqueue_many, smaller, keywords.get("shapes", NONE))


def _are_fixed(ctx: Context, value: Value, many: Value) -> None:
    """State that the items have one shape that is known when the graph is built, as the queue behind a batch
    requires.
    """
    items = [part for part in items_of(value) or (value,) if isinstance(part, Tensor) and part.role == "tensor"]
    if many not in (FALSE, Const(True)):
        return
    for item in items:
        sizes = item.shape.head[many == Const(True) :] if item.shape.tail is None else ()
        if any(not isinstance(size, int) and all(map(_is_open, size.symbols())) for size in sizes):
            said = f"an item has shape {show(item.shape)}, a batch is made of items whose shape is known"
            ctx.require(ClashKind.UNBUILT, NEVER, said, item)
            return


def _is_open(symbol: Symbol) -> bool:
    """Return whether a size is not known when a graph is built: declared open, or that of an image in a file."""
    return symbol.kind is Kind.DYNAMIC or symbol.why == IN_FILE


def _batched(ctx: Context, value: Value, batch_size: Value, many: Value, smaller: Value, shapes: Value) -> Value:
    size = as_size(batch_size)
    if size is None or smaller != FALSE:
        size = ctx.fresh("batch", Kind.DYNAMIC if size is not None else Kind.LOST, "the size of a batch")
    if many not in (FALSE, Const(True)) or shapes != NONE:
        return _each(ctx, value, lambda tensor: _made(tensor, Shape((size,), ())))
    skip = 1 if many == Const(True) else 0

    def grow(tensor: Tensor) -> Tensor:
        shape = tensor.shape
        if shape.tail is not None:
            return _made(tensor, Shape((size,), ()))
        return _made(tensor, Shape((size, *shape.head[skip:])))

    return _each(ctx, value, grow)


def _each(ctx: Context, value: Value, change: Callable[[Tensor], Tensor]) -> Value:
    match value:
        case Seq(items=items):
            made = [change(as_tensor(item, ctx)) for item in items]
            return made[0] if len(made) == 1 else Seq("list", tuple(made))
        case Dict(items=pairs, rest=None):
            return Dict(tuple((key, change(as_tensor(item, ctx))) for key, item in pairs))
        case HomogeneousSeq(element=element, length=length):
            return HomogeneousSeq("list", change(as_tensor(element, ctx)), length)
        case Tensor() | Scalar() | Const():
            return change(as_tensor(value, ctx))
    return ctx.lost("a batch of unknown tensors")
