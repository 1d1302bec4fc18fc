"""Repairs of an expression that a function has twice, as it makes the two states of a recurrent layer: of both."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from shapecheck.findings import Edit
from shapecheck.repairs.situation import Situation


def in_all_places(s: Situation, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """Return the edit of a value that is bound to a name, wherever the same function binds the same expression to
    another one; no edits if it does not."""
    if len(edits) != 1:
        return ()
    place, text = edits[0].place, edits[0].text
    bound = [(s.text.span(node.value), node) for node in s.text.nodes if isinstance(node, ast.Assign)]
    around = next((node for (start, end), node in bound if start <= place.start and place.end <= end), None)
    if around is None:
        return ()
    start = s.text.span(around.value)[0]
    found = [Edit(s.text.place(at + place.start - start, at + place.end - start), text) for at in _places(s, around)]
    return tuple(found) if len(found) > 1 else ()


def _places(s: Situation, around: ast.Assign) -> Iterator[int]:
    """Yield where a function binds the expression that an assignment binds."""
    function = next(s.text.functions_around(around), s.text.tree)
    for node in s.text.parts(function):
        is_same = isinstance(node, ast.Assign) and s.text.text(node.value) == s.text.text(around.value)
        if isinstance(node, ast.Assign) and is_same and not isinstance(node.value, ast.Constant | ast.Name):
            yield s.text.span(node.value)[0]
