"""Functions of the module `dataclasses`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shapecheck.dataflow.builtins.registry import builtin
from shapecheck.dataflow.objects.declared_classes import DATACLASS, FIELD, FIELDS, make_fields
from shapecheck.dataflow.objects.mro import class_attribute
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.domain.values import Class, Const, Dict, Partial, Ref, Seq, Value, as_str

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


@builtin("dataclasses.dataclass")
def dataclass(t: Tracer, call: Arguments) -> Value:
    """Make the fields of a class; without one, return the decorator with its options bound."""
    if not call.args or not isinstance(call.args[0], Class):
        return Partial(DATACLASS, (), tuple(call.keywords.items()))
    make_fields(t, call.args[0], FIELDS)
    return call.args[0]


@builtin("dataclasses.field")
def field(t: Tracer, call: Arguments) -> Value:
    """Return the declaration of a field."""
    return Partial(FIELD, (), tuple(call.keywords.items()))


@builtin("dataclasses.replace")
def replace(t: Tracer, call: Arguments) -> Value:
    """Return a new instance with some fields replaced."""
    cls, fields = _declared(t, call.args)
    if cls is None:
        return t.lost("replace of an unknown data class")
    values = {name: t.heap.get((call.args[0].address, name)) for name in fields}  # type: ignore[union-attr]
    given = {name: value for name, value in values.items() if value is not None} | dict(call.keywords)
    return t.call_here(cls, [], given)


@builtin("dataclasses.asdict")
def asdict(t: Tracer, call: Arguments) -> Value:
    """Return the fields of an instance as a dict."""
    cls, fields = _declared(t, call.args)
    if cls is None:
        return t.lost("asdict of an unknown data class")
    items = [(Const(name), t.heap.get((call.args[0].address, name))) for name in fields]  # type: ignore[union-attr]
    return t.new_container("dict", Dict(tuple((name, value) for name, value in items if value is not None)))


def _declared(t: Tracer, args: Sequence[Value]) -> tuple[Class | None, list[str]]:
    """Return the data class of an instance and the names of its fields."""
    owner = args[0] if args else None
    cls = t.heap.get((owner.address, "__class__")) if isinstance(owner, Ref) else None
    fields = class_attribute(t, cls, FIELDS) if isinstance(cls, Class) else None
    if not isinstance(cls, Class) or not isinstance(fields, Seq):
        return None, []
    return cls, [name for item in fields.items if (name := as_str(item)) is not None]
