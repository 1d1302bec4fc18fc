"""Preprocessing layers for images."""

from __future__ import annotations

from shapecheck.models.lang.answer import Answer, result
from shapecheck.models.lang.kinds import AnyValue, Size, Tensor
from shapecheck.models.layers.keras import keras_layer
from shapecheck.models.layers.reshape import is_first
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.values import NONE

SAME = "Flip,Rotation,Translation,Zoom,Contrast,Brightness,Shear,Hue,Saturation,Sharpness,Erasing,Grayscale,Invert"


@keras_layer(
    f"keras.layers.Random{{{SAME},ColorJitter,ColorDegeneration,Posterization,GaussianBlur,Perspective}}", dtype=""
)
def augmented() -> Answer:
    return "*S -> *S"


@keras_layer("keras.layers.{AutoContrast,Equalization,Solarization,RandAugment,AugMix}", dtype="")
def recoloured() -> Answer:
    return "*S -> *S"


@keras_layer("keras.layers.experimental.preprocessing.Random{Flip,Rotation,Translation,Zoom,Contrast}", dtype="")
def augmented_in_keras_2() -> Answer:
    return "*S -> *S"


@keras_layer("keras.layers.experimental.preprocessing.{Rescaling,Normalization}")
def scaled_in_keras_2() -> Answer:
    return "*S -> *S"


@keras_layer(
    "keras.layers.{Resizing,CenterCrop,RandomCrop}",
    "keras.layers.experimental.preprocessing.{Resizing,CenterCrop,RandomCrop}",
)
def resized(inputs: Tensor, height: Size, width: Size, data_format: AnyValue = NONE) -> Answer:
    shape, first = inputs.shape, is_first(data_format)
    if shape.tail is not None:
        return result(UNRANKED)
    if len(shape.head) not in (3, 4):
        return result(UNRANKED)
    *batch, a, _, c = shape.head
    return result(Shape((*batch, a, height, width) if first else (*batch, height, width, c)))
