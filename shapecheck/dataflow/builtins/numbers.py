"""Builtin functions that make or combine numbers and strings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from shapecheck.dataflow import arithmetic
from shapecheck.dataflow.builtins.registry import BUILTINS, Args, Builtin, Named, builtin
from shapecheck.dataflow.quotients import whole
from shapecheck.models.lang.op import lookup
from shapecheck.shapes.size import Kind, Size, fresh, maximum, minimum
from shapecheck.source import Place
from shapecheck.values import (
    FALSE,
    NONE,
    TRUE,
    Const,
    Int,
    Range,
    Scalar,
    Seq,
    Tensor,
    Value,
    as_size,
    of_size,
)

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


@builtin("range", "xrange")
def range_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    sizes = [as_size(arg) for arg in args]
    known = [fresh("n", Kind.LOST, why="argument of range", low=None) if size is None else size for size in sizes]
    match known:
        case [stop]:
            return Range(0, stop, 1)
        case [start, stop]:
            return Range(start, stop, 1)
        case [start, stop, step]:
            return Range(start, stop, step)
    return t.lost("range of nothing")


@builtin("int", "long")
def int_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    if not args:
        return Const(0)
    value = args[0]
    if isinstance(value, Tensor) and isinstance(value.content, Const):
        value = value.content
    if len(args) > 1 or named:
        return Int(fresh("n", Kind.LOST, why="int of a text in another base", low=None))
    if isinstance(value, Const):
        try:
            return Const(int(value.value))  # type: ignore[call-overload]
        except (TypeError, ValueError, OverflowError):
            return t.lost("int of a constant")
    return of_size(whole(t, value))


@builtin("float", "complex")
def float_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    if len(args) == 1 and isinstance(args[0], Const):
        try:
            return Const(float(args[0].value))  # type: ignore[arg-type]
        except (TypeError, ValueError, OverflowError):
            pass
    return Scalar("float")


@builtin("bool")
def bool_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    if not args:
        return FALSE
    known = t.truth(args[0])
    return Scalar("bool") if known is None else TRUE if known else FALSE


@builtin("str", "repr", "format", "chr", "hex", "oct", "bin", "ascii", "unicode", "input", "raw_input")
def str_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    return Scalar("str")


TEXTS: dict[str, Callable[[Any], str]] = {
    "str": str, "unicode": str, "format": format, "repr": repr, "ascii": ascii,
    "chr": chr, "hex": hex, "oct": oct, "bin": bin,
}  # fmt: skip


def _text_of(convert: Callable[[Any], str]) -> Builtin:
    def text(t: Tracer, args: Args, named: Named, place: Place) -> Value:
        if len(args) == 1 and isinstance(args[0], Const) and isinstance(args[0].value, (str, int, float)):
            try:
                return Const(convert(args[0].value))
            except (TypeError, ValueError, OverflowError):
                pass
        return Scalar("str")

    return text


BUILTINS.update({name: _text_of(convert) for name, convert in TEXTS.items()})


@builtin("ord")
def ord_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    if len(args) == 1 and isinstance(args[0], Const) and isinstance(args[0].value, str) and len(args[0].value) == 1:
        return Const(ord(args[0].value))
    return Int(fresh("n", Kind.LOST, why="code of a letter"))


@builtin("abs")
def abs_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    if args and isinstance(args[0], Tensor) and (model := lookup(f"{args[0].library}.abs")):
        return t.context.run(model, model.name, args, named, place)
    size = as_size(args[0]) if args else None
    if size is not None:
        return of_size(maximum(size, -size))
    return Scalar("number") if args and isinstance(args[0], (Const, Scalar)) else t.lost("abs of a lost value")


@builtin("round")
def round_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    if args and isinstance(args[0], Const) and isinstance(args[0].value, (int, float)):
        digits = as_size(args[1]) if len(args) > 1 else None
        try:
            return Const(round(args[0].value, digits if isinstance(digits, int) else None))
        except (ValueError, OverflowError):
            return t.lost("round of a constant")
    if len(args) == 1 and isinstance(args[0], Scalar):
        return Int(fresh("n", Kind.LOST, why="rounded number", low=None))
    return Scalar("number") if args and isinstance(args[0], (Const, Scalar)) else t.lost("round of a lost value")


@builtin("pow")
def pow_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    if len(args) == 2:
        return t.spread(args, lambda values: arithmetic.binary(t, "**", values[0], values[1], place))
    return t.lost("pow")


@builtin("divmod")
def divmod_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    if len(args) != 2:
        return t.lost("divmod")
    parts = [arithmetic.binary(t, op, args[0], args[1], place) for op in ("//", "%")]
    return Seq("tuple", tuple(parts))


@builtin("min")
def min_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    return _extreme(t, args, named, minimum, min)


@builtin("max")
def max_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    return _extreme(t, args, named, maximum, max)


def _extreme(
    t: Tracer, args: Args, named: Named, symbolic: Callable[..., Size], concrete: Callable[..., object]
) -> Value:
    if "key" in named:
        return t.context.element(args[0]) if len(args) == 1 else t.lost("min or max by key")
    items: Sequence[Value] | None = args if len(args) > 1 else t.context.elements(args[0]) if args else None
    if not items:
        element = t.context.element(args[0]) if args else NONE
        if isinstance(element, Int):
            return Int(fresh("n", Kind.LOST, why="smallest or largest of unknown integers", low=None))
        return Scalar("number") if isinstance(element, (Const, Scalar)) else t.lost("min or max")
    sizes = [as_size(item) for item in items]
    if all(size is not None for size in sizes):
        return of_size(symbolic(*sizes))
    if all(isinstance(item, Const) for item in items):
        try:
            return Const(concrete(item.value for item in items if isinstance(item, Const)))
        except TypeError:
            return t.lost("min or max of mixed constants")
    numbers = all(isinstance(item, (Const, Scalar, Int)) for item in items)
    return Scalar("number") if numbers else t.lost("min or max of lost values")


@builtin("sum")
def sum_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    if not args:
        return t.lost("sum of nothing")
    items = t.context.elements(args[0])
    total: Value = args[1] if len(args) > 1 else named.get("start", Const(0))
    if items is None:
        element = t.context.element(args[0])
        if isinstance(element, Tensor):
            return arithmetic.binary(t, "+", total, element, place)
        if isinstance(element, (Int, Const)) and as_size(element) is not None:
            return Int(fresh("n", Kind.LOST, why="sum of unknown integers", low=None))
        return Scalar("number") if isinstance(element, (Const, Scalar)) else t.lost("sum")
    for item in items:
        total = t.spread([total, item], lambda values: arithmetic.binary(t, "+", values[0], values[1], place))
    return total


@builtin("id", "hash")
def some_integer(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    return Int(fresh("n", Kind.LOST, why="number of an object", low=None))


@builtin("issubclass")
def unknown_bool(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    return t.lost("builtin that is not followed")


@builtin("any")
def any_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    return _quantified(t, args, True)


@builtin("all")
def all_(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    return _quantified(t, args, False)


def _quantified(t: Tracer, args: Args, absorbing: bool) -> Value:
    items = t.context.elements(args[0]) if args else None
    if items is None:
        return Scalar("bool")
    truths = [t.truth(item) for item in items]
    if absorbing in truths:
        return Const(absorbing)
    return Scalar("bool") if None in truths else Const(not absorbing)
