"""Recurrent modules: outputs and states."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial, update_wrapper

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import FALSE, NONE, Const, Lost, Ref, Seq, Tensor, Value, as_bool, as_size, items_of
from shapecheck.models.lang import Context, attribute, base, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.torch.batch_axis import notice_other_axis
from shapecheck.models.torch.layer import derivable, layer_size
from shapecheck.models.torch.packed import packed, padded_of
from shapecheck.shapes.claims import FALSE as IMPOSSIBLE
from shapecheck.shapes.claims import Equal
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Kind, Size

GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
OPTIONS = ("input_size", "hidden_size", "num_layers", "bias", "batch_first", "dropout", "bidirectional")

_WITH_WEIGHTS = 4  # layers whose weights are known as attributes


def _register(name: str) -> None:
    cls = f"torch.nn.{name}"
    base(cls, "torch.nn.Module")
    base(f"{cls}Cell", "torch.nn.Module")

    def make(ctx: Context, *args: Value, **options: Value) -> Value:
        order = (*OPTIONS[:3], "nonlinearity", *OPTIONS[3:]) if name == "RNN" and len(args) > 3 else OPTIONS
        return _made(ctx, cls, dict(zip(order, args, strict=False)) | options)

    def make_cell(ctx: Context, input_size: Value, hidden_size: Value, *rest: Value, **options: Value) -> Value:
        return _made(ctx, f"{cls}Cell", {"input_size": input_size, "hidden_size": hidden_size})

    def call(ctx: Context, self: Ref, input: Value = NONE, hx: Value = NONE, **options: Value) -> Value:
        return _outputs(ctx, self, ctx.freeze(input), ctx.freeze(hx))

    def call_cell(ctx: Context, self: Ref, input: Value = NONE, hx: Value = NONE) -> Value:
        return _one_step(ctx, self, ctx.freeze(input))

    for path, maker, compute in ((cls, make, call), (f"{cls}Cell", make_cell, call_cell)):
        maker.__module__ = __name__
        behaviour(path)(maker)
        derivable(path, compute, __name__, OPTIONS)
    for layer in range(_WITH_WEIGHTS):
        for suffix in ("", "_reverse"):
            _register_weights(cls, f"l{layer}{suffix}", is_first=layer == 0)


def _made(ctx: Context, cls: str, given: dict[str, Value]) -> Ref:
    """Return a new module with these arguments."""
    return ctx.new(cls, **given | {name: ctx.as_layer_size(given[name]) for name in OPTIONS[:2] if name in given})


def _register_weights(cls: str, suffix: str, *, is_first: bool) -> None:
    """Register the weights and biases of one layer as attributes; the gates lie one after the other."""

    def weight(ctx: Context, self: Ref, *, kind: str) -> Value:
        config = _config(ctx, self)
        if config is None or config.width is None:
            return ctx.lost("a weight of a recurrent module")
        given = config.width if is_first else config.hidden * config.directions
        columns = {"weight_ih": (given,), "weight_hh": (config.hidden,)}.get(kind, ())
        return Tensor(Shape((config.hidden * GATES[cls.rpartition(".")[2]], *columns)), "float32", "torch")

    for kind in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
        attribute(f"{cls}.{kind}_{suffix}")(update_wrapper(partial(weight, kind=kind), weight))


for _name in GATES:
    _register(_name)


@dataclass(frozen=True)
class _Config:
    """What the shapes of a recurrent module depend on."""

    width: Size | None
    hidden: Size
    states: Size
    directions: int
    batch_first: bool


def _config(ctx: Context, self: Ref) -> _Config | None:
    """Return the configuration, None if it is not known."""
    if not isinstance(self, Ref):
        return None
    width, hidden = (layer_size(ctx, self, name) for name in OPTIONS[:2])
    layers = as_size(ctx.get(self, "num_layers") or Const(1))
    both, first = (as_bool(ctx.get(self, name) or FALSE) for name in ("bidirectional", "batch_first"))
    if both is None or first is None or as_size(ctx.get(self, "proj_size") or Const(0)) != 0:
        return None
    hidden = ctx.fresh("hidden", Kind.LOST, "hidden_size") if hidden is None else hidden
    layers = ctx.fresh("layers", Kind.LOST, "num_layers") if layers is None else layers
    directions = 2 if both else 1
    return _Config(width, hidden, layers * directions, directions, first)


def _outputs(ctx: Context, self: Ref, given: Value, states: Value) -> Value:
    """Return the outputs of all steps, and the last states."""
    config, inner = _config(ctx, self), padded_of(ctx, given)
    if config is not None and inner is not None:
        result = _of_tensor(ctx, self, replace(config, batch_first=False), _with_three_axes(ctx, inner), states)
        outputs, last = items_of(result) or (NONE, NONE)
        return Seq("tuple", (packed(ctx, outputs), last)) if isinstance(outputs, Tensor) else result
    result = _of_tensor(ctx, self, config, given, states)
    if isinstance(result, Seq):
        notice_other_axis(ctx, self, given, states)
    return result


def _with_three_axes(ctx: Context, packed: Tensor) -> Tensor:
    """Return what was packed for a recurrent module: steps, sequences, and what each step has."""
    if packed.shape.rank is not None:
        return packed
    sizes = [ctx.fresh(name, Kind.LOST, f"{name} of packed sequences") for name in ("steps", "rows", "width")]
    last = packed.shape.size(-1)
    return packed.with_shape(Shape((*sizes[:2], sizes[2] if last is None else last)))


def _of_tensor(ctx: Context, self: Ref, config: _Config | None, given: Value, states: Value) -> Value:
    sequence = as_tensor(given, ctx)
    rank = sequence.shape.rank
    if config is None or not isinstance(given, (Tensor, Lost)):
        return ctx.lost("outputs of a recurrent module")
    if rank not in (2, 3, None):
        ctx.require(ClashKind.RANK, IMPOSSIBLE, f"input has rank {rank}, not 2 or 3", given)
        return ctx.lost("a call that fails")
    width = sequence.shape.size(-1)
    if width is not None and config.width is not None:
        said = f"input has {width} on its last axis, not {config.width}"
        ctx.require(ClashKind.AXIS, Equal(width, config.width), said, given)
    outputs, state = _shapes(ctx, config, sequence.shape)
    _check_states(ctx, self, states, state)
    state_of = Tensor(state, sequence.dtype, "torch")
    last: Value = Seq("tuple", (state_of, state_of)) if _has_two(self) else state_of
    return Seq("tuple", (Tensor(outputs, sequence.dtype, "torch"), last))


def _shapes(ctx: Context, config: _Config, given: Shape) -> tuple[Shape, Shape]:
    """Return the shapes of the outputs and of a state; without a batch if the input has none."""
    width = config.hidden * config.directions
    if given.rank is None:
        steps = ctx.fresh("n", Kind.LOST, "steps of sequences of unknown rank")
        return Shape((steps,), (width,)), Shape((config.states,), (config.hidden,))
    *ends, _ = given.head
    rows = () if given.rank == 2 else (ends[0 if config.batch_first else 1],)
    return Shape((*ends, width)), Shape((config.states, *rows, config.hidden))


def _has_two(self: Ref) -> bool:
    """Return whether the state is a pair."""
    return self.cls.startswith("torch.nn.LSTM")


def _check_states(ctx: Context, self: Ref, given: Value, wanted: Shape) -> None:
    """State that given states have their shape."""
    parts = items_of(given) if _has_two(self) else (given,)
    for part in parts or ():
        if not isinstance(part, Tensor) or part.shape.tail is not None or wanted.tail is not None:
            continue
        said = f"the state has shape {part.shape.map(ctx.resolve)}, not {wanted.map(ctx.resolve)}"
        if len(part.shape.head) != len(wanted.head):
            ctx.require(ClashKind.RANK, IMPOSSIBLE, said, part)
            continue
        for one, other in zip(part.shape.head, wanted.head, strict=True):
            if one != other:
                ctx.require(ClashKind.AXIS, Equal(one, other), said, part)


def _one_step(ctx: Context, self: Ref, given: Value) -> Value:
    """Return the new state of a cell, or the pair of them."""
    width, hidden = (layer_size(ctx, self, name) for name in OPTIONS[:2])
    if not isinstance(given, (Tensor, Lost)) or width is None or hidden is None:
        return ctx.lost("the state of a cell")
    taken = as_tensor(given, ctx)
    if taken.shape.rank not in (1, 2, None):
        ctx.require(ClashKind.RANK, IMPOSSIBLE, f"input has rank {taken.shape.rank}, not 1 or 2", given)
        return ctx.lost("a call that fails")
    size = taken.shape.size(-1)
    if size is not None:
        ctx.require(ClashKind.AXIS, Equal(size, width), f"input has {size} on its last axis, not {width}", given)
    shape = Shape((), (hidden,)) if taken.shape.rank is None else Shape((*taken.shape.head[:-1], hidden))
    state = Tensor(shape, taken.dtype, "torch")
    return Seq("tuple", (state, state)) if _has_two(self) else state
