"""`keras.applications`: published models, from input shape to output shape."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    FALSE,
    NONE,
    TRUE,
    Const,
    Lost,
    Ref,
    Seq,
    Tensor,
    Value,
    as_bool,
    as_size,
    as_sizes,
    as_str,
    items_of,
)
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.parameter_kinds import Tensor as Operand
from shapecheck.models.lang.ranks import require_rank
from shapecheck.models.lang.registry import base, behaviour, op
from shapecheck.models.layers.input_checks import check_feed, may_be_one
from shapecheck.models.layers.model import has_new_outputs
from shapecheck.models.layers.structure import as_tensors, like
from shapecheck.shapes.facts import AtLeast, Equal
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size, symbols

NETWORK = "keras.applications.Network"


@dataclass(frozen=True)
class Network:
    """A published network: `features` channels at the end; `side` is the usual input, `least` the smallest;
    `windows` are how the maps shrink.
    """

    features: int
    side: int = 224
    windows: str = "ccccc"
    """A letter for each layer that makes the maps smaller: "c" and "f" halve them, rounded up or down, "v" is a window
    of 3 without padding, and "s" one with strides of 2."""
    least: int = 32

    def shrunk(self, size: int) -> int:
        """Return the side of the last maps."""
        for window in self.windows:
            size = _SMALLER[window](size)
        return size


_SMALLER: dict[str, Callable[[int], int]] = {
    "c": lambda size: -(-size // 2),
    "f": lambda size: size // 2,
    "v": lambda size: size - 2,
    "s": lambda size: (size - 3) // 2 + 1,
}


NETWORKS = {
    **dict.fromkeys(("VGG16", "VGG19"), Network(512, windows="fffff")),
    **dict.fromkeys(("ResNet50", "ResNet101", "ResNet152"), Network(2048)),
    **dict.fromkeys(("ResNet50V2", "ResNet101V2", "ResNet152V2"), Network(2048)),
    "MobileNet": Network(1024, windows="cffff"),
    "MobileNetV2": Network(1280),
    "MobileNetV3Large": Network(960),
    "MobileNetV3Small": Network(576),
    "DenseNet121": Network(1024, windows="ccfff"),
    "DenseNet169": Network(1664, windows="ccfff"),
    "DenseNet201": Network(1920, windows="ccfff"),
    "Xception": Network(2048, 299, "svcccc", 71),
    "InceptionV3": Network(2048, 299, "svsvsss", 75),
    "InceptionResNetV2": Network(1536, 299, "svsvsss", 75),
    "NASNetMobile": Network(1056),
    "NASNetLarge": Network(4032, 331),
}
for _number, (_features, _side) in enumerate(
    [(1280, 224), (1280, 240), (1408, 260), (1536, 300), (1792, 380), (2048, 456), (2304, 528), (2560, 600)]
):
    NETWORKS[f"EfficientNetB{_number}"] = Network(_features, _side)
for _name, _features, _side in (("B0", 1280, 224), ("B1", 1280, 240), ("B2", 1408, 260), ("B3", 1536, 300)):
    NETWORKS[f"EfficientNetV2{_name}"] = Network(_features, _side)
for _name, _side in (("S", 384), ("M", 480), ("L", 480)):
    NETWORKS[f"EfficientNetV2{_name}"] = Network(1280, _side)
for _name, _features in (("Tiny", 768), ("Small", 768), ("Base", 1024), ("Large", 1536), ("XLarge", 2048)):
    NETWORKS[f"ConvNeXt{_name}"] = Network(_features, windows="fffff")
FAMILIES = {
    "vgg16": ["VGG16"],
    "vgg19": ["VGG19"],
    "resnet50": ["ResNet50"],
    "resnet": ["ResNet50", "ResNet101", "ResNet152"],
    "resnet_v2": ["ResNet50V2", "ResNet101V2", "ResNet152V2"],
    "inception_v3": ["InceptionV3"],
    "inception_resnet_v2": ["InceptionResNetV2"],
    "xception": ["Xception"],
    "mobilenet": ["MobileNet"],
    "mobilenet_v2": ["MobileNetV2"],
    "densenet": ["DenseNet121", "DenseNet169", "DenseNet201"],
    "nasnet": ["NASNetMobile", "NASNetLarge"],
    "efficientnet": [f"EfficientNetB{number}" for number in range(8)],
    "efficientnet_v2": [f"EfficientNetV2{size}" for size in ("B0", "B1", "B2", "B3", "S", "M", "L")],
    "convnext": [f"ConvNeXt{size}" for size in ("Tiny", "Small", "Base", "Large", "XLarge")],
}


MODULES = (*FAMILIES, "imagenet_utils", "mobilenet_v3")
POOLINGS = (Const("avg"), Const("max"))


@behaviour(*(f"keras.applications.{module}.decode_predictions" for module in MODULES))
def decoded(ctx: Context, preds: Value, top: Value = NONE) -> Value:
    return ctx.lost("classes by name")


def _register(name: str, network: Network) -> None:
    def build(
        ctx: Context,
        include_top: Value = Const(True),
        weights: Value = Const("imagenet"),
        input_tensor: Value = NONE,
        input_shape: Value = NONE,
        pooling: Value = NONE,
        classes: Value = Const(1000),
        **others: Value,
    ) -> Value:
        if "data_format" in others or as_bool(include_top) is None:
            return ctx.lost(f"a variant of {name}")
        if weights == Const("imagenet") and input_tensor == NONE:
            _check_channels(ctx, input_shape)
        _check_side(ctx, network, input_shape)
        entry = _entry(ctx, network, input_tensor, input_shape, include_top)
        if not isinstance(entry, Tensor):
            return ctx.lost(f"input of {name}")
        chosen: dict[str, Value] = {
            "@input": entry,
            "@built": TRUE,
            "@top": include_top,
            "@pooling": pooling,
            "@classes": classes,
            "@network": Const(name),
            "@alpha": others.get("alpha", Const(1.0)),
        }
        made = ctx.new(NETWORK, **chosen)
        ctx.set(made, "@output", ctx.freeze(ctx.call(made, [entry])))
        return made

    build.__module__ = __name__
    modules = [f".{family}" for family, members in FAMILIES.items() if name in members]
    behaviour(*(f"keras.applications{module}.{name}" for module in ["", *modules]))(build)


def _check_channels(ctx: Context, input_shape: Value) -> None:
    """State that the input has three channels, which the published weights require."""
    sizes = as_sizes(input_shape)
    if sizes is not None and len(sizes) == 3 and sizes[0] != 3:
        said = f"input_shape has {sizes[-1]} channels, but ImageNet weights need 3"
        ctx.require(ClashKind.AXIS, Equal(sizes[-1], 3), said)


def _check_side(ctx: Context, network: Network, input_shape: Value) -> None:
    """State that the input is large enough."""
    sizes, least = as_sizes(input_shape), network.least
    if sizes is None or len(sizes) != 3 or sizes[-1] not in (1, 3, 4):
        return
    height, width, _ = sizes
    said = f"input_shape is {height}x{width}, the network takes at least {least}x{least}"
    for size in (height, width):
        ctx.require(ClashKind.NEGATIVE_SIZE, AtLeast(size, least), said)


def _entry(ctx: Context, network: Network, tensor: Value, shape: Value, include_top: Value) -> Value:
    if tensor != NONE:
        return tensor
    side = Const(network.side) if include_top != FALSE else NONE
    given = shape if shape != NONE else Seq("tuple", (side, side, Const(3)))
    if items_of(given) is None:
        return Lost("input shape")
    return ctx.apply("keras.Input", shape=given)


def _channels(ctx: Context, name: str, alpha: Value) -> Size:
    """Return the channels of the last maps; `alpha` makes the smaller networks thinner or wider."""
    usual, factor = NETWORKS[name].features, alpha.value if isinstance(alpha, Const) else None
    if factor == 1:
        return usual
    if name == "MobileNet" and isinstance(factor, float):
        return int(usual * factor)
    if name == "MobileNetV2" and isinstance(factor, float) and factor <= 1:
        return usual
    return ctx.fresh("?", Kind.LOST, "channels of a network made thinner or wider")


def _exit(ctx: Context, features: Size, shape: Shape, network: Network, top: Value, pooling: Value, n: Value) -> Shape:
    if shape.tail is not None or len(shape.head) != 4:
        return UNRANKED
    batch, height, width, _ = shape.head
    if top != FALSE:
        count = as_size(n)
        return Shape((batch, ctx.fresh("?", Kind.LOST, "classes") if count is None else count))
    if pooling in POOLINGS:
        return Shape((batch, features))
    if not isinstance(pooling, Const):
        return UNRANKED
    return Shape((batch, *(_shrunk(ctx, network, size) for size in (height, width)), features))


def _shrunk(ctx: Context, network: Network, size: Size) -> Size:
    """Return the side of the last maps."""
    if isinstance(size, int):
        return network.shrunk(size)
    return size // 32 if set(network.windows) == {"f"} else side_like(ctx, size, "side of the last feature maps")


def side_like(ctx: Context, size: Size, why: str) -> Size:
    """Return an unknown side of feature maps, which a graph knows if it knows the size of the image."""
    is_open = any(symbol.kind is Kind.DYNAMIC for symbol in symbols(size))
    return ctx.fresh("?", Kind.DYNAMIC if is_open else Kind.LOST, why)


@behaviour(f"{NETWORK}.__call__")
def call_network(ctx: Context, self: Ref, inputs: Value = NONE, *rest: Value, **others: Value) -> Value:
    given, declared = as_tensors(ctx.freeze(inputs)), ctx.get(self, "@input")
    name, top = as_str(ctx.get(self, "@network") or NONE), ctx.get(self, "@top") or NONE
    if not isinstance(given, Tensor) or name is None or has_new_outputs(ctx, self):
        return ctx.lost("input of a published model, or its changed outputs")
    if ctx.target.keras != 3 and not _has_rank(ctx, given, declared):
        return ctx.get(self, "@output") or NONE
    if isinstance(declared, Tensor) and declared != given and not check_feed(ctx, "x", given, declared, called=True):
        return ctx.get(self, "@output") or NONE
    pooling, classes, alpha = (ctx.get(self, option) or NONE for option in ("@pooling", "@classes", "@alpha"))
    features = _channels(ctx, name, alpha)
    return like(_exit(ctx, features, given.shape, NETWORKS[name], top, pooling, classes), given)


def _has_rank(ctx: Context, inputs: Tensor, declared: Value | None) -> bool:
    """Return whether the layers of a network take inputs, after stating that: Keras 2 leaves their rank to them."""
    channels = declared.shape.head[-1:] if isinstance(declared, Tensor) else ()
    surplus = (3, 5) if not channels or may_be_one(channels[0]) else ()
    return require_rank(ctx, "inputs", inputs, 4, *surplus)


base(NETWORK, "keras.Model")
for _name, _network in NETWORKS.items():
    _register(_name, _network)


@op(
    *(f"keras.applications.{family}.preprocess_input" for family in (*FAMILIES, "mobilenet_v3", "imagenet_utils")),
    dtype="?",
)
def preprocess_input(x: Operand) -> str:
    """Some families convert arrays of integers to floats, others return them as they are."""
    return "*S -> *S"
