"""Repairs of brackets of the wrong kind: a shape that is called, and a method that is indexed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from shapecheck.repairs.situation import Candidate, Situation


def brackets_exchanged(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a shape is indexed or read, and a method called."""
    is_called, is_indexed = (said in s.call.clash.message for said in ("cannot be called", "is a method"))
    match s.node:
        case ast.Call(func=ast.Attribute() as value, args=[index], keywords=[]) if is_called:
            yield s.candidate(0, s.node, f"{s.text.text(value)}[{s.text.text(index)}]")
        case ast.Call(func=ast.Attribute() as value, args=[], keywords=[]) if is_called:
            yield s.candidate(0, s.node, s.text.text(value))
        case ast.Subscript(value=ast.Attribute() as method, slice=index) if is_indexed:
            yield s.candidate(0, s.node, f"{s.text.text(method)}({s.text.text(index)})")
