"""Recurrent networks of TensorFlow 1: cells applied to a list of steps, or along a time axis."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.agreement import is_nest
from shapecheck.domain.values import FALSE, NONE, Const, HomogeneousSeq, Seq, Tensor, Value, items_of
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.lang.ranks import require_rank
from shapecheck.models.tf1.cells import batch_of, is_cell, need_rank, outputs, state_after, take
from shapecheck.models.tf1.variable_scopes import inside
from shapecheck.shapes.claims import FALSE as FALSE_CLAIM
from shapecheck.shapes.claims import Equal
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Kind, Size

RNN, BOTH = Const("rnn"), Const("bidirectional_rnn")


def check_lengths(ctx: Context, lengths: Value, batch: Size) -> None:
    """State that the lengths of the sequences are one number for each row of the batch."""
    if lengths == NONE:
        return
    tensor = as_tensor(lengths, ctx)
    if require_rank(ctx, "sequence_length", tensor, 1) and tensor.shape.rank == 1:
        size = tensor.shape.sizes[0]
        said = f"sequence_length has {size} elements, the inputs have {batch} rows"
        ctx.require(ClashKind.AXIS, Equal(size, batch), said, tensor)


# A list of steps ----------------------------------------------------------------------------------------------------


def step_of(ctx: Context, inputs: Value) -> Tensor | None:
    """Return a value for any step of a list of inputs."""
    match inputs:
        case Seq(items=(first, *_)):
            step = first
        case HomogeneousSeq(element=element):
            step = element
        case _:
            return None
    return None if is_nest(step) else as_tensor(step, ctx)


def is_list(ctx: Context, inputs: Value) -> None:
    """State that inputs are a list of steps, not one tensor."""
    if isinstance(inputs, Tensor) and inputs.shape.head:
        said = f"inputs is one tensor of shape {inputs.shape}, where a list of steps is taken"
        ctx.require(ClashKind.RANK, FALSE_CLAIM, said, inputs)


def takes(ctx: Context, cells: tuple[Value, ...], step: Tensor) -> bool:
    """Return whether the inputs are those of a cell, and state it; cells of the program take what they like."""
    return not all(map(is_cell, cells)) or need_rank(ctx, step, 2)


def repeated(inputs: Value, output: Tensor) -> Value:
    """Return a list with one output for each step."""
    if isinstance(inputs, HomogeneousSeq):
        return HomogeneousSeq("list", output, inputs.length)
    return Seq("list", (output,) * (len(inputs.items) if isinstance(inputs, Seq) else 0))


@behaviour(
    "tf.nn.static_rnn", "tf.nn.rnn_cell.static_rnn", "tf.nn.rnn", "tf.nn.rnn_cell.rnn", "tf.contrib.rnn.static_rnn"
)
def static_rnn(
    ctx: Context,
    cell: Value,
    inputs: Value,
    initial_state: Value = NONE,
    dtype: Value = NONE,
    sequence_length: Value = NONE,
    scope: Value = NONE,
) -> Value:
    step = step_of(ctx, inputs)
    is_list(ctx, inputs)
    if step is None or not takes(ctx, (cell,), step):
        return Seq("tuple", (ctx.lost("outputs of a cell"), ctx.lost("the state of a cell")))
    batch = batch_of(ctx, step.shape)
    check_lengths(ctx, sequence_length, batch)
    take(ctx, cell, step, inside(ctx, RNN if scope == NONE else scope))
    output = outputs(ctx, cell, Shape((batch,)), step.dtype)
    return Seq("tuple", (repeated(inputs, output), state_after(ctx, cell, initial_state, batch, step.dtype)))


@behaviour("tf.nn.static_bidirectional_rnn", "tf.contrib.rnn.static_bidirectional_rnn", "tf.nn.bidirectional_rnn")
def static_bidirectional_rnn(
    ctx: Context,
    cell_fw: Value,
    cell_bw: Value,
    inputs: Value,
    initial_state_fw: Value = NONE,
    initial_state_bw: Value = NONE,
    *args: Value,
    **keywords: Value,
) -> Value:
    step = step_of(ctx, inputs)
    is_list(ctx, inputs)
    if step is None or not takes(ctx, (cell_fw, cell_bw), step):
        return Seq("tuple", tuple(ctx.lost("outputs of a cell") for _ in range(3)))
    batch = batch_of(ctx, step.shape)
    scope = args[2] if args[2:] else keywords.get("scope", NONE)
    for cell, name in ((cell_fw, "fw"), (cell_bw, "bw")):
        take(ctx, cell, step, inside(ctx, BOTH if scope == NONE else scope, name))
    both = [outputs(ctx, cell, Shape((batch,)), step.dtype) for cell in (cell_fw, cell_bw)]
    left, right = (output.shape.size(-1) for output in both)
    width = ctx.fresh("?", Kind.LOST, "outputs of cells") if left is None or right is None else left + right
    states = (
        state_after(ctx, cell_fw, initial_state_fw, batch, step.dtype),
        state_after(ctx, cell_bw, initial_state_bw, batch, step.dtype),
    )
    return Seq("tuple", (repeated(inputs, both[0].with_shape(Shape((batch, width)))), *states))


# A time axis --------------------------------------------------------------------------------------------------------


def along_time(ctx: Context, inputs: Value, lengths: Value, time_major: Value) -> tuple[Tensor, Size] | None:
    """Return the inputs, if they are one tensor with a time axis, and the size of their batch."""
    if is_nest(inputs):
        _have_time(ctx, inputs)
        return None
    tensor = as_tensor(inputs, ctx)
    if time_major != FALSE:
        batch = batch_of(ctx, tensor.shape, 1)
    else:
        batch = batch_of(ctx, tensor.shape)
    rank = tensor.shape.rank
    if rank is not None and rank < 3:
        said = f"inputs have rank {rank}, they need an axis of time and so rank 3"
        ctx.require(ClashKind.RANK, Equal(rank, 3), said, tensor)
        return None
    check_lengths(ctx, lengths, batch)
    return (tensor, batch) if rank == 3 else (replace(tensor, shape=_of_rank_3(ctx, tensor.shape)), batch)


def _have_time(ctx: Context, structure: Value) -> None:
    """State that the parts of structured inputs, which a list is taken for, have rank 3."""
    for part in items_of(structure) or ():
        if isinstance(part, Tensor) and part.shape.rank is not None and part.shape.rank < 3:
            said = f"inputs is a structure with a part of shape {part.shape}, which needs axes of batch, time and size"
            ctx.require(ClashKind.RANK, FALSE_CLAIM, said, part)


def _of_rank_3(ctx: Context, shape: Shape) -> Shape:
    return Shape(tuple(batch_of(ctx, shape, axis) for axis in range(3)))


@behaviour("tf.nn.dynamic_rnn")
def dynamic_rnn(
    ctx: Context,
    cell: Value,
    inputs: Value,
    sequence_length: Value = NONE,
    initial_state: Value = NONE,
    dtype: Value = NONE,
    parallel_iterations: Value = NONE,
    swap_memory: Value = FALSE,
    time_major: Value = FALSE,
    scope: Value = NONE,
) -> Value:
    found = along_time(ctx, inputs, sequence_length, time_major)
    if found is None:
        return Seq("tuple", (ctx.lost("outputs of a cell"), ctx.lost("the state of a cell")))
    tensor, batch = found
    take(ctx, cell, tensor, inside(ctx, RNN if scope == NONE else scope))
    output = outputs(ctx, cell, Shape(tensor.shape.sizes[:2]), tensor.dtype)
    return Seq("tuple", (output, state_after(ctx, cell, initial_state, batch, tensor.dtype)))


@behaviour("tf.nn.bidirectional_dynamic_rnn")
def bidirectional_dynamic_rnn(
    ctx: Context,
    cell_fw: Value,
    cell_bw: Value,
    inputs: Value,
    sequence_length: Value = NONE,
    initial_state_fw: Value = NONE,
    initial_state_bw: Value = NONE,
    dtype: Value = NONE,
    parallel_iterations: Value = NONE,
    swap_memory: Value = FALSE,
    time_major: Value = FALSE,
    scope: Value = NONE,
) -> Value:
    found = along_time(ctx, inputs, sequence_length, time_major)
    if found is None:
        lost = Seq("tuple", (ctx.lost("outputs of a cell"), ctx.lost("outputs of a cell")))
        return Seq("tuple", (lost, lost))
    tensor, batch = found
    for cell, name in ((cell_fw, "fw"), (cell_bw, "bw")):
        take(ctx, cell, tensor, inside(ctx, BOTH if scope == NONE else scope, name))
    leading = Shape(tensor.shape.sizes[:2])
    both = Seq("tuple", tuple(outputs(ctx, cell, leading, tensor.dtype) for cell in (cell_fw, cell_bw)))
    states = (
        state_after(ctx, cell_fw, initial_state_fw, batch, tensor.dtype),
        state_after(ctx, cell_bw, initial_state_bw, batch, tensor.dtype),
    )
    return Seq("tuple", (both, Seq("tuple", states)))
