"""Methods of Python's own strings, lists, dicts, sets and numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from shapecheck.dataflow.bounded import MOST
from shapecheck.dataflow.entered import entered, is_told_apart, merged
from shapecheck.dataflow.members import either
from shapecheck.dataflow.subscripts import any_value, set_dict_item
from shapecheck.shapes.size import Kind, fresh
from shapecheck.source import Place
from shapecheck.values import (
    FALSE,
    NONE,
    Code,
    Const,
    Dict,
    Int,
    Many,
    Ref,
    Scalar,
    Seq,
    Value,
    as_size,
    is_constant,
)

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

Args: TypeAlias = list[Value]
Named: TypeAlias = dict[str, Value]
TEXT_METHODS = frozenset(
    "format join lower upper strip lstrip rstrip replace title capitalize zfill ljust rjust center expandtabs decode "
    "encode removeprefix removesuffix swapcase translate".split()
)
TEXT_SEARCHES = frozenset("split count find index rfind".split())
SET_CHANGES = frozenset(
    "update remove discard pop clear intersection_update difference_update symmetric_difference_update".split()
)
TEXT_TESTS = frozenset("startswith endswith isdigit isalpha isalnum isupper islower isspace isnumeric".split())


def call_builtin_method(t: Tracer, owner: Value, name: str, args: Args, named: Named, place: Place) -> Value:
    """A method of a value that is neither a tensor nor an object; what is not known is lost."""
    with t.at(place):
        if isinstance(owner, Ref) and owner.cls in CONTAINER_METHODS:
            method = CONTAINER_METHODS[owner.cls]
            return t.with_contents(owner, lambda: method(t, owner, name, args, named))
        if isinstance(owner, Const) and isinstance(owner.value, (str, bytes)):
            return _text(t, owner.value, name, args, named)
        if isinstance(owner, Scalar) and owner.kind == "str":
            return _unknown_text(t, name)
        if isinstance(owner, (Seq, Many)) and name in ("index", "count"):
            return Int(fresh("i", Kind.LOST, why="position in a sequence"))
        if name in ("as_list", "value", "item", "tolist") and isinstance(owner, (Const, Int)):
            return owner
        if isinstance(owner, Code) and name == "__get__":
            return owner
    return t.lost(f"method {name} of a value")


def _list(t: Tracer, owner: Ref, name: str, args: Args, named: Named) -> Value:
    contents = t.contents(owner)
    if not isinstance(contents, (Seq, Many)):
        return t.lost("method of a lost list")
    action = LIST_METHODS.get(name)
    if name == "sort" and isinstance(contents, Seq):
        ordered = sorted_constants(t, contents.items, named)
        if ordered is not None:
            t.set_contents(owner, Seq("list", ordered))
            return NONE
    return t.lost(f"list method {name}") if action is None else action(t, owner, contents, args)


def _append(t: Tracer, owner: Ref, contents: Seq | Many, args: Args) -> Value:
    if len(args) != 1:
        return NONE
    if isinstance(contents, Seq):
        t.set_contents(owner, Seq("list", (*contents.items, args[0])))
    else:
        element = t.generalise_elements(contents, Seq("list", (args[0],)))
        t.set_contents(owner, Many("list", element, contents.length + 1))
    return NONE


def _extend(t: Tracer, owner: Ref, contents: Seq | Many, args: Args) -> Value:
    items = t.context.elements(args[0]) if args else ()
    if items is not None and isinstance(contents, Seq):
        t.set_contents(owner, Seq("list", contents.items + items))
    elif args:
        given = t.context.freeze(args[0], deep=False)
        more = given if isinstance(given, (Seq, Many)) else Many("list", t.context.element(given), 1)
        length = t.context.length(contents) + t.context.length(given)
        t.set_contents(owner, Many("list", t.generalise_elements(contents, more), length))
    return NONE


def _insert(t: Tracer, owner: Ref, contents: Seq | Many, args: Args) -> Value:
    position = as_size(args[0]) if len(args) == 2 else None
    if isinstance(contents, Seq) and isinstance(position, int):
        items = list(contents.items)
        items.insert(position, args[1])
        t.set_contents(owner, Seq("list", tuple(items)))
        return NONE
    return _append(t, owner, contents, args[1:])


def _pop(t: Tracer, owner: Ref, contents: Seq | Many, args: Args) -> Value:
    position = as_size(args[0]) if args else -1
    if (
        isinstance(contents, Seq)
        and isinstance(position, int)
        and -len(contents.items) <= position < len(contents.items)
    ):
        items = list(contents.items)
        value = items.pop(position)
        t.set_contents(owner, Seq("list", tuple(items)))
        return value
    element = t.context.element(contents)
    t.set_contents(owner, Many("list", element, fresh("n", Kind.LOST, why="list after pop")))
    return element


def _append_left(t: Tracer, owner: Ref, contents: Seq | Many, args: Args) -> Value:
    if isinstance(contents, Seq) and len(args) == 1 and t.store.get((owner.address, MOST)) is None:
        t.set_contents(owner, Seq("list", (args[0], *contents.items)))
        return NONE
    _append(t, owner, contents, args)
    return _reorder(t, owner, t.contents(owner), args)  # type: ignore[arg-type]


def _extend_left(t: Tracer, owner: Ref, contents: Seq | Many, args: Args) -> Value:
    _extend(t, owner, contents, args)
    return _reorder(t, owner, t.contents(owner), args)  # type: ignore[arg-type]


def _pop_left(t: Tracer, owner: Ref, contents: Seq | Many, args: Args) -> Value:
    return _pop(t, owner, contents, [Const(0)])


def _reorder(t: Tracer, owner: Ref, contents: Seq | Many, args: Args) -> Value:
    t.set_contents(owner, Many("list", t.context.element(contents), t.context.length(contents)))
    return NONE


def _reverse(t: Tracer, owner: Ref, contents: Seq | Many, args: Args) -> Value:
    if isinstance(contents, Seq):
        t.set_contents(owner, Seq("list", contents.items[::-1]))
    return NONE


def sorted_constants(t: Tracer, items: Sequence[Value], named: Named) -> tuple[Value, ...] | None:
    """The items in order, where all are constants that have one."""
    if "key" in named or not all(isinstance(item, Const) for item in items):
        return None
    backwards = t.truth(named.get("reverse", FALSE))
    try:
        values = sorted((item.value for item in items if isinstance(item, Const)), reverse=bool(backwards))  # type: ignore[type-var]
    except TypeError:
        return None
    return None if backwards is None else tuple(map(Const, values))


def _remove(t: Tracer, owner: Ref, contents: Seq | Many, args: Args) -> Value:
    position = _place_of(contents, args)
    if isinstance(contents, Seq) and position is not None:
        t.set_contents(owner, Seq("list", contents.items[:position] + contents.items[position + 1 :]))
        return NONE
    length = t.context.length(contents) - 1
    t.set_contents(owner, Many("list", t.context.element(contents), length))
    return NONE


def _clear(t: Tracer, owner: Ref, contents: Seq | Many, args: Args) -> Value:
    t.set_contents(owner, Seq("list", ()))
    return NONE


def _copy(t: Tracer, owner: Ref, contents: Seq | Many, args: Args) -> Value:
    return t.new_container("list", contents)


def _position(t: Tracer, owner: Ref, contents: Seq | Many, args: Args) -> Value:
    position = _place_of(contents, args) if len(args) == 1 else None
    return Int(fresh("i", Kind.LOST, why="position in a list")) if position is None else Const(position)


def _place_of(contents: Seq | Many, args: Args) -> int | None:
    """Where a constant first stands in a list, if all items up to there are constants."""
    if not isinstance(contents, Seq) or not args or not isinstance(args[0], Const):
        return None
    for position, item in enumerate(contents.items):
        if not isinstance(item, Const):
            return None
        if item.value == args[0].value:
            return position
    return None


def _count(t: Tracer, owner: Ref, contents: Seq | Many, args: Args) -> Value:
    if isinstance(contents, Seq) and len(args) == 1 and all(isinstance(i, Const) for i in (*contents.items, args[0])):
        values = [item.value for item in (*contents.items, args[0]) if isinstance(item, Const)]
        return Const(values[:-1].count(values[-1]))
    return Int(fresh("n", Kind.LOST, why="occurrences in a list"))


LIST_METHODS: dict[str, Callable[[Tracer, Ref, Seq | Many, Args], Value]] = {
    "append": _append,
    "appendleft": _append_left,
    "extendleft": _extend_left,
    "popleft": _pop_left,
    "rotate": _reorder,
    "extend": _extend,
    "insert": _insert,
    "pop": _pop,
    "sort": _reorder,
    "reverse": _reverse,
    "remove": _remove,
    "clear": _clear,
    "copy": _copy,
    "index": _position,
    "count": _count,
}


def _dict(t: Tracer, owner: Ref, name: str, args: Args, named: Named) -> Value:
    contents = t.contents(owner)
    if not isinstance(contents, Dict):
        return t.lost("method of a lost dict")
    match name:
        case "get" | "pop" | "setdefault" if args:
            return _dict_get(t, owner, name, contents, args)
        case "keys":
            return _column(t, contents, tuple(key for key, _ in contents.items), "key")
        case "values":
            return _column(t, contents, tuple(value for _, value in contents.items), "value")
        case "items" | "iteritems":
            return _column(t, contents, tuple(Seq("tuple", pair) for pair in contents.items), "item")
        case "update":
            _update(t, owner, args, named)
            return NONE
        case "copy":
            return t.new_container("dict", contents)
        case "clear":
            t.set_contents(owner, Dict(()))
            return NONE
        case "popitem":
            return _pop_item(t, owner, contents, args, named)
    return t.lost(f"dict method {name}")


def _dict_get(t: Tracer, owner: Ref, name: str, contents: Dict, args: Args) -> Value:
    found = contents.get(args[0])
    if name == "pop" and found is not None:
        t.set_contents(owner, Dict(tuple((k, v) for k, v in contents.items if k != args[0]), contents.rest))
    if found is not None:
        return found
    fallback = args[1] if len(args) > 1 else NONE
    if not is_told_apart(args[0]) and (contents.rest is None or contents.items):
        return _of_unknown_key(t, owner, name, contents, args[0], fallback)
    if contents.rest is not None:
        return _one_of_more(t, owner, name, contents.rest, fallback)
    if name == "setdefault":
        set_dict_item(t, owner, args[0], fallback)
    return fallback if is_constant(args[0]) or name == "setdefault" else t.lost("unknown key of a dict")


def _of_unknown_key(t: Tracer, owner: Ref, name: str, contents: Dict, key: Value, fallback: Value) -> Value:
    """What a key gives that may be any of those there, or none of them; a container that it gives may be changed."""
    if name == "setdefault" and not contents.items:
        t.set_contents(owner, entered(t, [(key, fallback)], contents))
        return fallback
    if name != "get":
        t.set_contents(owner, t.lost("a dict after a change at an unknown key"))
    return t.lost("unknown key of a dict")


def _pop_item(t: Tracer, owner: Ref, contents: Dict, args: Args, named: Named) -> Value:
    if contents.rest is not None or not contents.items or args or named:
        t.set_contents(owner, t.lost("a dict without one of its entries"))
        return t.lost("entry of a dict")
    t.set_contents(owner, Dict(contents.items[:-1]))
    return Seq("tuple", contents.items[-1])


def _one_of_more(t: Tracer, owner: Ref, name: str, rest: Value, fallback: Value) -> Value:
    """What a key gives of which it is not known whether it is there; a container that it gives may be changed."""
    if name == "setdefault":
        contents, both = t.contents(owner), either(t, rest, fallback)
        t.set_contents(owner, replace(contents, rest=both) if isinstance(contents, Dict) else t.lost("dict"))
        return both
    if not isinstance(rest, Ref):
        return t.lost("unknown key of a dict")
    is_there = Scalar("bool")
    return t.join([(((is_there, True),), rest), (((is_there, False),), fallback)])


def _column(t: Tracer, contents: Dict, items: tuple[Value, ...], what: str) -> Value:
    if contents.rest is None:
        return Seq("list", items)
    value = any_value(t, contents)
    element = value if what == "value" else t.lost("key of a dict")
    pair = Seq("tuple", (t.lost("key of a dict"), value))
    return Many("iterator", pair if what == "item" else element, fresh("n", Kind.LOST, why="entries of a dict"))


def _update(t: Tracer, owner: Ref, args: Args, named: Named) -> None:
    contents = t.contents(owner)
    assert isinstance(contents, Dict)
    if args:
        more = t.context.freeze(args[0], deep=False)
        unknown = Dict((), t.lost("dict updated by a lost value"))
        contents = merged(t, contents, more if isinstance(more, Dict) else unknown)
    t.set_contents(owner, merged(t, contents, Dict(tuple((Const(key), value) for key, value in named.items()))))


def _set(t: Tracer, owner: Ref, name: str, args: Args, named: Named) -> Value:
    contents = t.contents(owner)
    if name == "add" and args and isinstance(contents, (Seq, Many)):
        if isinstance(contents, Seq) and all(map(is_constant, (*contents.items, args[0]))):
            if args[0] not in contents.items:
                t.set_contents(owner, Seq("set", (*contents.items, args[0])))
            return NONE
        element = t.generalise_elements(contents, Seq("set", (args[0],)))
        t.set_contents(owner, Many("set", element, fresh("n", Kind.LOST, why="items of a set")))
        return NONE
    if name in SET_CHANGES:
        t.set_contents(owner, t.lost(f"set after {name}"))
    return t.lost(f"set method {name}")


CONTAINER_METHODS: dict[str, Callable[[Tracer, Ref, str, Args, Named], Value]] = {
    "list": _list,
    "dict": _dict,
    "set": _set,
}


def _text(t: Tracer, text: str | bytes, name: str, args: Args, named: Named) -> Value:
    constants = all(isinstance(arg, Const) for arg in [*args, *named.values()])
    if name == "join" and args:
        items = t.context.elements(args[0])
        if items is not None and all(isinstance(item, Const) for item in items):
            args, constants = [Const([item.value for item in items if isinstance(item, Const)])], True
    if constants and (name in TEXT_METHODS or name in TEXT_TESTS or name in TEXT_SEARCHES):
        try:
            values = [arg.value for arg in args if isinstance(arg, Const)]
            result = getattr(text, name)(*values, **{k: v.value for k, v in named.items() if isinstance(v, Const)})
        except Exception:
            return t.lost("string method that raises")
        if isinstance(result, list):
            return t.new_container("list", Seq("list", tuple(map(Const, result))))
        return Const(result)
    return _unknown_text(t, name)


def _unknown_text(t: Tracer, name: str) -> Value:
    if name in TEXT_METHODS:
        return Scalar("str")
    if name in TEXT_TESTS:
        return Scalar("bool")
    if name in ("split", "rsplit", "splitlines"):
        length = fresh("n", Kind.LOST, why="pieces of a string")
        return t.new_container("list", Many("list", Scalar("str"), length))
    if name in ("find", "index", "count", "rfind"):
        return Int(fresh("i", Kind.LOST, why="position in a string", low=None))
    return t.lost(f"string method {name}")
