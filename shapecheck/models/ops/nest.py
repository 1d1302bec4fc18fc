"""Nested structures of tensors: lists, tuples and dictionaries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shapecheck.domain import values
from shapecheck.domain.values import Dict, Seq, Value
from shapecheck.models.lang import Context, behaviour

KINDS = ("list", "tuple")


@behaviour("{tf.nest,keras.tree}.map_structure")
def map_structure(ctx: Context, func: Value, *structure: Value, **others: Value) -> Value:
    """Call the function on all leaves at the same position."""
    if not structure:
        return ctx.lost("a structure")
    return _mapped(ctx, func, [ctx.freeze(each) for each in structure])


def _mapped(ctx: Context, func: Value, parts: Sequence[Value]) -> Value:
    first = parts[0]
    if isinstance(first, Seq) and first.kind in KINDS:
        columns = [part.items for part in parts if isinstance(part, Seq) and len(part.items) == len(first.items)]
        if len(columns) < len(parts):
            return ctx.lost("structures that differ")
        return Seq(first.kind, tuple(_mapped(ctx, func, each) for each in zip(*columns, strict=True)))
    if isinstance(first, Dict):
        if len(parts) > 1 or first.rest is not None:
            return ctx.lost("structures of dictionaries")
        return Dict(tuple((key, _mapped(ctx, func, [value])) for key, value in first.items))
    if isinstance(first, (values.Lost, values.HomogeneousSeq, values.Ref)):
        return ctx.lost("a structure that is not known")
    return ctx.freeze(ctx.call(func, list(parts)))


@behaviour("{tf.nest,keras.tree}.flatten")
def flatten(ctx: Context, structure: Value, **others: Value) -> Value:
    """Return all leaves as a list."""
    leaves = list(_leaves(ctx.freeze(structure)))
    if any(isinstance(leaf, (values.Lost, values.HomogeneousSeq)) for leaf in leaves):
        return ctx.lost("a structure that is not known")
    return Seq("list", tuple(leaves))


def _leaves(value: Value) -> Iterator[Value]:
    if isinstance(value, Seq) and value.kind in KINDS:
        for item in value.items:
            yield from _leaves(item)
    elif isinstance(value, Dict):
        if value.rest is not None:
            yield value.rest
        for _, item in sorted(value.items, key=lambda pair: str(pair[0])):
            yield from _leaves(item)
    else:
        yield value


@behaviour("{tf.nest,keras.tree}.pack_sequence_as")
def pack_sequence_as(ctx: Context, structure: Value, flat_sequence: Value, **others: Value) -> Value:
    """Return the leaves in the positions of a structure."""
    shape, leaves = ctx.freeze(structure), ctx.elements(flat_sequence)
    if leaves is None or len(list(_leaves(shape))) != len(leaves):
        return ctx.lost("a structure that is not known")
    rest = iter(leaves)
    return _packed(shape, rest)


def _packed(shape: Value, rest: Iterator[Value]) -> Value:
    if isinstance(shape, Seq) and shape.kind in KINDS:
        return Seq(shape.kind, tuple(_packed(item, rest) for item in shape.items))
    if isinstance(shape, Dict):
        made = {key: _packed(item, rest) for key, item in sorted(shape.items, key=lambda pair: str(pair[0]))}
        return Dict(tuple((key, made[key]) for key, _ in shape.items))
    return next(rest)


@behaviour("{tf.nest,keras.tree}.{is_nested,is_sequence}")
def is_nested(ctx: Context, structure: Value) -> Value:
    return values.Const(isinstance(structure, (Seq, Dict))) if not isinstance(structure, values.Lost) else structure
