"""Functions that mix the dtype of a state with another one, as a sum does that begins with an int and adds floats."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from shapecheck.domain.traversal import map_children
from shapecheck.domain.values import Dict, Scalar, Seq, Tensor, Value, walk
from shapecheck.models.lang.context import Context
from shapecheck.shapes.shape import SCALAR


def with_dtypes(ctx: Context, state: Value, made: Value, run: Callable[[Value], Value]) -> Value:
    """Return what a function made of a state, with the dtypes that it would make of numbers in place of scalars.

    An operation of TensorFlow gives nothing for tensors of two dtypes, but converts a number to that of the other
    operand, which the state must have.
    """
    made = ctx.freeze(made)
    if not any(isinstance(part, Tensor) and part.dtype is None for part in walk(made)):
        return made
    return _filled(made, ctx.freeze(ctx.attempt(lambda: run(_as_numbers(state)))))


def _as_numbers(value: Value) -> Value:
    """Return a state with numbers of Python in place of scalars."""
    if isinstance(value, Tensor):
        kind = re.match("int|float", value.dtype or "") if value.shape == SCALAR else None
        return value if kind is None else Scalar(kind[0])
    return map_children(value, _as_numbers)


def _filled(made: Value, other: Value) -> Value:
    """Return a value with the dtypes that another one of the same structure has in addition."""
    match made, other:
        case Tensor(dtype=None), Tensor(dtype=str() as dtype):
            return replace(made, dtype=dtype)
        case Seq(items=items), Seq(items=others) if len(items) == len(others):
            return replace(made, items=tuple(map(_filled, items, others)))
        case Dict(items=pairs), Dict():
            return replace(made, items=tuple((key, _filled(item, other.get(key) or item)) for key, item in pairs))
    return made
