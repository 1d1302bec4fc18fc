"""The decoders of `contrib.seq2seq` in TensorFlow 1: helpers that supply the inputs, attention to a memory, beam
search.
"""

from __future__ import annotations

from dataclasses import replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import FALSE, NONE, TRUE, Const, Ref, Seq, Value, as_size, of_size
from shapecheck.domain.values import Tensor as TensorValue
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Context,
    Flag,
    Need,
    Ranked,
    Tensor,
    attribute,
    behaviour,
    of_rank,
    op,
    result,
)
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.lang.constraints import equal
from shapecheck.models.lang.ranks import require_rank
from shapecheck.models.tf1.cells import (
    batch_of,
    check_state,
    is_cell,
    output_size,
    outputs,
    size_given,
    state_after,
    state_of,
    take,
)
from shapecheck.models.tf1.recurrent import along_time
from shapecheck.models.tf1.variable_scopes import inside
from shapecheck.shapes.claims import Equal
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size

LIBRARY = "tf.contrib.seq2seq"
HELPER, DECODER, BEAMS = f"{LIBRARY}.Helper", f"{LIBRARY}.BasicDecoder", f"{LIBRARY}.BeamSearchDecoder"
MECHANISM, WRAPPER, STATE = (
    f"{LIBRARY}.{name}" for name in ("AttentionMechanism", "AttentionWrapper", "AttentionWrapperState")
)


# Losses and copies ---------------------------------------------------------------------------------------------------


@op(f"{LIBRARY}.sequence_loss", varargs="more", dtype="float32", oracle="none: not in the TensorFlow of today")
def sequence_loss(
    logits: Ranked,
    targets: Tensor,
    weights: Tensor,
    average_across_timesteps: Flag = True,
    average_across_batch: Flag = True,
    softmax_loss_function: AnyValue = NONE,
    more: AnyValue = NONE,
) -> Answer:
    """The logits, classes and weights have an entry for each step; only their number is compared."""
    needs = _for_each_step(logits, targets, weights, softmax_loss_function == NONE)
    batch, steps = logits.shape.sizes[:2]
    return result(Shape((batch,) * (not average_across_batch) + (steps,) * (not average_across_timesteps)), needs=needs)


def _for_each_step(logits: Ranked, targets: Tensor, weights: Tensor, is_usual: bool) -> list[Need]:
    """Return the needs that there is a weight, and for the usual loss a class, for each step of each sequence."""
    of_rank(logits, 3)
    of_rank(targets, 2)
    of_rank(weights, 2)
    steps, needs = logits.shape.sizes[0] * logits.shape.sizes[1], []
    for tensor in (targets, weights) if is_usual else (weights,):
        said = f"{tensor.name} has shape {tensor.shape}, {logits.name} has shape {logits.shape}"
        many = tensor.shape.elements()
        needs += [] if many is None else [equal(ClashKind.AXIS, many, steps, said)]
    return needs


@behaviour(f"{LIBRARY}.tile_batch")
def tile_batch(ctx: Context, t: Value, multiplier: Value, name: Value = NONE) -> Value:
    """Repeat each row, in each tensor of a structure."""
    if isinstance(t, Seq):
        return replace(t, items=tuple(tile_batch(ctx, item, multiplier) for item in t.items))
    if not isinstance(t, TensorValue):
        return ctx.lost("what is repeated")
    sizes, times = t.shape.head, size_given(ctx, multiplier, "how often rows are repeated")
    shape = Shape((sizes[0] * times, *sizes[1:]), t.shape.tail) if sizes else UNRANKED
    return TensorValue(shape, t.dtype, "tf")


# Helpers -------------------------------------------------------------------------------------------------------------


@behaviour(f"{LIBRARY}.{{TrainingHelper,ScheduledEmbeddingTrainingHelper,ScheduledOutputTrainingHelper}}")
def training_helper(
    ctx: Context, inputs: Value, sequence_length: Value = NONE, *args: Value, time_major: Value = FALSE, **k: Value
) -> Value:
    """The inputs of each step are given."""
    found = along_time(ctx, inputs, sequence_length, args[0] if len(args) == 1 else time_major)
    if found is None:
        return ctx.lost("inputs of a decoder")
    tensor, batch = found
    step = TensorValue(Shape((batch, batch_of(ctx, tensor.shape, 2))), tensor.dtype, "tf")
    return ctx.new(HELPER, _step=step)


@behaviour(f"{LIBRARY}.{{GreedyEmbeddingHelper,SampleEmbeddingHelper}}")
def embedding_helper(
    ctx: Context, embedding: Value, start_tokens: Value, end_token: Value, *args: Value, **k: Value
) -> Value:
    """The first inputs are rows of a table, or the results of a function for the tokens."""
    tokens = as_tensor(start_tokens, ctx)
    if not require_rank(ctx, "start_tokens", tokens, 1):
        return ctx.lost("inputs of a decoder")
    if isinstance(embedding, TensorValue):
        width = batch_of(ctx, embedding.shape, -1)
        return ctx.new(HELPER, _step=TensorValue(Shape((batch_of(ctx, tokens.shape), width)), embedding.dtype, "tf"))
    return ctx.new(HELPER, _step=as_tensor(ctx.freeze(ctx.call(embedding, [tokens])), ctx))


# Attention -----------------------------------------------------------------------------------------------------------


@behaviour(f"{LIBRARY}.BahdanauAttention")
def additive(ctx: Context, num_units: Value, memory: Value, *args: Value, **keywords: Value) -> Value:
    return ctx.new(MECHANISM, _memory=as_tensor(memory, ctx), _units=NONE)


@behaviour(f"{LIBRARY}.LuongAttention")
def multiplied(ctx: Context, num_units: Value, memory: Value, *args: Value, **keywords: Value) -> Value:
    """The memory is projected to the size of the cell's outputs, by which it is multiplied."""
    return ctx.new(MECHANISM, _memory=as_tensor(memory, ctx), _units=num_units)


@behaviour(WRAPPER)
def wrapper(
    ctx: Context,
    cell: Value,
    attention_mechanism: Value,
    attention_layer_size: Value = NONE,
    alignment_history: Value = FALSE,
    cell_input_fn: Value = NONE,
    output_attention: Value = TRUE,
    *args: Value,
    **keywords: Value,
) -> Value:
    """Return a cell that takes the attention with its inputs, and returns the new attention."""
    if not is_cell(cell) or not isinstance(attention_mechanism, Ref) or attention_mechanism.cls != MECHANISM:
        return ctx.lost("a cell with attention")
    memory = ctx.get(attention_mechanism, "_memory")
    if attention_layer_size == NONE and isinstance(memory, TensorValue):
        attention_layer_size = of_size(batch_of(ctx, memory.shape, -1))
    parts = {"_cell": cell, "_memory": memory or NONE, "_width": attention_layer_size}
    parts["_units"] = ctx.get(attention_mechanism, "_units") or NONE
    return ctx.new(WRAPPER, **parts, _attends=output_attention, _fed=cell_input_fn)


@behaviour(f"{WRAPPER}.zero_state")
def zero_state(ctx: Context, self: Value, batch_size: Value, dtype: Value = NONE) -> Value:
    """State that there is a state for each row of the memory."""
    batch = size_given(ctx, batch_size, "the batch of a state")
    memory = ctx.get(self, "_memory")
    rows = memory.shape.size(0) if isinstance(memory, TensorValue) else None
    if memory is not None and rows is not None and rows != batch:
        ctx.require(
            ClashKind.AXIS, Equal(rows, batch), f"the memory has {rows} rows, the state is made for {batch}", memory
        )
    return ctx.new(STATE, _state=state_of(ctx, ctx.get(self, "_cell") or NONE, batch, "float32"))


@behaviour(f"{STATE}.clone")
def clone(ctx: Context, self: Value, **keywords: Value) -> Value:
    before, given = ctx.get(self, "_state") or NONE, ctx.freeze(keywords.get("cell_state", NONE))
    if given == NONE:
        return self
    check_state(ctx, given, before, "the memory has")
    return ctx.new(STATE, _state=given)


@attribute(f"{STATE}.cell_state")
def cell_state(ctx: Context, self: Value) -> Value:
    return ctx.get(self, "_state") or NONE


# Decoding ------------------------------------------------------------------------------------------------------------


@behaviour(DECODER)
def basic_decoder(ctx: Context, cell: Value, helper: Value, initial_state: Value, output_layer: Value = NONE) -> Value:
    return ctx.new(DECODER, _cell=cell, _helper=helper, _state=initial_state, _layer=output_layer)


@behaviour(BEAMS)
def beam_decoder(
    ctx: Context,
    cell: Value,
    embedding: Value,
    start_tokens: Value,
    end_token: Value,
    initial_state: Value,
    beam_width: Value,
    *args: Value,
    **keywords: Value,
) -> Value:
    """The state has a row for each beam of each sequence."""
    tokens = as_tensor(start_tokens, ctx)
    if not require_rank(ctx, "start_tokens", tokens, 1):
        return ctx.lost("a decoder")
    beams, batch = size_given(ctx, beam_width, "the width of a beam"), batch_of(ctx, tokens.shape)
    inner = ctx.get(cell, "_cell") if isinstance(cell, Ref) and cell.cls == WRAPPER else cell
    if inner is not None and is_cell(inner):
        wanted = state_of(ctx, inner, batch * beams, "float32")
        check_state(ctx, _inner_state(ctx, initial_state), wanted, "the beams have")
    return ctx.new(BEAMS, _batch=of_size(batch), _beams=of_size(beams))


def _inner_state(ctx: Context, state: Value) -> Value:
    """Return the state of the cell inside of one with attention."""
    is_wrapped = isinstance(state, Ref) and state.cls == STATE
    return ctx.freeze((ctx.get(state, "_state") or NONE) if is_wrapped else state)


@behaviour(f"{LIBRARY}.dynamic_decode")
def dynamic_decode(ctx: Context, decoder: Value, output_time_major: Value = FALSE, *args: Value, **k: Value) -> Value:
    """Return outputs and classes of each step, the final state, and the length of each sequence."""
    steps = ctx.fresh("steps", Kind.DYNAMIC, "until all sequences end")
    made = decoder.cls if isinstance(decoder, Ref) and output_time_major == FALSE else ""
    if made == BEAMS:
        batch, beams = (as_size(ctx.get(decoder, name) or NONE) or 0 for name in ("_batch", "_beams"))
        ids = TensorValue(Shape((batch, steps, beams)), "int32", "tf")
        both = Seq("tuple", (ids, ctx.lost("the scores of beams")))
        return Seq("tuple", (both, ctx.lost("states"), TensorValue(Shape((batch, beams)), "int32", "tf")))
    found = _one_step(ctx, decoder) if isinstance(decoder, Ref) and made == DECODER else None
    if found is None:
        return Seq("tuple", tuple(ctx.lost("what a decoder gives") for _ in range(3)))
    output, state, batch = found
    shape = Shape((batch, steps, *output.shape.sizes[1:])) if output.shape.rank else UNRANKED
    ids = TensorValue(Shape((batch, steps)), "int32", "tf")
    both = Seq("tuple", (TensorValue(shape, output.dtype, "tf"), ids))
    return Seq("tuple", (both, state, TensorValue(Shape((batch,)), "int32", "tf")))


def _one_step(ctx: Context, decoder: Ref) -> tuple[TensorValue, Value, Size] | None:
    """Return the output of a step, and the state after it."""
    cell, helper, state, layer = (ctx.get(decoder, name) or NONE for name in ("_cell", "_helper", "_state", "_layer"))
    step = ctx.get(helper, "_step") if isinstance(helper, Ref) and helper.cls == HELPER else None
    if not isinstance(step, TensorValue):
        return None
    batch = batch_of(ctx, step.shape)
    if isinstance(cell, Ref) and cell.cls == WRAPPER:
        output = _attend(ctx, cell, step, state, batch)
        after: Value = state
    elif is_cell(cell):
        take(ctx, cell, step, inside(ctx, Const("decoder")))
        output, after = (
            outputs(ctx, cell, Shape((batch,)), step.dtype),
            state_after(ctx, cell, state, batch, step.dtype),
        )
    else:
        return None
    return output if layer == NONE else as_tensor(ctx.freeze(ctx.call(layer, [output])), ctx), after, batch


def _attend(ctx: Context, wrapped: Ref, step: TensorValue, state: Value, batch: Size) -> TensorValue:
    """Call the inner cell with the inputs concatenated with the attention."""
    cell, fed, attends = (ctx.get(wrapped, name) or NONE for name in ("_cell", "_fed", "_attends"))
    attended = size_given(ctx, ctx.get(wrapped, "_width") or NONE, "what is attended to")
    width = step.shape.size(-1)
    if fed == NONE and width is not None:
        take(ctx, cell, step.with_shape(Shape((batch, width + attended))), inside(ctx, Const("decoder")))
    state_after(ctx, cell, _inner_state(ctx, state), batch, step.dtype)
    own, units = output_size(ctx, cell), as_size(ctx.get(wrapped, "_units") or NONE)
    if own is not None and units is not None and own != units:
        said = f"the cell has {own} outputs, what it attends to has {units} columns"
        ctx.require(ClashKind.AXIS, Equal(own, units), said, wrapped)
    size = attended if attends == TRUE else own if attends == FALSE else None
    return TensorValue(Shape((batch, size)) if size is not None else UNRANKED, step.dtype, "tf")


@attribute("tuple.rnn_output", "tuple.predicted_ids")
def first_output(ctx: Context, self: Value) -> Value:
    return self.items[0] if isinstance(self, Seq) and len(self.items) == 2 else ctx.lost("a field of a tuple")


@attribute("tuple.sample_id")
def sample_id(ctx: Context, self: Value) -> Value:
    return self.items[1] if isinstance(self, Seq) and len(self.items) == 2 else ctx.lost("a field of a tuple")
