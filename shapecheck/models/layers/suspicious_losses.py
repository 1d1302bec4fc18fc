"""Losses and metrics that run on outputs and targets that they are not meant for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Dict, Library, Ref, Seq, Tensor, Value, as_bool, as_str, items_of
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.suspicious import UNBOUND
from shapecheck.models.layers.loss_constraints import BINARY, CATEGORICAL, PAIRWISE, SPARSE, loss_name
from shapecheck.models.layers.structure import leaves
from shapecheck.shapes.size import Kind, Size

LABELS = {  # metrics that expect other labels than a loss does, and what they expect
    **dict.fromkeys(("categoricalaccuracy", "topkcategoricalaccuracy", "categoricalcrossentropy"), "one-hot"),
    **dict.fromkeys(("sparsecategoricalaccuracy", "sparsetopkcategoricalaccuracy"), "number"),
    "sparsecategoricalcrossentropy": "number",
}
_BY_POSITION = ("BinaryCrossentropy", "CategoricalCrossentropy", "SparseCategoricalCrossentropy")


def judge_compiled(ctx: Context, loss: Value, metrics: Value, outputs: Value, trained: bool = True) -> None:
    """Notice losses and metrics that do not suit a model's outputs. A generator may be compiled with any loss and then
    be trained as a part of another model: for such models, only the trained one is checked.
    """
    given = list(leaves(outputs))
    for one, output in paired(loss, given):
        if isinstance(output, Tensor) and (trained or not _is_generated(output)):
            judge_output(ctx, one, output)
    if len(given) == 1:
        judge_metrics(ctx, loss, metrics)


def judge_trained(ctx: Context, loss: Value, outputs: Value) -> None:
    """Notice at training what is left open when a model is compiled."""
    for one, output in paired(loss, list(leaves(outputs))):
        if isinstance(output, Tensor) and _is_generated(output):
            judge_output(ctx, one, output)


def _is_generated(output: Tensor) -> bool:
    """Return whether an output looks like an image or a signal between -1 and 1."""
    return output.nature == "tanh" and (output.shape.rank != 2 or output.shape.size(-1) != 1)


def paired(loss: Value, outputs: Sequence[Value]) -> Iterator[tuple[Value, Value]]:
    """Return pairs of outputs and losses."""
    losses = items_of(loss) if isinstance(loss, Seq) else None
    if isinstance(loss, Dict) or (losses is not None and len(losses) != len(outputs)):
        return
    yield from zip(losses or [loss] * len(outputs), outputs, strict=True)


def judge_output(ctx: Context, loss: Value, output: Tensor, told: Value | None = None) -> None:
    """Notice a loss of classes on an output of one, and one that takes probabilities for logits or the reverse."""
    name = loss_name(loss)
    if name not in CATEGORICAL | SPARSE | BINARY:
        return
    rank, last = output.shape.rank, output.shape.size(-1)
    if name not in BINARY and last == 1 and rank is not None and rank > 1:
        ctx.notice(ClashKind.ONE_CLASS, f"the loss compares classes, but {output.shape} has only one", output)
    wants_logits = takes_logits(ctx, loss) if told is None else as_bool(told)
    activations = ("softmax", "sigmoid") if name in BINARY else ("softmax",)
    if wants_logits is True and output.nature in activations:
        said = f"the loss expects logits, but the output comes from a {output.nature}"
        ctx.notice(ClashKind.SOFTMAX_AS_LOGITS, said, output)
    if wants_logits is False and output.nature in ("linear", *UNBOUND):
        what = "has no activation" if output.nature == "linear" else f"has the activation {output.nature}"
        ctx.notice(
            ClashKind.LOGITS_AS_PROBABILITIES, f"the loss expects probabilities, but the last layer {what}", output
        )


def takes_logits(ctx: Context, loss: Value) -> bool | None:
    """Return whether a loss is declared to take logits; None where that is not known."""
    if not isinstance(loss, Ref):
        return False
    given = items_of(ctx.get(loss, "_args") or NONE)
    if given:
        return as_bool(given[0]) if loss.cls.rsplit(".", 1)[-1] in _BY_POSITION else None
    told = ctx.get(loss, "from_logits")
    return False if told is None else as_bool(told)


def judge_metrics(ctx: Context, loss: Value, metrics: Value) -> None:
    """Notice metrics that read labels in another way than the loss does."""
    name = loss_name(loss)
    wanted = "number" if name in SPARSE else "one-hot" if name in CATEGORICAL else ""
    for metric in items_of(metrics) or ():
        known = _metric_name(metric)
        if wanted and LABELS.get(known, wanted) != wanted:
            ways = {"number": "class indices", "one-hot": "one-hot labels"}
            ctx.notice(
                ClashKind.METRIC_LABELS, f"the loss expects {ways[wanted]}, but {known} expects {ways[LABELS[known]]}"
            )


def _metric_name(metric: Value) -> str:
    name = as_str(metric)
    if isinstance(metric, Library):
        name = metric.name.rsplit(".", 1)[-1]
    elif isinstance(metric, Ref) and metric.cls.startswith("keras.metrics."):
        name = metric.cls.rsplit(".", 1)[-1]
    return re.sub("[^a-z]", "", (name or "").lower())


def judge_targets(ctx: Context, loss: str, target: Tensor, output: Tensor, name: str) -> None:
    """Notice targets and outputs that an elementwise loss broadcasts to each other."""
    if loss not in (PAIRWISE if ctx.target.keras == 3 else PAIRWISE | BINARY):
        return
    if target.shape.tail is not None or output.shape.tail is not None or not target.shape.head or not output.shape.head:
        return
    y, out = (tuple(map(ctx.resolve, tensor.shape.head[1:])) for tensor in (target, output))
    if len(y) + 1 == len(out) and (out[-1] == 1 or not y):
        y, out = (y, out[:-1]) if out[-1] == 1 else ((1,), out)
    elif not y and len(out) > 1 and out[-1] == 1:
        y = (1,) * len(out)  # the rows meet the last axis
    elif len(out) + 1 == len(y) and y[-1] == 1:
        y = y[:-1]
    is_crossed = len(y) != len(out) and y and out  # the rows of one meet another axis of the other
    if is_crossed or _is_stretched(y, out):
        said = f"{name} has shape {target.shape.map(ctx.resolve)}, the model gives {output.shape.map(ctx.resolve)}"
        ctx.notice(ClashKind.TARGETS_STRETCHED, said, target, output)


def judge_feed(ctx: Context, name: str, given: Tensor, declared: Tensor) -> None:
    """Notice an input declared with the sizes of its data in another order, or with the number of samples."""
    if given.shape.tail is not None or declared.shape.tail is not None:
        return
    (rows, *sizes), wanted = given.shape.head or (0,), list(declared.shape.head[1:])
    if len(sizes) != len(wanted) or sizes == wanted:
        return
    swapped = all(isinstance(size, int) for size in sizes) and Counter(sizes) == Counter(wanted)
    swapped = swapped and (sizes[0] == wanted[0] or sizes[-1] == wanted[-1])  # otherwise the layers check it
    counted = is_free(rows) and any(w == rows != size for size, w in zip(sizes, wanted, strict=True))
    if swapped or counted:
        said = f"{name} has shape {given.shape.map(ctx.resolve)}, the model takes {declared.shape}"
        ctx.notice(ClashKind.FEED_MISPLACED, said, given, declared)


def judge_sample(ctx: Context, given: Value, declared: Value) -> None:
    """Notice a single sample, whose first axis is read as the batch: where Keras adds a last axis of size 1 to it, or
    may do so because the size of a vector is not known.
    """
    if not isinstance(given, Tensor) or not isinstance(declared, Tensor) or declared.shape.tail is not None:
        return
    shape = given.shape
    if shape.tail is not None or not shape.head or shape.head != declared.shape.head[1:]:
        return
    if shape.head[-1] == 1 if len(shape.head) > 1 else not isinstance(shape.head[0], int):
        said = f"x has shape {shape.map(ctx.resolve)}, one sample of the input {declared.shape}"
        ctx.notice(ClashKind.FEED_MISPLACED, said, given)


def is_free(size: Size) -> bool:
    """Return whether a size is one that the data decides."""
    kinds = set() if isinstance(size, int) else {symbol.kind for symbol in size.symbols()}
    return kinds == {Kind.FREE}


def judge_pair(ctx: Context, loss: str, targets: Tensor, outputs: Tensor, aligned: bool = False) -> None:
    """Notice operands that a loss broadcasts to each other. Keras 3 brings them to the same rank before that; in Keras
    2 only objects do, and only with tensors.
    """
    if loss not in (PAIRWISE if ctx.target.keras == 3 else PAIRWISE | BINARY):
        return
    if targets.shape.tail is not None or outputs.shape.tail is not None:
        return
    y, out = (operand.shape.map(ctx.resolve).head for operand in (targets, outputs))
    said = f"y_true {targets.shape} and y_pred {outputs.shape} are broadcast together"
    short, long = sorted((y, out), key=len)
    if _becomes_column(short, long) and not aligned and ctx.target.keras != 3:
        dated = "" if ctx.target.keras == 2 else "in Keras 2, "
        ctx.notice(ClashKind.LOSS_STRETCHED, f"{dated}{said}", targets, outputs)
    elif (len(y) == len(out) and _is_stretched(y[1:], out[1:])) or _is_crossed(short, long):
        ctx.notice(ClashKind.LOSS_STRETCHED, said, targets, outputs)


def _becomes_column(short: Sequence[Size], long: Sequence[Size]) -> bool:
    """Return whether a vector meets a column with as many rows."""
    return len(short) == 1 and len(long) == 2 and long[1] == 1 and long[0] == short[0] != 1


def _is_crossed(short: Sequence[Size], long: Sequence[Size]) -> bool:
    """Return whether the rows of one side are aligned with another axis of the other, which has as many rows and more
    axes.
    """
    is_squeezed = len(long) == len(short) + 1 and long[-1] == 1
    return 1 < len(short) < len(long) and short[0] == long[0] != 1 and not is_squeezed


def _is_stretched(a: Sequence[Size], b: Sequence[Size]) -> bool:
    """Return whether one side is 1 where the other is certainly more."""
    pairs = list(zip(a, b, strict=True)) if len(a) == len(b) else []
    return any(1 in pair and any(isinstance(size, int) and size > 1 for size in pair) for pair in pairs)
