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
from shapecheck.shapes.facts import FALSE as NEVER
from shapecheck.shapes.facts import Equal, Verdict
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size, floor_div

Weights = list[Shape]
Maker = Callable[[Context, Value], Weights | None]
_MOST_AXES = 6


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
    "ActivityRegularization Identity Lambda UnitNormalization Add Subtract Multiply Average Maximum Minimum "
    "Concatenate Dot Resizing CenterCrop RandomCrop RandomFlip RandomRotation RandomZoom RandomTranslation "
    "RandomContrast RandomBrightness CategoryEncoding".split()
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


def _windowed(ctx: Context, layer: Value, axes: int, *ends: Size | None) -> Shape:
    """Return the shape of a kernel that slides over some axes; unranked where the size of its window is not known."""
    given = ctx.freeze(ctx.get(layer, "kernel_size") or NONE)
    single = as_size(given)
    window = (single,) * axes if single is not None else as_sizes(given)
    return UNRANKED if window is None or len(window) != axes else _shape(*window, *ends)


def _conv(axes: int, transposed: bool = False) -> Maker:
    def made(ctx: Context, layer: Value) -> Weights | None:
        channels, filters = _number(ctx, layer, "_axis_c"), _number(ctx, layer, "filters")
        groups = as_size(ctx.get(layer, "groups") or Const(1))
        if channels is None or groups is None:
            return None
        taken = channels if groups == 1 else floor_div(channels, groups)
        ends = (filters, taken) if transposed else (taken, filters)
        return _with_bias(ctx, layer, _windowed(ctx, layer, axes, *ends), _shape(filters))

    return made


def _depthwise(axes: int, separable: bool = False) -> Maker:
    """A kernel for each channel; a separable convolution mixes the channels by another kernel after it."""

    def made(ctx: Context, layer: Value) -> Weights | None:
        channels = _number(ctx, layer, "_axis_c")
        times, filters = as_size(ctx.get(layer, "depth_multiplier") or Const(1)), _number(ctx, layer, "filters")
        if channels is None or times is None:
            return None
        kernel = _windowed(ctx, layer, axes, channels, times)
        if not separable:
            return _with_bias(ctx, layer, kernel, _shape(channels * times))
        pointwise = _shape(*(1,) * axes, channels * times, filters)
        return _with_bias(ctx, layer, kernel, pointwise, _shape(filters))

    return made


def _conv_lstm(ctx: Context, layer: Value) -> Weights | None:
    met, filters = _number(ctx, layer, "_axis_c"), _number(ctx, layer, "filters")
    if met is None or filters is None:
        return None
    kernels = [_windowed(ctx, layer, 2, channels, filters * 4) for channels in (met, filters)]
    return _with_bias(ctx, layer, *kernels, _shape(filters * 4))


def _recurrent(gates: int) -> Maker:
    def made(ctx: Context, layer: Value) -> Weights | None:
        width, units = _number(ctx, layer, "_axis_i"), _number(ctx, layer, "units")
        if width is None:
            return None
        wide = None if units is None else units * gates
        bias = _gru_bias(ctx, layer, wide) if gates == 3 else _shape(wide)
        return _with_bias(ctx, layer, _shape(width, wide), _shape(units, wide), bias)

    return made


def _gru_bias(ctx: Context, layer: Value, wide: Size | None) -> Shape:
    """A GRU has one row of biases, or two if the reset gate is applied after the product, as is usual in Keras 3."""
    after = ctx.get(layer, "reset_after") or (Const(True) if ctx.target.keras == 3 else NONE)
    if after not in (Const(True), FALSE):
        return UNRANKED
    return _shape(wide) if after == FALSE else _shape(2, wide)


def _normalization(moving: int) -> Maker:
    def made(ctx: Context, layer: Value) -> Weights | None:
        sizes = [_number(ctx, layer, f"_axis_n{axis}") for axis in range(_MOST_AXES, 0, -1)]
        known = [size for size in sizes if size is not None]
        flags = [ctx.get(layer, name) or Const(True) for name in ("scale", "center")]
        if not known or any(flag not in (Const(True), FALSE) for flag in flags):
            return None
        return [_shape(*known)] * (sum(flag != FALSE for flag in flags) + moving)

    return made


def _rms(ctx: Context, layer: Value) -> Weights | None:
    width = _number(ctx, layer, "_axis_n1")
    return None if width is None or (ctx.get(layer, "axis") or Const(-1)) != Const(-1) else [_shape(width)]


def _prelu(ctx: Context, layer: Value) -> Weights | None:
    met, shared = ctx.get(layer, "@input"), ctx.freeze(ctx.get(layer, "shared_axes") or NONE)
    axes = () if shared == NONE else as_sizes(shared)
    if not isinstance(met, Tensor) or not met.shape.is_ranked or axes is None:
        return None
    return [Shape(tuple(1 if axis in axes else size for axis, size in enumerate(met.shape.head) if axis))]


def _multi_head(ctx: Context, layer: Value) -> Weights | None:
    """The projections of query, key and value, and that of the result; each with a bias."""
    heads, wide = _number(ctx, layer, "num_heads"), _number(ctx, layer, "key_dim")
    query, value = _number(ctx, layer, "_axis_q"), _number(ctx, layer, "_axis_v")
    key, inner = _number(ctx, layer, "_axis_k") or value, ctx.get(layer, "value_dim") or NONE
    deep, is_biased = wide if inner == NONE else as_size(inner), ctx.get(layer, "use_bias") or Const(True)
    told = ctx.get(layer, "projected") or NONE
    output = query if told == NONE else as_size(told)
    if None in (query, value, output) or is_biased not in (Const(True), FALSE):
        return None
    into: list[tuple[tuple[Size | None, ...], tuple[Size | None, ...]]]
    into = [((query, heads, wide), (heads, wide)), ((key, heads, wide), (heads, wide))]
    into += [((value, heads, deep), (heads, deep)), ((heads, deep, output), (output,))]
    return [_shape(*sizes) for pair in into for sizes in pair[: 1 if is_biased == FALSE else 2]]


def _dot_attention(ctx: Context, layer: Value) -> Weights | None:
    given = [ctx.get(layer, name) or NONE for name in ("use_scale", "score_mode")]
    return [] if given[0] in (NONE, FALSE) and given[1] in (NONE, Const("dot")) else None


def _wrapped(times: int) -> Maker:
    def made(ctx: Context, layer: Value) -> Weights | None:
        inner = weights_of(ctx, ctx.get(layer, "layer"))
        return None if inner is None else inner * times

    return made


_SHAPES: dict[str, Maker] = {
    "Dense": _dense,
    "Embedding": _embedding,
    **{f"Conv{axes}D": _conv(axes) for axes in (1, 2, 3)},
    **{f"Conv{axes}DTranspose": _conv(axes, True) for axes in (1, 2, 3)},
    **{f"DepthwiseConv{axes}D": _depthwise(axes) for axes in (1, 2)},
    **{f"SeparableConv{axes}D": _depthwise(axes, separable=True) for axes in (1, 2)},
    "ConvLSTM2D": _conv_lstm,
    "SimpleRNN": _recurrent(1),
    "GRU": _recurrent(3),
    "LSTM": _recurrent(4),
    "BatchNormalization": _normalization(2),
    "LayerNormalization": _normalization(0),
    "GroupNormalization": _normalization(0),
    "RMSNormalization": _rms,
    "PReLU": _prelu,
    "MultiHeadAttention": _multi_head,
    "Attention": _dot_attention,
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
    saved = ctx.get(FILES, path)
    if saved is None:
        _compare_with_file(ctx, self, path)
    else:
        _replace(ctx, self, saved)
    return NONE


def _compare_with_file(ctx: Context, self: Value, path: str) -> None:
    """State that a file beside the program has an array for each kernel of a model, if the program does not save one.

    Biases are left out: some are converted.
    """
    told, wanted = ctx.facts_of(Const(path)) or {}, weights_of(ctx, self)
    if wanted is None or told.get("may_be_saved") or not told.get("weights_version", "").startswith(("2", "3")):
        return
    saved = [tuple(each[0]) for name, each in told["arrays"].items() if not name.startswith("optimizer")]
    for kernel in wanted:
        sizes = kernel.sizes if kernel.rank is not None else ()
        if len(sizes) < 2 or sizes[0] == 2 or not all(isinstance(size, int) for size in sizes):
            continue
        if sizes not in saved:
            others = ", ".join(str(Shape(found)) for found in dict.fromkeys(saved) if len(found) == len(sizes))
            said = f"the file has no array for a weight of shape {kernel}, only {others or 'others'}"
            ctx.require(ClashKind.SET_SHAPE, NEVER, said)
            return
        saved.remove(sizes)


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
