"""Recurrent layers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, TRUE, Const, Lost, Ref, Seq, Value, as_size, items_of
from shapecheck.domain.values import Tensor as TensorValue
from shapecheck.models.lang.answer import Answer
from shapecheck.models.lang.constraints import never
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.maps import ONE, Maps
from shapecheck.models.lang.parameter_kinds import AnyValue, Dimensions, Flag, Size, Sizes, Tensor, Tensors
from shapecheck.models.lang.registry import REGISTRY, attribute, behaviour
from shapecheck.models.layers.base_layer import declared_apart, keras_layer, remember
from shapecheck.models.layers.compute_dtype import made, taken
from shapecheck.models.layers.structure import as_tensors, data, like
from shapecheck.shapes.claims import AnyOf, Equal
from shapecheck.shapes.facts import FALSE
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Kind
from shapecheck.shapes.size import Size as AnySize

NOT_STATEFUL = Const(False)


def recurrent(states: int, sequences: bool, with_state: bool, initial: Tensors | None, fixed: bool) -> Answer:
    """Return the common part of recurrent layers with that many states; the batch is `fixed` for one that keeps its
    states.
    """
    given = initial.items if initial is not None else ()
    batch = "@b" if fixed else "b"
    inputs = ", ".join([f"{batch} t @i", *(f"{batch} {{units}}" for _ in given)])
    first = f"{batch} t {{units}}" if sequences else f"{batch} {{units}}"
    outputs = ", ".join([first, *(f"{batch} {{units}}" for _ in range(states if with_state else 0))])
    if given and len(given) != states:
        said = f"initial_state has {len(given)} tensors, the layer has {states} states"
        return (f"{inputs} -> {outputs}", never(ClashKind.RANK, said))
    return f"{inputs} -> {outputs}"


def keeps_batch(inputs: Tensor) -> bool:
    """Return whether a stateful layer is built for the rows of its input; for actual data, they may be set later."""
    return isinstance(inputs.shape.size(0), int) or inputs.is_symbolic


@keras_layer("keras.layers.{LSTM,CuDNNLSTM}")
def lstm(
    inputs: Tensor,
    units: Size,
    return_sequences: Flag = False,
    return_state: Flag = False,
    stateful: Flag = False,
    initial_state: Tensors | None = None,
) -> Answer:
    fixed = stateful and keeps_batch(inputs)
    return recurrent(2, return_sequences, return_state, initial_state, fixed)


@keras_layer("keras.layers.{GRU,SimpleRNN,CuDNNGRU}")
def gru(
    inputs: Tensor,
    units: Size,
    return_sequences: Flag = False,
    return_state: Flag = False,
    stateful: Flag = False,
    initial_state: Tensors | None = None,
) -> Answer:
    fixed = stateful and keeps_batch(inputs)
    return recurrent(1, return_sequences, return_state, initial_state, fixed)


def _accepts_states(name: str) -> None:
    """Accept the initial state as a tensor, as a list, or as the rest of the inputs."""
    run = REGISTRY[f"{name}.__call__"].definition.function

    def call(ctx: Context, self: Value, sequences: Value = NONE, initial_state: Value = NONE, **others: Value) -> Value:
        sequences = others.pop("inputs", sequences)
        given, state = data(ctx.freeze(sequences)), ctx.freeze(initial_state)
        items = items_of(given) if isinstance(given, Seq) else None
        if items and ctx.target.keras != 3 and isinstance(items[0], TensorValue):
            given, state = items[0], Seq("list", items[1:]) if len(items) > 1 else state
        if isinstance(state, TensorValue):
            state = Seq("list", (state,))
        if isinstance(state, Seq) and state.items and not any(isinstance(item, Lost) for item in state.items):
            others["initial_state"] = as_tensors(state)
        result: Value = run(ctx, self, given, **others)
        return result

    call.__module__ = __name__
    behaviour(f"{name}.__call__", anew=True)(call)


for _name in ("LSTM", "GRU", "SimpleRNN", "CuDNNLSTM", "CuDNNGRU"):
    _accepts_states(f"keras.layers.{_name}")


@attribute("keras.layers.{LSTM,GRU,SimpleRNN,CuDNNLSTM,CuDNNGRU}.stateful")
def stateful(ctx: Context, self: Value) -> Value:
    return NOT_STATEFUL  # if the constructor did not specify it


# Convolutional -----------------------------------------------------------------------------------------------------


@keras_layer("keras.layers.ConvLSTM{1,2,3}D", "keras.layers.ConvRecurrent2D", dtype="float32,float32")
def conv_lstm(
    axes: Dimensions,
    filters: Size,
    kernel_size: Sizes,
    strides: Sizes = ONE,
    padding: Literal["valid", "same"] = "valid",
    data_format: AnyValue = NONE,
    dilation_rate: Sizes = ONE,
    return_sequences: Flag = False,
    return_state: Flag = False,
) -> Answer:
    maps, last = Maps.of(axes, data_format), "b H.. {filters}"
    outputs = ["b t H.. {filters}" if return_sequences else last, *[last] * (2 * return_state)]
    return maps(f"b t h.. @c -> {', '.join(outputs)}"), *maps.window(kernel_size, strides, padding, dilation_rate)


def _ignores_states(name: str) -> None:
    """Accept an initial state, which does not affect the shape; only some versions compare it."""
    run = REGISTRY[f"{name}.__call__"].definition.function

    def call(ctx: Context, self: Value, sequences: Value = NONE, initial_state: Value = NONE, **others: Value) -> Value:
        result: Value = run(ctx, self, others.pop("inputs", sequences), **others)
        return result

    call.__module__ = __name__
    behaviour(f"{name}.__call__", anew=True)(call)


for _axes in (1, 2, 3):
    _ignores_states(f"keras.layers.ConvLSTM{_axes}D")


# Cells -------------------------------------------------------------------------------------------------------------


@keras_layer("keras.layers.{LSTMCell,GRUCell,SimpleRNNCell}", oracle="none: called with states")
def cell(units: Size) -> Answer:
    return "b @i -> b {units}"


def _fits(ctx: Context, state: Value, output: Value, at: int) -> None:
    """State that a state has the axes of a cell's output; a batch of 1 is stretched, as is a carry of one column."""
    if not (isinstance(state, TensorValue) and isinstance(output, TensorValue)):
        return
    if state.shape.rank != 2 or output.shape.rank != 2:
        return
    (rows, columns), (batch, units) = state.shape.sizes, output.shape.sizes
    fits = Equal(columns, units)
    claim = fits if at == 0 else AnyOf((fits, Equal(columns, 1)))
    ctx.require(ClashKind.AXIS, claim, f"states[{at}] has {columns} columns, the cell has {units} units", state)
    claim = AnyOf((Equal(rows, batch), Equal(rows, 1), Equal(batch, 1)))
    ctx.require(ClashKind.AXIS, claim, f"states[{at}] has {rows} rows, inputs has {batch}", state)


def _of_each_row(ctx: Context, self: Value, inputs: Value, run: Callable[..., Value]) -> Value:
    """Return the output of a cell for inputs with more axes than a batch has, which Keras 2 takes."""
    if not isinstance(inputs, TensorValue) or (inputs.shape.rank or 0) <= 2:
        return run(ctx, self, inputs)
    *axes, columns = inputs.shape.sizes
    output = run(ctx, self, inputs.with_shape(Shape((ctx.fresh("rows", Kind.LOST, "rows of all"), columns))))
    if not isinstance(output, TensorValue) or output.shape.rank != 2:
        return output
    return output.with_shape(Shape((*axes, output.shape.sizes[1])))


def _returns_states(name: str, count: int) -> None:
    """Register the call of a cell, which returns its output and its states, nested like the given states."""
    run = REGISTRY[f"{name}.__call__"].definition.function

    def call(ctx: Context, self: Value, inputs: Value = NONE, states: Value = NONE, **others: Value) -> Value:
        takes_rows = ctx.target.keras == 3 and not name.endswith("SimpleRNNCell")
        output = run(ctx, self, inputs) if takes_rows else _of_each_row(ctx, self, inputs, run)
        state = items_of(ctx.freeze(states))
        for at, item in enumerate(state or (states,)):
            _fits(ctx, item, output, at)
        if isinstance(states, (TensorValue, Lost)) or state is None:
            after: Value = ctx.lost("states of a cell") if isinstance(states, Lost) or count > 1 else output
        else:
            after = Seq("list", (output,) * count)
        return Seq("tuple", (output, after))

    call.__module__ = __name__
    behaviour(f"{name}.__call__", f"{name}.call", anew=True)(call)


for _name, _count in (("LSTMCell", 2), ("GRUCell", 1), ("SimpleRNNCell", 1)):
    _returns_states(f"keras.layers.{_name}", _count)


@behaviour("keras.layers.{LSTMCell,GRUCell,SimpleRNNCell}.build")
def build_cell(ctx: Context, self: Value, input_shape: Value = NONE) -> Value:
    """Only the last size counts: the shape of a sequence is accepted as well."""
    sizes = items_of(ctx.freeze(input_shape))
    return ctx.apply("keras.layers.Layer.build", self, Seq("tuple", (NONE, sizes[-1]))) if sizes else NONE


@behaviour("keras.layers.{LSTMCell,GRUCell,SimpleRNNCell}.get_initial_state")
def initial_state(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    return ctx.lost("initial state of a cell")


@behaviour("keras.layers.StackedRNNCells")
def stacked_cells(ctx: Context, cells: Value = NONE, **others: Value) -> Value:
    return ctx.new("keras.layers.StackedRNNCells", cells=ctx.freeze(cells))


@behaviour("keras.layers.RNN")
def rnn(
    ctx: Context,
    cell: Value = NONE,
    return_sequences: Value = NONE,
    return_state: Value = NONE,
    *rest: Value,
    **others: Value,
) -> Value:
    given = ctx.freeze(cell)
    return ctx.new(
        "keras.layers.RNN",
        cell=given,
        return_sequences=return_sequences,
        return_state=return_state,
        **declared_apart(others),
    )


@behaviour("keras.layers.RNN.__call__")
def call_rnn(ctx: Context, self: Ref, sequences: Value = NONE, **others: Value) -> Value:
    given = taken(ctx, self, others.get("inputs", sequences))
    if not isinstance(given, TensorValue) or given.shape.tail is not None:
        return ctx.lost("input of an RNN")
    if len(given.shape.head) < 3 and _has_plain_cells(ctx, self):
        said = f"inputs has rank {len(given.shape.head)}, not 3"
        ctx.require(ClashKind.RANK, FALSE, said, given)
        return ctx.lost("a call that fails")
    if len(given.shape.head) != 3:
        return ctx.lost("an RNN with its own cell")
    if not _has_plain_cells(ctx, self):
        return ctx.lost("an RNN with constants") if "constants" in others else _repeated(ctx, self, given)
    result = made(ctx, self, _unrolled(ctx, self, given))
    remember(ctx, self, given, result)
    return result


def _repeated(ctx: Context, self: Ref, given: TensorValue) -> Value:
    """Return what a cell of the program makes of each step, and of states as wide as it says."""
    batch, steps, features = given.shape.head
    cell = ctx.get(self, "cell") or NONE
    wanted = ctx.freeze(ctx.get(cell, "state_size") or NONE) if isinstance(cell, Ref) else NONE
    sizes = [as_size(item) for item in items_of(wanted) or (wanted,)]
    widths = [size for size in sizes if size is not None]
    if not isinstance(cell, Ref) or len(widths) < len(sizes) or ctx.get(cell, "get_initial_state") is not None:
        return ctx.lost("an RNN with its own cell")
    states = Seq("list", tuple(like(Shape((batch, width)), given) for width in widths))
    pair = items_of(ctx.freeze(ctx.call(cell, [like(Shape((batch, features)), given), states])))
    if pair is None or len(pair) != 2 or not isinstance(pair[0], TensorValue) or pair[0].shape.rank is None:
        return ctx.lost("an RNN with its own cell")
    one = pair[0].shape.sizes
    kept = (one[0], steps, *one[1:]) if one and ctx.get(self, "return_sequences") == TRUE else one
    output = like(Shape(kept), given)
    if ctx.get(self, "return_state") != TRUE:
        return output
    after = items_of(pair[1])
    return ctx.lost("states of a cell") if after is None else Seq("list", (output, *after))


def _unrolled(ctx: Context, self: Ref, given: TensorValue) -> Value:
    batch, steps, _ = given.shape.head
    units = [_units(ctx, each) for each in _cells(ctx, self)]
    last = units[-1]
    if last is None:
        return ctx.lost("units of a cell")
    kept = (batch, steps, last) if ctx.get(self, "return_sequences") == TRUE else (batch, last)
    output = like(Shape(kept), given)
    if ctx.get(self, "return_state") != TRUE:
        return output
    return Seq("list", (output, *(ctx.lost("state of an RNN") for _ in units)))


def _cells(ctx: Context, self: Ref) -> tuple[Value, ...]:
    cell = ctx.get(self, "cell") or NONE
    if isinstance(cell, Ref) and cell.cls == "keras.layers.StackedRNNCells":
        cell = ctx.get(cell, "cells") or NONE
    return items_of(cell) or (cell,)


def _has_plain_cells(ctx: Context, self: Ref) -> bool:
    names = ("LSTMCell", "GRUCell", "SimpleRNNCell")
    return all(isinstance(each, Ref) and each.cls.rsplit(".", 1)[-1] in names for each in _cells(ctx, self))


def _units(ctx: Context, cell: Value) -> AnySize | None:
    units = ctx.get(cell, "units")
    return None if units is None else as_size(units)
