"""Calls that do not concern shapes: their results are read from `opaque.toml`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from shapecheck import toml
from shapecheck.domain.values import NONE, HomogeneousSeq, Scalar, Seq, Value
from shapecheck.models.lang import Context, base, behaviour
from shapecheck.models.lang.loading import is_elsewhere
from shapecheck.models.lang.registry import BASES
from shapecheck.shapes.size import Kind

MANAGER = "contextlib.AbstractContextManager"  # the base class of all opaque objects
Maker: TypeAlias = Callable[[Context, Value, str], Value]


def _files(ctx: Context, first: Value, name: str) -> Value:
    return HomogeneousSeq("list", Scalar("str"), ctx.fresh("files", Kind.FREE, "a list of names"))


def _list(ctx: Context, first: Value, name: str) -> Value:
    return HomogeneousSeq("list", ctx.lost(f"what {name} lists"), ctx.fresh("items", Kind.LOST, f"what {name} lists"))


RESULTS: dict[str, Maker] = {
    "none": lambda ctx, first, name: NONE,
    "self": lambda ctx, first, name: first,
    "object": lambda ctx, first, name: ctx.new(name),
    "session": lambda ctx, first, name: ctx.new("tf.Session"),
    "operation": lambda ctx, first, name: ctx.new("tf.Operation", _inputs=Seq("tuple", ())),
    "files": _files,
    "list": _list,
    "str": lambda ctx, first, name: Scalar("str"),
    "bytes": lambda ctx, first, name: Scalar("bytes"),
    "bool": lambda ctx, first, name: Scalar("bool"),
    "int": lambda ctx, first, name: Scalar("int"),
    "float": lambda ctx, first, name: Scalar("float"),
    "unknown": lambda ctx, first, name: ctx.lost(f"what {name} gives"),
}


def _function(name: str, kind: str) -> None:
    """Register a function, unless a model describes it in more detail."""
    make = RESULTS[kind]
    if is_elsewhere(name, __name__):
        return

    @behaviour(name)
    def call(ctx: Context, *args: Value, **keywords: Value) -> Value:
        return make(ctx, args[0] if args else NONE, name)


def _object(cls: str, methods: str) -> None:
    _function(cls, "object")
    if cls not in BASES:
        base(cls, MANAGER)
    for method in methods.split():
        name, _, kind = method.partition(":")
        _function(f"{cls}.{name}", kind or "none")


def _alias(name: str, cls: str) -> None:
    if is_elsewhere(name, __name__):
        return

    @behaviour(name)
    def make(ctx: Context, *args: Value, **keywords: Value) -> Value:
        return ctx.new(cls)


@behaviour(f"{MANAGER}.__enter__")
def enter(ctx: Context, self: Value) -> Value:
    return self


@behaviour(f"{MANAGER}.__exit__")
def leave(ctx: Context, self: Value, *args: Value) -> Value:
    return NONE


def _register(table: dict[str, Any]) -> None:
    for kind, names in table["functions"].items():
        for name in names.split():
            _function(name, kind)
    for cls, methods in table["objects"].items():
        _object(cls, methods)
    for name, cls in table["also"].items():
        _alias(name, cls)


_register(toml.loads(Path(__file__).with_name("opaque.toml").read_text(encoding="utf-8")))
