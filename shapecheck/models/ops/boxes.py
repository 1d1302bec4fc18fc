"""Bounding boxes in images, glimpses and gradients of images, and image files."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain import values
from shapecheck.domain.values import NONE, Value
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Context,
    Flag,
    Need,
    ShapeArg,
    Size,
    Tensor,
    behaviour,
    entries,
    of_rank,
    one_of,
    op,
    result,
)
from shapecheck.models.lang.unknown_sizes import IN_FILE
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape
from shapecheck.shapes.size import Kind, fresh
from shapecheck.shapes.size import Size as AnySize


def _kept() -> AnySize:
    return fresh("?", Kind.LOST, why="as many boxes as are kept")


@op("tf.image.non_max_suppression", dtype="int32")
def non_max_suppression(boxes: Tensor, scores: Tensor, max_output_size: Size) -> Answer:
    return "n 4, n -> {k}", {"k": _kept()}


@op("tf.image.non_max_suppression_with_scores", returns="tuple", dtype="int32,float32")
def non_max_suppression_with_scores(boxes: Tensor, scores: Tensor, max_output_size: Size) -> Answer:
    return "n 4, n -> {k}, {k}", {"k": _kept()}


@op("tf.image.non_max_suppression_overlaps", dtype="int32", oracle="none: needs thresholds")
def non_max_suppression_overlaps(overlaps: Tensor, scores: Tensor, max_output_size: Size) -> Answer:
    return "n n, n -> {k}", {"k": _kept()}


@op("tf.image.non_max_suppression_padded", returns="tuple", oracle="none: two versions in one")
def non_max_suppression_padded(
    boxes: Tensor, scores: Tensor, max_output_size: Size, pad_to_max_output_size: Flag = False
) -> Answer:
    if boxes.rank != 2:
        return result(UNRANKED, UNRANKED)
    return "n 4, n -> {k},", {"k": max_output_size if pad_to_max_output_size else _kept()}


@op("tf.image.combined_non_max_suppression", returns="tuple", dtype=",,,int32")
def combined_non_max_suppression(
    boxes: Tensor,
    scores: Tensor,
    max_output_size_per_class: Size,
    max_total_size: Size,
    pad_per_class: Flag = False,
) -> Answer:
    """Return boxes, scores, classes, and the number of valid detections."""
    if pad_per_class:
        return result(*[UNRANKED] * 4)
    fits = "k >= 1", "max_output_size_per_class >= 1", *_one_for_each_class(boxes, scores)
    return "b n q 4, b n c -> b {k} 4, b {k}, b {k}, b", {"k": max_total_size}, *fits


def _one_for_each_class(boxes: Tensor, scores: Tensor) -> list[Need]:
    """Return the need that the classes share their boxes, or that each has its own."""
    each, classes = boxes.shape.size(2), scores.shape.size(2)
    if each is None or classes is None:
        return []
    said = f"boxes has {each} on axis 2, which is neither 1 nor the {classes} classes of scores"
    return [one_of(ClashKind.AXIS, each, (1, classes), said)]


@op("tf.image.extract_glimpse")
def extract_glimpse(input: Tensor, size: ShapeArg, offsets: Tensor) -> Answer:
    high, wide = entries(size, 2)
    return "b _ _ c, b 2 -> b {h} {w} c", {"h": high, "w": wide}, "h >= 1", "w >= 1"


@op("tf.image.image_gradients", returns="tuple")
def image_gradients(image: Tensor) -> Answer:
    return "b h w d -> b h w d, b h w d"


@op("tf.image.{stateless_,}sample_distorted_bounding_box", returns="tuple", oracle="none: needs a size of an image")
def sample_distorted_bounding_box(image_size: Tensor, bounding_boxes: Tensor) -> Answer:
    """Return the start of the box, its size, and the box for drawing."""
    return "3, b n 4 -> 3, 3, 1 1 4"


@op("tf.image.generate_bounding_box_proposals", returns="tuple", oracle="none: needs anchors that fit")
def generate_bounding_box_proposals(scores: Tensor) -> Answer:
    return result(UNRANKED, UNRANKED)


# Files of images -----------------------------------------------------------------------------------------------------


@op("tf.{image,io}.encode_jpeg", dtype="string", oracle="none: takes bytes")
def encode_jpeg(image: Tensor) -> Answer:
    of_rank(image, 3)
    return SCALAR


@op("tf.{image,io}.encode_png", dtype="string", oracle="none: takes bytes")
def encode_png(image: Tensor) -> Answer:
    return "*B h w c -> *B"


@op("tf.{image,io}.extract_jpeg_shape", dtype="int32", oracle="none: needs a file")
def extract_jpeg_shape(contents: Tensor) -> Answer:
    of_rank(contents, 0)
    return Shape((3,))


@op("tf.{image,io}.decode_gif", dtype="uint8", oracle="none: needs a file")
def decode_gif(contents: Tensor) -> Answer:
    of_rank(contents, 0)
    return Shape((*[fresh(name, Kind.FREE, why=IN_FILE) for name in ("frames", "h", "w")], 3))


@op("tf.{image,io}.{decode_webp,decode_jxl}", dtype="uint8", oracle="none: needs a file")
def decode_frames(contents: Tensor) -> Answer:
    of_rank(contents, 0)
    return UNRANKED


@op("tf.{image,io}.decode_and_crop_jpeg", dtype="uint8", oracle="none: needs a file")
def decode_and_crop_jpeg(contents: Tensor, crop_window: ShapeArg, channels: Size = 0) -> Answer:
    """The window is given by its start and its size."""
    depth = fresh("c", Kind.FREE, why=IN_FILE) if channels == 0 else channels
    if crop_window.tail is None and len(crop_window.head) == 4:
        return Shape((*crop_window.head[2:], depth))
    return Shape((fresh("h", Kind.LOST), fresh("w", Kind.LOST), depth))


@op("tf.image.{adjust_jpeg_quality,random_jpeg_quality,stateless_random_jpeg_quality}", oracle="none: needs a quality")
def jpeg_quality(image: Tensor, seed: AnyValue = NONE) -> Answer:
    return "*S -> *S"


@behaviour("tf.image.is_jpeg")
def is_jpeg(ctx: Context, contents: Value) -> Value:
    return values.Tensor(SCALAR, "bool", "tf")
