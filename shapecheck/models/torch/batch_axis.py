"""Which axis of a tensor is that of the batch, as far as the operations tell that made it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import FALSE, NONE, PARAMETER, Lost, Ref, Tensor, Value, as_bool, walk
from shapecheck.models.lang import Context
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.torch.moved_axes import moved
from shapecheck.shapes.size import symbols

_FARTHEST = 30  # operations behind a tensor
_WIDEST = 40  # those behind something that is added
_MAPS = re.compile(r"torch\.nn\.(functional\.)?\w*(conv|pool)\w*([123])d(\.__call__)?", re.IGNORECASE)
_LOADED = re.compile(r"torch\.utils\.data\.DataLoader\.__(iter|last)__")
_BATCH = re.compile(r"[bB]|bsz?|n?_?batch(_?size)?|BS?Z?|BATCH(_SIZE)?")
_KEEPING = ("+", "-", "*", "/", "dropout", "to", "float", "cuda", "contiguous", "clone", "relu", "gelu", "tanh")
_KEEPING_LAYERS = re.compile(r"torch\.nn\.(Dropout|Linear|LayerNorm|ReLU|GELU|Tanh|Identity|Embedding)\.__call__")
"""What keeps the axes of a tensor, whatever its rank."""
_OF_SEQUENCES = re.compile(r"torch\.nn\.(LSTM|GRU|RNN|MultiheadAttention|Transformer\w*)\.__call__")
_MADE_ALONE = re.compile(r"torch\.(nn\.Parameter|arange|zeros|ones|linspace)")
_NAME = re.compile(r"(?:torch|einops)\.(?:Tensor\.|nn\.functional\.)?([^.]+)")


@dataclass(frozen=True)
class Told:
    """An axis that is that of the batch, and what tells it."""

    axis: int
    text: str

    def at(self, axis: int) -> Told:
        return Told(axis, self.text)


def notice_other_axis(ctx: Context, layer: Ref, given: Value, states: Value = NONE) -> None:
    """Notice sequences whose batch is on another axis than the layer takes for it, and others that have their steps
    first. Where states are given, they tell: the layer would refuse others."""
    first, steps = as_bool(ctx.get(layer, "batch_first") or FALSE), as_tensor(given, ctx)
    if first is None or steps.shape.rank == 2 or 1 in steps.shape.head[:2]:
        return
    taken = 0 if first else 1
    told = [*batch_axes(ctx, steps), *_by_names(steps)] if states == NONE else _by_states(steps, states)
    other = next((each for each in told if each.axis != taken and each.axis < 2), None)
    if other is not None:
        said = f"{other.text} axis {other.axis}, the layer takes axis {taken} for it"
        ctx.notice(ClashKind.BATCH_AXIS, said, given)
    elif not first and _has_several_rows(ctx, given):
        ctx.notice(ClashKind.STEPS_FIRST, "the layer takes axis 1 for the batch", given)


def _has_several_rows(ctx: Context, given: Value) -> bool:
    """Return whether the second axis of sequences is no new one, as far as they are known."""
    if not isinstance(given, Tensor):
        return isinstance(given, Lost) and given.reason.startswith(PARAMETER)
    name, _ = ctx.operation(given)
    return given.shape.rank == 3 or _KEEPING_LAYERS.fullmatch(name) is not None


def _by_states(given: Tensor, states: Value) -> list[Told]:
    """Return what states tell: there is one for each item of the batch."""
    rows = given.shape.head[0] if given.shape.head else None
    made = [part for part in walk(states) if isinstance(part, Tensor) and part.shape.rank == 3]
    is_first = bool(made) and all(part.shape.head[1] == rows for part in made) and not isinstance(rows, int)
    is_other = given.shape.size(1) != rows
    return [Told(0, "the states are for a batch on")] if is_first and is_other else []


def _by_names(given: Tensor) -> list[Told]:
    """Return what the names of sizes tell: those of the batch are usual."""
    named = [
        axis
        for axis, size in enumerate(given.shape.head[:2])
        if any(_BATCH.fullmatch(symbol.name) for symbol in symbols(size))
    ]
    return [Told(named[0], "by its name the batch is")] if len(named) == 1 else []


def batch_axes(ctx: Context, tensor: Tensor, seen: set[tuple[int, int]] | None = None) -> Iterator[Told]:
    """Yield what the operations behind a tensor tell of its batch, the nearest first; one of unknown rank has three
    axes."""
    seen = set() if seen is None else seen
    if not tensor.step or (tensor.step, tensor.output) in seen or len(seen) >= _FARTHEST:
        return
    seen.add((tensor.step, tensor.output))
    name, args = ctx.operation(tensor)
    if (own := _of_operation(ctx, tensor, name, args)) is not None:
        yield own
        return
    plain = _NAME.fullmatch(name)
    kind = plain[1] if plain is not None else ""
    if tensor.shape.rank is None and kind not in _KEEPING and not _KEEPING_LAYERS.fullmatch(name):
        return
    if kind == "+":
        yield from _shared(ctx, tensor, args)
    for operand in _operands(args):
        for told in batch_axes(ctx, operand, seen):
            axis = moved(told.axis, operand, tensor, kind, args)
            if axis is not None:
                yield told.at(axis)


def _of_operation(ctx: Context, tensor: Tensor, name: str, args: Sequence[Value]) -> Told | None:
    """Return what an operation by itself tells of its result."""
    maps, rank = _MAPS.fullmatch(name), tensor.shape.rank
    owner = args[0] if args and isinstance(args[0], Ref) else None
    if maps is not None and rank == int(maps[3]) + 2:
        return Told(0, f"the batch of a {'convolution' if maps[2].lower() == 'conv' else 'pooling'} is")
    if _LOADED.fullmatch(name) and owner is not None and ctx.get(owner, "batch_size") != NONE:
        return Told(0, "the batch of a data loader is")
    if _OF_SEQUENCES.fullmatch(name) and owner is not None and rank == 3 and tensor.output == 0:
        first = as_bool(ctx.get(owner, "batch_first") or FALSE)
        return None if first is None else Told(0 if first else 1, "the batch of the layer before is")
    if name.endswith("rnn.pad_sequence"):
        first = as_bool(ctx.keyword(tensor, "batch_first") or (args[1] if len(args) > 1 else FALSE))
        return None if first is None else Told(0 if first else 1, "the batch of padded sequences is")
    return _repeated(ctx, tensor, args) if name.endswith((".expand", ".repeat")) else None


def _operands(args: Sequence[Value]) -> list[Tensor]:
    return [part for each in args for part in walk(each) if isinstance(part, Tensor)]


# What is the same for all items -------------------------------------------------------------------------------------


def _shared(ctx: Context, total: Tensor, args: Sequence[Value]) -> Iterator[Told]:
    """Yield the axis along which something is the same that is added, as positions are."""
    for operand in _operands(args):
        sizes = operand.shape.head
        rank = 3 if total.shape.rank is None else total.shape.rank
        if operand.shape.rank is None or len(sizes) < 2 or not _is_of_no_data(ctx, operand):
            continue
        aligned = (*[1] * (rank - len(sizes)), *sizes)[:-1]
        if aligned.count(1) == 1 and len(aligned) > 1:
            yield Told(aligned.index(1), "positions are added for a batch on")


def _repeated(ctx: Context, tensor: Tensor, args: Sequence[Value]) -> Told | None:
    """Return the only axis along which parameters are repeated."""
    operand = args[0] if args else None
    if not isinstance(operand, Tensor) or operand.shape.rank != tensor.shape.rank or not _is_of_no_data(ctx, operand):
        return None
    pairs = list(zip(operand.shape.head, tensor.shape.head, strict=True))
    grown = [axis for axis, (before, after) in enumerate(pairs) if before == 1 and after != 1]
    return Told(grown[0], "a parameter is repeated for a batch on") if len(grown) == 1 else None


def _is_of_no_data(ctx: Context, tensor: Tensor) -> bool:
    """Return whether a tensor is made of parameters and constants alone."""
    todo, seen = [tensor], 0
    while todo:
        each, seen = todo.pop(), seen + 1
        name, args = ctx.operation(each)
        if seen > _WIDEST or not each.step or not name:
            return False
        operands = _operands(args)
        if not operands and each.shape.rank != 0 and not _MADE_ALONE.fullmatch(name):
            return False
        todo += operands
    return True
