"""Losses in the replicas of `tf.distribute`: gradients are added over replicas, so that each of them must divide its
loss by the rows of all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Const, Int, Library, Seq, Tensor, Value, items_of, of_size, walk
from shapecheck.models.lang import Context
from shapecheck.models.lang.gradients import TAPE
from shapecheck.models.lang.settings import LAST_REPLICA, REPLICA, SHARES, setting
from shapecheck.shapes.size import symbols

OF_DEVICE = "rows for one device"
MEANS = ("tf.reduce_mean", "keras.ops.mean")
AVERAGES = ("tf.nn.compute_average_loss",)
SUMS = ("tf.+", "tf.-", "tf.add", "tf.subtract", "tf.add_n", "tf.identity", "keras.ops.add")
"""Operations of which each term keeps its scale."""
MAX_TERMS = 20


def rows_of(given: Iterable[Value]) -> Value:
    """Return the numbers of rows of the tensors that a replica is given."""
    tensors = [part for value in given for part in walk(value) if isinstance(part, Tensor)]
    return Seq("tuple", tuple(of_size(tensor.shape.head[0]) for tensor in tensors if tensor.shape.head))


def check_loss(ctx: Context, gradients: Sequence[Value]) -> None:
    """Note a mean over the rows of a replica whose gradients are added to those of the other replicas."""
    rows = items_of(setting(ctx, REPLICA) or NONE)
    if not rows:
        return
    targets = dict.fromkeys(target for gradient in gradients for target in _targets(ctx, gradient))
    for term in dict.fromkeys(term for target in targets for term in _terms(ctx, target)):
        said = _mistake(ctx, term, rows)
        if said is not None:
            ctx.notice_of(term, ClashKind.REPLICA_LOSS, f"{said}, whose gradients are added over all replicas")


def _mistake(ctx: Context, term: Tensor, rows: Sequence[Value]) -> str | None:
    """Return how a term of a loss depends on the rows of one replica alone."""
    made, args = ctx.operation(term)
    if made in MEANS and term.shape.rank == 0 and _rows_in(args[:1], rows) is not None:
        return "a mean over the rows of one replica"
    divided, divisor = args[:1], args[2] if made in AVERAGES and len(args) > 2 else NONE
    if made in AVERAGES:
        divisor = ctx.keyword(term, "global_batch_size") or divisor
    elif made == "tf./" and isinstance(args[0], Tensor) and ctx.operation(args[0])[0] == "tf.reduce_sum":
        divided, divisor = ctx.operation(args[0])[1][:1], args[1]
    count = _rows_in(divided, rows)
    if count is None or divisor == NONE or divisor not in (count, _share(ctx, count)):
        return None
    return "a sum divided by the rows of one replica"


def _share(ctx: Context, count: Value) -> Value | None:
    """Return the rows that a full batch gives to a replica, for an open number of them, if all datasets agree."""
    known = items_of(setting(ctx, SHARES) or NONE) or ()
    is_open = isinstance(count, Int) and all(symbol.why == OF_DEVICE for symbol in symbols(count.size))
    return known[0] if is_open and len(known) == 1 else None


def _rows_in(args: Sequence[Value], rows: Sequence[Value]) -> Value | None:
    """Return the number of rows of an operand, if it is one that the replica is given."""
    if not args or not isinstance(args[0], Tensor) or not args[0].shape.head:
        return None
    count = of_size(args[0].shape.head[0])
    return count if count in rows else None


def check_reduction(ctx: Context, operation: Value, value: Value) -> None:
    """Note values that are averaged over replicas twice, and means over the rows of one replica that are added."""
    name = operation.name if isinstance(operation, Library) else operation.value if isinstance(operation, Const) else ""
    terms, last = _terms(ctx, value) if isinstance(value, Tensor) else [], str(name).rpartition(".")[2].upper()
    if last == "MEAN" and any(ctx.operation(term)[0] in AVERAGES for term in terms):
        said = "the mean over the replicas of what compute_average_loss has divided by the rows of all replicas"
        ctx.notice(ClashKind.REPLICA_LOSS, said, value)
    rows = items_of(setting(ctx, LAST_REPLICA) or NONE) if last == "SUM" else None
    for term in dict.fromkeys(terms if rows else ()):
        mistake = _mistake(ctx, term, rows or ())
        if mistake is not None:
            ctx.notice_of(term, ClashKind.REPLICA_LOSS, f"{mistake}, {ADDED}")


ADDED = "which is added over all replicas"
"""The end of what is said of a mean that is added, and not yet divided by the number of replicas."""


def _targets(ctx: Context, gradient: Value) -> Iterator[Tensor]:
    """Yield the tensor whose gradient a tape has given."""
    if isinstance(gradient, Tensor):
        made, args = ctx.operation(gradient)
        if made == f"{TAPE}.gradient" and len(args) > 1 and isinstance(args[1], Tensor):
            yield args[1]


def _terms(ctx: Context, tensor: Tensor) -> list[Tensor]:
    """Return the terms of a sum; of anything else, the tensor itself."""
    found: list[Tensor] = []
    todo = [tensor]
    while todo and len(found) < MAX_TERMS:
        term = todo.pop()
        made, args = ctx.operation(term)
        parts = [part for arg in args for part in walk(ctx.freeze(arg)) if isinstance(part, Tensor)]
        if made in SUMS:
            todo += parts
        else:
            found.append(term)
    return found
