"""`compile`, `fit`, `evaluate`, `predict`: the constraints between data, models and losses."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from types import NoneType

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    NONE,
    Const,
    Dict,
    HomogeneousSeq,
    Ref,
    Seq,
    Tensor,
    Value,
    as_size,
    as_str,
    items_of,
)
from shapecheck.models.lang.arguments import array_of
from shapecheck.models.lang.constraints import within
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.faulty_sources import check_source
from shapecheck.models.lang.registry import behaviour
from shapecheck.models.lang.row_order import meet_in_order
from shapecheck.models.lang.settings import CALLBACKS
from shapecheck.models.layers.batch_axis import check_rows_of_outputs, of_all_batches, row_counts
from shapecheck.models.layers.callbacks import call_back
from shapecheck.models.layers.custom_losses import (
    OwnLoss,
    call_loss_of_program,
    call_with_unknown,
    is_of_program,
    require_gradient,
)
from shapecheck.models.layers.custom_metrics import call_metrics_of_program
from shapecheck.models.layers.elementwise_metrics import check_metrics
from shapecheck.models.layers.evaluation_results import figures
from shapecheck.models.layers.input_checks import (
    check_feed,
    check_form,
    check_no_lists,
    check_no_numbers,
    check_no_texts,
    check_rows,
    check_target_count,
    check_tuples,
    is_dynamic,
    is_strict,
)
from shapecheck.models.layers.io_names import check_names, paired_targets
from shapecheck.models.layers.loss_constraints import check_classes, check_targets, loss_name
from shapecheck.models.layers.model import match_feeds, note_open_feeds
from shapecheck.models.layers.strategy_scopes import note_model, require_scope
from shapecheck.models.layers.structure import change, fed, is_written, leaves, tensors
from shapecheck.models.layers.suspicious_losses import (
    judge_compiled,
    judge_feed,
    judge_sample,
    judge_targets,
    judge_trained,
)
from shapecheck.models.layers.traced_calls import (
    JIT,
    call_in_training,
    is_compiled_model,
    note_eager,
    note_eager_model,
    runs_in_graphs,
)
from shapecheck.models.layers.vocabulary import check_words
from shapecheck.models.layers.weighting import check_class_weights, check_weighted_classes, check_weights
from shapecheck.shapes.shape import SCALAR
from shapecheck.shapes.size import Kind, Size


@behaviour("keras.Model.compile")
def compile_model(
    ctx: Context, self: Ref, optimizer: Value = NONE, loss: Value = NONE, metrics: Value = NONE, **others: Value
) -> Value:
    note_eager(ctx, others.get("run_eagerly"))
    note_model(ctx, self)
    ctx.set(self, JIT, others.get("jit_compile", NONE))
    ctx.set(self, "optimizer", ctx.new("keras.optimizers.Optimizer") if as_str(optimizer) else optimizer)
    ctx.set(self, "loss", loss)
    ctx.set(self, "@loss", ctx.freeze(loss))
    ctx.set(self, "@metrics", ctx.freeze(metrics))
    ctx.set(self, "@weighted", ctx.freeze(others.get("weighted_metrics", NONE)))
    outputs = _declared(ctx, self)[1]
    if outputs is not None:
        judge_compiled(ctx, ctx.freeze(loss), ctx.freeze(metrics), outputs, trained=False)
    return NONE


@behaviour("keras.Model.fit")
def fit(ctx: Context, self: Ref, x: Value = NONE, y: Value = NONE, *args: Value, **keywords: Value) -> Value:
    """Train as `fit_generator`, which does not exist in the versions that require tuples of a generator."""
    check_tuples(ctx, x)
    require_scope(ctx, self)
    return fit_generator(ctx, self, x, y, *args, **keywords)


@behaviour("keras.Model.fit_generator")
def fit_generator(
    ctx: Context,
    self: Ref,
    x: Value = NONE,
    y: Value = NONE,
    batch_size: Value = NONE,
    epochs: Value = NONE,
    verbose: Value = NONE,
    callbacks: Value = NONE,
    validation_split: Value = NONE,
    validation_data: Value = NONE,
    *rest: Value,
    **others: Value,
) -> Value:
    whole = validation_split == NONE
    rows = uneven(ctx, self, x, batch_size) if whole else None
    weights = others.get("sample_weight", NONE)
    size = batch_size if whole and others.get("steps_per_epoch", NONE) == NONE else None
    if runs_in_graphs(ctx):
        ctx.note_training()
    check_class_weights(ctx, others.get("class_weight", NONE))
    ctx.set(self, CALLBACKS, NONE if epochs == NONE or as_size(epochs) == 1 else callbacks)
    meet(ctx, self, others.get("generator", x), y, rows=rows, weights=weights, batch_size=size, trains=True)
    if y != NONE:
        check_weighted_classes(ctx, others.get("class_weight", NONE), arrays(ctx, y))
    pair = items_of(ctx.freeze(validation_data))
    given = pair if pair is not None and len(pair) in (2, 3) else (validation_data, NONE)
    meet(ctx, self, given[0], given[1], "validation x", "validation y", rerun=False, step="test_step")
    _call_schedule(ctx, self)
    call_back(ctx, self, callbacks)
    ctx.set(self, CALLBACKS, NONE)
    return ctx.new("keras.callbacks.History")


def _call_schedule(ctx: Context, model: Ref) -> None:
    """Call the learning rate schedule of the program as a training step does, with the number of the step."""
    optimizer = ctx.get(model, "optimizer")
    if not isinstance(optimizer, Ref) or not optimizer.cls.startswith("keras.optimizers."):
        return
    first = items_of(ctx.get(optimizer, "_args") or NONE) or (NONE,)
    schedule = ctx.get(optimizer, "learning_rate") or first[0]
    if isinstance(schedule, Ref) and schedule.cls == "user":
        call_in_training(ctx, schedule, [Tensor(SCALAR, "int64")], may_convert=False)


@behaviour("keras.Model.evaluate", "keras.Model.evaluate_generator")
def evaluate(
    ctx: Context, self: Ref, x: Value = NONE, y: Value = NONE, batch_size: Value = NONE, *rest: Value, **others: Value
) -> Value:
    weights, rows = others.get("sample_weight", NONE), uneven(ctx, self, x, batch_size)
    size = batch_size if others.get("steps", NONE) == NONE else None
    meet(ctx, self, others.get("generator", x), y, rows=rows, weights=weights, batch_size=size, step="test_step")
    return figures(ctx, self, others)


@behaviour("keras.Model.{train,test}_on_batch")
def train_on_batch(ctx: Context, self: Ref, x: Value = NONE, y: Value = NONE, *rest: Value, **others: Value) -> Value:
    if y == NONE and is_written(ctx.get(self, "train_step")):  # its argument then depends on the version
        return ctx.lost("losses and metrics")
    weights, rows = others.get("sample_weight", NONE), uneven(ctx, self, x, NONE)
    meet(ctx, self, x, y, rows=rows, weights=weights, batch_size=ALL_ROWS)
    return figures(ctx, self, others)


@behaviour("keras.Model.compute_loss")
def compute_loss(
    ctx: Context, self: Ref, x: Value = NONE, y: Value = NONE, y_pred: Value = NONE, *rest: Value, **others: Value
) -> Value:
    """Return the sum of the compiled losses."""
    _judge(ctx, ctx.get(self, "@loss") or NONE, ctx.freeze(y), ctx.freeze(y_pred), "y")
    return Tensor(SCALAR, "float32")


@behaviour("keras.Model.predict_on_batch")
def predict_on_batch(ctx: Context, self: Ref, x: Value = NONE) -> Value:
    return predict(ctx, self, x, ALL_ROWS)


@behaviour("keras.Model.predict", "keras.Model.predict_generator")
def predict(ctx: Context, self: Ref, x: Value = NONE, batch_size: Value = NONE, *rest: Value, **others: Value) -> Value:
    x = others.get("generator", x)
    drawn = batches(ctx, x)
    if drawn is not None:
        check_no_lists(ctx, x, drawn)
        check_no_numbers(ctx, x, drawn)
    if not check_no_texts(ctx, "x", x, _declared(ctx, self)[0]):
        return ctx.lost("predictions of texts")
    inputs = arrays(ctx, x) if drawn is None else _split(drawn)[0]
    judge_sample(ctx, inputs, _declared(ctx, self)[0] or NONE)
    is_open = _has_open_rows(x, inputs, drawn is not None, _most_rows(batch_size))
    is_checked = batch_size != ALL_ROWS or (ctx.target.keras == 2 and not ctx.target.deferred)
    if drawn is None and is_checked and not check_rows(ctx, _named("x", inputs)):
        return ctx.lost("predictions of other numbers of samples")
    with_values = change(inputs, lambda tensor: replace(tensor, is_rank_open=False))
    outputs = run(ctx, self, with_values, rows=uneven(ctx, self, x, batch_size), is_open=is_open)
    first = next(iter(tensors(inputs)), None)
    rows = first.shape.head[0] if first is not None and first.shape.head and drawn is None else None
    size = ctx.fresh("?", Kind.LOST, "rows of the data") if rows is None else rows
    declared = _declared(ctx, self)[0]
    return change(outputs, lambda tensor: replace(of_all_batches(ctx, _plain(tensor), declared, size), library="np"))


def _plain(tensor: Tensor) -> Tensor:
    return Tensor(tensor.shape, tensor.dtype, nature=tensor.nature)


@behaviour("keras.Model.predict_classes")
def predict_classes(ctx: Context, self: Ref, x: Value = NONE, *rest: Value, **others: Value) -> Value:
    predicted = predict(ctx, self, x)
    if not isinstance(predicted, Tensor) or predicted.shape.tail is not None or len(predicted.shape.head) != 2:
        return ctx.lost("classes")
    head = predicted.shape.head
    return predicted.with_shape(type(predicted.shape)(head if head[-1] == 1 else head[:-1]))


# Data, models and losses -----------------------------------------------------------------------------------------


def meet(
    ctx: Context,
    self: Ref,
    x: Value,
    y: Value,
    x_name: str = "x",
    y_name: str = "y",
    rerun: bool = True,
    rows: int | None = None,
    weights: Value = NONE,
    batch_size: Value | None = None,
    step: str = "train_step",
    trains: bool = False,
) -> None:
    """State that inputs fit the model, targets its outputs, and both each other; some batch may have the given number
    of rows. What it `trains` needs gradients. Custom steps of a model receive the data instead.
    """
    note_eager_model(ctx, self)
    drawn = batches(ctx, x)
    if drawn is not None:
        check_no_lists(ctx, x, drawn)
        check_no_numbers(ctx, x, drawn)
    elif not _are_of_arrays(ctx, x_name, x, y_name, y):
        return
    inputs, targets = (arrays(ctx, x), arrays(ctx, y)) if drawn is None else _split(drawn)
    sample_weights = arrays(ctx, weights) if weights != NONE and drawn is None else NONE
    most = _most_rows(batch_size) if drawn is None else sys.maxsize
    is_open = _has_open_rows(x, inputs, drawn is not None, most)
    others = [*_named(y_name, targets), *_named("sample_weight", sample_weights)]
    if _call_custom_step(ctx, self, step, drawn or _packed(inputs, targets, sample_weights), most, is_open):
        if drawn is None and batch_size != ALL_ROWS:
            check_rows(ctx, [*_named(x_name, inputs), *others])
        return
    if drawn is not None:
        judge_sample(ctx, inputs, _declared(ctx, self)[0] or NONE)
    outputs = run(ctx, self, inputs, x_name, rerun, rows, is_open)
    counts: tuple[int, ...] = ()
    if drawn is None:
        check_rows(ctx, [*_named(x_name, inputs), *others])
        meet_in_order(ctx, (x_name, y_name), tensors(inputs), tensors(targets))
        counts = () if batch_size is None else row_counts(inputs, batch_size)
    elif batch_size is not None and y == NONE:
        take_last(ctx, x)
    check_weights(ctx, sample_weights, outputs, ctx.get(self, "@loss"), counts, most)
    outputs = _check_fixed(ctx, self, inputs, outputs, x_name, counts)
    _meet_targets(ctx, self, targets, outputs, y_name, counts, weights != NONE, rerun, trains)


def _are_of_arrays(ctx: Context, x_name: str, x: Value, y_name: str, y: Value) -> bool:
    return check_form(ctx, x_name, x) and check_form(ctx, y_name, y, beside=x)


ALL_ROWS = Const(sys.maxsize)
"""The size of a batch that has all rows of the arrays that are given."""


def _has_open_rows(x: Value, inputs: Value, is_drawn: bool, most: int | None) -> bool:
    """Return whether the graphs of training certainly do not know the number of rows.

    They know that of arrays which fill all batches, and that of a data set without a remainder.
    """
    first = next(iter(tensors(inputs)), None)
    rows = None if first is None else first.shape.size(0)
    if is_drawn:
        is_dataset = isinstance(x, Ref) and x.cls == "tf.data.Dataset"
        return is_dataset and rows is not None and is_dynamic(rows)
    return isinstance(rows, int) and most not in (None, sys.maxsize) and rows % (most or 1) != 0


def _call_custom_step(ctx: Context, self: Ref, step: str, given: Value, most: int | None, is_open: bool) -> bool:
    """Call the step that the program has written with a batch; return whether the model has such a step."""
    written = ctx.get(self, step)
    if written is None or not is_written(written):
        return is_written(ctx.get(self, "train_step"))
    if given != NONE:
        batch, is_compiled = _batch_of(ctx, given, most), is_compiled_model(ctx, self)
        call_in_training(ctx, written, [batch], may_convert=False, knows_sizes=not is_open, is_compiled=is_compiled)
    return True


def _meet_targets(
    ctx: Context,
    self: Ref,
    targets: Value,
    outputs: Value,
    name: str,
    counts: tuple[int, ...],
    is_weighted: bool,
    rerun: bool,
    trains: bool,
) -> None:
    """State that targets fit the outputs, as the loss and the metrics require."""
    loss, metrics = ctx.get(self, "@loss") or NONE, ctx.get(self, "@metrics") or NONE
    if not is_written(ctx.get(self, "compute_loss")):
        if not (check_names(ctx, loss, outputs) and check_names(ctx, targets, outputs)):
            return
        if not isinstance(targets, Dict):
            check_target_count(ctx, targets, outputs, loss)
    own = _judge(ctx, loss, targets, outputs, name, counts, is_weighted)
    if trains and len(own) == 1 and own[0] is not None:
        require_gradient(ctx, self, own[0])
    check_rows_of_outputs(ctx, _declared(ctx, self)[0], targets, outputs, loss, name, counts)
    if rerun:
        call_metrics_of_program(ctx, metrics, targets, outputs, counts)
        check_metrics(ctx, metrics, targets, outputs, name, counts)
    declared = _declared(ctx, self)[1]
    if declared is None:
        judge_compiled(ctx, loss, metrics, outputs)
    else:
        judge_trained(ctx, loss, declared)


def _check_fixed(ctx: Context, self: Ref, inputs: Value, outputs: Value, name: str, counts: tuple[int, ...]) -> Value:
    """Run a model whose layers fix the batch size, which its inputs leave open, with the batches of all sizes. Return
    its outputs, those of a full batch if the model declares none.
    """
    declared, symbolic = _declared(ctx, self)
    open_rows = all(not isinstance(tensor.shape.size(0), int) for tensor in tensors(declared or NONE))
    fixed = {tensor.shape.size(0) for tensor in tensors(outputs if declared is None else symbolic or NONE)}
    if open_rows and any(isinstance(rows, int) and rows > 1 for rows in fixed):
        made = [run(ctx, self, inputs, name, rows=rows) for rows in reversed(counts)]
        return made[0] if made and declared is None else outputs
    return outputs


def _packed(inputs: Value, targets: Value, weights: Value) -> Value:
    """Return the argument of a `train_step` for arrays."""
    parts = (inputs, targets) if weights == NONE else (inputs, targets, weights)
    if parts == (inputs, NONE):
        return Seq("tuple", (inputs,)) if isinstance(inputs, Seq) else inputs
    return Seq("tuple", parts)


def _named(name: str, structure: Value) -> list[tuple[str, Tensor]]:
    """Return the arrays of an argument with names, numbered where there are several."""
    found = tensors(structure)
    return [(name if len(found) == 1 else f"{name}[{at}]", tensor) for at, tensor in enumerate(found)]


def _split(element: Value) -> tuple[Value, Value]:
    """Return the inputs and targets of a dataset's element."""
    items = element.items if isinstance(element, Seq) and element.kind == "tuple" else (element,)
    return items[0] if items else NONE, items[1] if len(items) > 1 else NONE


def batches(ctx: Context, value: Value) -> Value | None:
    """Return a batch of a dataset, a generator, or the first item of a `Sequence` of the program; None for arrays."""
    if isinstance(value, HomogeneousSeq):
        return _tuple(ctx.freeze(value.element)) if value.kind in ("generator", "iterator") else None
    if not isinstance(value, Ref):
        return None
    check_source(ctx, value)
    item = ctx.get(value, "__getitem__")
    if item is not None and is_written(item) and ctx.get(value, "_element") is None:
        return _tuple(ctx.freeze(ctx.call(item, [Const(0)])))
    return ctx.get(value, "_element")


def take_last(ctx: Context, source: Value) -> None:
    """Take all batches, including a smaller last one."""
    method, item = ctx.get(source, "__last__"), ctx.get(source, "__getitem__")
    if method is not None:
        ctx.call(method, [])
    elif item is not None and is_written(item) and is_written(ctx.get(source, "__len__")):
        count = as_size(ctx.apply("builtins.len", source))
        if isinstance(count, int) and count > 1:
            ctx.call(item, [Const(count - 1)])


def _tuple(element: Value) -> Value:
    """Return inputs and targets, which may be given in a list (by generators only before Keras 3)."""
    is_list = isinstance(element, Seq) and element.kind == "list" and len(element.items) in (2, 3)
    return replace(element, kind="tuple") if is_list and isinstance(element, Seq) else element


def arrays(ctx: Context, value: Value) -> Value:
    """Return the arrays in an argument, each of which has a rank: lists of numbers are arrays."""
    if isinstance(value, Ref):
        return array_of(value, ctx) or ctx.lost("data of a generator")
    return change(fed(ctx.freeze(value)), lambda tensor: replace(tensor, is_rank_open=False))


def _last_rows(ctx: Context, dataset: Value) -> int | None:
    """Return the rows of the last batch of a dataset, where they are fewer and the dataset was not changed since."""
    left = ctx.get(dataset, "_remainder") if isinstance(dataset, Ref) else None
    if left is None or items_of(ctx.get(dataset, "_functions") or NONE):
        return None
    last = next(iter(tensors(_split(left)[0])), None)
    rows = last.shape.size(0) if last is not None else None
    return rows if isinstance(rows, int) else None


def uneven(ctx: Context, self: Ref, x: Value, batch_size: Value) -> int | None:
    """Return the rows of a batch that differ from those the model declares, where that is certain.

    Some releases use the declared number as the batch size, others 32.
    """
    declared = next(iter(tensors(_declared(ctx, self)[0] or NONE)), None)
    fixed = declared.shape.size(0) if declared is not None else None
    if not isinstance(fixed, int):
        return None
    if batches(ctx, x) is not None:
        rest = _last_rows(ctx, x)
        return rest if rest != fixed else None
    first = next(iter(tensors(arrays(ctx, x))), None)
    rows = first.shape.size(0) if first is not None else None
    size = fixed if batch_size == NONE else as_size(batch_size)
    if not isinstance(rows, int) or not isinstance(size, int) or size < 1:
        return None
    return next((part for part in (min(rows, size), rows % size) if part not in (0, fixed)), None)


def run(
    ctx: Context,
    self: Ref,
    inputs: Value,
    name: str = "x",
    rerun: bool = True,
    rows: int | None = None,
    is_open: bool = False,
) -> Value:
    """Return the outputs for a batch of the data: with the given number of rows, where they differ from the declared
    ones. A graph does not know the rows if they are `is_open`.
    """
    declared, outputs = _declared(ctx, self)
    batch = change(inputs, lambda tensor: _batch(ctx, tensor, rows))
    is_compiled = is_compiled_model(ctx, self)

    def call_model() -> Value:
        given = [change(batch, _on_device)]
        return ctx.freeze(call_in_training(ctx, self, given, knows_sizes=not is_open, is_compiled=is_compiled))

    if declared is None or outputs is None or _has_own_call(ctx, self):
        known = all(isinstance(leaf, Tensor) for leaf in leaves(batch))
        if not rerun or not known or not tensors(batch):
            return ctx.lost("outputs of a model")
        return call_model()
    feeds = match_feeds(ctx, declared, inputs)
    if feeds is None:
        return outputs
    note_open_feeds(ctx, self, name, feeds)
    for wanted, value in feeds.items():
        check_words(ctx, name, value, wanted, outputs)
    strict = is_strict(ctx, self)
    differs = rows is not None or any(_differs(value, wanted, strict) for wanted, value in feeds.items())
    if _check_feeds(ctx, name, feeds, strict) and (differs or is_compiled):
        return call_model()
    return outputs


def _has_own_call(ctx: Context, model: Ref) -> bool:
    """Return whether the program says what a call of the model does; Keras 2 checks its inputs all the same."""
    return ctx.target.keras != 2 and is_written(ctx.get(model, "call"))


def _check_feeds(ctx: Context, name: str, feeds: Mapping[Tensor, Value], strict: bool) -> bool:
    """State that data fits the declared inputs; return whether all of it is known and fits."""
    met = [
        (name if len(feeds) == 1 else f"{name}[{at}]", value, wanted)
        for at, (wanted, value) in enumerate(feeds.items())
        if isinstance(value, Tensor)
    ]
    for each in met:
        judge_feed(ctx, *each)
    fits = [check_feed(ctx, *each, strict) for each in met]
    return all(fits) and len(fits) == len(feeds)


def _differs(value: Value, declared: Tensor, strict: bool) -> bool:
    """Return whether the data has other sizes than the declared ones, the batch aside; what is not known must fit
    them, and a last axis of size 1 is added or dropped.
    """
    if not isinstance(value, Tensor):
        return True
    if strict and value.shape.tail is not None and declared.shape.tail is None:
        return False
    sizes, wanted = value.shape.known[1:], declared.shape.known[1:]
    return sizes != wanted and (*sizes, 1) != wanted and sizes != (*wanted, 1)


def _on_device(tensor: Tensor) -> Tensor:
    return replace(tensor, library="tf")


def _batch(ctx: Context, tensor: Tensor, rows: Size | None = None) -> Tensor:
    """Return a batch of an array, or a tensor that already is a batch."""
    if not tensor.shape.head:
        return tensor
    rows = ctx.fresh("batch", Kind.DYNAMIC, "rows in a batch", low=1) if rows is None else rows
    shape = type(tensor.shape)((rows, *tensor.shape.head[1:]), tensor.shape.tail)
    dtype = "float32" if tensor.dtype == "float64" else tensor.dtype
    return Tensor(shape, dtype, tensor.library, tensor.step, tensor.output, is_rank_open=tensor.is_rank_open)


def _batch_of(ctx: Context, given: Value, most: int | None) -> Value:
    """Return equal batches of all arrays that have as many rows; the first batch has them, or the most that a batch
    may have. Programs see a batch of any size.
    """
    rows: dict[Size | None, Size] = {}

    def batch(tensor: Tensor) -> Tensor:
        count = tensor.shape.size(0)
        if count not in rows:
            rows[count] = ctx.fresh("batch", Kind.DYNAMIC, "rows in a batch", low=1)
            if isinstance(count, int) and most is not None:
                need = within(ClashKind.NOTHING, rows[count], min(count, most), min(count, most), "the first")
                ctx.require(need.kind, need.claim, need.message)
        return _on_device(_batch(ctx, tensor, rows[count]))

    return change(given, batch)


def _most_rows(batch_size: Value | None) -> int | None:
    """Return the most rows that a batch of arrays may have, where that is known."""
    size = None if batch_size is None else 32 if batch_size == NONE else as_size(batch_size)
    return size if isinstance(size, int) and size > 0 else None


def _declared(ctx: Context, self: Ref) -> tuple[Value | None, Value | None]:
    """Return the model's symbolic inputs and outputs, if it has any."""
    inputs = ctx.get(self, "@inputs")
    if inputs is not None:
        return inputs, ctx.get(self, "@outputs")
    entry, exit_ = ctx.get(self, "@input"), ctx.get(self, "@output")
    symbolic = isinstance(entry, Tensor) and entry.library == "keras"
    return (entry, exit_) if symbolic else (None, None)


def _judge(
    ctx: Context,
    loss: Value | None,
    targets: Value,
    outputs: Value,
    name: str,
    counts: tuple[int, ...] = (),
    weighted: bool = False,
) -> list[OwnLoss | None]:
    """State that each target fits its output; return what losses of the program have computed, None for others."""
    found: list[OwnLoss | None] = []
    for said, target, output, one in paired_targets(ctx, targets, outputs, loss, name):
        if not (isinstance(target, Tensor) and isinstance(output, Tensor)) or isinstance(one, (Seq, Dict, NoneType)):
            if one is not None and is_of_program(ctx, one):
                call_with_unknown(ctx, one, output)
            found.append(None)
            continue
        known, is_own = loss_name(one), is_of_program(ctx, one)
        found.append(call_loss_of_program(ctx, one, target, output, counts, weighted) if is_own else None)
        if known and not is_own:
            check_targets(ctx, known, target, output, said, counts)
            check_classes(ctx, one, target, output, said)
            judge_targets(ctx, known, target, output, said)
    return found
