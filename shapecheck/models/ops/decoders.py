"""Pictures from their bytes: their sizes are those of the file, if that lies beside the program."""

from __future__ import annotations

from shapecheck.domain.values import NONE, TRUE, Const, Tensor, Value, as_size
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.arguments import dtype_name
from shapecheck.models.lang.ranks import require_rank
from shapecheck.models.lang.unknown_sizes import IN_FILE
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size

ZERO = Const(0)
READERS = ("tf.io.read_file", "tf.read_file")


@behaviour("tf.image.{decode_jpeg,decode_png,decode_bmp}", "tf.io.{decode_jpeg,decode_png}")
def decode(
    ctx: Context, contents: Value, channels: Value = ZERO, *rest: Value, dtype: Value = NONE, **options: Value
) -> Value:
    """What comes after the channels is the dtype of a PNG, or the ratio by which a JPEG is made smaller."""
    require_rank(ctx, "contents", contents, 0)
    dtype = next((each for each in rest if dtype_name(each)), dtype)
    sizes = _sizes(ctx, contents, is_exact="ratio" not in options and not rest)
    return Tensor(Shape((*sizes[:2], _depth(ctx, channels, sizes[2]))), dtype_name(dtype) or "uint8", "tf")


@behaviour("tf.{image,io}.decode_image")
def decode_image(
    ctx: Context,
    contents: Value,
    channels: Value = ZERO,
    dtype: Value = NONE,
    name: Value = NONE,
    expand_animations: Value = TRUE,
) -> Value:
    """An animation has one more axis."""
    if expand_animations == Const(False):
        return decode(ctx, contents, channels, dtype)
    require_rank(ctx, "contents", contents, 0)
    return Tensor(UNRANKED, dtype_name(dtype) or "uint8", "tf", is_rank_open=True)


def _sizes(ctx: Context, contents: Value, is_exact: bool) -> tuple[Size, Size, Size | None]:
    """Return the height, width and number of channels of the file that the bytes were read from."""
    reader, args = ctx.operation(contents) if isinstance(contents, Tensor) else ("", ())
    facts = ctx.facts_of(args[0]) if reader in READERS and args else None
    told = (facts or {}).get("picture") if is_exact else None
    if told is None:
        kind = Kind.DYNAMIC if isinstance(contents, Tensor) and contents.trace else Kind.FREE
        return ctx.fresh("h", kind, IN_FILE), ctx.fresh("w", kind, IN_FILE), None
    height, width, count = told
    return height, width, count if count in (1, 3, 4) else None


def _depth(ctx: Context, channels: Value, of_file: Size | None) -> Size:
    """Return the number of channels asked for; 0 stands for that of the file."""
    if channels == ZERO:
        return ctx.fresh("c", Kind.FREE, IN_FILE) if of_file is None else of_file
    asked = as_size(channels)
    return ctx.fresh("c", Kind.LOST, "the channels asked for") if asked is None else asked
