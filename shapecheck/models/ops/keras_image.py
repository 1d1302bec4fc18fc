"""keras.ops.image: one picture or a batch of them, with the channels last unless the format says otherwise."""

from __future__ import annotations

from typing import Any, Literal

from shapecheck.models.lang import Answer, ShapeArg, Sizes, Tensor, Text, never, op, result, window
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, fresh

SPACE = "keras.ops.image"
ONE: Any = 1


def _wrong_rank(images: Tensor) -> Answer | None:
    """What to say where it is neither a picture nor a batch."""
    if images.rank is None or images.rank in (3, 4):
        return None
    return result(UNRANKED, needs=[never("rank", f"{images.name} has rank {images.rank}, not 3 or 4")])


@op(f"{SPACE}.resize", rung=2)
def resize(
    images: Tensor, size: ShapeArg, crop_to_aspect_ratio: Literal[False] = False, data_format: Text = ""
) -> Answer:
    wrong = _wrong_rank(images)
    if wrong is not None or size.tail is not None or len(size.head) != 2 or -1 in size.head:
        return UNRANKED if wrong is None else wrong
    derived = {"H": size.head[0], "W": size.head[1]}
    signature = "*B c h w -> *B c {H} {W}" if data_format == "channels_first" else "*B h w c -> *B {H} {W} c"
    return signature, derived, "H >= 1", "W >= 1"


@op(f"{SPACE}.rgb_to_grayscale", rung=2)
def rgb_to_grayscale(images: Tensor, data_format: Text = "") -> Answer:
    wrong = _wrong_rank(images)
    if wrong is not None:
        return wrong
    first = data_format == "channels_first"
    channels = images.shape.size(-3 if first else -1)
    if channels == 1:
        return images.shape
    colours = "3" if isinstance(channels, int) else "_"  # grey ones are taken too
    return f"*B {colours} h w -> *B 1 h w" if first else f"*B h w {colours} -> *B h w 1"


@op(f"{SPACE}.{{rgb_to_hsv,hsv_to_rgb}}", rung=2)
def colours(images: Tensor, data_format: Text = "") -> Answer:
    wrong = _wrong_rank(images)
    if wrong is not None:
        return wrong
    return "*B 3 h w -> *B 3 h w" if data_format == "channels_first" else "*B h w 3 -> *B h w 3"


@op(f"{SPACE}.{{affine_transform,perspective_transform}}", rung=3, oracle="none: transforms that fit")
@op(f"{SPACE}.{{elastic_transform,gaussian_blur}}", rung=3, oracle="none: windows that fit")
def transformed(images: Tensor) -> Answer:
    return images.shape


@op(f"{SPACE}.{{crop_images,pad_images}}", rung=3, oracle="none: any two of three sizes")
@op(f"{SPACE}.{{extract_patches_3d,scale_and_translate}}", rung=3, oracle="none: windows over pictures")
def other_size(images: Tensor) -> Answer:
    return UNRANKED if images.rank is None else Shape(tuple(fresh("?", Kind.LOST) for _ in images.shape.head))


@op(f"{SPACE}.extract_patches", rung=2, oracle="none: windows that fit")
def extract_patches(
    images: Tensor,
    size: Sizes,
    strides: Sizes | None = None,
    dilation_rate: Sizes = ONE,
    padding: Literal["valid", "same"] = "valid",
    data_format: Text = "",
) -> Answer:
    """A patch becomes the axis of the channels; patches lie side by side where no strides are given."""
    wrong = _wrong_rank(images)
    if wrong is not None:
        return wrong
    high, wide = size.spread(2)
    extras = window("h w", (high, wide), size if strides is None else strides, padding, dilation_rate)
    first = data_format == "channels_first"
    return "*B c h w -> *B (k * c) H W" if first else "*B h w c -> *B H W (k * c)", {"k": high * wide}, *extras


@op(f"{SPACE}.{{sobel_edges,ssim}}", rung=3, oracle="none: only in late releases")
def measured(images: Tensor) -> Answer:
    return UNRANKED


@op(f"{SPACE}.map_coordinates", rung=3, oracle="none: coordinates for each axis")
def map_coordinates(inputs: Tensor, coordinates: Tensor) -> Answer:
    return Shape(coordinates.shape.head[1:]) if coordinates.rank else UNRANKED
