"""Normalisation layers."""

from __future__ import annotations

from shapecheck.models.lang.answer import Answer, result
from shapecheck.models.lang.expression import Bindings, Unknown
from shapecheck.models.lang.kinds import Axes, Axis, Size, Tensor
from shapecheck.models.lang.needs import Need, never
from shapecheck.models.layers.keras import keras_layer
from shapecheck.shapes.facts import AnyOf, Divides, Equal
from shapecheck.shapes.size import Size as AnySize


def normalised(inputs: Tensor, axes: tuple[int, ...]) -> Answer:
    """The same shape; the normalised axes are remembered."""
    rank = inputs.rank
    if rank is None:
        return "*S @n1 -> *S @n1" if axes == (-1,) else "*S -> *S"
    wrong = next((axis for axis in axes if not -rank <= axis < rank), None)
    if wrong is not None:
        said = f"axis {wrong} is out of range: inputs has {rank} axes"
        return result(inputs.shape, needs=[never("axis-range", said)])
    chosen = {axis % rank for axis in axes}
    names = " ".join(f"@n{rank - at}" if at in chosen else f"n{at}" for at in range(rank))
    return f"{names} -> {names}"


@keras_layer("keras.layers.{BatchNormalization,SyncBatchNormalization}", same_rank=True)
def batch_normalisation(inputs: Tensor, axis: Axes = (-1,)) -> Answer:
    return normalised(inputs, axis or (-1,))


@keras_layer("keras.layers.{LayerNormalization,RMSNormalization}")
def normalisation(inputs: Tensor, axis: Axes = (-1,)) -> Answer:
    return normalised(inputs, axis or (-1,))


@keras_layer("keras.layers.experimental.SyncBatchNormalization", oracle="none: only in Keras 2")
def sync_normalisation(inputs: Tensor, axis: Axes = (-1,)) -> Answer:
    return normalised(inputs, axis or (-1,))


@keras_layer("keras.layers.GroupNormalization")
def group_normalisation(inputs: Tensor, groups: Size = 32, axis: Axis = -1) -> Answer:
    answer = normalised(inputs, (axis,))
    if not isinstance(answer, str) or groups == -1:
        return answer
    name = "@n1" if inputs.rank is None else f"@n{inputs.rank - axis % inputs.rank}"
    return (answer, lambda bindings: _grouped(bindings, name, groups))


def _grouped(bindings: Bindings, name: str, groups: AnySize) -> Need:
    channels = bindings.get(name)
    if channels is None or isinstance(channels, tuple) or hasattr(channels, "head"):
        raise Unknown(name)
    said = f"{channels} channels are not a multiple of {groups} groups"
    return Need("axis", AnyOf((Divides(groups, channels), Equal(groups, -1))), said)
