"""Masks: which steps of a sequence count, as Keras attaches them to the results of layers."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.domain.values import NONE, TRUE, Const, Function, Lost, Method, Ref, Tensor, Value, items_of
from shapecheck.models.lang import Context, attribute
from shapecheck.models.lang.settings import MASKS, SETTINGS, setting
from shapecheck.shapes.shape import UNRANKED, Shape

GIVING_ON = tuple(
    f".{name}.__call__"
    for name in "Activation BatchNormalization Dense Dropout LayerNormalization ReLU TimeDistributed".split()
)
"""Calls of layers of the library whose result has the mask of their input."""
MASK = "mask"
UNMASKED = (None, NONE, Const(False))


def makes_mask(ctx: Context, layer: Value) -> bool:
    """Return whether a layer of the library makes a mask of its input."""
    return isinstance(layer, Ref) and (layer.cls.endswith(".Masking") or ctx.get(layer, "mask_zero") not in UNMASKED)


def note_mask(ctx: Context, layer: Value) -> None:
    """Note that a layer makes masks, which Keras gives on."""
    if makes_mask(ctx, layer):
        ctx.set(SETTINGS, MASKS, TRUE)


def mask_of(ctx: Context, value: Value | None) -> Value | None:
    """Return the mask that is attached to the result of a layer; None if it is not known."""
    if not isinstance(value, Tensor) or setting(ctx, MASKS) is None:
        return None
    held = ctx.noted(value, MASK)
    if held is not None:
        return held
    name, args = ctx.operation(value)
    if not name.startswith("keras.layers.") or not args:
        return None
    if makes_mask(ctx, args[0]):
        return Tensor(Shape(value.shape.head[:-1]) if value.shape.is_ranked else UNRANKED, "bool", value.library)
    return mask_of(ctx, args[1]) if name.endswith(GIVING_ON) and len(args) > 1 else None


def attach_mask(ctx: Context, layer: Value, args: Sequence[Value], result: Value) -> None:
    """Compute the masks of what a layer of the program returns, as Keras does after its `call`."""
    if not isinstance(layer, Ref) or not args or setting(ctx, MASKS) is None:
        return
    compute = ctx.get(layer, "compute_mask")
    mask = mask_of(ctx, args[0])
    if isinstance(compute, (Function, Method)):
        mask = ctx.freeze(ctx.call(compute, [args[0], mask or ctx.lost("a mask that Keras gives on")]))
    elif ctx.get(layer, "supports_masking") != TRUE:
        return
    masks, results = (items_of(each) or (each,) for each in (mask or NONE, result))
    for each, tensor in zip(masks, results, strict=False):
        if isinstance(tensor, Tensor) and isinstance(each, Tensor):
            ctx.note(tensor, MASK, each)


@attribute("tf.Tensor._keras_mask", "keras.KerasTensor._keras_mask")
def keras_mask(ctx: Context, self: Value) -> Value:
    return mask_of(ctx, self) or Lost("the mask of a tensor")
