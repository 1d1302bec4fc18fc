"""The queues of TensorFlow 1 that a program fills itself."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Dict, Ref, Seq, Tensor, Value, as_size, items_of
from shapecheck.models.lang import Context, base, behaviour
from shapecheck.models.lang.apply import same
from shapecheck.models.lang.arguments import as_tensor, dtype_name, shape_arg
from shapecheck.models.lang.parameter_kinds import Tensor as Operand
from shapecheck.models.tf1.graph import operation
from shapecheck.shapes.claims import FALSE
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size

QUEUE = "tf.QueueBase"
for _cls in ("FIFOQueue", "RandomShuffleQueue", "PaddingFIFOQueue", "PriorityQueue"):
    base(f"tf.queue.{_cls}", QUEUE)


@behaviour("tf.{FIFOQueue,PaddingFIFOQueue}", "tf.queue.{FIFOQueue,PaddingFIFOQueue}")
def fifo(
    ctx: Context, capacity: Value, dtypes: Value, shapes: Value = NONE, names: Value = NONE, **keywords: Value
) -> Value:
    return _queue(ctx, dtypes, shapes, names)


@behaviour("tf.RandomShuffleQueue", "tf.queue.RandomShuffleQueue")
def shuffling(
    ctx: Context,
    capacity: Value,
    min_after_dequeue: Value,
    dtypes: Value,
    shapes: Value = NONE,
    names: Value = NONE,
    **keywords: Value,
) -> Value:
    return _queue(ctx, dtypes, shapes, names)


@behaviour("tf.PriorityQueue", "tf.queue.PriorityQueue")
def by_priority(ctx: Context, capacity: Value, types: Value, *args: Value, **keywords: Value) -> Value:
    return ctx.new(QUEUE)


def _queue(ctx: Context, dtypes: Value, shapes: Value, names: Value) -> Value:
    """Return a queue with the shapes of its components, if there is one for each dtype."""
    kinds = items_of(ctx.freeze(dtypes))
    kinds = (dtypes,) if kinds is None else kinds
    given = _shapes(ctx.freeze(shapes))
    if given is not None and len(given) != len(kinds):
        said = f"there are {len(given)} shapes for {len(kinds)} dtypes"
        ctx.require(ClashKind.RANK, FALSE, said)
        return ctx.new(QUEUE)
    given = (NONE,) * len(kinds) if given is None else given
    return ctx.new(QUEUE, _dtypes=Seq("tuple", kinds), _shapes=Seq("tuple", given), _names=ctx.freeze(names))


def _shapes(given: Value) -> tuple[Value, ...] | None:
    """Return the shapes of the components, None if it is not known which they are; numbers alone are one shape."""
    items = items_of(given)
    if items is None:
        return None
    if (isinstance(given, Seq) and given.kind == "shape") or all(map(_is_size, items)):
        return (given,)
    return items if all(items_of(item) is not None for item in items) else None


def _is_size(item: Value) -> bool:
    return item == NONE or as_size(item) is not None


def _components(ctx: Context, queue: Value) -> list[Tensor] | None:
    """Return a value for each component of an element; None if they are not known."""
    kinds, shapes = (items_of(ctx.get(queue, name) or NONE) for name in ("_dtypes", "_shapes"))
    if kinds is None or shapes is None:
        return None
    return [
        Tensor(UNRANKED if shape == NONE else shape_arg(shape, ctx), dtype_name(kind))
        for kind, shape in zip(kinds, shapes, strict=True)
    ]


# What goes in -------------------------------------------------------------------------------------------------------


@behaviour(f"{QUEUE}.enqueue")
def enqueue(ctx: Context, self: Ref, vals: Value, name: Value = NONE) -> Value:
    for part, given in _pairs(ctx, self, vals):
        _fits(ctx, part.shape, given.shape, given)
    return operation(ctx, vals)


@behaviour(f"{QUEUE}.enqueue_many")
def enqueue_many(ctx: Context, self: Ref, vals: Value, name: Value = NONE) -> Value:
    for part, given in _pairs(ctx, self, vals):
        if given.shape.rank == 0:
            ctx.require(ClashKind.RANK, FALSE, "a scalar has no rows to put into the queue", given)
        elif given.shape.is_ranked:
            _fits(ctx, part.shape, Shape(given.shape.head[1:]), given)
    return operation(ctx, vals)


def _pairs(ctx: Context, queue: Ref, vals: Value) -> list[tuple[Tensor, Tensor]]:
    """Return each component with what is put into it; state that there is one for each."""
    parts, given = _components(ctx, queue), items_of(ctx.freeze(vals))
    if parts is None or isinstance(ctx.freeze(vals), Dict) or ctx.get(queue, "_names") not in (None, NONE):
        return []
    given = (vals,) if given is None or isinstance(vals, Tensor) else given
    if len(given) != len(parts):
        said = f"an element of the queue has {len(parts)} components, {len(given)} are given"
        ctx.require(ClashKind.RANK, FALSE, said, vals)
        return []
    return [(part, as_tensor(value, ctx)) for part, value in zip(parts, given, strict=True)]


def _fits(ctx: Context, wanted: Shape, have: Shape, value: Tensor) -> None:
    if wanted.is_ranked and have.is_ranked:
        for need in same(Operand("a component", wanted), wanted, Operand("an element", have), have):
            ctx.require(need.kind, need.claim, need.message, value)


# What comes out -----------------------------------------------------------------------------------------------------


@behaviour(f"{QUEUE}.dequeue")
def dequeue(ctx: Context, self: Ref, name: Value = NONE) -> Value:
    return _taken(ctx, self, ())


@behaviour(f"{QUEUE}.dequeue_many")
def dequeue_many(ctx: Context, self: Ref, n: Value, name: Value = NONE) -> Value:
    size = as_size(n)
    return _taken(ctx, self, (ctx.fresh("?", Kind.LOST, "the rows taken") if size is None else size,))


@behaviour(f"{QUEUE}.dequeue_up_to")
def dequeue_up_to(ctx: Context, self: Ref, n: Value, name: Value = NONE) -> Value:
    return _taken(ctx, self, (ctx.fresh("rows", Kind.DYNAMIC, "as many as there are"),))


def _taken(ctx: Context, queue: Ref, leading: Sequence[Size]) -> Value:
    parts = _components(ctx, queue)
    if parts is None:
        return ctx.lost("what a queue holds")
    made = tuple(_under(leading, part) for part in parts)
    given = ctx.get(queue, "_names") or NONE
    names = items_of(given)
    if names is not None:
        return Dict(tuple(zip(names, made, strict=False)))
    if given != NONE:
        return ctx.lost("the names in a queue")
    return made[0] if len(made) == 1 else Seq("list", made)


def _under(leading: Sequence[Size], part: Tensor) -> Tensor:
    shape = part.shape
    return Tensor(Shape((*leading, *shape.head)) if shape.is_ranked else UNRANKED, part.dtype)


@behaviour(f"{QUEUE}.close")
def close(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    return operation(ctx)


@behaviour(f"{QUEUE}.size")
def queue_size(ctx: Context, self: Value, name: Value = NONE) -> Value:
    return Tensor(SCALAR, "int32")
