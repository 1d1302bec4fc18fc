"""Methods of dicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from shapecheck.dataflow.containers.dict_update import entry, is_distinct_key, merged, updated
from shapecheck.dataflow.containers.item_join import either
from shapecheck.dataflow.containers.mappings import mapping
from shapecheck.dataflow.objects.aliases import among
from shapecheck.dataflow.objects.enum_members import constant_of, key_among
from shapecheck.dataflow.operators.subscripts import any_value, set_dict_item
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.domain.values import NONE, Const, Dict, HomogeneousSeq, Ref, Scalar, Seq, Value, is_constant
from shapecheck.shapes.size import Kind, fresh

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def dict_method(t: Tracer, owner: Ref, name: str, call: Arguments) -> Value:
    """Return the result of a method of a dict."""
    contents = t.contents(owner)
    if not isinstance(contents, Dict):
        return t.lost("method of a lost dict")
    match name:
        case "get" | "pop" | "setdefault" if call.args:
            return _dict_get(t, owner, name, contents, call.args)
        case "keys":
            return _view(t, contents, tuple(key for key, _ in contents.items), "key")
        case "values":
            return _view(t, contents, tuple(value for _, value in contents.items), "value")
        case "items" | "iteritems":
            return _view(t, contents, tuple(Seq("tuple", pair) for pair in contents.items), "item")
        case "update":
            _update(t, owner, call)
            return NONE
        case "copy":
            return t.new_container("dict", contents)
        case "clear":
            t.set_contents(owner, Dict(()))
            return NONE
        case "popitem":
            return _pop_item(t, owner, contents, call)
    return t.lost(f"dict method {name}")


def _dict_get(t: Tracer, owner: Ref, name: str, contents: Dict, args: Sequence[Value]) -> Value:
    """Return the result of `get`, `pop` or `setdefault`."""
    found, given, args = entry(t, contents, args[0]), args[0], [constant_of(t, args[0]), *args[1:]]
    if name == "pop" and found is not None:
        gone = key_among(t, (key for key, _ in contents.items), given)
        t.set_contents(owner, Dict(tuple((k, v) for k, v in contents.items if k != gone), contents.rest))
    if found is not None:
        return found
    fallback = args[1] if len(args) > 1 else NONE
    if not is_distinct_key(args[0]) and (contents.rest is None or contents.items):
        return _get_unknown_key(t, owner, name, contents, args[0], fallback)
    if contents.rest is not None:
        return _get_optional_key(t, owner, name, contents.rest, fallback)
    if name == "setdefault":
        set_dict_item(t, owner, args[0], fallback)
    if is_constant(args[0]) or name == "setdefault":
        return fallback
    return among(t, t.lost("unknown key of a dict"), [contents, fallback])


def _get_unknown_key(t: Tracer, owner: Ref, name: str, contents: Dict, key: Value, fallback: Value) -> Value:
    """Return the result for a key that may be any of the present ones, or none of them."""
    if name == "setdefault" and not contents.items:
        t.set_contents(owner, updated(t, [(key, fallback)], contents))
        return fallback
    if name != "get":
        t.set_contents(owner, t.lost("dict changed at an unknown key"))
    return among(t, t.lost("unknown key of a dict"), [contents, fallback])


def _pop_item(t: Tracer, owner: Ref, contents: Dict, call: Arguments) -> Value:
    """Return the last entry, and remove it."""
    if contents.rest is not None or not contents.items or call.args or call.keywords:
        t.set_contents(owner, t.lost("dict after popitem"))
        return t.lost("entry of a dict")
    t.set_contents(owner, Dict(contents.items[:-1]))
    return Seq("tuple", contents.items[-1])


def _get_optional_key(t: Tracer, owner: Ref, name: str, rest: Value, fallback: Value) -> Value:
    """Return the result for a key that may or may not be among the entries that are not known."""
    if name == "setdefault":
        contents, both = t.contents(owner), either(t, rest, fallback)
        t.set_contents(
            owner, replace(contents, rest=both) if isinstance(contents, Dict) else t.lost("dict after setdefault")
        )
        return both
    if not isinstance(rest, Ref):
        return among(t, t.lost("unknown key of a dict"), [rest, fallback])
    exists = Scalar("bool")
    return t.join([(((exists, True),), rest), (((exists, False),), fallback)])


def _view(t: Tracer, contents: Dict, items: tuple[Value, ...], what: str) -> Value:
    """Return the keys, values or entries of a dict."""
    if contents.rest is None:
        return Seq("list", items)
    value = any_value(t, contents)
    element = value if what == "value" else t.lost("key of a dict")
    pair = Seq("tuple", (t.lost("key of a dict"), value))
    return HomogeneousSeq(
        "iterator", pair if what == "item" else element, fresh("n", Kind.LOST, why="number of entries of a dict")
    )


def _update(t: Tracer, owner: Ref, call: Arguments) -> None:
    """Add the entries of another dict and of keyword arguments."""
    contents = t.contents(owner)
    assert isinstance(contents, Dict)
    if call.args:
        more = mapping(t, call.args[0])
        unknown = Dict((), t.lost("dict updated by a lost value"))
        contents = merged(t, contents, more if isinstance(more, Dict) else unknown)
    t.set_contents(owner, merged(t, contents, Dict(tuple((Const(key), value) for key, value in call.keywords.items()))))
