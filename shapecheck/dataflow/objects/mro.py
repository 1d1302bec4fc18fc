"""Classes and inheritance: the MRO, and members found along it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shapecheck.dataflow.objects.modules import imported
from shapecheck.domain.values import Class, Const, Function, Library, Lost, Method, Seq, Value
from shapecheck.models.lang.registry import ANY_CLASS, library_bases

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

MAX_ANCESTORS = 30
OBJECT = Library("builtins.object")


def class_attribute(t: Tracer, cls: Class, name: str) -> Value | None:
    """Return the first member of this name along the MRO, or None."""
    if name == "__bases__":
        return Seq("tuple", bases(t, cls) or (OBJECT,))
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
    """The MRO of each class, by its address."""

    orders: dict[int, list[Value]] = field(default_factory=dict)


def bases(t: Tracer, cls: Class) -> tuple[Value, ...]:
    """Return the bases of a class, as written."""
    found = t.heap.get((cls.address, "__bases__"))
    return found.items if isinstance(found, Seq) else ()


def derive(t: Tracer, cls: Class, base: Value) -> None:
    """Give a class one more base, behind those that it has."""
    t.heap.set((cls.address, "__bases__"), Seq("tuple", (*bases(t, cls), base)))
    t.component(Linearizations).orders.pop(cls.address, None)


def mro(t: Tracer, cls: Class) -> list[Value]:
    """Return the MRO of a class, which contains the class itself."""
    orders = t.component(Linearizations).orders
    found = orders.get(cls.address)
    if found is None:
        found = orders[cls.address] = _linearization(t, cls, 0)
    return found


def _linearization(t: Tracer, cls: Value, depth: int) -> list[Value]:
    """Return the C3 linearization of a class."""
    parents = bases(t, cls) if isinstance(cls, Class) and depth < MAX_ANCESTORS else ()
    if len(parents) == 1:
        return [cls, *_linearization(t, parents[0], depth + 1)]
    queues = [_linearization(t, parent, depth + 1) for parent in parents] + [list(parents)]
    order = [cls]
    while queues := [queue for queue in queues if queue]:
        heads = [queue[0] for queue in queues]
        following = next((head for head in heads if not any(head in queue[1:] for queue in queues)), heads[0])
        order.append(following)
        queues = [[value for value in queue if value != following] for queue in queues]
    return order


def is_subclass(t: Tracer, cls: Value, of: Value) -> bool | None:
    """Return whether a class derives from another, or None if a base is unknown."""
    if cls == of:
        return True
    if isinstance(cls, Library) and isinstance(of, Library):
        verdicts = [is_subclass(t, Library(base), of) for base in library_bases(cls.name)]
        return True in verdicts or (None if None in verdicts or cls.name == ANY_CLASS else False)
    if not isinstance(cls, Class):
        return None
    order = mro(t, cls)
    if of in order:
        return True
    if isinstance(of, Library) and any(is_subclass(t, base, of) for base in order if isinstance(base, Library)):
        return True
    return None if any(isinstance(base, Lost) for base in order) or _may_be_registered(t, cls, of) else False


def _may_be_registered(t: Tracer, cls: Class, of: Value) -> bool:
    """Return whether a class may count as one that it does not derive from: abstract classes can say so."""
    if not isinstance(of, Class):
        return False
    sources = {t.frames[each.address].source for each in (cls, of) if each.address in t.frames}
    said = re.compile(rf"\b{re.escape(of.name)}\.register\b|\b__(subclasshook|subclasscheck|instancecheck)__\b")
    return any(source.mentions(said) for source in sources)
