"""The sequence models of `contrib.legacy_seq2seq` in TensorFlow 1, which take a list of steps."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, TRUE, HomogeneousSeq, Seq, Value, items_of
from shapecheck.domain.values import Tensor as TensorValue
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.ranks import require_rank
from shapecheck.models.tf1.cells import batch_of, is_cell, outputs, size_given, state_after, take
from shapecheck.models.tf1.recurrent import is_list, repeated, step_of
from shapecheck.models.tf1.variable_scopes import inside
from shapecheck.shapes.claims import FALSE, Equal
from shapecheck.shapes.shape import SCALAR, Shape

LIBRARY = "tf.contrib.legacy_seq2seq"
OLD = "tf.nn.seq2seq"


def _lost(ctx: Context) -> Value:
    return Seq("tuple", (ctx.lost("outputs of a decoder"), ctx.lost("the state of a decoder")))


# Decoders -----------------------------------------------------------------------------------------------------------


@behaviour(f"{LIBRARY}.rnn_decoder", f"{OLD}.rnn_decoder")
def rnn_decoder(
    ctx: Context,
    decoder_inputs: Value,
    initial_state: Value,
    cell: Value,
    loop_function: Value = NONE,
    scope: Value = NONE,
) -> Value:
    """Return the outputs of a cell for the steps, and the state after them."""
    is_list(ctx, decoder_inputs)
    step = step_of(ctx, decoder_inputs)
    if step is None or not is_cell(cell) or not require_rank(ctx, "a step", step, 2):
        return _lost(ctx)
    batch = batch_of(ctx, step.shape)
    take(ctx, cell, step, inside(ctx, scope))
    output = outputs(ctx, cell, Shape((batch,)), step.dtype)
    return Seq("tuple", (repeated(decoder_inputs, output), state_after(ctx, cell, initial_state, batch, step.dtype)))


@behaviour(f"{LIBRARY}.{{basic_rnn_seq2seq,tied_rnn_seq2seq}}", f"{OLD}.{{basic_rnn_seq2seq,tied_rnn_seq2seq}}")
def rnn_seq2seq(
    ctx: Context, encoder_inputs: Value, decoder_inputs: Value, cell: Value, *args: Value, **keywords: Value
) -> Value:
    """Return the outputs of a decoder that begins with the state of a cell after other steps."""
    is_list(ctx, encoder_inputs)
    first = step_of(ctx, encoder_inputs)
    if first is not None and not require_rank(ctx, "a step of encoder_inputs", first, 2):
        return _lost(ctx)
    return rnn_decoder(ctx, decoder_inputs, NONE, cell)


@behaviour(
    f"{LIBRARY}.{{embedding_rnn_seq2seq,embedding_attention_seq2seq}}",
    f"{OLD}.{{embedding_rnn_seq2seq,embedding_attention_seq2seq}}",
)
def embedding_seq2seq(
    ctx: Context,
    encoder_inputs: Value,
    decoder_inputs: Value,
    cell: Value,
    num_encoder_symbols: Value,
    num_decoder_symbols: Value,
    embedding_size: Value,
    *args: Value,
    output_projection: Value = NONE,
    **keywords: Value,
) -> Value:
    """Return a row of scores for each step, as many as there are symbols; the steps are vectors of words."""
    for name, steps in (("encoder_inputs", encoder_inputs), ("decoder_inputs", decoder_inputs)):
        is_list(ctx, steps)
        first = step_of(ctx, steps)
        if first is not None and not require_rank(ctx, f"a step of {name}", first, 1):
            return _lost(ctx)
    step = step_of(ctx, decoder_inputs)
    if step is None or args or output_projection != NONE:
        return _lost(ctx)
    scores = size_given(ctx, num_decoder_symbols, "the number of symbols")
    output = TensorValue(Shape((batch_of(ctx, step.shape), scores)), "float32")
    return Seq("tuple", (repeated(decoder_inputs, output), ctx.lost("the state of a decoder")))


# Losses -------------------------------------------------------------------------------------------------------------


@behaviour(f"{LIBRARY}.sequence_loss_by_example", f"{OLD}.sequence_loss_by_example")
def loss_by_example(
    ctx: Context,
    logits: Value,
    targets: Value,
    weights: Value,
    average_across_timesteps: Value = TRUE,
    softmax_loss_function: Value = NONE,
    name: Value = NONE,
) -> Value:
    """Return a loss for each row."""
    lists = [items_of(each) for each in (logits, targets, weights)]
    counts = {len(items) for items in lists if items is not None}
    if len(counts) > 1:
        said = f"there are {', '.join(str(len(items)) for items in lists if items is not None)} steps in the lists"
        ctx.require(ClashKind.AXIS, FALSE, said)
        return ctx.lost("a loss of unequal lists")
    scores, classes, factors = (_first(ctx, each) for each in (logits, targets, weights))
    if scores is None:
        return ctx.lost("a loss of unknown lists")
    if softmax_loss_function == NONE and classes is not None and require_rank(ctx, "a step of logits", scores, 2):
        _have_rows(ctx, "targets", classes, scores)
    if factors is not None:
        _have_rows(ctx, "weights", factors, scores)
    return TensorValue(Shape((batch_of(ctx, scores.shape),)), scores.dtype)


def _first(ctx: Context, steps: Value) -> TensorValue | None:
    return step_of(ctx, steps) if isinstance(steps, Seq | HomogeneousSeq) else None


def _have_rows(ctx: Context, name: str, given: TensorValue, scores: TensorValue) -> None:
    """State that a step has a class or a weight for each row of the scores."""
    if not require_rank(ctx, f"a step of {name}", given, 1) or not given.shape.is_ranked:
        return
    rows, wanted = given.shape.size(0), scores.shape.size(0)
    if rows is not None and wanted is not None:
        said = f"a step of {name} has {rows} elements, that of logits has {wanted} rows"
        ctx.require(ClashKind.AXIS, Equal(rows, wanted), said, given, scores)


@behaviour(f"{LIBRARY}.sequence_loss", f"{OLD}.sequence_loss")
def sequence_loss(
    ctx: Context,
    logits: Value,
    targets: Value,
    weights: Value,
    average_across_timesteps: Value = TRUE,
    average_across_batch: Value = TRUE,
    softmax_loss_function: Value = NONE,
    name: Value = NONE,
) -> Value:
    loss_by_example(ctx, logits, targets, weights, average_across_timesteps, softmax_loss_function)
    return TensorValue(SCALAR, "float32")
