"""haiku's recurrent cores, and what runs one over all steps."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, TRUE, Ref, Seq, Tensor, Value, as_bool, as_size
from shapecheck.models.jax.trees import each_leaf
from shapecheck.models.jax.weights import note
from shapecheck.models.lang import Context, base, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.shapes.claims import Equal
from shapecheck.shapes.facts import Verdict
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size

CORES = tuple(f"haiku.{name}" for name in ("LSTM", "GRU", "VanillaRNN"))
base("haiku.RNNCore", "haiku.Module")
for _name in CORES:
    base(_name, "haiku.RNNCore")


def _register(name: str) -> None:
    def core(ctx: Context, hidden_size: Value = NONE, **options: Value) -> Value:
        return ctx.new(name, hidden_size=hidden_size)

    core.__module__ = __name__
    behaviour(name)(core)


for _name in CORES:
    _register(_name)


@behaviour(f"{{{','.join(CORES)}}}.initial_state")
def initial_state(ctx: Context, self: Ref, batch_size: Value = NONE) -> Value:
    """Return zeros; an LSTM has two parts of its state."""
    hidden, rows = as_size(ctx.get(self, "hidden_size") or NONE), as_size(batch_size)
    if hidden is None or (rows is None and batch_size != NONE):
        return ctx.lost("the state of a recurrent core")
    part = Tensor(Shape((hidden,) if rows is None else (rows, hidden)), "float32", "jax")
    return Seq("tuple", (part, part)) if self.cls == "haiku.LSTM" else part


@behaviour(f"{{{','.join(CORES)}}}.__call__")
def step(ctx: Context, self: Ref, inputs: Value = NONE, prev_state: Value = NONE) -> Value:
    """Return the output, and the state after the step, which is like the one before."""
    given, state = ctx.freeze(inputs), ctx.freeze(prev_state)
    hidden = as_size(ctx.get(self, "hidden_size") or NONE)
    if not isinstance(given, Tensor) or given.shape.tail is not None or not given.shape.head or hidden is None:
        return Seq("tuple", (ctx.lost("the output of a recurrent core"), state))
    note(ctx, self.cls, (given.shape.head[-1], hidden))
    part = state.items[0] if isinstance(state, Seq) and state.items else state
    if isinstance(part, Tensor):
        _go_together(ctx, given, part)
    return Seq("tuple", (Tensor(Shape((*given.shape.head[:-1], hidden)), None, "jax"), state))


def _go_together(ctx: Context, given: Tensor, state: Tensor) -> None:
    """State that there is a state for each input of a batch."""
    if state.shape.tail is not None:
        return
    said = f"the inputs have shape {given.shape}, the state has shape {state.shape}"
    ranks = Equal(len(given.shape.head), len(state.shape.head))
    if ctx.require(ClashKind.RANK, ranks, said, given, state) is Verdict.NEVER:
        return
    for one, other in zip(given.shape.head[:-1], state.shape.head[:-1], strict=False):
        if ctx.require(ClashKind.AXIS, Equal(one, other), said, given, state) is Verdict.NEVER:
            return


@behaviour("haiku.{dynamic_unroll,static_unroll}")
def unroll(
    ctx: Context,
    core: Value,
    input_sequence: Value,
    initial_state: Value,
    time_major: Value = TRUE,
    *more: Value,
    **options: Value,
) -> Value:
    """Return the outputs of all steps, and the last state."""
    steps, is_first = ctx.freeze(input_sequence), as_bool(time_major)
    if more or options.keys() - {"unroll"} or is_first is None:
        return ctx.lost("outputs of a recurrent core")
    place = 0 if is_first else 1
    count = steps.shape.size(place) if isinstance(steps, Tensor) else None
    row = each_leaf(ctx, steps, lambda leaf: _without(as_tensor(leaf, ctx), place))
    made = ctx.freeze(ctx.call(core, [row, initial_state]))
    if not isinstance(made, Seq) or len(made.items) != 2:
        return ctx.lost("outputs of a recurrent core")
    outputs = each_leaf(ctx, made.items[0], lambda leaf: _with(as_tensor(leaf, ctx), place, count))
    return Seq("tuple", (outputs, made.items[1]))


def _without(tensor: Tensor, place: int) -> Tensor:
    head = tensor.shape.head
    is_known = tensor.shape.tail is None and len(head) > place
    return Tensor(Shape((*head[:place], *head[place + 1 :])) if is_known else UNRANKED, tensor.dtype, "jax")


def _with(tensor: Tensor, place: int, count: Size | None) -> Tensor:
    head = tensor.shape.head
    is_known = tensor.shape.tail is None and len(head) >= place and count is not None
    return Tensor(
        Shape((*head[:place], count, *head[place:])) if is_known and count is not None else UNRANKED, None, "jax"
    )
