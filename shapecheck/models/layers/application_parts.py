"""The inner layers of published models whose outputs programs ask for by name, with the sizes of their feature maps."""

from __future__ import annotations

import re
from typing import NamedTuple

from shapecheck.domain.values import NONE, TRUE, Const, HomogeneousSeq, Lost, Ref, Tensor, Value, as_str
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.registry import attribute, behaviour
from shapecheck.models.layers.applications import NETWORK, NETWORKS, side_like
from shapecheck.models.layers.structure import as_tensors, like
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Kind, Size

SECTION = "keras.applications.Section"


class Part(NamedTuple):
    """The feature maps of a layer: how often they are halved, and their channels."""

    halvings: int
    features: int


VGG = {f"block{at}_conv[1-4]": Part(at - 1, min(32 * 2**at, 512)) for at in range(1, 6)}
VGG |= {f"block{at}_pool": Part(at, min(32 * 2**at, 512)) for at in range(1, 6)}
RESNET = {"conv1_relu": Part(1, 64)} | {rf"conv{at}_block\d+_out": Part(at, 64 * 2**at) for at in range(2, 6)}
PARTS = {
    **dict.fromkeys(("VGG16", "VGG19"), VGG),
    **dict.fromkeys(("ResNet50", "ResNet101", "ResNet152"), RESNET),
    "MobileNet": {
        "conv_pw_1_relu": Part(1, 64),
        "conv_pw_3_relu": Part(2, 128),
        "conv_pw_5_relu": Part(3, 256),
        "conv_pw_11_relu": Part(4, 512),
        "conv_pw_13_relu": Part(5, 1024),
    },
    "MobileNetV2": {
        "Conv1_relu": Part(1, 32),
        "block_1_expand_relu": Part(1, 96),
        "block_3_expand_relu": Part(2, 144),
        "block_6_expand_relu": Part(3, 192),
        "block_13_expand_relu": Part(4, 576),
        "block_16_project": Part(5, 320),
        "out_relu": Part(5, 1280),
    },
    "DenseNet121": {
        "conv1_relu": Part(1, 64),
        "pool2_relu": Part(2, 256),
        "pool3_relu": Part(3, 512),
        "pool4_relu": Part(4, 1024),
        "relu": Part(5, 1024),
    },
    "EfficientNetB0": {
        "block2a_expand_activation": Part(1, 96),
        "block3a_expand_activation": Part(2, 144),
        "block4a_expand_activation": Part(3, 240),
        "block6a_expand_activation": Part(4, 672),
    },
}


HEADS: dict[str, tuple[str, ...]] = dict.fromkeys(NETWORKS, ("avg_pool",))  # names of the layers before the last one
HEADS |= dict.fromkeys(("VGG16", "VGG19"), ("flatten", "fc1", "fc2"))
HEADS |= {name: ("avg_pool", "top_dropout") for name in NETWORKS if name.startswith("EfficientNet")}
HEADS |= {name: ("gap", "layernorm") for name in NETWORKS if name.startswith("ConvNeXt")}
HEADS |= dict.fromkeys(("MobileNetV2", "NASNetMobile", "NASNetLarge"), ("gap",))  # with a number that varies
HEADS |= {name: () for name in NETWORKS if name == "MobileNet" or name.startswith("MobileNetV3")}


def part_of(network: str, layer: str) -> Part | None:
    """Return the part of a published model with that name."""
    if layer == "top_activation" and network.startswith("EfficientNetB"):
        return Part(5, NETWORKS[network].features)
    return next((part for name, part in PARTS.get(network, {}).items() if re.fullmatch(name, layer)), None)


@behaviour(f"{NETWORK}.get_layer")
def get_layer(ctx: Context, self: Ref, name: Value = NONE, index: Value = NONE) -> Value:
    network, wanted = as_str(ctx.get(self, "@network") or NONE), as_str(name) or ""
    if ctx.get(self, "@top") == TRUE and wanted == "predictions":
        return _layer(ctx, ctx.get(self, "@output"))
    is_head = ctx.get(self, "@top") == TRUE and wanted in HEADS.get(network or "", ())
    if network is None or not (is_head or part_of(network, wanted)):
        return ctx.lost("layer by name")
    return _section(ctx, self, network, wanted)


@attribute(f"{NETWORK}.layers")
def layers(ctx: Context, self: Ref) -> Value:
    """Return as many layers as there are; only the last ones are distinguished."""
    network, output = as_str(ctx.get(self, "@network") or NONE) or "", ctx.get(self, "@output")
    heads = HEADS.get(network, ()) if ctx.get(self, "@top") == TRUE else ()
    ends = (*(_section(ctx, self, network, head) for head in heads), _layer(ctx, output))
    count = ctx.fresh("?", Kind.LOST, "number of layers", len(ends))
    return HomogeneousSeq("list", Lost("layer of a published model"), count, ends=ends)


def _section(ctx: Context, self: Ref, network: str, layer: str) -> Value:
    section = ctx.new(SECTION, network=Const(network), layer=Const(layer))
    entry = ctx.get(self, "@input")
    return _layer(ctx, None if entry is None else ctx.freeze(ctx.call(section, [entry])))


def _layer(ctx: Context, output: Value | None) -> Value:
    return ctx.new("keras.layers.Layer", **{"@output": output or ctx.lost("output of a layer")})


@behaviour(f"{SECTION}.__call__")
def call_section(ctx: Context, self: Ref, inputs: Value) -> Value:
    """Return the tensor that the layer gives for the model's input."""
    given = as_tensors(ctx.freeze(inputs))
    network, layer = (as_str(ctx.get(self, each) or NONE) for each in ("network", "layer"))
    part = part_of(network or "", layer or "")
    if network is None or not isinstance(given, Tensor) or given.shape.rank != 4:
        return ctx.lost("input of a published model")
    batch, height, width, _ = given.shape.sizes
    if part is None:
        return like(Shape((batch, _width(network, layer or "", height, width))), given)
    return like(Shape((batch, *(_side(ctx, size, part.halvings) for size in (height, width)), part.features)), given)


def _width(network: str, head: str, height: Size, width: Size) -> Size:
    """Return the number of outputs per image of a layer after the feature maps."""
    features = NETWORKS[network].features
    return {"flatten": height // 32 * (width // 32) * features}.get(head, 4096 if head.startswith("fc") else features)


def _side(ctx: Context, size: Size, halvings: int) -> Size:
    """Return a side that is halved several times; the rounding of odd sides differs from model to model."""
    if isinstance(size, int) and size % 2**halvings == 0:
        return size >> halvings
    return side_like(ctx, size, "side of feature maps")
