"""The cases of tests and fixtures: the values that decorators of pytest list, as they are where these are written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from shapecheck import ir
from shapecheck.dataflow.containers.iteration import elements
from shapecheck.dataflow.state.frame import Frame
from shapecheck.domain.values import Lost, Seq, Value, as_str

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

Table: TypeAlias = list[dict[str, Value]]
"""Rows of values by the names of parameters."""

REQUEST = "request"
"""The parameter of a fixture that tells its own case."""


@dataclass(slots=True)
class TestCases:
    """The tables of tests and fixtures, by their nodes, and of classes of tests, by their addresses."""

    of_functions: dict[int, list[Table]] = field(default_factory=dict)
    of_classes: dict[int, list[Table]] = field(default_factory=dict)


def tables_of(t: Tracer, decorators: Sequence[ir.Expr], frame: Frame) -> list[Table]:
    """Return the tables that the decorators of a test, of a class of tests or of a fixture give."""
    return [table for written in decorators if (table := _table(t, written, frame))]


def lists_cases(written: ir.Expr) -> bool:
    """Return whether a decorator only lists the cases of a test."""
    return isinstance(written, ir.Call) and last_name(written.func) == "parametrize" and len(written.args) >= 2


def last_name(node: ir.Expr) -> str:
    return node.name if isinstance(node, ir.Attribute) else node.id if isinstance(node, ir.Name) else ""


def _table(t: Tracer, written: ir.Expr, frame: Frame) -> Table:
    """Return the rows that a decorator gives, by names; none if they are not known."""
    if not isinstance(written, ir.Call):
        return []
    if lists_cases(written):
        told = t.freeze(t.evaluate(written.args[0].value, frame))
        names, is_bare = _names(told), as_str(told) is not None
        given: ir.Expr | None = written.args[1].value
    else:
        names, is_bare = [REQUEST], True
        is_fixture = last_name(written.func) == "fixture"
        given = next((arg.value for arg in written.args if is_fixture and arg.keyword == "params"), None)
    if not names or given is None:
        return []
    width = 0 if is_bare and len(names) == 1 else len(names)
    if isinstance(given, ir.Display):
        rows = [_row(t, item, frame, width) for item in given.items]
    else:
        found = elements(t, t.freeze(t.evaluate(given, frame), deep=False))
        rows = [_parts(t, item, width) for item in found or ()]
    return [dict(zip(names, row, strict=True)) for row in rows if len(row) == len(names)]


def _names(value: Value) -> list[str]:
    text = as_str(value)
    if text is not None:
        return [name.strip() for name in text.split(",") if name.strip()]
    parts = [as_str(item) for item in value.items] if isinstance(value, Seq) else []
    return [name for name in parts if name is not None]


def _row(t: Tracer, node: ir.Expr, frame: Frame, width: int) -> tuple[Value, ...]:
    """Return the values of one row of a table, which `pytest.param` may hold."""
    if isinstance(node, ir.Call) and last_name(node.func) == "param":
        return tuple(t.evaluate(arg.value, frame) for arg in node.args if arg.keyword is None)
    return _parts(t, t.evaluate(node, frame), width)


def _parts(t: Tracer, value: Value, width: int) -> tuple[Value, ...]:
    """Return the values for several names, or for one (of no width) that is not in a tuple."""
    if not width:
        return (value,)
    items = t.freeze(value, deep=False)
    return (
        items.items if isinstance(items, Seq) and len(items.items) == width else (Lost("parameter of a test"),) * width
    )
