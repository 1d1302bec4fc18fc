"""Images read by OpenCV, Pillow, imageio, SciPy and Matplotlib: height, width and, where they are certain, channels."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    NONE,
    Const,
    Library,
    Ref,
    Scalar,
    Seq,
    Tensor,
    Value,
    as_size,
    as_str,
    items_of,
    of_size,
)
from shapecheck.models.lang import Context, attribute, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size

IMAGE = "PIL.Image.Image"
CHANNELS = {"RGB": (3,), "BGR": (3,), "HSV": (3,), "LAB": (3,), "YCrCb": (3,), "RGBA": (4,), "BGRA": (4,), "CMYK": (4,)}
CHANNELS |= {"YCbCr": (3,), "RGBX": (4,), "RGBa": (4,), "LA": (2,), "La": (2,), "PA": (2,)}
GREY = ("GRAY", "L", "1", "P", "I", "F")


def extent(ctx: Context, name: str) -> Size:
    return ctx.fresh(name, Kind.FREE, "of a picture in a file", 1)


def picture(ctx: Context, channels: tuple[Size, ...] | None) -> Tensor:
    """Return an image of any size; with None for channels, not even the rank is known."""
    sides = (extent(ctx, "height"), extent(ctx, "width"))
    return Tensor(Shape(sides, ()) if channels is None else Shape((*sides, *channels)), "uint8", "np")


def picture_of(ctx: Context, path: Value, channels: tuple[Size, ...] | None) -> Tensor:
    """Return an image in a file, whose size is known if it lies beside the program; with None for channels, they are
    those of the file unless its format leaves room for doubt."""
    facts = ctx.facts_of(path) or {}
    if "picture" not in facts or facts.get("may_turn"):
        return picture(ctx, channels)
    height, width, count = facts["picture"]
    if channels is None and count in (1, 3, 4):
        channels = () if count == 1 else (count,)
    return Tensor(Shape((height, width), ()) if channels is None else Shape((height, width, *channels)), "uint8", "np")


# OpenCV -------------------------------------------------------------------------------------------------------------


@behaviour("cv2.imread")
def cv_read(ctx: Context, filename: Value, flags: Value = NONE) -> Value:
    name = flags.name.rsplit(".", 1)[-1] if isinstance(flags, Library) else ""
    if flags in (NONE, Const(1)) or name in ("IMREAD_COLOR", "CV_LOAD_IMAGE_COLOR"):
        return picture_of(ctx, filename, (3,))
    if flags == Const(0) or name in ("IMREAD_GRAYSCALE", "CV_LOAD_IMAGE_GRAYSCALE"):
        return picture_of(ctx, filename, ())
    return picture(ctx, None)


def resized(ctx: Context, tensor: Tensor, size: Value) -> Tensor:
    """Return an image of a size given as width and height."""
    sides = items_of(size)
    known = [as_size(side) for side in sides] if sides is not None and len(sides) == 2 else [None, None]
    width, height = (extent(ctx, "side") if side is None else side for side in known)
    rank = tensor.shape.rank
    rest = tensor.shape.sizes[2:] if rank is not None else None
    shape = Shape((height, width), ()) if rest is None else Shape((height, width, *rest))
    return replace(tensor, shape=shape, content=None, step=0, output=0, library="np")


def note_sides(ctx: Context, size: Value) -> None:
    """Notice a width and a height that may be in the wrong order."""
    sides = items_of(size)
    known = [None, 0] if sides is None else [as_size(side) for side in sides]
    if len(known) == 2 and (known[0] is None or known[0] != known[1]):
        ctx.notice(ClashKind.SIDES, "the size is (width, height)")


@behaviour("cv2.resize")
def cv_resize(ctx: Context, src: Value, dsize: Value = NONE, *args: Value, **keywords: Value) -> Value:
    note_sides(ctx, dsize)
    return cv_resized(ctx, src, dsize)


def cv_resized(ctx: Context, src: Value, dsize: Value) -> Tensor:
    tensor = as_tensor(src, ctx)
    if tensor.shape.rank == 3 and tensor.shape.sizes[2] == 1:
        return resized(ctx, tensor.with_shape(Shape(tensor.shape.sizes[:2])), dsize)
    unsure = tensor.shape.rank == 3 and not isinstance(tensor.shape.sizes[2], int)
    return resized(ctx, tensor.with_shape(UNRANKED) if unsure else tensor, dsize)


@behaviour("cv2.cvtColor")
def cv_colour(ctx: Context, src: Value, code: Value, *args: Value, **keywords: Value) -> Value:
    tensor = as_tensor(src, ctx)
    name = code.name.rsplit(".", 1)[-1] if isinstance(code, Library) else ""
    target = name.partition("2")[2]
    sides = sides_of(ctx, tensor)
    if target in GREY:
        return made(tensor, Shape(sides))
    return made(tensor, Shape((*sides, *CHANNELS[target])) if target in CHANNELS else UNRANKED)


def sides_of(ctx: Context, tensor: Tensor) -> tuple[Size, Size]:
    """Return the height and the width of an image."""
    sides = [tensor.shape.size(axis) for axis in (0, 1)] if tensor.shape.is_ranked else [None, None]
    height, width = (extent(ctx, "side") if side is None else side for side in sides)
    return height, width


def made(tensor: Tensor, shape: Shape) -> Tensor:
    """Return an image made of another."""
    return replace(tensor, shape=shape, content=None, step=0, output=0, library="np")


KEPT = """GaussianBlur blur medianBlur bilateralFilter flip erode dilate equalizeHist absdiff bitwise_not morphologyEx
adaptiveThreshold fastNlMeansDenoising""".split()
CONVERTED = """normalize add subtract addWeighted convertScaleAbs filter2D Laplacian Scharr Sobel boxFilter sepFilter2D
LUT""".split()


def as_picture(shape: Shape) -> Shape:
    """Return the shape of a picture as OpenCV gives it: one channel has no axis, and a vector is a row or a column."""
    if shape.rank == 3 and not isinstance(shape.sizes[2], int):
        return Shape(shape.sizes[:2], ())
    if shape.rank == 3 and shape.sizes[2] == 1:
        return Shape(shape.sizes[:2])
    return shape if shape.rank in (2, 3) else UNRANKED


@behaviour(f"cv2.{{{','.join(KEPT)}}}")
def cv_kept(ctx: Context, src: Value, *args: Value, **keywords: Value) -> Value:
    tensor = as_tensor(src, ctx)
    return made(tensor, as_picture(tensor.shape))


@behaviour(f"cv2.{{{','.join(CONVERTED)}}}")
def cv_converted(ctx: Context, src: Value, *args: Value, **keywords: Value) -> Value:
    """An argument tells the type of the numbers."""
    tensor = as_tensor(src, ctx)
    return replace(made(tensor, as_picture(tensor.shape)), dtype=None)


@behaviour("cv2.threshold")
def cv_threshold(ctx: Context, src: Value, *args: Value, **keywords: Value) -> Value:
    return Seq("tuple", (Scalar("float"), cv_kept(ctx, src)))


@behaviour("cv2.{Canny,inRange}")
def cv_mask(ctx: Context, src: Value, *args: Value, **keywords: Value) -> Value:
    """Return a mask with one number for each pixel."""
    tensor = as_tensor(src, ctx)
    return made(tensor, Shape(sides_of(ctx, tensor)))


@behaviour("cv2.{warpAffine,warpPerspective}")
def cv_warp(ctx: Context, src: Value, m: Value, dsize: Value = NONE, *args: Value, **keywords: Value) -> Value:
    return cv_resized(ctx, src, dsize)


@behaviour("cv2.split")
def cv_split(ctx: Context, m: Value, *args: Value) -> Value:
    tensor = as_tensor(m, ctx)
    count = tensor.shape.size(2) if tensor.shape.rank == 3 else None
    if not isinstance(count, int):
        return ctx.lost("the channels of a picture")
    return Seq("tuple", (made(tensor, Shape(tensor.shape.sizes[:2])),) * count)


@behaviour("cv2.merge")
def cv_merge(ctx: Context, mv: Value, *args: Value) -> Value:
    parts = [as_tensor(part, ctx) for part in items_of(ctx.freeze(mv)) or ()]
    if not parts or any(part.shape.rank != 2 for part in parts):
        return Tensor(UNRANKED, "uint8", "np")
    return made(parts[0], Shape((*parts[0].shape.sizes, *[len(parts)] * (len(parts) > 1))))


@behaviour("cv2.VideoCapture")
def cv_video(ctx: Context, *args: Value) -> Value:
    return ctx.new("cv2.VideoCapture")


@behaviour("cv2.VideoCapture.read")
def cv_frame(ctx: Context, self: Value, *args: Value) -> Value:
    return Seq("tuple", (Scalar("bool"), picture(ctx, (3,))))


# Other readers ------------------------------------------------------------------------------------------------------


@behaviour(
    "{imageio,imageio.v2,imageio.v3,scipy.misc,scipy.ndimage,skimage.io,matplotlib.pyplot,matplotlib.image}.imread",
)
def read(ctx: Context, uri: Value = NONE, *args: Value, **keywords: Value) -> Value:
    if keywords.get("mode") == Const("RGB"):
        return picture_of(ctx, uri, (3,))
    return picture(ctx, None) if args or keywords else picture_of(ctx, uri, None)


@behaviour("scipy.misc.imresize")
def scipy_resize(ctx: Context, arr: Value, size: Value, *args: Value, **keywords: Value) -> Value:
    sides = items_of(size)
    tensor = as_tensor(arr, ctx)
    if sides is None or len(sides) < 2:
        return Tensor(UNRANKED, "uint8", "np")
    made = resized(ctx, tensor, Seq("tuple", (sides[1], sides[0])))
    return made if tensor.shape.rank in (2, 3) else made.with_shape(UNRANKED)


@behaviour("skimage.transform.resize")
def skimage_resize(ctx: Context, image: Value, output_shape: Value, *args: Value, **keywords: Value) -> Value:
    sizes = [as_size(size) for size in items_of(output_shape) or ()]
    tensor = as_tensor(image, ctx)
    if not sizes or None in sizes or tensor.shape.rank is None:
        return Tensor(UNRANKED, "float64", "np")
    known = tuple(size for size in sizes if size is not None)
    return Tensor(Shape((*known, *tensor.shape.sizes[len(known) :])), "float64", "np")


# Pillow -------------------------------------------------------------------------------------------------------------


def image(ctx: Context, array: Tensor) -> Ref:
    """Return a Pillow image. `_array` is its conversion to an array."""
    return ctx.new(IMAGE, _array=array)


def array_of(ctx: Context, value: Value) -> Tensor:
    found = ctx.get(value, "_array")
    return found if isinstance(found, Tensor) else Tensor(UNRANKED, "uint8", "np")


@behaviour("PIL.Image.open")
def pil_open(ctx: Context, fp: Value, *args: Value, **keywords: Value) -> Value:
    return image(ctx, picture_of(ctx, fp, None))


@behaviour("PIL.Image.fromarray")
def pil_from_array(ctx: Context, obj: Value, mode: Value = NONE) -> Value:
    return image(ctx, as_tensor(obj, ctx) if mode == NONE else Tensor(UNRANKED, None, "np"))


@behaviour("PIL.Image.new")
def pil_new(ctx: Context, mode: Value, size: Value, color: Value = NONE) -> Value:
    return image(ctx, resized(ctx, with_mode(ctx, picture(ctx, None), mode), size))


def with_mode(ctx: Context, array: Tensor, mode: Value) -> Tensor:
    """Return the array of an image converted to a mode."""
    name = as_str(mode) or ""
    sides = [array.shape.head[axis] if axis < len(array.shape.head) else extent(ctx, "side") for axis in (0, 1)]
    if name in GREY:
        return array.with_shape(Shape(tuple(sides)))
    return array.with_shape(Shape((*sides, *CHANNELS[name])) if name in CHANNELS else Shape(tuple(sides), ()))


@behaviour(f"{IMAGE}.convert")
def pil_convert(ctx: Context, self: Value, mode: Value = NONE, *args: Value, **keywords: Value) -> Value:
    return image(ctx, with_mode(ctx, array_of(ctx, self), mode))


@behaviour(f"{IMAGE}.resize", "PIL.ImageOps.{fit,pad}")
def pil_resize(ctx: Context, self: Value, size: Value, *args: Value, **keywords: Value) -> Value:
    note_sides(ctx, size)
    return image(ctx, resized(ctx, array_of(ctx, self), size))


@behaviour(f"{IMAGE}.{{crop,rotate,transpose,thumbnail,filter,transform}}")
def pil_changed(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    shape = array_of(ctx, self).shape
    sides = (extent(ctx, "height"), extent(ctx, "width"))
    return image(ctx, Tensor(Shape((*sides, *shape.head[2:]), shape.tail), "uint8", "np"))


@behaviour(f"{IMAGE}.{{copy,__enter__}}", "PIL.ImageOps.{invert,mirror,flip,autocontrast,equalize,posterize,solarize}")
def pil_same(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    return self


@behaviour("PIL.ImageOps.grayscale")
def pil_grey(ctx: Context, image: Value) -> Value:
    return pil_convert(ctx, image, Const("L"))


@behaviour(f"{IMAGE}.{{save,show,close,load,__exit__,seek}}")
def pil_done(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return NONE


@attribute(f"{IMAGE}.size")
def pil_size(ctx: Context, self: Value) -> Value:
    shape = array_of(ctx, self).shape
    if len(shape.head) < 2:
        return ctx.lost("the size of a picture")
    return Seq("tuple", (of_size(shape.head[1]), of_size(shape.head[0])))


@behaviour(f"{IMAGE}.__array__")
def pil_array(ctx: Context, self: Value, *args: Value) -> Value:
    return array_of(ctx, self)
