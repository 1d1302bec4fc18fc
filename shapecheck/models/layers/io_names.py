"""Inputs, outputs and losses of a model, identified by name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Dict, Seq, Tensor, Value, as_str, items_of
from shapecheck.models.lang.context import Context
from shapecheck.models.layers.structure import leaves, tensors
from shapecheck.shapes.facts import FALSE

AUTOMATIC = re.compile(r"(input|keras_tensor)(_layer)?(_?\d+)?|args_\d+")


def input_name(ctx: Context, tensor: Value) -> str | None:
    """Return the name that an `Input` was given; an empty one if it was left to Keras."""
    if not isinstance(tensor, Tensor) or tensor.role != "placeholder":
        return None
    given = ctx.keyword(tensor, "name")
    return "" if given is None or given == NONE else as_str(given)


def output_name(ctx: Context, tensor: Value) -> str | None:
    """Return the name of the layer that gives an output, if it was given one."""
    if not isinstance(tensor, Tensor):
        return None
    found = [
        owner
        for owner, given in ctx.producers([tensor])
        if any((one.step, one.output) == (tensor.step, tensor.output) for one in tensors(given))
    ]
    return as_str(ctx.get(found[-1], "name") or NONE) if found else None


def inputs_by_name(ctx: Context, inputs: Value, given: Dict) -> Value | None:
    """Return the given values in the order of the inputs, which all have names; state that none is missing."""
    declared = list(leaves(inputs))
    names = [input_name(ctx, tensor) for tensor in declared]
    keys = [as_str(key) for key, _ in given.items]
    if not names or None in names or None in keys or given.rest is not None:
        return None
    if not all(names):
        automatic = any(AUTOMATIC.fullmatch(key or "") for key in keys)
        if not any(names) and not automatic and len(keys) >= len(names):
            ctx.require(ClashKind.FEED, FALSE, f"the inputs have no names, the data is for {_listed(keys)}", given)
        return None
    missing = [name for name in names if name not in keys]
    if missing:
        ctx.require(
            ClashKind.FEED, FALSE, f"there is no data for the input {missing[0]!r}, only for {_listed(keys)}", given
        )
        return None
    return Seq("list", tuple(given.get(name) or NONE for name in names))


def _listed(names: list[str | None]) -> str:
    return ", ".join(repr(name) for name in names)


def paired_targets(
    ctx: Context, targets: Value, outputs: Value, loss: Value | None, name: str
) -> Iterator[tuple[str, Value, Value, Value | None]]:
    """Return a name for each target, the target, its output, and the loss between them."""
    given = list(leaves(outputs))
    if isinstance(outputs, Dict):
        names = [as_str(key) for key, _ in outputs.items]
    else:
        by_name = isinstance(targets, Dict) or isinstance(loss, Dict)
        names = [output_name(ctx, output) for output in given] if by_name else [None] * len(given)
    wanted = list(leaves(targets))
    if isinstance(targets, Dict):
        wanted = [targets.get(one) or NONE if one is not None else NONE for one in names]
    if not wanted or len(wanted) != len(given) or len(names) != len(given):
        return
    losses = items_of(loss) if isinstance(loss, Seq) else None
    for at, (target, output, own) in enumerate(zip(wanted, given, names, strict=True)):
        one = loss
        if losses is not None:
            one = losses[at] if at < len(losses) else None
        elif isinstance(loss, Dict):
            one = loss.get(own) if own is not None else None
        label = name if len(given) == 1 else f"{name}[{at}]" if own is None else f"{name}[{own!r}]"
        if target != NONE and one is not None:
            yield label, target, output, one
