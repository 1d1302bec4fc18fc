"""Traversal of the IR."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields

from shapecheck import ir


def nodes_in(part: object) -> Iterator[ir.Node]:
    """Yield all nodes of a part of the IR."""
    todo = [part]
    while todo:
        node = todo.pop()
        if isinstance(node, tuple):
            todo.extend(node)
        elif isinstance(node, ir.Node):
            yield node
            names = _FIELDS.get(type(node))
            if names is None:
                names = _FIELDS[type(node)] = tuple(f.name for f in fields(node) if not _LEAF.match(str(f.type)))
            todo += [getattr(node, name) for name in names]


_FIELDS: dict[type, tuple[str, ...]] = {}
# Types of fields that hold no nodes.
_LEAF = re.compile(r"int|bool|str|object|Literal|frozenset|tuple\[str,|tuple\[tuple\[str,")
