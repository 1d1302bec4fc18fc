"""Flags of the command line, as `tf.app` and `absl` keep them. Their types are known; their defaults hold only where a
program is traced without any arguments.
"""

from __future__ import annotations

from collections.abc import Callable

from shapecheck.domain.values import NONE, Const, HomogeneousSeq, Int, Library, Scalar, Seq, Value, as_str
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.python.numbers import read_number
from shapecheck.shapes.size import Kind

FLAGS = Library("absl.flags.FLAGS")
MAIN = Library("__main__")


def _integer(ctx: Context, name: str) -> Value:
    return Int(ctx.fresh(name, Kind.FREE, f"the flag {name}", None))


def _several(of: Callable[[Context, str], Value]) -> Callable[[Context, str], Value]:
    def make(ctx: Context, name: str) -> Value:
        return HomogeneousSeq("list", of(ctx, name), ctx.fresh(name, Kind.FREE, f"how often the flag {name} is given"))

    return make


def _scalar(kind: str) -> Callable[[Context, str], Value]:
    return lambda ctx, name: Scalar(kind)


KINDS: dict[str, Callable[[Context, str], Value]] = {
    "bool": _scalar("bool"),
    "boolean": _scalar("bool"),
    "enum": _scalar("str"),
    "enum_class": lambda ctx, name: ctx.lost("a flag that is a member of a class"),
    "float": _scalar("float"),
    "integer": _integer,
    "list": _several(_scalar("str")),
    "multi_float": _several(_scalar("float")),
    "multi_integer": _several(_integer),
    "multi_string": _several(_scalar("str")),
    "spaceseplist": _several(_scalar("str")),
    "string": _scalar("str"),
}


@behaviour("absl.app.run", "tf.app.run")
def run_main(ctx: Context, main: Value = NONE, argv: Value = NONE) -> Value:
    """Without a function, call `main` of the running module."""
    if main == NONE:
        main = ctx.get(MAIN, "main") or NONE
    if main != NONE:
        ctx.call(
            main, [HomogeneousSeq("list", Scalar("str"), ctx.fresh("argv", Kind.FREE, "arguments of the program"))]
        )
    return NONE


def _given(ctx: Context, kind: str, name: str, default: Value) -> Value:
    if default == NONE:
        return ctx.lost("a flag that may be missing")
    if kind == "list" and isinstance(default, Seq) and any(as_str(item) is None for item in default.items):
        return ctx.lost("a flag whose default is a list of something else than text")
    return KINDS[kind](ctx, name)


def _left(ctx: Context, kind: str, default: Value) -> Value | None:
    """Return the value of a flag that is not given; None where that requires more than reading its default, or there
    is none.
    """
    if default == NONE:
        return None  # a flag without a default usually has to be given
    text, value = as_str(default), default.value if isinstance(default, Const) else None
    if kind in ("integer", "float"):
        named = "int" if kind == "integer" else "float"
        return read_number(repr(value) if text is None else text, named)
    if kind in ("bool", "boolean"):
        return ctx.left_open(Scalar("bool"))
    if kind in ("string", "enum"):
        return default if text is not None else None
    if kind == "list" and text is not None:
        return Seq("list", tuple(Const(part.strip()) for part in text.split(",")))
    return default if isinstance(default, Seq) and kind != "enum_class" else None


def _defines(kind: str) -> None:
    """Register a function that declares a flag of a kind; without a default it may be None."""

    @behaviour(f"absl.flags.DEFINE_{kind}")
    def define(ctx: Context, name: Value = NONE, default: Value = NONE, *args: Value, **keywords: Value) -> Value:
        text = as_str(name) or as_str(keywords.get("flag_name", NONE))
        default = keywords.get("default_value", default)
        if text:
            ctx.set(
                FLAGS,
                text,
                (_left(ctx, kind, default) if ctx.without_options else None) or _given(ctx, kind, text, default),
            )
        return NONE


for _kind in KINDS:
    _defines(_kind)


@behaviour("absl.flags.DEFINE_alias")
def define_alias(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return NONE
