"""flax's recurrent cells, and the layer that runs one over all steps."""

from __future__ import annotations

from shapecheck.domain.values import FALSE, NONE, Ref, Seq, Tensor, Value, as_bool, as_size
from shapecheck.models.jax.weights import note
from shapecheck.models.lang import Context, base, behaviour
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
    return Seq("tuple", (ctx.freeze(carry), _output(ctx, self, inputs)))


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


def _output(ctx: Context, cell: Value | None, inputs: Value) -> Value:
    """Return what a cell computes of the last axis."""
    given = ctx.freeze(inputs)
    features = as_size(ctx.get(cell, "features") or NONE) if isinstance(cell, Ref) else None
    if not isinstance(cell, Ref) or not isinstance(given, Tensor) or given.shape.tail is not None or features is None:
        return ctx.lost("outputs of a recurrent cell")
    note(ctx, cell.cls, (given.shape.size(-1), features))
    return Tensor(Shape((*given.shape.head[:-1], features)), None, "jax")
