"""keras.ops.image: one image or a batch of them, with the channels last unless the data format says otherwise."""

from __future__ import annotations

from typing import Literal

from shapecheck.models.lang import ONE, Answer, Blind, Maps, ShapeArg, Sizes, Tensor, Text, entries, of_rank, op
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, fresh

SPACE = "keras.ops.image"


def _pictures(images: Tensor, data_format: str) -> Maps:
    """Return one image or a batch of them."""
    of_rank(images, 3, 4)
    return Maps.of(2, data_format)


@op(f"{SPACE}.resize")
def resize(
    images: Tensor, size: ShapeArg, crop_to_aspect_ratio: Literal[False] = False, data_format: Text = ""
) -> Answer:
    maps = _pictures(images, data_format)
    return maps("*B h.. c -> *B H.. c"), maps.become(entries(size, 2)), "H >= 1", "W >= 1"


@op(f"{SPACE}.rgb_to_grayscale")
def rgb_to_grayscale(images: Tensor, data_format: Text = "") -> Answer:
    """Grey images are accepted too."""
    maps = _pictures(images, data_format)
    channels = images.shape.size(maps.channel)
    is_coloured = isinstance(channels, int) and channels != 1
    return maps("*B h.. 3 -> *B h.. 1" if is_coloured else "*B h.. _ -> *B h.. 1")


@op(f"{SPACE}.{{rgb_to_hsv,hsv_to_rgb}}")
def colours(images: Tensor, data_format: Text = "") -> Answer:
    return _pictures(images, data_format)("*B h.. 3 -> *B h.. 3")


@op(f"{SPACE}.{{affine_transform,perspective_transform}}", oracle="none: transforms that fit")
@op(f"{SPACE}.{{elastic_transform,gaussian_blur}}", oracle="none: windows that fit")
def transformed(images: Tensor) -> Answer:
    return images.shape


@op(f"{SPACE}.{{crop_images,pad_images}}", oracle="none: any two of three sizes")
@op(f"{SPACE}.{{extract_patches_3d,scale_and_translate}}", oracle="none: windows over pictures")
def other_size(images: Tensor) -> Answer:
    return UNRANKED if images.rank is None else Shape(tuple(fresh("?", Kind.LOST) for _ in images.shape.head))


@op(f"{SPACE}.extract_patches", oracle="none: windows that fit")
def extract_patches(
    images: Tensor,
    size: Sizes,
    strides: Sizes | None = None,
    dilation_rate: Sizes = ONE,
    padding: Literal["valid", "same"] = "valid",
    data_format: Text = "",
) -> Answer:
    """A patch becomes the axis of the channels; patches are adjacent where no strides are given."""
    maps, (high, wide) = _no_volumes(images, data_format), size.spread(2)
    extras = maps.window(size, strides or size, padding, dilation_rate)
    return maps("*B h.. c -> *B H.. {k * c}"), {"k": high * wide}, *extras


def _no_volumes(images: Tensor, data_format: str) -> Maps:
    """Return one image or a batch of them; late releases take patches of volumes, too."""
    if images.rank == 5:
        raise Blind("patches of a volume")
    return _pictures(images, data_format)


@op(f"{SPACE}.{{sobel_edges,ssim}}", oracle="none: only in late releases")
def measured(images: Tensor) -> Answer:
    return UNRANKED


@op(f"{SPACE}.map_coordinates", oracle="none: coordinates for each axis")
def map_coordinates(inputs: Tensor, coordinates: Tensor) -> Answer:
    return Shape(coordinates.shape.head[1:]) if coordinates.rank else UNRANKED
