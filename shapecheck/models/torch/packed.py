"""Sequences of unequal lengths: padded to one tensor, or packed for recurrent modules."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import FALSE, NONE, Const, Ref, Seq, Tensor, Value, as_bool, as_size, as_sizes
from shapecheck.models.lang import Context, attribute, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.shapes.claims import FALSE as IMPOSSIBLE
from shapecheck.shapes.claims import Equal
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Kind, Size

UTILS = "torch.nn.utils.rnn"
PACKED = f"{UTILS}.PackedSequence"
STEPS = "steps of the longest sequence"


def packed(ctx: Context, padded: Tensor, lengths: Value = NONE) -> Value:
    """Return a packed sequence; `padded` has the steps first."""
    return ctx.new(PACKED, **{"@padded": padded, "@lengths": lengths})


def padded_of(ctx: Context, value: Value) -> Tensor | None:
    """Return what was packed, with the steps first, or of unknown rank; None for another value."""
    found = ctx.get(value, "@padded") if isinstance(value, Ref) and value.cls == PACKED else None
    return found if isinstance(found, Tensor) else None


def _turned(tensor: Tensor) -> Tensor:
    """Return a tensor with its first two axes exchanged."""
    first, second, *rest = tensor.shape.head
    return replace(tensor, shape=Shape((second, first, *rest)), content=None)


@behaviour(f"{UTILS}.pad_sequence")
def pad_sequence(ctx: Context, sequences: Value, batch_first: Value = FALSE, *rest: Value, **options: Value) -> Value:
    """All are as long as the longest; the axes after the steps are the same."""
    each, first = as_tensor(ctx.freeze(ctx.element(sequences)), ctx), as_bool(batch_first)
    rows = as_size(ctx.apply("builtins.len", sequences))
    if each.shape.rank == 0 or first is None:
        return ctx.lost("sequences that are padded")
    count = ctx.fresh("n", Kind.LOST, "number of sequences") if rows is None else rows
    longest = _longest(ctx, sequences)
    ends = (ctx.fresh("steps", Kind.LOST, STEPS) if longest is None else longest, count)
    tail = each.shape.tail if each.shape.head or each.shape.tail is None else ()
    return Tensor(Shape((*(ends[::-1] if first else ends), *each.shape.head[1:]), tail), each.dtype, "torch")


def _longest(ctx: Context, sequences: Value) -> int | None:
    """Return the length of the longest sequence, if all are known."""
    found = [as_tensor(ctx.freeze(each), ctx).shape.head[:1] for each in ctx.elements(sequences) or ()]
    known = [steps for head in found for steps in head if isinstance(steps, int)]
    return max(known) if known and len(known) == len(found) else None


@behaviour(f"{UTILS}.pack_padded_sequence")
def pack(
    ctx: Context, input: Value, lengths: Value, batch_first: Value = FALSE, *rest: Value, **options: Value
) -> Value:
    """There is a length for each sequence."""
    given, told, first = as_tensor(ctx.freeze(input), ctx), ctx.freeze(lengths), as_bool(batch_first)
    if given.shape.rank is None:
        return packed(ctx, Tensor(Shape((), given.shape.tail), given.dtype, "torch"), told)
    if len(given.shape.head) < 2 or first is None:
        return ctx.lost("sequences that are packed")
    steps_first = _turned(given) if first else given
    counted = as_tensor(told, ctx)
    if counted.shape.tail is None:
        _require_lengths(ctx, counted, steps_first.shape.head[1])
    return packed(ctx, steps_first, told)


def _require_lengths(ctx: Context, lengths: Tensor, rows: Size) -> None:
    if len(lengths.shape.head) != 1:
        said = f"lengths has rank {len(lengths.shape.head)}, not 1"
        ctx.require(ClashKind.RANK, IMPOSSIBLE, said, lengths)
        return
    said = f"there are {lengths.shape.head[0]} lengths of {rows} sequences"
    ctx.require(ClashKind.AXIS, Equal(lengths.shape.head[0], rows), said, lengths)


@behaviour(f"{UTILS}.pad_packed_sequence")
def pad_packed(
    ctx: Context,
    sequence: Value,
    batch_first: Value = FALSE,
    padding_value: Value = NONE,
    total_length: Value = NONE,
    **options: Value,
) -> Value:
    """Return the sequences as a tensor, as long as the longest, and their lengths."""
    inner, first = padded_of(ctx, sequence), as_bool(batch_first)
    if inner is None or inner.shape.rank is None or first is None:
        return ctx.lost("sequences that were packed")
    total = as_size(total_length) if total_length != NONE else None
    steps = ctx.fresh("steps", Kind.LOST, STEPS) if total is None else total
    made = replace(inner, shape=Shape((steps, *inner.shape.head[1:])), content=None)
    lengths = Tensor(Shape((inner.shape.head[1],)), "int64", "torch")
    return Seq("tuple", (_turned(made) if first else made, lengths))


@behaviour(f"{UTILS}.pack_sequence")
def pack_sequence(ctx: Context, sequences: Value, *rest: Value, **options: Value) -> Value:
    made = pad_sequence(ctx, sequences)
    return packed(ctx, made) if isinstance(made, Tensor) else made


@attribute(f"{PACKED}.data")
def data(ctx: Context, self: Value) -> Value:
    """All steps of all sequences, one after the other."""
    inner = padded_of(ctx, self)
    if inner is None or inner.shape.rank is None:
        return ctx.lost("what was packed")
    lengths = as_sizes(ctx.get(self, "@lengths") or NONE)
    rows = ctx.fresh("n", Kind.LOST, "steps of all sequences") if lengths is None else sum(lengths)
    return Tensor(Shape((rows, *inner.shape.head[2:])), inner.dtype, "torch")


@behaviour(f"{PACKED}.{{to,cuda,cpu}}")
def moved(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    return self


@behaviour(f"{PACKED}.__getitem__")
def part(ctx: Context, self: Value, index: Value) -> Value:
    return data(ctx, self) if index == Const(0) else ctx.lost("sizes of a packed sequence")
