"""Weights of networks: which layers `init` makes some for, and whether `apply` needs others.

Each call of a layer with weights is recorded while a network is initialised or applied. `init` keeps the record in what
it returns, and `apply` compares it with its own: layers are known by the order of their calls. Weights of an ensemble,
which `vmap` makes, have an axis more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Const, Library, Ref, Seq, Tensor, Value, as_size, as_str, of_size, walk
from shapecheck.models.lang import Context, base, behaviour
from shapecheck.models.lang.registry import REGISTRY
from shapecheck.shapes.claims import FALSE as IMPOSSIBLE
from shapecheck.shapes.claims import Equal
from shapecheck.shapes.size import Size

WEIGHTS = "jax.Weights"
NETWORKS, RECORD = Library("jax"), "_layers_called"
LAYERS, IS_INNER, MEMBERS = "_layers", "_is_inner", "_members"
NOTHING = Seq("tuple", ())
base(WEIGHTS, "builtins.dict")


def note(ctx: Context, name: str, sizes: Sequence[Size | None]) -> None:
    """Record the call of a layer, with the sizes of its weights as far as they are known."""
    record = ctx.get(NETWORKS, RECORD)
    if isinstance(record, Seq):
        known = tuple(NONE if size is None else of_size(size) for size in sizes)
        entry = Seq("tuple", (Const(name), *known))
        ctx.set(NETWORKS, RECORD, Seq("tuple", (*record.items, entry)))


def recorded(*names: str) -> None:
    """Record the calls of layers, whose weights have as many rows as the last axis of the input says."""
    for name in names:
        _record(name)


def _record(name: str) -> None:
    model = REGISTRY[f"{name}.__call__"]

    def call(ctx: Context, self: Ref, *args: Value, **options: Value) -> Value:
        given = ctx.freeze(args[0]) if args else NONE
        rows = given.shape.size(-1) if isinstance(given, Tensor) else None
        columns = as_size(ctx.get(self, "features") or ctx.get(self, "output_size") or NONE)
        note(ctx, name, (rows, columns))
        return model.run(ctx, (self, *args), options)

    call.__module__ = __name__
    behaviour(f"{name}.__call__", anew=True)(call)


def during(ctx: Context, run: Callable[[], Value]) -> tuple[Value, Value]:
    """Return the result of a network, and the record of its layers."""
    before = ctx.get(NETWORKS, RECORD) or NONE
    ctx.set(NETWORKS, RECORD, NOTHING)
    result = run()
    record = ctx.get(NETWORKS, RECORD) or NONE
    ctx.set(NETWORKS, RECORD, before)
    return result, record


def made(ctx: Context, record: Value) -> Value:
    """Return the weights of a network whose layers are recorded."""
    if not isinstance(record, Seq) or not record.items:
        return ctx.lost("weights")
    return ctx.new(WEIGHTS, **{LAYERS: record})


def compare(ctx: Context, weights: Value, record: Value) -> None:
    """State that layers have the weights that they were initialised with."""
    given = ctx.freeze(weights)
    if isinstance(given, Ref) and given.cls == WEIGHTS and ctx.get(given, IS_INNER) is not None:
        ctx.require(ClashKind.AXIS, IMPOSSIBLE, 'the weights are given alone, not in a dictionary as its "params"')
        return
    found = [part for part in walk(given) if isinstance(part, Ref) and part.cls == WEIGHTS]
    before = ctx.get(found[0], LAYERS) if len(found) == 1 else None
    if not isinstance(before, Seq) or not isinstance(record, Seq) or _names(before) != _names(record):
        return
    count = members(ctx, found[0])
    if count is not None:
        said = f"the weights are those of {count} networks, which vmap made: they need vmap here, too"
        ctx.require(ClashKind.RANK, IMPOSSIBLE, said)
        return
    for one, other in zip(before.items, record.items, strict=True):
        if isinstance(one, Seq) and isinstance(other, Seq):
            _compare_layer(ctx, one, other)


def of_several(ctx: Context, weights: Ref, count: Size) -> Value:
    """Return the weights of several networks, which `vmap` makes."""
    return _changed(ctx, weights, {MEMBERS: of_size(count)})


def members(ctx: Context, weights: Value) -> Size | None:
    """Return of how many networks weights are, None if they are those of one."""
    is_known = isinstance(weights, Ref) and weights.cls == WEIGHTS
    return as_size(ctx.get(weights, MEMBERS) or NONE) if is_known else None


def of_one(ctx: Context, weights: Ref) -> Value:
    """Return the weights of one of several networks, which `vmap` gives to a function."""
    return ctx.lost("weights") if ctx.get(weights, MEMBERS) is None else _changed(ctx, weights, {MEMBERS: None})


def _changed(ctx: Context, weights: Ref, changes: dict[str, Value | None]) -> Ref:
    known = {name: ctx.get(weights, name) for name in (LAYERS, IS_INNER, MEMBERS)} | changes
    return ctx.new(WEIGHTS, **{name: value for name, value in known.items() if value is not None})


def _names(record: Seq) -> list[tuple[Value, int]]:
    return [(entry.items[0], len(entry.items)) for entry in record.items if isinstance(entry, Seq)]


def _compare_layer(ctx: Context, one: Seq, other: Seq) -> None:
    name = (as_str(one.items[0]) or "").rpartition(".")[2]
    for had, has in zip(one.items[1:], other.items[1:], strict=True):
        size, wanted = as_size(had), as_size(has)
        if size is not None and wanted is not None and size != wanted:
            said = f"the weights of {name} were made for an input of {size}, it gets one of {wanted}"
            ctx.require(ClashKind.AXIS, Equal(size, wanted), said)


@behaviour(f"{WEIGHTS}.__getitem__")
def part(ctx: Context, self: Ref, key: Value) -> Value:
    """Return the weights among all variables; those of a single layer are not followed."""
    if key != Const("params") or ctx.get(self, IS_INNER) is not None:
        return ctx.lost("weights of a layer")
    return _changed(ctx, self, {IS_INNER: Const(True)})
