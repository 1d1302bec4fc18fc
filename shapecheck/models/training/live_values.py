"""What stands in a snapshot of live variables: values of known shape whose elements are not known."""

from __future__ import annotations

from shapecheck.domain.values import NONE, Class, Const, Lost, Scalar, Seq, Tensor, Value, as_str, items_of
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.pandas.frames import frame, series
from shapecheck.models.pandas.names import texts
from shapecheck.models.tf_data.dataset import make
from shapecheck.models.tf_data.sources import from_spec
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size


def _shape(ctx: Context, sizes: Value) -> Shape:
    """Return the shape of a live array; None stands for a size that is open, or for an unknown rank."""
    items = items_of(sizes)
    if items is None:
        return UNRANKED
    return Shape(tuple(_size(ctx, item, at) for at, item in enumerate(items)))


def _size(ctx: Context, item: Value, at: int) -> Size:
    if isinstance(item, Const) and isinstance(item.value, int):
        return item.value
    return ctx.fresh("n" if at else "B", Kind.DYNAMIC, "open in the live value")


@behaviour("shapecheck.live.array")
def array(ctx: Context, sizes: Value, dtype: Value, contents: Value = NONE) -> Value:
    known = Seq("list", contents.items) if isinstance(contents, Seq) else contents
    return Tensor(_shape(ctx, sizes), as_str(dtype), "np", content=None if contents == NONE else known)


@behaviour("shapecheck.live.tensor")
def tensor(ctx: Context, sizes: Value, dtype: Value) -> Value:
    return Tensor(_shape(ctx, sizes), as_str(dtype), "tf")


@behaviour("shapecheck.live.variable")
def variable(ctx: Context, sizes: Value, dtype: Value) -> Value:
    return Tensor(_shape(ctx, sizes), as_str(dtype), "tf", role="variable")


@behaviour("shapecheck.live.symbolic")
def symbolic(ctx: Context, sizes: Value, dtype: Value) -> Value:
    return Tensor(_shape(ctx, sizes), as_str(dtype), "keras")


@behaviour("shapecheck.live.computed")
def computed(ctx: Context, results: Value, sources: Value) -> Value:
    """Return the results of an operation on Keras tensors of which only the shapes are known; of several, a tuple."""
    made = [symbolic(ctx, *items) for each in items_of(results) or () if (items := items_of(each)) and len(items) == 2]
    return made[0] if len(made) == 1 else Seq("tuple", tuple(made))


@behaviour("shapecheck.live.dataset")
def dataset(ctx: Context, signature: Value) -> Value:
    return make(ctx, from_spec(ctx, ctx.freeze(signature)), None)


@behaviour("shapecheck.live.frame")
def data_frame(ctx: Context, sizes: Value, dtype: Value, columns: Value = NONE) -> Value:
    shape = _shape(ctx, sizes)
    if shape.rank != 2:
        return Lost("live table of unknown sizes")
    height, width = shape.sizes
    return frame(ctx, height, width, texts(ctx.freeze(columns)))


@behaviour("shapecheck.live.series")
def column(ctx: Context, sizes: Value, dtype: Value) -> Value:
    shape = _shape(ctx, sizes)
    return series(ctx, shape.sizes[0]) if shape.rank == 1 else Lost("live column of an unknown size")


@behaviour("shapecheck.live.spec")
def spec(ctx: Context, sizes: Value, dtype: Value) -> Value:
    return ctx.new("tf.TensorSpec", shape=sizes, dtype=dtype, name=NONE)


@behaviour("shapecheck.live.unknown")
def unknown(ctx: Context) -> Value:
    return Lost("live value of an unknown kind")


@behaviour("shapecheck.live.number")
def number(ctx: Context) -> Value:
    return Scalar("number")


@behaviour("shapecheck.live.word")
def word(ctx: Context) -> Value:
    return Scalar("str")


@behaviour("shapecheck.live.instance")
def instance(ctx: Context, cls: Value) -> Value:
    """Return an object of a class of the program, without a call of its constructor."""
    return ctx.new("user", __class__=cls) if isinstance(cls, Class) else Lost("object of an unknown class")
