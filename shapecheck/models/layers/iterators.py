"""Iterators that an `ImageDataGenerator` makes of arrays, folders and data frames: endless batches with attributes of
the data.
"""

from __future__ import annotations

from shapecheck.domain.values import Const, HomogeneousSeq, Ref, Scalar, Seq, Tensor, Value, of_size
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.registry import behaviour
from shapecheck.shapes.shape import ranked
from shapecheck.shapes.size import Kind

IMAGES = "keras.preprocessing.image"
ITERATORS = f"{IMAGES}.{{NumpyArrayIterator,DirectoryIterator,DataFrameIterator}}"


def iterator(ctx: Context, name: str, images: Tensor, labels: Tensor | None, batch_size: Value) -> Ref:
    """Return an iterator over the images of a folder or a data frame, with their labels."""
    element = images if labels is None else Seq("tuple", (images, labels))
    samples = ctx.fresh("samples", Kind.FREE, "number of pictures")
    count = of_size(samples)
    told: dict[str, Value] = {
        "samples": count,
        "n": count,
        "batch_size": batch_size,
        "filenames": HomogeneousSeq("list", Scalar("str"), samples),
        "classes": Tensor(ranked(samples), "int64", "np"),
    }
    if images.shape.tail is None:
        told["image_shape"] = Seq("tuple", tuple(map(of_size, images.shape.head[1:])))
    if labels is not None and labels.shape.tail is None and len(labels.shape.head) == 2:
        told["num_classes"] = of_size(labels.shape.head[1])
    return ctx.new(f"{IMAGES}.{name}", _element=element, **told)


@behaviour(f"{ITERATORS}.{{next,__next__,__getitem__}}")
def a_batch(ctx: Context, self: Value, index: Value = Const(0)) -> Value:
    return _batch(ctx, self)


@behaviour(f"{ITERATORS}.__iter__")
def all_batches(ctx: Context, self: Value) -> Value:
    return HomogeneousSeq("iterator", _batch(ctx, self), ctx.fresh("batches", Kind.FREE, "what never ends"))


def _batch(ctx: Context, self: Value) -> Value:
    return ctx.get(self, "_element") or ctx.lost("data of a generator")
