"""`Normalization`, which keeps the mean of the data that it is adapted to."""

from __future__ import annotations

from shapecheck.domain.values import NONE, Ref, Tensor, Value
from shapecheck.models.lang.answer import Answer, result
from shapecheck.models.lang.apply import together
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.parameter_kinds import AnyValue, Axes
from shapecheck.models.lang.parameter_kinds import Tensor as Operand
from shapecheck.models.lang.registry import behaviour
from shapecheck.models.layers.base_layer import keras_layer
from shapecheck.shapes.shape import Shape

SAMPLE = "_sample"


@behaviour("keras.layers.Normalization.adapt")
def adapt(ctx: Context, self: Ref, data: Value = NONE, *args: Value, **keywords: Value) -> Value:
    """Keep the data, or a batch of a dataset."""
    batch = ctx.get(data, "_element") if isinstance(data, Ref) else data
    ctx.set(self, SAMPLE, batch if isinstance(batch, Tensor) else NONE)
    return NONE


@keras_layer("keras.layers.Normalization", dtype="float32")
def normalization(inputs: Operand, axis: Axes = (-1,), _sample: AnyValue = NONE) -> Answer:
    mean = _mean(_sample, axis)
    is_known = mean is not None and (inputs.rank or 0) > 1  # versions differ in what they make of vectors
    return _reduced(inputs, mean) if is_known and mean is not None else "*S -> *S"


def _reduced(inputs: Operand, mean: Shape) -> Answer:
    """Return the inputs less the mean."""
    said = f"{inputs.name} has shape {inputs.shape}, the layer was adapted to data whose mean has shape {mean}"
    return result(inputs.shape, needs=together([inputs.shape, mean], said)[1])


def _mean(sample: Value, axis: tuple[int, ...] | None) -> Shape | None:
    """Return the shape of the mean of data, if that is known: the axes that are kept, and size 1 elsewhere."""
    if not isinstance(sample, Tensor) or not sample.shape.is_ranked or len(sample.shape.head) < 2 or axis is None:
        return None
    sizes = sample.shape.head
    kept = {each % len(sizes) for each in axis}
    return Shape(tuple(size if at in kept else 1 for at, size in enumerate(sizes)))
