"""Losses in the replicas of `tf.distribute`: gradients are added over replicas, so that each of them must divide its
loss by the rows of all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Const, Library, Seq, Tensor, Value, items_of, of_size, walk
from shapecheck.models.lang import Context
from shapecheck.models.lang.gradients import TAPE
from shapecheck.models.lang.settings import REPLICA, setting

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
    means = [term for target in targets for term in _terms(ctx, target) if _is_mean(ctx, term, rows)]
    for mean in dict.fromkeys(means):
        said = "a mean over the rows of one replica, whose gradients are added over all replicas"
        ctx.notice_of(mean, ClashKind.REPLICA_LOSS, said)


def check_reduction(ctx: Context, operation: Value, value: Value) -> None:
    """Note values that are averaged over replicas twice."""
    name = operation.name if isinstance(operation, Library) else operation.value if isinstance(operation, Const) else ""
    if str(name).rpartition(".")[2].upper() != "MEAN" or not isinstance(value, Tensor):
        return
    if any(ctx.operation(term)[0] in AVERAGES for term in _terms(ctx, value)):
        said = "the mean over the replicas of what compute_average_loss has divided by the rows of all replicas"
        ctx.notice(ClashKind.REPLICA_LOSS, said, value)


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


def _is_mean(ctx: Context, tensor: Tensor, rows: Sequence[Value]) -> bool:
    """Return whether a tensor is a number, the mean over the rows that a replica is given."""
    made, args = ctx.operation(tensor)
    if made not in MEANS or tensor.shape.rank != 0 or not args or not isinstance(args[0], Tensor):
        return False
    head = args[0].shape.head
    return bool(head) and of_size(head[0]) in rows
