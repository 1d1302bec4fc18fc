"""The recurrent cells of TensorFlow 1: objects that take an input and a state and give an output and a state."""

from __future__ import annotations

from typing import Literal

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    FALSE,
    NONE,
    TRUE,
    Const,
    Ref,
    Seq,
    Tensor,
    Value,
    as_size,
    as_str,
    items_of,
    of_size,
)
from shapecheck.models.lang import Context, attribute, base, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.tf1.variable_scopes import Home, inside, weights
from shapecheck.shapes.claims import FALSE as FALSE_CLAIM
from shapecheck.shapes.facts import Equal, Verdict
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size

CELL = "tf.nn.rnn_cell.RNNCell"
base("tf.nn.rnn_cell.MultiRNNCell", CELL)
PARTS = ("_units", "_output", "_state_output", "_form", "_width", "_cells", "_is_tuple")
Form = Literal["simple", "plain", "pair", "joined"]  # one state tensor, the two of an LSTM, or these concatenated
GATES = {"simple": 1, "plain": 2, "pair": 4, "joined": 4}  # the number of columns of the kernel for each unit


def size_given(ctx: Context, value: Value, what: str) -> Size:
    """Return the size that an argument gives, lost if it is not known."""
    size = as_size(value)
    return ctx.fresh("?", Kind.LOST, what) if size is None else ctx.resolve(size)


def make(ctx: Context, units: Value, form: Form, output: Value = NONE) -> Ref:
    """Return a cell with the given number of units; a projection gives it another output size."""
    width = of_size(size_given(ctx, units, "the units of a cell"))
    return ctx.new(CELL, _units=width, _output=width if output == NONE else output, _form=Const(form))


@behaviour("tf.nn.rnn_cell.BasicRNNCell")
def basic_rnn(ctx: Context, num_units: Value, *args: Value, **keywords: Value) -> Value:
    return make(ctx, num_units, "simple")


@behaviour("tf.nn.rnn_cell.{GRUCell,GRUBlockCell,GRUBlockCellV2,SRUCell,UGRNNCell,IntersectionRNNCell}")
def plain_cell(ctx: Context, num_units: Value, *args: Value, **keywords: Value) -> Value:
    return make(ctx, num_units, "plain")


@behaviour(
    "tf.nn.rnn_cell.{BasicLSTMCell,LSTMBlockCell,LayerNormBasicLSTMCell,LayerNormLSTMCell,CoupledInputForgetGateLSTMCell}"
)
def basic_lstm(
    ctx: Context,
    num_units: Value,
    *args: Value,
    state_is_tuple: Value = TRUE,
    num_proj: Value = NONE,
    **keywords: Value,
) -> Value:
    return _lstm(ctx, num_units, state_is_tuple, num_proj)


@behaviour("tf.nn.rnn_cell.LSTMCell")
def lstm(
    ctx: Context,
    num_units: Value,
    use_peepholes: Value = FALSE,
    cell_clip: Value = NONE,
    initializer: Value = NONE,
    num_proj: Value = NONE,
    *args: Value,
    state_is_tuple: Value = TRUE,
    **keywords: Value,
) -> Value:
    return _lstm(ctx, num_units, state_is_tuple, num_proj)


def _lstm(ctx: Context, units: Value, is_tuple: Value, projection: Value) -> Value:
    if is_tuple not in (TRUE, FALSE):
        return ctx.lost("a cell with a state of unknown form")
    return make(ctx, units, "pair" if is_tuple == TRUE else "joined", projection)


@behaviour("tf.nn.rnn_cell.LSTMStateTuple")
def state_tuple(ctx: Context, c: Value, h: Value) -> Value:
    return Seq("tuple", (c, h))


@attribute("tuple.c")
def state_c(ctx: Context, self: Value) -> Value:
    items = items_of(self) or ()
    return items[0] if len(items) == 2 else ctx.lost("a field of a tuple")


@attribute("tuple.h")
def state_h(ctx: Context, self: Value) -> Value:
    items = items_of(self) or ()
    return items[1] if len(items) == 2 else ctx.lost("a field of a tuple")


@behaviour("tf.nn.rnn_cell.MultiRNNCell")
def multi_cell(ctx: Context, cells: Value, state_is_tuple: Value = TRUE) -> Value:
    items = ctx.elements(cells)
    if items is None:
        return ctx.lost("a stack of an unknown number of cells")
    return ctx.new("tf.nn.rnn_cell.MultiRNNCell", _cells=Seq("tuple", items), _is_tuple=state_is_tuple)


@behaviour("tf.nn.rnn_cell.{DropoutWrapper,DeviceWrapper}", "tf.nn.RNNCell{DropoutWrapper,DeviceWrapper}")
def wrapper(ctx: Context, cell: Value, *args: Value, **keywords: Value) -> Value:
    return cell


@behaviour("tf.nn.rnn_cell.{ResidualWrapper,HighwayWrapper}", "tf.nn.RNNCellResidualWrapper")
def residual(ctx: Context, cell: Value, *args: Value, **keywords: Value) -> Value:
    """Return a cell whose outputs are added to its inputs; a function of the program may add them as it likes."""
    if not isinstance(cell, Ref) or not is_cell(cell) or args or "residual_fn" in keywords:
        return cell
    parts = {name: found for name in PARTS if (found := ctx.get(cell, name)) is not None}
    return ctx.new(cell.cls, **parts, _adds=TRUE)


@behaviour("tf.nn.rnn_cell.OutputProjectionWrapper")
def projected(ctx: Context, cell: Value, output_size: Value, *args: Value, **keywords: Value) -> Value:
    if not is_cell(cell) or ctx.get(cell, "_units") is None:
        return ctx.lost("a projection of an unknown cell")
    parts = {name: ctx.get(cell, name) or NONE for name in ("_units", "_form")}
    inner = ctx.get(cell, "_state_output") or ctx.get(cell, "_output") or NONE
    return ctx.new(CELL, **parts, _output=output_size, _state_output=inner)


# Calls -----------------------------------------------------------------------------------------------------------


def is_cell(value: Value) -> bool:
    return isinstance(value, Ref) and value.cls in (CELL, "tf.nn.rnn_cell.MultiRNNCell")


def parts_of(ctx: Context, cell: Value) -> tuple[Value, ...] | None:
    """Return the cells of a stack; None for a single one."""
    cells = ctx.get(cell, "_cells")
    return items_of(cells) if cells is not None else None


def output_size(ctx: Context, cell: Value) -> Size | None:
    """Return the size of the output of a cell."""
    parts = parts_of(ctx, cell)
    if parts is not None:
        return output_size(ctx, parts[-1]) if parts else None
    return as_size(ctx.get(cell, "_output") or NONE) if is_cell(cell) else None


def state_of(ctx: Context, cell: Value, batch: Size, dtype: str | None = None) -> Value:
    """Return the state of a cell for a batch."""
    parts = parts_of(ctx, cell)
    if parts is not None:
        is_tuple = ctx.get(cell, "_is_tuple")
        if is_tuple == FALSE:
            return Tensor(Shape((batch,), ()), dtype)
        if is_tuple != TRUE:
            return ctx.lost("a state of unknown form")
        return Seq("tuple", tuple(state_of(ctx, part, batch, dtype) for part in parts))
    units = as_size(ctx.get(cell, "_units") or NONE) if is_cell(cell) else None
    if units is None:
        return ctx.lost("the state of an unknown cell")
    width = as_size(ctx.get(cell, "_state_output") or ctx.get(cell, "_output") or NONE)
    hidden = units if width is None else width
    match ctx.get(cell, "_form"):
        case Const(value="pair"):
            first, second = (Tensor(Shape((batch, size)), dtype) for size in (units, hidden))
            return Seq("tuple", (first, second))
        case Const(value="joined"):
            return Tensor(Shape((batch, units + hidden)), dtype)
    return Tensor(Shape((batch, units)), dtype)


def outputs(ctx: Context, cell: Value, leading: Shape, dtype: str | None) -> Tensor:
    """Return the output of a cell under some leading axes; custom cells may return several axes."""
    size = output_size(ctx, cell) if is_cell(cell) else as_size(ctx.get(cell, "output_size") or NONE)
    if size is None and not is_cell(cell):
        return Tensor(Shape(leading.head, ()) if leading.tail is None else UNRANKED, dtype)
    if size is None:
        size = ctx.fresh("?", Kind.LOST, "the output of an unknown cell")
    return Tensor(Shape((*leading.head, size)) if leading.tail is None else UNRANKED, dtype)


def batch_of(ctx: Context, shape: Shape, axis: int = 0) -> Size:
    size = shape.size(axis)
    return ctx.fresh("?", Kind.LOST, "a batch") if size is None else size


def check_state(ctx: Context, state: Value, wanted: Value, others: str = "the inputs have") -> None:
    """State that a given state has the sizes of the cell."""
    given, expected = items_of(state), items_of(wanted)
    if not _has_parts(ctx, state, wanted):
        return
    if given is not None and expected is not None and not isinstance(state, Tensor):
        for one, other in zip(given, expected, strict=False):
            check_state(ctx, one, other, others)
        return
    if not isinstance(state, Tensor) or not isinstance(wanted, Tensor):
        return
    have, need = state.shape, wanted.shape
    if have.rank is None or need.rank is None or have.rank != need.rank:
        return
    for axis, (have_size, need_size) in enumerate(zip(have.sizes, need.sizes, strict=True)):
        what = f"rows, {others}" if axis == 0 else "columns, the cell has"
        if have_size != need_size:
            said = f"the state has {have_size} {what} {need_size}"
            ctx.require(ClashKind.AXIS, Equal(have_size, need_size), said, state)


def _has_parts(ctx: Context, state: Value, wanted: Value) -> bool:
    """Return whether a state may have the structure of that of the cell, after stating that."""
    expected = items_of(wanted)
    if isinstance(wanted, Tensor) or expected is None:
        return True
    if isinstance(state, Tensor) and state.role == "tensor" and state.shape.is_ranked:
        said = f"the state is one tensor of shape {state.shape}, the cell has a state of {len(expected)} parts"
        ctx.require(ClashKind.RANK, FALSE_CLAIM, said, state)
        return False
    return True


def state_after(ctx: Context, cell: Value, given: Value, batch: Size, dtype: str | None) -> Value:
    """Return the state after a cell has run on a given one."""
    state = state_of(ctx, cell, batch, dtype)
    if given != NONE:
        check_state(ctx, given, state)
    return state


def take(ctx: Context, cell: Value, inputs: Tensor, home: Home) -> None:
    """Call a cell with inputs: each cell of a stack takes the output of the one below. Weights are created once, in the
    scope of the cell, or shared with another cell where that scope reuses variables.
    """
    width = first = inputs.shape.size(-1)
    for at, part in enumerate(parts_of(ctx, cell) or (cell,) if is_cell(cell) else ()):
        units = as_size(ctx.get(part, "_units") or NONE) if is_cell(part) else None
        if width is None or units is None:
            return
        before = as_size(ctx.get(part, "_width") or NONE)
        if before is None:
            ctx.set(part, "_width", of_size(width))
            form = as_str(ctx.get(part, "_form") or NONE) or ""
            kernel = Shape((width + (output_size(ctx, part) or units), units * GATES.get(form, 1)))
            weights(ctx, "", Const(f"cell_{at}/{form}_{units}"), NONE, kernel, inputs, home)
        elif before != width:
            _meet_width(ctx, before, width, inputs)
        after = output_size(ctx, part)
        _adds_up(ctx, part, width, after, inputs)
        width = after
    if parts_of(ctx, cell) is not None:
        _adds_up(ctx, cell, first, width, inputs)


def _adds_up(ctx: Context, cell: Value, width: Size | None, after: Size | None, inputs: Tensor) -> None:
    """State that the outputs of a cell are as wide as its inputs, if it adds them."""
    if ctx.get(cell, "_adds") == TRUE and width is not None and after is not None and width != after:
        said = f"the inputs have {width} columns, the outputs that are added to them have {after}"
        ctx.require(ClashKind.AXIS, Equal(width, after), said, inputs)


def _meet_width(ctx: Context, before: Size, width: Size, inputs: Tensor) -> None:
    """State that inputs have the columns that the weights of a cell were made for, which was checked from 1.2 on."""
    said, same = f"the cell was made for inputs of {before} columns, these have {width}", Equal(before, width)
    if ctx.target.since_1_2:
        ctx.require(ClashKind.LAYER_INPUT, same, said, inputs)
    elif not ctx.target.before_1_0 and ctx.known(same) is Verdict.NEVER:
        ctx.notice(ClashKind.VERSION, f"{said}, rejected since TensorFlow 1.1", inputs)


def need_rank(ctx: Context, tensor: Tensor, rank: int) -> bool:
    """Return whether an input has the required number of axes, and state it."""
    known = tensor.shape.rank
    if known is None or known == rank:
        return True
    ctx.require(ClashKind.RANK, Equal(known, rank), f"the input has rank {known}, the cell takes rank {rank}", tensor)
    return False


@behaviour(f"{CELL}.__call__", f"{CELL}.call")
def call(ctx: Context, self: Value, inputs: Value, state: Value = NONE, scope: Value = NONE) -> Value:
    tensor = as_tensor(inputs, ctx)
    if not need_rank(ctx, tensor, 2):
        return ctx.lost("the output of a cell")
    take(ctx, self, tensor, inside(ctx, Const("cell") if scope == NONE else scope))
    batch = batch_of(ctx, tensor.shape)
    output = outputs(ctx, self, Shape((batch,)), tensor.dtype)
    return Seq("tuple", (output, state_after(ctx, self, state, batch, tensor.dtype)))


@behaviour(f"{CELL}.zero_state", f"{CELL}.get_initial_state")
def zero_state(ctx: Context, self: Value, batch_size: Value = NONE, dtype: Value = NONE, **keywords: Value) -> Value:
    return state_of(ctx, self, size_given(ctx, batch_size, "the batch of a state"), "float32")


@attribute(f"{CELL}.output_size")
def cell_output_size(ctx: Context, self: Value) -> Value:
    size = output_size(ctx, self)
    return ctx.lost("the output of a cell") if size is None else of_size(size)


@attribute(f"{CELL}.state_size")
def cell_state_size(ctx: Context, self: Value) -> Value:
    return _sizes(ctx, state_of(ctx, self, 1))


def _sizes(ctx: Context, state: Value) -> Value:
    if isinstance(state, Tensor):
        size = state.shape.size(-1)
        return ctx.lost("the state of a cell") if size is None else of_size(size)
    items = items_of(state)
    return ctx.lost("the state of a cell") if items is None else Seq("tuple", tuple(_sizes(ctx, i) for i in items))
