"""Repairs of positions that are beyond the end."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from shapecheck.repairs.situation import Candidate, Situation


def index_lowered(s: Situation) -> Iterator[Candidate]:
    """Yield programs with an index that is one less."""
    for node in ast.walk(s.node) if s.node is not None else ():
        match node:
            case ast.Subscript(slice=ast.Constant(value=int(value)) as index) if value > 0:
                yield s.candidate(0, index, str(value - 1))


def bound_lowered(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a loop ends one earlier."""
    for node in s.text.nodes:
        match node:
            case ast.Call(func=ast.Name(id="range"), args=[*_, stop]):
                text = s.text.text(stop)
                yield s.candidate(0, stop, text.removesuffix(" + 1") if text.endswith(" + 1") else f"{text} - 1")
