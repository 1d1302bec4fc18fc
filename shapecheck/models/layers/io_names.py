"""Inputs, outputs and losses of a model, identified by name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

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
    problem = _unnamed(names, keys) if not all(names) else _without_data(names, keys)
    if problem:
        ctx.require(ClashKind.FEED, FALSE, problem, given)
    return None if problem is not None else Seq("list", tuple(given.get(name) or NONE for name in names))


def _unnamed(names: Sequence[str | None], keys: Sequence[str | None]) -> str:
    """Return what is wrong with data by name for inputs of which some have none; "" if that is not certain."""
    is_certain = not any(names) and not any(AUTOMATIC.fullmatch(key or "") for key in keys) and len(keys) >= len(names)
    return f"the inputs have no names, the data is for {_listed(keys)}" if is_certain else ""


def _without_data(names: Sequence[str | None], keys: Sequence[str | None]) -> str | None:
    missing = [name for name in names if name not in keys]
    return f"there is no data for the input {missing[0]!r}, only for {_listed(keys)}" if missing else None


def _listed(names: Sequence[str | None]) -> str:
    return ", ".join(repr(name) for name in names)


def paired_targets(
    ctx: Context, targets: Value, outputs: Value, loss: Value | None, name: str
) -> Iterator[tuple[str, Value, Value, Value | None]]:
    """Return a name for each target, the target, its output, and the loss between them."""
    given = list(leaves(outputs))
    names = _output_names(ctx, outputs, given, isinstance(targets, Dict) or isinstance(loss, Dict))
    wanted = list(leaves(targets))
    if isinstance(targets, Dict):
        wanted = [targets.get(one) or NONE if one is not None else NONE for one in names]
    if not wanted or len(wanted) != len(given) or len(names) != len(given):
        return
    for at, (target, output, own) in enumerate(zip(wanted, given, names, strict=True)):
        one = _own_loss(loss, at, own)
        label = name if len(given) == 1 else f"{name}[{at}]" if own is None else f"{name}[{own!r}]"
        if target != NONE and one is not None:
            yield label, target, output, one


def check_names(ctx: Context, given: Value, outputs: Value) -> bool:
    """State that targets or losses given by name are for outputs of the model; return whether they may be."""
    keys = [as_str(key) for key, _ in given.items] if isinstance(given, Dict) else []
    names = _output_names(ctx, outputs, list(leaves(outputs)), True) if keys else []
    strange = next((key for key in keys if key not in names), None)
    if strange is None or None in names or not names:
        return True
    ctx.require(ClashKind.FEED, FALSE, f"no output has the name {strange!r}, only {_listed(names)}", given)
    return False


def _output_names(ctx: Context, outputs: Value, given: Sequence[Value], is_asked: bool) -> Sequence[str | None]:
    """Return the names of outputs, as far as they are told, or matter."""
    if isinstance(outputs, Dict):
        return [as_str(key) for key, _ in outputs.items]
    return [output_name(ctx, output) for output in given] if is_asked else [None] * len(given)


def _own_loss(loss: Value | None, at: int, name: str | None) -> Value | None:
    """Return the loss of one output."""
    if isinstance(loss, Dict):
        return None if name is None else loss.get(name)
    losses = items_of(loss) if isinstance(loss, Seq) else None
    return loss if losses is None else losses[at] if at < len(losses) else None
