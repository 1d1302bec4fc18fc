"""Preprocessing layers for images."""

from __future__ import annotations

from shapecheck.domain.values import NONE, Value
from shapecheck.models.lang.answer import Answer, result
from shapecheck.models.lang.constraints import of_rank
from shapecheck.models.lang.context import Context, Target
from shapecheck.models.lang.maps import Maps
from shapecheck.models.lang.parameter_kinds import AnyValue, Size, Tensor
from shapecheck.models.lang.registry import behaviour
from shapecheck.models.layers.base_layer import keras_layer
from shapecheck.shapes.shape import UNRANKED


def _of_images(inputs: Tensor, target: Target) -> Answer:
    _require_images(inputs, target)
    return "*S -> *S"


def _require_images(inputs: Tensor, target: Target) -> None:
    """Refuse what is neither an image nor a batch of images; some releases of Keras 2 take batches of videos."""
    if target.keras != 2 or (inputs.rank or 0) < 3:
        of_rank(inputs, 3, 4)


SAME = "Flip,Rotation,Translation,Zoom,Contrast,Brightness,Shear,Hue,Saturation,Sharpness,Erasing,Grayscale,Invert"

PICTURES = "first -uint8 -int32 -int64"  # integer images stay integers in some layers and versions


@keras_layer(
    f"keras.layers.Random{{{SAME},ColorJitter,ColorDegeneration,Posterization,GaussianBlur,Perspective}}",
    dtype=PICTURES,
)
def augmented(inputs: Tensor, target: Target = Target()) -> Answer:
    """Change an image or a batch of images."""
    return _of_images(inputs, target)


@keras_layer("keras.layers.{AutoContrast,Equalization,Solarization,RandAugment,AugMix}", dtype="")
def recoloured(inputs: Tensor, target: Target = Target()) -> Answer:
    return _of_images(inputs, target)


@keras_layer("keras.layers.experimental.preprocessing.Random{Flip,Rotation,Translation,Zoom,Contrast}", dtype=PICTURES)
def augmented_in_keras_2(inputs: Tensor, target: Target = Target()) -> Answer:
    return _of_images(inputs, target)


@keras_layer("keras.layers.experimental.preprocessing.{Rescaling,Normalization}")
def scaled_in_keras_2() -> Answer:
    return "*S -> *S"


@keras_layer(
    "keras.layers.{Resizing,CenterCrop,RandomCrop}",
    "keras.layers.experimental.preprocessing.{Resizing,CenterCrop,RandomCrop}",
    dtype=PICTURES,
)
def resized(
    inputs: Tensor, height: Size, width: Size, data_format: AnyValue = NONE, target: Target = Target()
) -> Answer:
    """Resize an image or a batch of images."""
    _require_images(inputs, target)
    maps = Maps.of(2, data_format)
    made = maps("*B h.. c -> *B H.. c"), maps.become((height, width))
    return made if inputs.rank in (3, 4) else UNRANKED


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
