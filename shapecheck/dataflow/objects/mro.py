"""Classes and what they inherit: the method resolution order, and members found along it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shapecheck.dataflow.objects.modules import imported
from shapecheck.domain.values import Class, Const, Function, Library, Lost, Method, Seq, Value
from shapecheck.models.lang.registry import library_bases

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

MAX_ANCESTORS = 30


def class_attribute(t: Tracer, cls: Class, name: str) -> Value | None:
    """A member found along the classes of the program that a class is made of."""
    for base in mro(t, cls):
        if isinstance(base, Class):
            value = t.heap.get((base.address, name))
            if value is not None:
                value = imported(t, (base.address, name), value)
                if isinstance(value, Function) and t.functions[value.key].kind == "class":
                    return Method(cls, value)
                return value
        elif isinstance(base, Lost):  # which may define it
            break
    if name == "__name__":
        return Const(cls.name)
    return None


@dataclass(slots=True)
class Linearizations:
    """The method resolution order of each class, by its address."""

    orders: dict[int, list[Value]] = field(default_factory=dict)


def bases(t: Tracer, cls: Class) -> tuple[Value, ...]:
    found = t.heap.get((cls.address, "__bases__"))
    return found.items if isinstance(found, Seq) else ()


def mro(t: Tracer, cls: Class) -> list[Value]:
    """The class and everything it inherits from, in Python's order: a class before its bases, bases as written."""
    orders = t.component(Linearizations).orders
    found = orders.get(cls.address)
    if found is None:
        found = orders[cls.address] = _linearized(t, cls, 0)
    return found


def _linearized(t: Tracer, cls: Value, depth: int) -> list[Value]:
    parents = bases(t, cls) if isinstance(cls, Class) and depth < MAX_ANCESTORS else ()
    if len(parents) == 1:
        return [cls, *_linearized(t, parents[0], depth + 1)]
    queues = [_linearized(t, parent, depth + 1) for parent in parents] + [list(parents)]
    order = [cls]
    while queues := [queue for queue in queues if queue]:
        heads = [queue[0] for queue in queues]
        following = next((head for head in heads if not any(head in queue[1:] for queue in queues)), heads[0])
        order.append(following)
        queues = [[value for value in queue if value != following] for queue in queues]
    return order


def is_subclass(t: Tracer, cls: Value, of: Value) -> bool | None:
    """Whether a class derives from another; None if a base is unknown."""
    if cls == of:
        return True
    if isinstance(cls, Library) and isinstance(of, Library):
        return any(is_subclass(t, Library(base), of) for base in library_bases(cls.name))
    if not isinstance(cls, Class):
        return None
    order = mro(t, cls)
    if of in order:
        return True
    if isinstance(of, Library) and any(is_subclass(t, base, of) for base in order if isinstance(base, Library)):
        return True
    return None if any(isinstance(base, Lost) for base in order) else False
