"""`keras.layers.InputSpec`: what a layer of the program declares of its input, which Keras checks at each call."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Dict, Ref, Tensor, Value, as_size, items_of
from shapecheck.models.lang import Context
from shapecheck.shapes.claims import FALSE, AtLeast, Equal
from shapecheck.shapes.text import show

SPEC = "keras.layers.InputSpec"
OPTIONS = ("shape", "ndim", "min_ndim", "max_ndim", "axes")


def check_input_spec(ctx: Context, layer: Value, inputs: Value) -> None:
    """State that the input of a layer is as the layer declares it, if it has set `input_spec`."""
    spec = ctx.get(layer, "input_spec") if isinstance(layer, Ref) else None
    if not isinstance(spec, Ref) or spec.cls != SPEC or not isinstance(inputs, Tensor) or not inputs.shape.is_ranked:
        return
    given = {name: ctx.freeze(ctx.get(spec, name) or NONE) for name in OPTIONS}
    _check_rank(ctx, inputs, given)
    axes = given["axes"]
    wanted = {as_size(axis): as_size(size) for axis, size in axes.items} if isinstance(axes, Dict) else {}
    wanted |= {axis: as_size(item) for axis, item in enumerate(items_of(given["shape"]) or ())}
    for axis, size in wanted.items():
        have = inputs.shape.size(axis) if isinstance(axis, int) else None
        if have is not None and size is not None:
            said = f"inputs has {have} on axis {axis}, the layer's input_spec says {size}"
            ctx.require(ClashKind.FEED, Equal(have, size), said, inputs)


def _check_rank(ctx: Context, inputs: Tensor, given: dict[str, Value]) -> None:
    rank, shape = len(inputs.shape.head), items_of(given["shape"])
    exact = as_size(given["ndim"]) if shape is None else len(shape)
    least, most = as_size(given["min_ndim"]), as_size(given["max_ndim"])
    said = f"inputs has shape {show(inputs.shape)}, the layer's input_spec says"
    if exact is not None and exact != rank:
        ctx.require(ClashKind.FEED, FALSE, f"{said} rank {exact}", inputs)
    if least is not None:
        ctx.require(ClashKind.FEED, AtLeast(rank, least), f"{said} a rank of at least {least}", inputs)
    if most is not None:
        ctx.require(ClashKind.FEED, AtLeast(most, rank), f"{said} a rank of at most {most}", inputs)
