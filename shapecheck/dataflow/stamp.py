"""Tensors marked with the step that made them."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.values import Choice, Dict, Many, Seq, Tensor, Value


def stamped(value: Value, step: int, counter: list[int]) -> Value:
    """The value with every tensor that no step made yet marked as an output of this one."""
    match value:
        case Tensor(step=0):
            counter[0] += 1
            return replace(value, step=step, output=counter[0] - 1)
        case Seq(kind=kind, items=items):
            return Seq(kind, tuple(stamped(item, step, counter) for item in items))
        case Many(kind=kind, element=element, length=length):
            return Many(kind, stamped(element, step, counter), length, ends=value.ends)
        case Dict(items=pairs, rest=rest):
            return Dict(tuple((k, stamped(v, step, counter)) for k, v in pairs), rest)
        case Choice(options=options):
            return Choice(tuple((guard, stamped(v, step, counter)) for guard, v in options))
    return value
