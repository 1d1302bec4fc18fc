"""The language of library models: everything a model needs."""

from shapecheck.models.lang.answer import Answer, Result, also, result
from shapecheck.models.lang.axes import at
from shapecheck.models.lang.context import Context, Target
from shapecheck.models.lang.kinds import (
    AnyValue,
    Axes,
    Axis,
    Blind,
    Dimensions,
    DtypeArg,
    Flag,
    ShapeArg,
    Size,
    Sizes,
    Tensor,
    Tensors,
    Text,
)
from shapecheck.models.lang.needs import Need, at_least, equal, need, never
from shapecheck.models.lang.op import attribute, base, behaviour, layer, op
from shapecheck.models.lang.window import window

__all__ = [
    "Answer",
    "AnyValue",
    "Axes",
    "Axis",
    "Blind",
    "Context",
    "Dimensions",
    "DtypeArg",
    "Flag",
    "Need",
    "Result",
    "ShapeArg",
    "Size",
    "Sizes",
    "Target",
    "Tensor",
    "Tensors",
    "Text",
    "also",
    "at",
    "at_least",
    "attribute",
    "base",
    "behaviour",
    "equal",
    "layer",
    "need",
    "never",
    "op",
    "result",
    "window",
]
