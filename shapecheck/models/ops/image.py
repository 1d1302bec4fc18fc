"""Images: a single one (height, width, channels) or a batch of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Value, as_size, items_of
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Maps,
    ShapeArg,
    Size,
    Sizes,
    Target,
    Tensor,
    also,
    of_rank,
    one_of,
    op,
)
from shapecheck.models.lang.constraints import Refused
from shapecheck.models.lang.expression import Bindings, Unknown
from shapecheck.models.lang.unknown_sizes import lost
from shapecheck.shapes.shape import UNRANKED
from shapecheck.shapes.size import Kind, fresh
from shapecheck.shapes.size import Size as AnySize

WIDTH_APART = "height and width are two arguments, as only before TensorFlow 1.0"


def _resized(images: Tensor, height: AnySize, width: AnySize) -> tuple[Any, ...]:
    of_rank(images, 3, 4)
    return "*B h w c -> *B {H} {W} c", {"H": height, "W": width}


@op("tf.image.resize")
def resize(images: Tensor, size: ShapeArg, preserve_aspect_ratio: Literal[False] = False) -> Answer:
    if size.tail is None and len(size.head) != 2:
        raise Refused(ClashKind.RANK, f"size has {len(size.head)} entries, not 2")
    height, width = size.head if size.tail is None else (fresh("?", Kind.LOST), fresh("?", Kind.LOST))
    return _resized(images, height, width)


def _resized_apart(images: Tensor, height: AnySize, width: Value) -> tuple[Any, ...]:
    made = _resized(images, height, as_size(width) or lost("the width"))
    return *made, also(notices=[(ClashKind.VERSION, WIDTH_APART)])


@op("tf.image.resize_images", varargs="others")
def resize_images(
    images: Tensor,
    size: ShapeArg,
    others: AnyValue = NONE,
    preserve_aspect_ratio: Literal[False] = False,
    target: Target = Target(),
) -> Answer:
    """Before TensorFlow 1.0 height and width were two arguments; later releases read the width as a second `method`."""
    width = next(iter(items_of(others) or ()), others)
    if target.before_1_0 and size.rank == 1 and width != NONE:
        return _resized_apart(images, size.head[0], width)
    return resize(images, size, preserve_aspect_ratio)


@op("tf.image.{resize_bilinear,resize_nearest_neighbor,resize_bicubic,resize_area}")
def resize_batch(images: Tensor, size: ShapeArg) -> Answer:
    of_rank(images, 4)
    return resize(images, size)


@op(
    "tf.image.{resize_with_crop_or_pad,resize_image_with_crop_or_pad,resize_with_pad,resize_image_with_pad}",
    was={"image": "image"},
)
def resize_with_crop_or_pad(image: Tensor, target_height: Size, target_width: Size) -> Answer:
    return _resized(image, target_height, target_width)


@op("tf.image.rgb_to_grayscale")
def rgb_to_grayscale(images: Tensor) -> Answer:
    return "*B 3 -> *B 1"


@op("tf.image.grayscale_to_rgb")
def grayscale_to_rgb(images: Tensor) -> Answer:
    return "*B w 1 -> *B w 3"


@op("tf.image.{adjust,random,stateless_random}_{saturation,hue}")
def shifted_colours(image: Tensor) -> Answer:
    return "*B h w 3 -> *B h w 3"


@op("tf.image.{rgb_to_hsv,hsv_to_rgb,rgb_to_yuv,yuv_to_rgb,rgb_to_yiq,yiq_to_rgb}")
def colours(images: Tensor) -> Answer:
    return "*B 3 -> *B 3"


@op("tf.image.{convert_image_dtype,adjust_brightness,random_brightness,adjust_gamma,stateless_random_brightness}")
def pixelwise(image: Tensor) -> Answer:
    return "*S -> *S"


@op("tf.image.{adjust_contrast,random_contrast,per_image_standardization,per_image_whitening}")
@op("tf.image.stateless_random_contrast")
def imagewise(image: Tensor) -> Answer:
    return "*B h w c -> *B h w c"


@op("tf.image.{flip_left_right,flip_up_down,random_flip_left_right,random_flip_up_down}")
@op("tf.image.stateless_random_flip_{left_right,up_down}")
def flip(image: Tensor) -> Answer:
    of_rank(image, 3, 4)
    return "*S -> *S"


@op("tf.image.rot90")
def rot90(image: Tensor, k: Size = 1) -> Answer:
    if not isinstance(k, int) or image.rank not in (3, 4):
        return "*B h w c -> *B _ _ c"
    return "*B h w c -> *B w h c" if k % 2 else "*B h w c -> *B h w c"


@op("tf.image.{transpose,transpose_image}")
def transpose(image: Tensor) -> Answer:
    of_rank(image, 3, 4)
    return "*B h w c -> *B w h c"


@op("tf.image.crop_to_bounding_box")
def crop(image: Tensor, offset_height: Size, offset_width: Size, target_height: Size, target_width: Size) -> Answer:
    fits = "h >= offset_height + target_height", "w >= offset_width + target_width"
    return *_resized(image, target_height, target_width), *fits


@op("tf.image.pad_to_bounding_box")
def pad(image: Tensor, offset_height: Size, offset_width: Size, target_height: Size, target_width: Size) -> Answer:
    fits = "target_height >= offset_height + h", "target_width >= offset_width + w"
    return *_resized(image, target_height, target_width), *fits


@op("tf.image.central_crop")
def central_crop(image: Tensor, central_fraction: AnyValue) -> Answer:
    """All of the image is returned unchanged, whatever its rank."""
    fraction = getattr(central_fraction, "value", None)
    return image.shape if fraction == 1 else _central_part(image, fraction)


def _central_part(image: Tensor, fraction: object) -> Answer:
    """Return the central part: as many rows and columns are removed before as after, perhaps none where the number is
    not known.
    """
    if fraction is None and image.rank not in (3, 4):
        return UNRANKED
    of_rank(image, 3, 4)
    return "*B h w c -> *B H W c", {"H": _kept("h", fraction), "W": _kept("w", fraction)}


def _kept(axis: str, fraction: object) -> Callable[[Bindings], AnySize]:
    """Return the remaining length of an axis."""

    def kept(bindings: Bindings) -> AnySize:
        size = bindings[axis]
        if not isinstance(size, int) or not isinstance(fraction, float):
            raise Unknown("the central part")
        return size - 2 * int((size - size * fraction) / 2)

    return kept


@op("tf.image.crop_and_resize", was={"image": "images", "box_ind": "box_indices"})
def crop_and_resize(images: Tensor, boxes: Tensor, box_indices: Tensor, crop_size: ShapeArg) -> Answer:
    height, width = crop_size.head if len(crop_size.head) == 2 else (fresh("?", Kind.LOST), fresh("?", Kind.LOST))
    return "n _ _ c, k 4, k -> k {H} {W} c", {"H": height, "W": width}, "H >= 1", "W >= 1"


@op("tf.image.draw_bounding_boxes")
def draw_bounding_boxes(images: Tensor, boxes: Tensor) -> Answer:
    colours = images.shape.size(3)
    said = f"{images.name} has {colours} channels, not 1, 3 or 4"
    needs = [] if colours is None else [one_of(ClashKind.AXIS, colours, (1, 3, 4), said)]
    return "n h w c, n _ 4 -> n h w c", *needs


@op("tf.image.{psnr,ssim,ssim_multiscale}", oracle="none: needs a range")
def compared(img1: Tensor, img2: Tensor, return_index_map: Literal[False] = False) -> Answer:
    """Return a number for each pair of images; only their batches broadcast."""
    return "~B h w c, ~B h w c -> ~B"


@op("tf.image.total_variation")
def total_variation(images: Tensor) -> Answer:
    of_rank(images, 3, 4)
    return "*B h w c -> *B"


@op("tf.image.sobel_edges")
def sobel_edges(image: Tensor) -> Answer:
    return "n h w c -> n h w c 2", "h >= 2", "w >= 2"


@op(
    "tf.{image.extract_patches,image.extract_image_patches,extract_image_patches}",
    was={"ksizes": "sizes"},
    oracle="none: sizes for all four axes",
)
def extract_patches(
    images: Tensor, sizes: Sizes, strides: Sizes, rates: Sizes, padding: Literal["SAME", "VALID"]
) -> Answer:
    """A patch becomes the last axis; sizes, strides and rates have entries for the batch and the channels, too."""
    maps = Maps(2)
    high, wide = maps.inner(sizes).spread(2)
    return "n h w c -> n H W (k * c)", {"k": high * wide}, *maps.window(sizes, strides, padding, rates, True)
