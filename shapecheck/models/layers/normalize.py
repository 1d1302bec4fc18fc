"""Normalisation layers."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.models.lang.answer import Answer
from shapecheck.models.lang.constraints import Refused, multiple
from shapecheck.models.lang.parameter_kinds import Axes, Axis, Size, Tensor
from shapecheck.models.lang.signature import remembering
from shapecheck.models.layers.base_layer import keras_layer
from shapecheck.models.layers.channel_axis import notice_channels


def normalised(inputs: Tensor, axes: tuple[int, ...]) -> Answer:
    """Return the same shape; the normalised axes are remembered."""
    rank = inputs.rank
    if rank is None:
        return "*S @n1 -> *S @n1" if axes == (-1,) else "*S -> *S"
    wrong = next((axis for axis in axes if not -rank <= axis < rank), None)
    if wrong is not None:
        raise Refused(ClashKind.AXIS_RANGE, f"axis {wrong} is out of range: inputs has {rank} axes")
    return remembering(rank, {axis % rank for axis in axes})


@keras_layer("keras.layers.{BatchNormalization,SyncBatchNormalization}", same_rank=True, noticing=notice_channels)
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
    """The channels are divided into groups; with -1, each is one."""
    kept = normalised(inputs, (axis,))
    last = 1 if inputs.rank is None else inputs.rank - axis % inputs.rank
    return kept if groups == -1 else (kept, multiple(f"@n{last}", groups, "channels"))
