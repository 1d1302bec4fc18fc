"""Examples of TFRecord: the tensors that their features are parsed to, beside the first record of a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Const, Dict, Lost, Ref, Tensor, Value, as_str, items_of
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.arguments import dtype_name, shape_arg
from shapecheck.models.lang.ranks import require_rank
from shapecheck.models.ops.ragged import ragged
from shapecheck.shapes.facts import FALSE
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape
from shapecheck.shapes.size import Kind

RECORDS_OF = "records of "
"""The beginning of the nature of texts that are the records of a file, before its name."""
_MOST_LISTED = 6


@behaviour("tf.{io.FixedLenFeature,FixedLenFeature}")
def fixed(ctx: Context, shape: Value, dtype: Value, default_value: Value = NONE) -> Value:
    return ctx.new("tf.io.FixedLenFeature", shape=shape, dtype=dtype, default=default_value)


@behaviour("tf.{io.FixedLenSequenceFeature,FixedLenSequenceFeature}")
def fixed_sequence(ctx: Context, shape: Value, dtype: Value, *args: Value, **keywords: Value) -> Value:
    return ctx.new("tf.io.FixedLenSequenceFeature", shape=shape, dtype=dtype)


@behaviour("tf.{io.VarLenFeature,VarLenFeature}")
def variable(ctx: Context, dtype: Value) -> Value:
    return ctx.new("tf.io.VarLenFeature", dtype=dtype)


@behaviour("tf.io.RaggedFeature")
def ragged_feature(ctx: Context, dtype: Value, *args: Value, **keywords: Value) -> Value:
    return ctx.new("tf.io.RaggedFeature", dtype=dtype, is_plain=Const(not args and not keywords))


def feature(ctx: Context, spec: Value, leading: Shape) -> Value:
    """Return the tensor that a feature is parsed to; `leading` are the axes of the serialized examples."""
    if not isinstance(spec, Ref):
        return ctx.lost("a feature of unknown kind")
    dtype = dtype_name(ctx.get(spec, "dtype") or NONE)
    if spec.cls == "tf.io.VarLenFeature":
        return Tensor(UNRANKED, dtype, role="sparse")
    if spec.cls == "tf.io.RaggedFeature":
        length = ctx.fresh("values", Kind.DYNAMIC, "the length of a feature")
        is_single = leading.rank == 0 and ctx.get(spec, "is_plain") == Const(True)
        return (
            Tensor(Shape((length,)), dtype) if is_single else ragged(leading.head[0] if leading.head else None, dtype)
        )
    shape = ctx.get(spec, "shape")
    if shape is None or isinstance(shape, Lost) or leading.rank is None:
        return Tensor(UNRANKED, dtype)
    own = shape_arg(ctx.freeze(shape), ctx)
    if own.rank is None:
        return Tensor(UNRANKED, dtype)
    if spec.cls == "tf.io.FixedLenSequenceFeature":
        steps = ctx.fresh("steps", Kind.DYNAMIC, "the length of a sequence")
        return Tensor(Shape((*leading.sizes, steps, *own.sizes)), dtype)
    if spec.cls == "tf.io.FixedLenFeature":
        return Tensor(Shape((*leading.sizes, *own.sizes)), dtype)
    return ctx.lost("a feature of unknown kind")


def parsed(ctx: Context, serialized: Value, features: Value, leading: Shape) -> Value:
    """Return a dictionary with a tensor for each feature."""
    known = ctx.freeze(features)
    if not isinstance(known, Dict):
        return ctx.lost("parsed features that are not known")
    _compare_with_file(ctx, serialized, known)
    return Dict(tuple((key, feature(ctx, spec, leading)) for key, spec in known.items))


@behaviour("tf.{io.parse_single_example,parse_single_example}")
def parse_single_example(
    ctx: Context, serialized: Value, features: Value, name: Value = NONE, example_names: Value = NONE
) -> Value:
    require_rank(ctx, "serialized", serialized, 0)
    return parsed(ctx, serialized, features, SCALAR)


@behaviour("tf.{io.parse_example,parse_example}")
def parse_example(
    ctx: Context, serialized: Value, features: Value, example_names: Value = NONE, name: Value = NONE
) -> Value:
    """Return the features of several examples: of as many as a list has texts."""
    texts = items_of(serialized)
    shape = serialized.shape if isinstance(serialized, Tensor) else UNRANKED
    return parsed(ctx, serialized, features, shape if texts is None else Shape((len(texts),)))


# The records of a file -----------------------------------------------------------------------------------------------


def _compare_with_file(ctx: Context, serialized: Value, features: Dict) -> None:
    """State that the first record of the file that the texts are read from has the features, as they are parsed."""
    if not isinstance(serialized, Tensor) or not serialized.nature.startswith(RECORDS_OF):
        return
    path = serialized.nature.removeprefix(RECORDS_OF)
    told = (ctx.facts_of(Const(path)) or {}).get("features")
    for key, spec in features.items:
        name = as_str(key)
        if name is not None and told is not None and isinstance(spec, Ref):
            _compare(ctx, spec, name, told)


def _compare(ctx: Context, spec: Ref, name: str, told: Mapping[str, Any]) -> None:
    kind, count = told.get(name, (None, 0))
    is_fixed = spec.cls == "tf.io.FixedLenFeature"
    if kind is None:
        if is_fixed and ctx.get(spec, "default") in (None, NONE):
            said = f"the first record has no {name!r}, only {_listed(told)}"
            ctx.require(ClashKind.NOTHING, FALSE, said)
        return
    dtype = dtype_name(ctx.get(spec, "dtype") or NONE)
    if dtype is not None and dtype != kind:
        ctx.require(ClashKind.DTYPE, FALSE, f"{name!r} of the first record is {kind}, not {dtype}")
        return
    wanted = _elements(ctx, spec)
    fits = wanted is None or (count == wanted if is_fixed else wanted > 0 and count % wanted == 0)
    if not fits:
        shape = shape_arg(ctx.freeze(ctx.get(spec, "shape") or NONE), ctx)
        ctx.require(
            ClashKind.ELEMENTS, FALSE, f"{name!r} of the first record has {count} values, which do not fill {shape}"
        )


def _elements(ctx: Context, spec: Ref) -> int | None:
    """Return how many values make a tensor, or a step of a sequence; None if any number does, or it is not known."""
    if spec.cls not in ("tf.io.FixedLenFeature", "tf.io.FixedLenSequenceFeature"):
        return None
    elements = shape_arg(ctx.freeze(ctx.get(spec, "shape") or NONE), ctx).elements()
    return elements if isinstance(elements, int) else None


def _listed(told: Mapping[str, Any]) -> str:
    names = [repr(name) for name in sorted(told)]
    return ", ".join(names[:_MOST_LISTED]) + (", …" if len(names) > _MOST_LISTED else "") or "nothing"
