"""Comparison of two mended programs by the operations that they consist of.

Two programs are equivalent if they have the same operations, with the same options and the same shapes of operands and
results. Operations that only give the same elements another shape do not count: reshapes, and axes of size 1 that are
added or removed. They keep the order of the elements, so what a later operation gets is told by its shape.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from shapecheck.checker.inspect import traced
from shapecheck.config import Config
from shapecheck.dataflow.graph.steps import Step
from shapecheck.domain.values import Const, Dict, Ref, Seq, Tensor, Value, walk
from shapecheck.shapes.text import show
from shapecheck.source import Source, UnreadableSource

_RESHAPES = frozenset(
    (
        *("reshape", "ravel", "flatten", "squeeze", "expand_dims", "[]", "newaxis", "Flatten", "Reshape", "atleast_2d"),
        *("unsqueeze", "view"),
    )
)


def are_equivalent(first: Source, second: Source, config: Config) -> bool:
    """Return whether two programs have the same operations, apart from reshapes."""
    try:
        return _operations(first, config) == _operations(second, config)
    except UnreadableSource:
        return False


def _operations(source: Source, config: Config) -> Counter[str]:
    return Counter(_told(step) for step in traced(source, config).graph.steps if _counts(step))


def _counts(step: Step) -> bool:
    """Return whether a step computes something, or is an option of what does."""
    if step.kind != "op" or step.replayed:
        return False
    names = step.name.removesuffix(".__call__").split(".")
    if names[-1] not in _RESHAPES:
        return True
    if not step.name.endswith("]"):
        return False
    before = next((operand.shape.elements() for _, operand in step.operands()), None)
    after = step.result.shape.elements() if isinstance(step.result, Tensor) else None
    return before is None or before != after


def _told(step: Step) -> str:
    """Return a step as text: its name, its arguments, and the shapes of its results."""
    given = [_value(argument) for argument in step.args]
    rank = next((operand.shape.rank for _, operand in step.operands()), None)
    for name, value in sorted(step.keywords):
        match name, value:
            case _, Const(value=None | False):  # most often what it is without being given
                continue
            case "axis", Const(value=int(axis)) if axis < 0 and rank is not None:
                given.append(f"{name}={axis + rank}")
            case _:
                given.append(f"{name}={_value(value)}")
    return f"{step.name}({', '.join(given)}) -> {', '.join(_results(step))}"


def _results(step: Step) -> Iterator[str]:
    for value in walk(step.result) if step.result is not None else ():
        if isinstance(value, Tensor):
            yield _value(value)


def _value(value: Value) -> str:
    match value:
        case Tensor():
            return f"{value.dtype}{show(value.shape)}"
        case Const():
            return repr(value.value)
        case Seq(items=items):
            return f"[{', '.join(map(_value, items))}]"
        case Dict(items=items):
            return f"{{{', '.join(f'{key}: {_value(item)}' for key, item in items)}}}"
        case Ref(cls=cls):
            return cls
    return type(value).__name__
