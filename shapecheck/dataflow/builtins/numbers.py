"""Builtin functions that make or combine numbers and strings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from shapecheck.dataflow.builtins.registry import BUILTINS, Builtin, builtin
from shapecheck.dataflow.containers import iteration
from shapecheck.dataflow.operators.arithmetic import binary, method_result
from shapecheck.dataflow.operators.symbolic_float import floor_of
from shapecheck.dataflow.paths.case_split import for_each_alternative
from shapecheck.dataflow.paths.float_counts import check_counts
from shapecheck.dataflow.paths.truth import truth
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.domain.join import is_number
from shapecheck.domain.values import (
    FALSE,
    NONE,
    TRUE,
    Const,
    Int,
    Library,
    Range,
    Ref,
    Scalar,
    Seq,
    Tensor,
    Value,
    as_size,
    of_size,
)
from shapecheck.models.lang.packs import imports_of
from shapecheck.models.lang.registry import lookup
from shapecheck.models.lang.traits import has
from shapecheck.shapes.shape import SCALAR
from shapecheck.shapes.size import Kind, Size, fresh, maximum, minimum

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


@builtin("range", "xrange", "numba.prange")
def range_(t: Tracer, call: Arguments) -> Value:
    check_counts(t, "range", call.args, "a bound is a float, not an integer", call.place)
    sizes = [as_size(arg) for arg in call.args]
    known = [fresh("n", Kind.LOST, why="argument of range", low=None) if size is None else size for size in sizes]
    match known:
        case [stop]:
            return Range(0, stop, 1)
        case [start, stop]:
            return Range(start, stop, 1)
        case [start, stop, step]:
            return Range(start, stop, step)
    return t.lost("unsupported arguments of range")


@builtin("int", "long")
def int_(t: Tracer, call: Arguments) -> Value:
    if not call.args:
        return Const(0)
    value = call.args[0]
    if isinstance(value, Tensor) and isinstance(value.content, Const):
        value = value.content
    if len(call.args) > 1 or call.keywords:
        return Int(fresh("n", Kind.LOST, why="int of a string in a given base", low=None))
    if isinstance(value, Const):
        try:
            return Const(int(value.value))  # type: ignore[call-overload]
        except (TypeError, ValueError, OverflowError):
            return t.lost("int of a constant")
    return of_size(floor_of(t, value))


@builtin("float", "complex")
def float_(t: Tracer, call: Arguments) -> Value:
    if len(call.args) == 1 and isinstance(call.args[0], Const):
        try:
            return Const(float(call.args[0].value))  # type: ignore[arg-type]
        except (TypeError, ValueError, OverflowError):
            pass
    return Scalar("float")


@builtin("bool")
def bool_(t: Tracer, call: Arguments) -> Value:
    """Return the truth of the argument."""
    if not call.args:
        return FALSE
    known = truth(t, call.args[0])
    return Scalar("bool") if known is None else TRUE if known else FALSE


@builtin("str", "repr", "format", "chr", "hex", "oct", "bin", "ascii", "unicode", "input", "raw_input")
def str_(t: Tracer, call: Arguments) -> Value:
    """Return an unknown text."""
    return Scalar("str")


CONVERSIONS: dict[str, Callable[[Any], str]] = {
    "str": str, "unicode": str, "format": format, "repr": repr, "ascii": ascii,
    "chr": chr, "hex": hex, "oct": oct, "bin": bin,
}  # fmt: skip


SHOWN_CLASSES = frozenset(("int", "float", "complex", "bool", "str", "bytes", "list", "tuple", "dict", "set", "range"))


def _conversion(convert: Callable[[Any], str]) -> Builtin:
    """Return a builtin that converts constants to text."""

    def text(t: Tracer, call: Arguments) -> Value:
        if (
            len(call.args) == 1
            and isinstance(call.args[0], Const)
            and isinstance(call.args[0].value, (str, int, float))
        ):
            try:
                return Const(convert(call.args[0].value))
            except (TypeError, ValueError, OverflowError):
                pass
        shown = _shown_class(call.args[0]) if len(call.args) == 1 and convert in (str, repr) else None
        return Scalar("str") if shown is None else Const(shown)

    return text


def _shown_class(value: Value) -> str | None:
    """Return the text of a class of Python, or of a library; None for those whose modules differ between versions."""
    match value:
        case Library(name=name) if has(name, "is printed as a class of its module"):
            return f"<class '{imports_of(name)[0]}.{name.rpartition('.')[2]}'>"
        case Library(name=name) if name.removeprefix("builtins.") in SHOWN_CLASSES:
            return f"<class '{name.removeprefix('builtins.')}'>"
    return None


BUILTINS.update({name: _conversion(convert) for name, convert in CONVERSIONS.items()})


@builtin("ord")
def ord_(t: Tracer, call: Arguments) -> Value:
    if (
        len(call.args) == 1
        and isinstance(call.args[0], Const)
        and isinstance(call.args[0].value, str)
        and len(call.args[0].value) == 1
    ):
        return Const(ord(call.args[0].value))
    return Int(fresh("n", Kind.LOST, why="code of a character"))


@builtin("abs")
def abs_(t: Tracer, call: Arguments) -> Value:
    if call.args and isinstance(call.args[0], Ref):
        with t.at(call.place):
            return method_result(t, call.args[0], "__abs__") or t.lost("abs of an object")
    if call.args and isinstance(call.args[0], Tensor) and (model := lookup(f"{call.args[0].library}.abs")):
        return t.run_model(model, model.name, call)
    size = as_size(call.args[0]) if call.args else None
    if size is not None:
        return of_size(maximum(size, -size))
    return (
        Scalar("number") if call.args and isinstance(call.args[0], (Const, Scalar)) else t.lost("abs of a lost value")
    )


@builtin("round")
def round_(t: Tracer, call: Arguments) -> Value:
    if call.args and isinstance(call.args[0], Const) and isinstance(call.args[0].value, (int, float)):
        digits = as_size(call.args[1]) if len(call.args) > 1 else None
        try:
            return Const(round(call.args[0].value, digits if isinstance(digits, int) else None))
        except (ValueError, OverflowError):
            return t.lost("round of a constant")
    if len(call.args) == 1 and isinstance(call.args[0], Scalar):
        return Int(fresh("n", Kind.LOST, why="rounded number", low=None))
    return (
        Scalar("number") if call.args and isinstance(call.args[0], (Const, Scalar)) else t.lost("round of a lost value")
    )


@builtin("pow")
def pow_(t: Tracer, call: Arguments) -> Value:
    if len(call.args) == 2:
        return for_each_alternative(t, call.args, lambda values: binary(t, "**", values[0], values[1], call.place))
    return t.lost("unsupported arguments of pow")


@builtin("divmod")
def divmod_(t: Tracer, call: Arguments) -> Value:
    if len(call.args) != 2:
        return t.lost("unsupported arguments of divmod")
    parts = [binary(t, op, call.args[0], call.args[1], call.place) for op in ("//", "%")]
    return Seq("tuple", tuple(parts))


@builtin("min")
def min_(t: Tracer, call: Arguments) -> Value:
    return _extreme(t, call.args, call.keywords, minimum, min)


@builtin("max")
def max_(t: Tracer, call: Arguments) -> Value:
    return _extreme(t, call.args, call.keywords, maximum, max)


def _extreme(
    t: Tracer,
    args: Sequence[Value],
    named: Mapping[str, Value],
    symbolic: Callable[..., Size],
    concrete: Callable[..., object],
) -> Value:
    """Return the result of `min` or `max`, for sizes and for constants."""
    if "key" in named:
        return iteration.element(t, args[0]) if len(args) == 1 else t.lost("min or max with a key")
    items: Sequence[Value] | None = args if len(args) > 1 else iteration.elements(t, args[0]) if args else None
    if not items:
        element = iteration.element(t, args[0]) if args else NONE
        if isinstance(element, Int):
            return Int(fresh("n", Kind.LOST, why="smallest or largest of unknown integers", low=None))
        return _one_number([element]) or t.lost("min or max of unknown items")
    sizes = [as_size(item) for item in items]
    if all(size is not None for size in sizes):
        known, number = of_size(symbolic(*sizes)), _one_number(items)
        return replace(number, content=known) if isinstance(number, Tensor) else known
    if all(isinstance(item, Const) for item in items):
        try:
            return Const(concrete(item.value for item in items if isinstance(item, Const)))
        except TypeError:
            return t.lost("min or max of mixed constants")
    return _one_number(items) or t.lost("min or max of lost values")


def _one_number(items: Sequence[Value]) -> Value | None:
    """Return one of several numbers, some of which may be NumPy's; None if one of them may be something else."""
    arrays = [item for item in items if isinstance(item, Tensor) and item.shape == SCALAR and item.library == "np"]
    others = [item for item in items if item not in arrays]
    if not all(map(is_number, others)):
        return None
    dtypes = {item.dtype for item in arrays}
    return (
        Tensor(SCALAR, dtypes.pop() if len(dtypes) == 1 and not others else None, "np") if arrays else Scalar("number")
    )


@builtin("sum")
def sum_(t: Tracer, call: Arguments) -> Value:
    if not call.args:
        return t.lost("sum without arguments")
    items = iteration.elements(t, call.args[0])
    total: Value = call.args[1] if len(call.args) > 1 else call.keywords.get("start", Const(0))
    if items is None:
        element = iteration.element(t, call.args[0])
        if isinstance(element, Tensor):
            return binary(t, "+", total, element, call.place)
        if isinstance(element, (Int, Const)) and as_size(element) is not None:
            return Int(fresh("n", Kind.LOST, why="sum of unknown integers", low=None))
        return Scalar("number") if isinstance(element, (Const, Scalar)) else t.lost("sum of unknown items")
    for item in items:
        total = for_each_alternative(t, [total, item], lambda values: binary(t, "+", values[0], values[1], call.place))
    return total


@builtin("id", "hash")
def unknown_integer(t: Tracer, call: Arguments) -> Value:
    """Return an unknown integer."""
    return Int(fresh("n", Kind.LOST, why="id or hash of an object", low=None))


@builtin("any")
def any_(t: Tracer, call: Arguments) -> Value:
    return _quantified(t, call.args, True)


@builtin("all")
def all_(t: Tracer, call: Arguments) -> Value:
    return _quantified(t, call.args, False)


def _quantified(t: Tracer, args: Sequence[Value], absorbing: bool) -> Value:
    """Return the result of `any` or `all`; one item that is `absorbing` decides it."""
    items = iteration.elements(t, args[0]) if args else None
    if items is None:
        return Scalar("bool")
    truths = [truth(t, item) for item in items]
    if absorbing in truths:
        return Const(absorbing)
    return Scalar("bool") if None in truths else Const(not absorbing)
