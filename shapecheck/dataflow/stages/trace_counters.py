"""Counters of Python in a traced function: they count its traces, and have one value in all calls of a trace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

from shapecheck import ir
from shapecheck.dataflow.stages.trace_effects import OF_TRACING, assigned_targets, counts, path_of
from shapecheck.ir.walk import nodes_in

LOOPS = (ir.For, ir.While)


def counters_of(function: ir.FunctionDef | ir.Lambda) -> frozenset[Hashable]:
    """Return what a function counts, as the names and keys of the expression that holds it.

    It is counted once in each call, by a constant, and has no other value assigned to it.
    """
    body = list(nodes_in(function.body))
    repeated = {id(part) for loop in body if isinstance(loop, LOOPS) for part in nodes_in(loop)}
    times, counted = Counter[Hashable](), set[Hashable]()
    for node in body:
        for target in assigned_targets(node):
            path = path_of(target)
            times[path] += 1
            if id(node) not in repeated and _is_count(node, target) and _is_outer(path, function):
                counted.add(path)
    return frozenset(path for path in counted if times[path] == 1)


def _is_count(node: ir.Node, target: ir.Expr) -> bool:
    """Return whether a statement adds a constant to what it assigns to."""
    match node:
        case ir.Augmented(op="+" | "-", value=ir.Const(value=int() | float())):
            return True
        case ir.Assign(value=value):
            return counts(value, target)
    return False


def _is_outer(path: tuple[object, ...] | None, function: ir.FunctionDef | ir.Lambda) -> bool:
    """Return whether a path begins outside of the function, and no name in it tells that traces are counted."""
    if path is None or any(OF_TRACING.search(str(part)) for part in path):
        return False
    return len(path) > 1 or path[0] not in function.bound
