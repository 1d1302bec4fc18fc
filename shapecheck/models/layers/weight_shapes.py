"""The shapes of the weights of layers and of models made of them, in the order in which Keras lists them."""

from __future__ import annotations

from collections.abc import Callable

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    FALSE,
    NONE,
    Const,
    Lost,
    Ref,
    Seq,
    Tensor,
    Value,
    as_size,
    as_sizes,
    as_str,
    items_of,
)
from shapecheck.models.lang.apply import same
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.parameter_kinds import Tensor as Operand
from shapecheck.models.lang.registry import behaviour
from shapecheck.models.layers.inner_layers import layers_of
from shapecheck.shapes.facts import Equal, Verdict
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size

Weights = list[Shape]


def weights_of(ctx: Context, layer: Value | None) -> Weights | None:
    """Return the shapes of the weights, unranked where one is not known; None where not even their number is."""
    if not isinstance(layer, Ref) or layer.cls == "user":
        return None
    name = layer.cls.removeprefix("keras.layers.")
    if name in _WITHOUT or layer.cls.endswith(_WITHOUT_BY_KIND):
        return []
    if layer.cls in ("keras.Sequential", "keras.Model"):
        return _in_a_row(ctx, layers_of(ctx, layer))
    made = _SHAPES.get(name)
    return None if made is None else made(ctx, layer)


def _in_a_row(ctx: Context, layers: tuple[Value, ...] | None) -> Weights | None:
    parts = [weights_of(ctx, layer) for layer in layers or ()]
    if not parts or None in parts:
        return None
    return [shape for part in parts for shape in part or ()]


_WITHOUT = frozenset(
    "InputLayer Flatten Reshape Permute RepeatVector Activation ReLU LeakyReLU ELU Softmax ThresholdedReLU Dropout "
    "SpatialDropout1D SpatialDropout2D SpatialDropout3D GaussianNoise GaussianDropout AlphaDropout Masking Rescaling "
    "ActivityRegularization".split()
)
_WITHOUT_BY_KIND = tuple(
    f"{kind}{axes}D" for kind in ("Pooling", "Padding", "Cropping", "UpSampling") for axes in (1, 2, 3)
)


# Layers ------------------------------------------------------------------------------------------------------------


def _number(ctx: Context, layer: Value, *names: str) -> Size | None:
    return next((size for name in names if (size := as_size(ctx.get(layer, name) or NONE)) is not None), None)


def _shape(*sizes: Size | None) -> Shape:
    known = tuple(size for size in sizes if size is not None)
    return Shape(known) if len(known) == len(sizes) else UNRANKED


def _with_bias(ctx: Context, layer: Value, *shapes: Shape) -> Weights | None:
    """Return the shapes without the last one, that of the bias, if the layer has no bias."""
    given = ctx.get(layer, "use_bias") or Const(True)
    if given not in (Const(True), FALSE):
        return None
    return list(shapes[:-1] if given == FALSE else shapes)


def _dense(ctx: Context, layer: Value) -> Weights | None:
    rows, units = _number(ctx, layer, "_axis_i"), _number(ctx, layer, "units")
    return None if rows is None else _with_bias(ctx, layer, _shape(rows, units), _shape(units))


def _embedding(ctx: Context, layer: Value) -> Weights | None:
    return [_shape(_number(ctx, layer, "input_dim"), _number(ctx, layer, "output_dim", "units"))]


def _conv(axes: int, transposed: bool = False) -> Callable[[Context, Value], Weights | None]:
    def made(ctx: Context, layer: Value) -> Weights | None:
        channels, filters = _number(ctx, layer, "_axis_c"), _number(ctx, layer, "filters")
        given = ctx.freeze(ctx.get(layer, "kernel_size") or NONE)
        single = as_size(given)
        window = (single,) * axes if single is not None else as_sizes(given)
        if channels is None or (ctx.get(layer, "groups") or Const(1)) != Const(1):
            return None
        ends = (filters, channels) if transposed else (channels, filters)
        kernel = UNRANKED if window is None or len(window) != axes else _shape(*window, *ends)
        return _with_bias(ctx, layer, kernel, _shape(filters))

    return made


def _recurrent(gates: int) -> Callable[[Context, Value], Weights | None]:
    def made(ctx: Context, layer: Value) -> Weights | None:
        met, units = ctx.get(layer, "@input"), _number(ctx, layer, "units")
        width = met.shape.size(2) if isinstance(met, Tensor) and met.shape.rank == 3 else None
        if width is None:
            return None
        wide = None if units is None else units * gates
        bias = UNRANKED if gates == 3 else _shape(wide)  # a GRU has one or two rows, depending on the version
        return _with_bias(ctx, layer, _shape(width, wide), _shape(units, wide), bias)

    return made


def _normalization(moving: int) -> Callable[[Context, Value], Weights | None]:
    def made(ctx: Context, layer: Value) -> Weights | None:
        width = _number(ctx, layer, "_axis_n1")
        flags = [ctx.get(layer, name) or Const(True) for name in ("scale", "center")]
        if width is None or any(flag not in (Const(True), FALSE) for flag in flags):
            return None
        return [_shape(width)] * (sum(flag != FALSE for flag in flags) + moving)

    return made


def _wrapped(times: int) -> Callable[[Context, Value], Weights | None]:
    def made(ctx: Context, layer: Value) -> Weights | None:
        inner = weights_of(ctx, ctx.get(layer, "layer"))
        return None if inner is None else inner * times

    return made


_SHAPES: dict[str, Callable[[Context, Value], Weights | None]] = {
    "Dense": _dense,
    "Embedding": _embedding,
    **{f"Conv{axes}D": _conv(axes) for axes in (1, 2, 3)},
    **{f"Conv{axes}DTranspose": _conv(axes, True) for axes in (1, 2, 3)},
    "SimpleRNN": _recurrent(1),
    "GRU": _recurrent(3),
    "LSTM": _recurrent(4),
    "BatchNormalization": _normalization(2),
    "LayerNormalization": _normalization(0),
    "TimeDistributed": _wrapped(1),
    "Bidirectional": _wrapped(2),
}


# Trainable weights -------------------------------------------------------------------------------------------------

UNSET = "setting of a layer"  # why a setting is lost that a program has not made


def trainable_weights(ctx: Context, layer: Value | None) -> list[tuple[Ref, Shape]] | None:
    """Return the trainable weights, each with its layer and shape; None where not even their number is known."""
    if not isinstance(layer, Ref) or layer.cls == "user":
        return None
    setting = ctx.get(layer, "trainable")
    if setting == FALSE:
        return []
    if isinstance(setting, Lost) and setting.reason != UNSET:
        return None
    if layer.cls in ("keras.Sequential", "keras.Model"):
        parts = [trainable_weights(ctx, inner) for inner in layers_of(ctx, layer) or ()]
        known = [part for part in parts if part is not None]
        return [weight for part in known for weight in part] if parts and len(known) == len(parts) else None
    shapes = weights_of(ctx, layer) if _trains_all(ctx, layer) else None
    return None if shapes is None else [(layer, shape) for shape in shapes]


def _trains_all(ctx: Context, layer: Ref) -> bool:
    """Return whether a layer is one whose weights are all trainable, and exist."""
    name = layer.cls.removeprefix("keras.layers.")
    is_plain = name == "Dense" or name.startswith("Conv") or name in _WITHOUT or name.endswith(_WITHOUT_BY_KIND)
    return is_plain or (name == "Embedding" and ctx.get(layer, "@input") is not None)


# Methods ---------------------------------------------------------------------------------------------------------


@behaviour("keras.layers.Layer.get_weights")
def get_weights(ctx: Context, self: Value) -> Value:
    shapes = weights_of(ctx, self)
    if shapes is None:
        return ctx.lost("weights of a layer")
    return Seq("list", tuple(Tensor(shape, "float32", "np") for shape in shapes))


@behaviour("keras.layers.Layer.set_weights")
def set_weights(ctx: Context, self: Value, weights: Value = NONE) -> Value:
    _replace(ctx, self, weights)
    return NONE


FILES = Ref(0, "keras.files")  # the weights that the program has saved, by file


@behaviour("keras.layers.Layer.save_weights")
def save_weights(ctx: Context, self: Value, filepath: Value = NONE, *args: Value, **keywords: Value) -> Value:
    path = as_str(filepath)
    if path is not None:
        ctx.set(FILES, path, get_weights(ctx, self))
    return NONE


@behaviour("keras.layers.Layer.load_weights")
def load_weights(ctx: Context, self: Value, filepath: Value = NONE, *args: Value, **keywords: Value) -> Value:
    """The weights last saved to a file are read, unless layers are selected by name or skipped."""
    path = as_str(filepath)
    if path is None or args or {"by_name", "skip_mismatch"} & keywords.keys():
        return NONE
    try:
        saved = ctx.get(FILES, path)
    except KeyError:  # it was never set
        return NONE
    _replace(ctx, self, saved or NONE)
    return NONE


def _replace(ctx: Context, self: Value, weights: Value) -> Value:
    """State that there is an array for each weight, with the shape of the weight."""
    given, wanted = items_of(ctx.freeze(weights)), weights_of(ctx, self)
    if given is None or wanted is None:
        return NONE
    if len(given) != len(wanted):
        said = f"{len(wanted)} arrays are expected, {len(given)} are given"
        ctx.require(ClashKind.SET_SHAPE, Equal(len(wanted), len(given)), said, weights)
        return NONE
    for shape, value in zip(wanted, given, strict=True):
        made = as_tensor(value, ctx)
        parts = [Operand("the weight", shape), Operand("the value", made.shape)]
        needs = same(parts[0], shape, parts[1], made.shape)
        if any(ctx.require(ClashKind.SET_SHAPE, need.claim, need.message, made) is Verdict.NEVER for need in needs):
            break
    return NONE
