"""Weights of modules that are loaded into other modules, whose layers must have the same sizes."""

from __future__ import annotations

from collections.abc import Iterator

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    CONTAINERS,
    NONE,
    Const,
    Dict,
    Int,
    Library,
    Ref,
    Scalar,
    Seq,
    Tensor,
    Value,
    as_size,
    as_str,
    items_of,
)
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.torch.containers import SEQUENTIAL
from shapecheck.models.torch.module import MODULE
from shapecheck.shapes.claims import FALSE

STATE = "torch.nn.Module.StateDict"
WEIGHTS = "_weights"
SIZES = {
    "Linear": ("in_features", "out_features"),
    "Embedding": ("num_embeddings", "embedding_dim"),
    "LSTM": ("input_size", "hidden_size"),
    "GRU": ("input_size", "hidden_size"),
    **{f"Conv{axes}d": ("in_channels", "out_channels", "kernel_size") for axes in (1, 2, 3)},
    **{f"BatchNorm{axes}d": ("num_features",) for axes in (1, 2, 3)},
}
_DEEPEST = 8


# Weights of layers ---------------------------------------------------------------------------------------------------


@behaviour(f"{MODULE}.state_dict")
def state_dict(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    """Return the weights, of which the sizes are kept."""
    if not isinstance(self, Ref):
        return ctx.lost("weights of a module")
    return ctx.new(STATE, **{WEIGHTS: Seq("tuple", tuple(_layers(ctx, self, 0)))})


@behaviour(f"{MODULE}.load_state_dict")
def load_state_dict(ctx: Context, self: Value, state_dict: Value = NONE, *args: Value, **options: Value) -> Value:
    """All weights must have the sizes of the module, layer by layer."""
    held = ctx.get(state_dict, WEIGHTS) if isinstance(state_dict, Ref) and state_dict.cls == STATE else None
    if held is None or not isinstance(self, Ref):
        return NONE
    given, own = items_of(held) or (), tuple(_layers(ctx, self, 0))
    if len(given) == len(own):
        for one, other in zip(given, own, strict=True):
            if (said := _differ(one, other)) is not None:
                ctx.require(ClashKind.AXIS, FALSE, said)
                return NONE
    return NONE


def _layers(ctx: Context, module: Ref, depth: int) -> Iterator[Value]:
    """Yield the layers with weights in a module, each with its sizes."""
    sizes = SIZES.get(module.cls.removeprefix("torch.nn."))
    if sizes is not None:
        yield Seq("tuple", (Const(module.cls), *(ctx.get(module, name) or NONE for name in sizes)))
        return
    own = ctx.elements(module) if module.cls == SEQUENTIAL else None
    parts = ctx.held(module) if own is None else own
    for part in parts:
        if isinstance(part, Ref) and part.cls in CONTAINERS:
            yield from (found for each in ctx.elements(part) or () for found in _inner(ctx, each, depth))
        else:
            yield from _inner(ctx, part, depth)


def _inner(ctx: Context, part: Value, depth: int) -> Iterator[Value]:
    is_module = isinstance(part, Ref) and (part.cls == "user" or part.cls.startswith("torch.nn."))
    if is_module and isinstance(part, Ref) and depth < _DEEPEST:
        yield from _layers(ctx, part, depth + 1)


def _differ(one: Value, other: Value) -> str | None:
    """Return what is said of two layers of one kind whose sizes differ; None for layers that may be the same."""
    first, second = items_of(one) or (), items_of(other) or ()
    if not first or first[:1] != second[:1]:
        return None
    sizes = [(as_size(x), as_size(y)) for x, y in zip(first[1:], second[1:], strict=True)]
    known = [(x, y) for x, y in sizes if isinstance(x, int) and isinstance(y, int)]
    if all(x == y for x, y in known):
        return None
    name = first[0].value if isinstance(first[0], Const) else ""
    before, here = (", ".join(str(pair[place]) for pair in known) for place in (0, 1))
    kind = str(name).rpartition(".")[2]
    return f"the weights are of {kind}({before}), the module has {kind}({here})"


# Files ---------------------------------------------------------------------------------------------------------------

FILES = Library("torch.save")


@behaviour("torch.save")
def save(ctx: Context, obj: Value, f: Value = NONE, *rest: Value, **options: Value) -> Value:
    """What a script writes to a file of a known name is what it reads from that."""
    path, written = as_str(f), ctx.freeze(obj)
    if path is not None and not ctx.is_alone:
        ctx.set(FILES, path, written if _is_plain(written) else ctx.lost("an object in a file"))
    return NONE


def _is_plain(value: Value) -> bool:
    """Return whether a value is made of weights, tensors and numbers, of which a file has a copy."""
    is_weights = isinstance(value, Ref) and value.cls == STATE
    return is_weights or isinstance(value, (Tensor, Seq, Dict, Const, Int, Scalar))


@behaviour("torch.load", "torch.hub.load_state_dict_from_url", "torch.utils.model_zoo.load_url")
def load(ctx: Context, f: Value, *rest: Value, **options: Value) -> Value:
    path = as_str(f)
    known = None if path is None or ctx.is_alone else ctx.get(FILES, path)
    return ctx.lost("what a file holds") if known is None else known
