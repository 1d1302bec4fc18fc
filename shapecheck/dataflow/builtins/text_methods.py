"""Methods of strings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.dataflow.containers import iteration
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.domain.values import Const, HomogeneousSeq, Int, Scalar, Seq, Value
from shapecheck.shapes.size import Kind, fresh

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

TEXT_METHODS = frozenset(
    "format join lower upper strip lstrip rstrip replace title capitalize zfill ljust rjust center expandtabs decode "
    "encode removeprefix removesuffix swapcase translate".split()
)
TEXT_SEARCHES = frozenset("split count find index rfind".split())
TEXT_TESTS = frozenset("startswith endswith isdigit isalpha isalnum isupper islower isspace isnumeric".split())


def text_method(t: Tracer, text: str | bytes, name: str, call: Arguments) -> Value:
    """Return the result of a method of a known string."""
    args, named = call.args, call.keywords
    constants = all(isinstance(arg, Const) for arg in [*args, *named.values()])
    if name == "join" and args:
        items = iteration.elements(t, args[0])
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
    return unknown_text(t, name)


def unknown_text(t: Tracer, name: str) -> Value:
    """Return the result of a method of an unknown string."""
    if name in TEXT_METHODS:
        return Scalar("str")
    if name in TEXT_TESTS:
        return Scalar("bool")
    if name in ("split", "rsplit", "splitlines"):
        length = fresh("n", Kind.LOST, why="parts of a split string")
        return t.new_container("list", HomogeneousSeq("list", Scalar("str"), length))
    if name in ("find", "index", "count", "rfind"):
        return Int(fresh("i", Kind.LOST, why="position in a string", low=None))
    return t.lost(f"string method {name}")
