"""Normalisation along another axis than that of the channels of a convolution."""

from __future__ import annotations

import re

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Ref, Tensor, Value, as_size, as_str, items_of
from shapecheck.models.lang.context import Context

_CONVOLUTIONS = re.compile(r"keras\.layers\.(Separable|Depthwise)?Conv(olution)?[123]D(Transpose)?\.__call__")
_KEEPING = re.compile(
    r"keras\.layers\.(Activation|Dropout|SpatialDropout.D|\w*ReLU|P?ELU|(Max|Average)Pooling.D|GaussianNoise)\.__call__"
)
_FARTHEST = 5
_FIRST = 1


def notice_channels(ctx: Context, layer: Value, inputs: Value) -> None:
    """Notice a normalisation of the maps that a convolution gives along one axis, which is not that of the channels."""
    axis = _single_axis(ctx.get(layer, "axis"))
    rank = inputs.shape.rank if isinstance(inputs, Tensor) else None
    if axis is None or rank is None or rank < 3 or not -rank <= axis < rank or not isinstance(inputs, Tensor):
        return
    made_by = _convolution(ctx, inputs)
    order = None if made_by is None else ctx.get(made_by, "data_format")
    if made_by is None or as_str(order or NONE) not in (None, "channels_first", "channels_last"):
        return
    channels = _FIRST if order is not None and as_str(order) == "channels_first" else rank - 1
    if axis % rank != channels and inputs.shape.head[axis] != inputs.shape.head[channels]:
        said = f"axis {axis} of {inputs.shape} is normalised, the channels are axis {channels}"
        ctx.notice(ClashKind.CHANNELS_NORMALISED, said, inputs)


def _single_axis(given: Value | None) -> int | None:
    """Return the axis that is normalised, the last by default; None if there may be several."""
    if given is None:
        return -1
    items = items_of(given)
    axis = as_size(given) if items is None else as_size(items[0]) if len(items) == 1 else None
    return axis if isinstance(axis, int) else None


def _convolution(ctx: Context, maps: Tensor) -> Ref | None:
    """Return the layer that made maps, also if others changed their values or sizes."""
    for _ in range(_FARTHEST):
        name, args = ctx.operation(maps)
        if len(args) < 2 or not isinstance(args[0], Ref):
            return None
        if _CONVOLUTIONS.fullmatch(name):
            return args[0]
        if not _KEEPING.fullmatch(name) or not isinstance(args[1], Tensor):
            return None
        maps = args[1]
    return None
