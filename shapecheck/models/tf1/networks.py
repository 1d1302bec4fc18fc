"""The published networks of TensorFlow 1's slim: their results for a batch of images."""

from __future__ import annotations

from shapecheck.domain.values import NONE, TRUE, Const, Dict, Seq, Tensor, Value, as_size
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size

NETS = "tf.contrib.slim.nets"
RESNETS = ",".join(
    f"resnet_v{version}.resnet_v{version}_{depth}" for version in (1, 2) for depth in (50, 101, 152, 200)
)
SIDES = {  # the side of the images that a network is made for
    "inception.inception_v1": 224,
    "inception.inception_v2": 224,
    "inception.inception_v3": 299,
    "inception_v1.inception_v1": 224,
    "inception_v2.inception_v2": 224,
    "inception_v3.inception_v3": 299,
    "vgg.vgg_a": 224,
    "vgg.vgg_16": 224,
    "vgg.vgg_19": 224,
    "alexnet.alexnet_v2": 224,
}


def _made(ctx: Context, shape: Shape) -> Value:
    """Return the logits, and the intermediate tensors by name."""
    return Seq("tuple", (Tensor(shape, "float32"), Dict((), ctx.lost("a part of a network"))))


@behaviour(f"{NETS}.{{{RESNETS}}}")
def resnet(
    ctx: Context,
    inputs: Value,
    num_classes: Value = NONE,
    is_training: Value = TRUE,
    global_pool: Value = TRUE,
    *others: Value,
    **keywords: Value,
) -> Value:
    """Rows and columns stay, as axes of size 1."""
    rows = _rows(ctx, inputs)
    count = 2048 if num_classes == NONE else as_size(num_classes)
    if global_pool != TRUE or count is None or rows is None:
        return _made(ctx, UNRANKED)
    return _made(ctx, Shape((rows, 1, 1, count)))


def _rows(ctx: Context, inputs: Value) -> Size | None:
    """Return the number of images."""
    pictures = as_tensor(inputs, ctx).shape
    return pictures.sizes[0] if pictures.rank == 4 else None


def _network(name: str, side: int) -> None:
    @behaviour(f"{NETS}.{name}")
    def run(ctx: Context, inputs: Value, num_classes: Value = Const(1000), *args: Value, **keywords: Value) -> Value:
        pictures = as_tensor(inputs, ctx).shape
        count = as_size(num_classes)
        is_plain = not keywords.keys() & {"spatial_squeeze", "global_pool"} and len(args) < 3
        if pictures.rank != 4 or pictures.sizes[1:3] != (side, side) or count is None or not is_plain:
            return _made(ctx, UNRANKED)
        return _made(ctx, Shape((pictures.sizes[0], count)))


for _name, _side in SIDES.items():
    _network(_name, _side)


@behaviour(f"{NETS}.{{resnet_v1,resnet_v2,resnet_utils}}.resnet_arg_scope")
@behaviour(f"{NETS}.{{vgg.vgg_arg_scope,alexnet.alexnet_v2_arg_scope,inception.inception_v3_arg_scope}}")
def settings(ctx: Context, *args: Value, **keywords: Value) -> Value:
    """Return additional arguments of layers, which do not affect shapes."""
    return ctx.new("contextlib.AbstractContextManager")
