"""The reader of handwritten digits in the tutorials of TensorFlow 1."""

from __future__ import annotations

from shapecheck.domain.values import (
    FALSE,
    NONE,
    TRUE,
    Const,
    Ref,
    Scalar,
    Seq,
    Tensor,
    Value,
    as_bool,
    as_size,
    as_str,
    of_size,
)
from shapecheck.models.lang import Context, behaviour
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size

READER = "tf.examples.tutorials.mnist"
TRAINING, TESTING = 60_000, 10_000


def images(count: Size, reshape: Value) -> Tensor:
    """Return flat images, or with `reshape=False` images with two axes and channels."""
    match as_bool(reshape):
        case True:
            return Tensor(Shape((count, 784)), "float32", "np")
        case False:
            return Tensor(Shape((count, 28, 28, 1)), "float32", "np")
    return Tensor(Shape((count,), ()), "float32", "np")


def labels(count: Size, one_hot: Value) -> Tensor:
    """Return class numbers, or one-hot rows."""
    match as_bool(one_hot):
        case True:
            return Tensor(Shape((count, 10)), "float64", "np")
        case False:
            return Tensor(Shape((count,)), "uint8", "np")
    return Tensor(Shape((count,), ()), None, "np")


def data_set(ctx: Context, count: Size, one_hot: Value, reshape: Value) -> Ref:
    return ctx.new(
        f"{READER}.DataSet",
        images=images(count, reshape),
        labels=labels(count, one_hot),
        num_examples=of_size(count),
        epochs_completed=Scalar("int"),
        _one_hot=one_hot,
        _reshape=reshape,
    )


@behaviour(
    f"{READER}.input_data.read_data_sets",
    "tf.contrib.learn.datasets.mnist.read_data_sets",
    "tf.contrib.learn.datasets.mnist.load_mnist",
    "tf.contrib.learn.python.learn.datasets.mnist.read_data_sets",
)
def read_data_sets(
    ctx: Context,
    train_dir: Value = NONE,
    fake_data: Value = FALSE,
    one_hot: Value = FALSE,
    dtype: Value = NONE,
    reshape: Value = TRUE,
    validation_size: Value = Const(5000),
    seed: Value = NONE,
    source_url: Value = NONE,
) -> Value:
    held_out = as_size(validation_size)
    if held_out is None:
        held_out = ctx.fresh("validation", Kind.FREE, "the size of the validation set")
    sizes = {"train": TRAINING - held_out, "validation": held_out, "test": TESTING}
    return ctx.new(
        f"{READER}.Datasets", **{name: data_set(ctx, size, one_hot, reshape) for name, size in sizes.items()}
    )


@behaviour(f"{READER}.DataSet.next_batch")
def next_batch(ctx: Context, self: Value, batch_size: Value, fake_data: Value = FALSE, shuffle: Value = TRUE) -> Value:
    size = as_size(batch_size)
    count: Size = ctx.fresh("batch", Kind.FREE, "the size of a batch") if size is None else size
    one_hot, reshape = ctx.get(self, "_one_hot") or NONE, ctx.get(self, "_reshape") or NONE
    return Seq("tuple", (images(count, reshape), labels(count, one_hot)))


SAMPLES = {"iris": (150, 4, "int64"), "boston": (506, 13, "float64")}


@behaviour("tf.contrib.learn.datasets.load_dataset")
def load_dataset(ctx: Context, name: Value, *args: Value, **keywords: Value) -> Value:
    match as_str(name):
        case "mnist":
            return read_data_sets(ctx)
        case ("iris" | "boston") as known:
            return _samples(ctx, known)
    return ctx.new("tf.contrib.learn.datasets.Dataset", data=Tensor(UNRANKED, None, "np"))


@behaviour("tf.contrib.learn.datasets.{load_iris,base.load_iris}")
def load_iris(ctx: Context, *args: Value) -> Value:
    return _samples(ctx, "iris")


@behaviour("tf.contrib.learn.datasets.{load_boston,base.load_boston}")
def load_boston(ctx: Context, *args: Value) -> Value:
    return _samples(ctx, "boston")


def _samples(ctx: Context, name: str) -> Value:
    rows, columns, dtype = SAMPLES[name]
    data, target = Tensor(Shape((rows, columns)), "float64", "np"), Tensor(Shape((rows,)), dtype, "np")
    return ctx.new("tf.contrib.learn.datasets.Dataset", data=data, target=target)
