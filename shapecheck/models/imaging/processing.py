"""Image processing of OpenCV and scikit-image, beyond reading and resizing."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.domain.values import NONE, Tensor, Value, as_sizes, items_of
from shapecheck.models.imaging.reading import as_picture, sides_of
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind


def _again(array: Tensor, shape: Shape) -> Tensor:
    """Return another array of numbers that may have been converted."""
    return replace(array, shape=shape, dtype=None, library="np", content=None, step=0, output=0, role="tensor")


@behaviour("cv2.{circle,rectangle,line,putText,polylines,ellipse,fillPoly,drawContours,arrowedLine}")
@behaviour(
    "skimage.{exposure.equalize_hist,exposure.rescale_intensity,filters.gaussian,util.img_as_float,img_as_float}"
)
@behaviour("skimage.{img_as_ubyte,util.img_as_ubyte,util.invert,util.random_noise,filters.median,filters.sobel}")
def same_size(ctx: Context, img: Value, *rest: Value, **others: Value) -> Value:
    """Return an image of the same size, drawn on or filtered."""
    array = as_tensor(img, ctx)
    if array.shape.rank is not None and array.shape.rank < 2:
        return _again(array, UNRANKED)
    return _again(array, array.shape if array.shape.rank == 2 else Shape(array.shape.head[:2], ()))


@behaviour("cv2.applyColorMap")
def mapped(ctx: Context, src: Value, *rest: Value) -> Value:
    """A colour takes the place of each number."""
    array = as_tensor(src, ctx)
    return replace(_again(array, Shape((*sides_of(ctx, array), 3))), dtype="uint8")


@behaviour("skimage.color.{rgb2gray,rgb2grey}")
def grey(ctx: Context, rgb: Value, *rest: Value) -> Value:
    """The last axis, of colours, is removed."""
    array = as_tensor(rgb, ctx)
    known = array.shape.rank is not None and array.shape.rank > 2
    return _again(array, Shape(array.shape.head[:-1]) if known else UNRANKED)


@behaviour("skimage.color.{rgb2hsv,hsv2rgb,rgb2lab,lab2rgb,rgb2ycbcr,ycbcr2rgb,rgb2xyz,rgb2yuv,yuv2rgb}")
def other_colours(ctx: Context, rgb: Value, *rest: Value) -> Value:
    array = as_tensor(rgb, ctx)
    return _again(array, array.shape)


@behaviour("skimage.color.gray2rgb")
def coloured(ctx: Context, image: Value, *rest: Value) -> Value:
    """Before version 0.19, colours stayed what they were."""
    array = as_tensor(image, ctx)
    return _again(array, Shape((*array.shape.head, 3)) if array.shape.rank == 2 else UNRANKED)


def _of_other_size(ctx: Context, array: Tensor, shape: Shape) -> Tensor:
    if shape.rank is None or shape.rank < 2:
        return _again(array, UNRANKED)
    sides = tuple(ctx.fresh(name, Kind.LOST, "another size") for name in ("h", "w"))
    return _again(array, Shape((*sides, *shape.head[2:])))


@behaviour("cv2.{pyrDown,pyrUp,copyMakeBorder}")
def cv_other_size(ctx: Context, image: Value, *rest: Value, **others: Value) -> Value:
    array = as_tensor(image, ctx)
    return _of_other_size(ctx, array, as_picture(array.shape))


@behaviour("skimage.transform.{rotate,warp}")
def other_size(ctx: Context, image: Value, *rest: Value, **others: Value) -> Value:
    array = as_tensor(image, ctx)
    return _of_other_size(ctx, array, array.shape)


@behaviour("skimage.transform.{rescale,pyramid_reduce,downscale_local_mean}")
def rescaled(ctx: Context, image: Value, *rest: Value, **others: Value) -> Value:
    """Channels are an axis like others, unless an argument names it."""
    array = as_tensor(image, ctx)
    return _again(array, array.shape.map(lambda size: ctx.fresh("?", Kind.LOST, "another size")))


@behaviour("cv2.{hconcat,vconcat}")
def side_by_side(ctx: Context, src: Value, *rest: Value) -> Value:
    """Return one image made of several, of which the first determines the number of axes."""
    items = items_of(ctx.freeze(src))
    return cv_other_size(ctx, items[0]) if items else Tensor(UNRANKED, None, "np")


@behaviour("cv2.rotate")
def turned(ctx: Context, src: Value, rotateCode: Value = NONE) -> Value:  # noqa: N803
    array = as_tensor(src, ctx)
    shape = as_picture(array.shape)
    if shape.rank not in (2, 3) or shape.head[0] != shape.head[1]:
        return _of_other_size(ctx, array, shape)
    return _again(array, shape)


@behaviour("cv2.getRotationMatrix2D", "cv2.getAffineTransform")
def affine(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return Tensor(Shape((2, 3)), "float64", "np")


@behaviour("cv2.getPerspectiveTransform")
def perspective(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return Tensor(Shape((3, 3)), "float64", "np")


@behaviour("cv2.getStructuringElement")
def element(ctx: Context, shape: Value, ksize: Value, *rest: Value) -> Value:
    """The size is given as width and height."""
    sizes = as_sizes(ksize)
    return Tensor(Shape(sizes[::-1]) if sizes is not None and len(sizes) == 2 else UNRANKED, "uint8", "np")


@behaviour("cv2.{findContours,HoughLines,HoughLinesP,HoughCircles,connectedComponents,minMaxLoc,calcHist,imdecode}")
@behaviour("cv2.{imencode,goodFeaturesToTrack,calcOpticalFlowFarneback,matchTemplate,boundingRect,contourArea}")
@behaviour("skimage.{measure.label,measure.regionprops,segmentation.slic,feature.hog,feature.canny}")
def not_followed(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return ctx.lost("what is found in a picture")
