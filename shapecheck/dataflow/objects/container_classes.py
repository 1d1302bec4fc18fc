"""Instances of classes derived from `dict`, `list` or `set`: objects of the program that hold a container."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.dataflow.objects.mro import class_attribute, mro
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.attribute_dict import HELD
from shapecheck.domain.values import (
    BoundLibraryMethod,
    Class,
    Const,
    Dict,
    Function,
    HomogeneousSeq,
    Library,
    Method,
    Ref,
    Seq,
    Value,
    is_constant,
)

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

TYPES = {"list": list, "dict": dict, "set": set}
EMPTY: dict[str, Value] = {"list": Seq("list", ()), "dict": Dict(()), "set": Seq("set", ())}
KINDS = {f"builtins.{kind}": kind for kind in TYPES} | {
    "collections.OrderedDict": "dict",
    "typing.Dict": "dict",
    "typing.List": "list",
    "typing.OrderedDict": "dict",
    "typing.Set": "set",
}
"""The classes that programs derive containers of their own from, and what these hold."""
ITEMS = ("__getitem__", "__setitem__", "__delitem__", "__len__", "__contains__", "__init__")
"""Methods for syntax that containers have under their names."""


def new_instance(t: Tracer, cls: Class) -> Ref:
    """Return a new instance of a class of the program, without attributes and items."""
    made = t.new_object("user", __class__=cls)
    kind = _kind(t, cls)
    if kind is not None:
        t.heap.set((made.address, HELD), t.new_container(kind, EMPTY[kind]))
    return made


def _kind(t: Tracer, cls: Class) -> str | None:
    """Return the kind of container that the instances of a class hold; None for other classes."""
    return next((KINDS[base.name] for base in mro(t, cls) if isinstance(base, Library) and base.name in KINDS), None)


def container_method(t: Tracer, owner: Value, base: str, name: str) -> Value | None:
    """Return a method that an instance of a class of containers has from a base, None if it has none of this name."""
    held = t.container(owner)
    if held is None or base not in KINDS or not hasattr(TYPES[held.cls], name):
        return None
    return None if name.startswith("__") and name not in ITEMS else BoundLibraryMethod(held, name)


def method_of_type(t: Tracer, owner: Value, member: Value | None) -> Value | None:
    """Return a method that a class of containers has under another name, as in `__getattr__ = dict.get`, bound."""
    base, _, name = member.name.rpartition(".") if isinstance(member, Library) else ("", "", "")
    return container_method(t, owner, base, name)


def fill(t: Tracer, made: Ref, given: Arguments) -> None:
    """Give a new container the items that its constructor is called with."""
    items = t.freeze(t.call(Library(f"builtins.{made.cls}"), given), deep=False)
    is_known = isinstance(items, Dict) if made.cls == "dict" else isinstance(items, (Seq, HomogeneousSeq))
    t.set_contents(made, items if is_known else t.lost("items of a container that are not known"))


def missing_item(t: Tracer, owner: Ref, key: Value) -> Value | None:
    """Return what `__missing__` of a class of dicts gives for a key; None for a class without one and a key that is
    present."""
    cls, held = t.heap.get((owner.address, "__class__")), t.container(owner)
    maker = class_attribute(t, cls, "__missing__") if isinstance(cls, Class) else None
    contents = None if held is None else t.contents(held)
    if not isinstance(maker, Function) or (isinstance(contents, Dict) and contents.get(key) is not None):
        return None
    if isinstance(contents, Dict) and contents.rest is None and all(map(is_constant, (key, *dict(contents.items)))):
        return t.call_here(Method(owner, maker), [key])
    return t.lost("item that may be missing")


def forget_items(t: Tracer, owner: Ref) -> None:
    """Forget the items of an instance of a class of containers, which may have been filled in many ways."""
    held = t.container(owner)
    if held is not None:
        t.set_contents(held, t.lost("items of a container that are not known"))


def item_at(t: Tracer, owner: Ref, name: str) -> Value | None:
    """Return the item of a name that an instance of a class of dicts holds, or None."""
    held = t.container(owner)
    contents = None if held is None else t.contents(held)
    return contents.get(Const(name)) if isinstance(contents, Dict) else None
