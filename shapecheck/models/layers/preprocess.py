"""Preprocessing layers for images."""

from __future__ import annotations

from shapecheck.domain.values import NONE, Value
from shapecheck.models.lang.answer import Answer, result
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.maps import Maps
from shapecheck.models.lang.parameter_kinds import AnyValue, Size, Tensor
from shapecheck.models.lang.registry import behaviour
from shapecheck.models.layers.base_layer import keras_layer
from shapecheck.shapes.shape import UNRANKED

SAME = "Flip,Rotation,Translation,Zoom,Contrast,Brightness,Shear,Hue,Saturation,Sharpness,Erasing,Grayscale,Invert"

PICTURES = "first -uint8 -int32 -int64"  # integer images stay integers in some layers and versions


@keras_layer(
    f"keras.layers.Random{{{SAME},ColorJitter,ColorDegeneration,Posterization,GaussianBlur,Perspective}}",
    dtype=PICTURES,
)
def augmented() -> Answer:
    return "*S -> *S"


@keras_layer("keras.layers.{AutoContrast,Equalization,Solarization,RandAugment,AugMix}", dtype="")
def recoloured() -> Answer:
    return "*S -> *S"


@keras_layer("keras.layers.experimental.preprocessing.Random{Flip,Rotation,Translation,Zoom,Contrast}", dtype=PICTURES)
def augmented_in_keras_2() -> Answer:
    return "*S -> *S"


@keras_layer("keras.layers.experimental.preprocessing.{Rescaling,Normalization}")
def scaled_in_keras_2() -> Answer:
    return "*S -> *S"


@keras_layer(
    "keras.layers.{Resizing,CenterCrop,RandomCrop}",
    "keras.layers.experimental.preprocessing.{Resizing,CenterCrop,RandomCrop}",
    dtype=PICTURES,
)
def resized(inputs: Tensor, height: Size, width: Size, data_format: AnyValue = NONE) -> Answer:
    """Resize an image or a batch of images."""
    if inputs.rank not in (3, 4):
        return UNRANKED
    maps = Maps.of(2, data_format)
    return maps("*B h.. c -> *B H.. c"), maps.become((height, width))


@keras_layer(
    "keras.layers.{ContrastLimitedAdaptiveHistogramEqualization,RandomElasticTransform}", dtype="", oracle="none: slow"
)
def recoloured_in_parts() -> Answer:
    return "*S -> *S"


OPAQUE = "CutMix,MixUp,FlaxLayer,JaxLayer,TFSMLayer,TorchModuleWrapper,HashedCrossing,MaxNumBoundingBoxes,Wrapper"


@keras_layer(f"keras.layers.{{{OPAQUE},MelSpectrogram,STFTSpectrogram,DenseFeatures}}", oracle="none: not followed")
def opaque() -> Answer:
    return result(UNRANKED)


@behaviour("keras.layers.Pipeline")
def pipeline(ctx: Context, layers: Value = NONE, **others: Value) -> Value:
    return ctx.apply("keras.Sequential", layers)
