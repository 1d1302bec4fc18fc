"""flax's recurrent cells, and the layer that runs one over all steps."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import FALSE, NONE, Ref, Seq, Tensor, Value, as_bool, as_size, as_sizes, walk
from shapecheck.models.jax.weights import note
from shapecheck.models.lang import Context, base, behaviour
from shapecheck.models.lang.apply import together
from shapecheck.shapes.claims import Equal
from shapecheck.shapes.shape import Shape

RNN = "flax.linen.RNN"
CELLS = tuple(f"flax.linen.{name}" for name in ("LSTMCell", "OptimizedLSTMCell", "GRUCell", "MGUCell", "SimpleCell"))
for _name in (RNN, *CELLS):
    base(_name, "flax.linen.Module")


def _register(name: str) -> None:
    def cell(ctx: Context, features: Value = NONE, **options: Value) -> Value:
        return ctx.new(name, features=features)

    cell.__module__ = __name__
    behaviour(name)(cell)


for _name in CELLS:
    _register(_name)


@behaviour(f"{{{','.join(CELLS)}}}.__call__")
def step(ctx: Context, self: Ref, carry: Value = NONE, inputs: Value = NONE) -> Value:
    """Return the state after a step, which is like the one before, and the output."""
    state, output = ctx.freeze(carry), _output(ctx, self, inputs)
    for part in walk(state):
        if isinstance(part, Tensor) and isinstance(output, Tensor):
            _goes_with(ctx, part, output)
    return Seq("tuple", (state, output))


def _goes_with(ctx: Context, state: Tensor, output: Tensor) -> None:
    """State that a state is of the same batch as the inputs."""
    if state.shape.tail is None and state.shape.head and output.shape.tail is None:
        said = f"the state has shape {state.shape}, the output has shape {output.shape}"
        _, needs = together([Shape((*state.shape.head[:-1], output.shape.head[-1])), output.shape], said)
        for need in needs:
            ctx.require(need.kind, need.claim, need.message, state, output)


@behaviour(f"{{{','.join(CELLS)}}}.initialize_carry")
def first_state(ctx: Context, self: Value, rng: Value = NONE, input_shape: Value = NONE, *rest: Value) -> Value:
    """Return a state for inputs of a shape; older versions were asked without a cell."""
    return _first(ctx, self, ctx.freeze(input_shape)) if isinstance(self, Ref) and not rest else ctx.lost("a state")


def _first(ctx: Context, cell: Ref, input_shape: Value) -> Value:
    sizes, features = as_sizes(input_shape), as_size(ctx.get(cell, "features") or NONE)
    if not sizes or features is None:
        return ctx.lost("a state")
    part = Tensor(Shape((*sizes[:-1], features)), None, "jax")
    return Seq("tuple", (part, part)) if "LSTM" in cell.cls else part


@behaviour(RNN)
def layer(ctx: Context, cell: Value = NONE, **options: Value) -> Value:
    return ctx.new(RNN, cell=cell, **options)


@behaviour(f"{RNN}.__call__")
def run(ctx: Context, self: Ref, inputs: Value = NONE, **options: Value) -> Value:
    """Return the outputs of all steps, and the last state if that is asked for."""
    outputs = _output(ctx, ctx.get(self, "cell"), inputs)
    with_state = as_bool(options.get("return_carry", ctx.get(self, "return_carry") or FALSE))
    if with_state is None:
        return ctx.lost("outputs of a recurrent layer")
    return Seq("tuple", (ctx.lost("the last state"), outputs)) if with_state else outputs


# nnx -----------------------------------------------------------------------------------------------------------------

NNX_RNN = "flax.nnx.RNN"
NNX_CELLS = tuple(f"flax.nnx.{name}" for name in ("LSTMCell", "OptimizedLSTMCell", "GRUCell", "SimpleCell"))
for _name in (NNX_RNN, *NNX_CELLS):
    base(_name, "flax.nnx.Module")


def _register_in_nnx(name: str) -> None:
    def cell(ctx: Context, in_features: Value = NONE, hidden_features: Value = NONE, **options: Value) -> Value:
        return ctx.new(name, in_features=in_features, features=hidden_features)

    cell.__module__ = __name__
    behaviour(name)(cell)


for _name in NNX_CELLS:
    _register_in_nnx(_name)


@behaviour(f"{{{','.join(NNX_CELLS)}}}.__call__")
def step_in_nnx(ctx: Context, self: Ref, carry: Value = NONE, inputs: Value = NONE) -> Value:
    _takes(ctx, self, ctx.freeze(inputs))
    return step(ctx, self, carry, inputs)


@behaviour(f"{{{','.join(NNX_CELLS)}}}.initialize_carry")
def first_state_in_nnx(ctx: Context, self: Ref, input_shape: Value = NONE, *rest: Value, **options: Value) -> Value:
    return _first(ctx, self, ctx.freeze(input_shape))


@behaviour(NNX_RNN)
def layer_in_nnx(ctx: Context, cell: Value = NONE, **options: Value) -> Value:
    return ctx.new(NNX_RNN, cell=cell, **options)


@behaviour(f"{NNX_RNN}.__call__")
def run_in_nnx(ctx: Context, self: Ref, inputs: Value = NONE, **options: Value) -> Value:
    cell = ctx.get(self, "cell")
    if isinstance(cell, Ref):
        _takes(ctx, cell, ctx.freeze(inputs))
    return run(ctx, self, inputs, **options)


def _takes(ctx: Context, cell: Ref, inputs: Value) -> None:
    """State that the inputs have as many features as a cell is made for."""
    wanted = as_size(ctx.get(cell, "in_features") or NONE)
    have = inputs.shape.size(-1) if isinstance(inputs, Tensor) else None
    if wanted is not None and have is not None:
        said = f"the inputs have {have} features, the cell takes {wanted}"
        ctx.require(ClashKind.AXIS, Equal(have, wanted), said, inputs)


def _output(ctx: Context, cell: Value | None, inputs: Value) -> Value:
    """Return what a cell computes of the last axis."""
    given = ctx.freeze(inputs)
    features = as_size(ctx.get(cell, "features") or NONE) if isinstance(cell, Ref) else None
    if not isinstance(cell, Ref) or not isinstance(given, Tensor) or given.shape.tail is not None or features is None:
        return ctx.lost("outputs of a recurrent cell")
    note(ctx, cell.cls, (given.shape.size(-1), features))
    return Tensor(Shape((*given.shape.head[:-1], features)), None, "jax")
