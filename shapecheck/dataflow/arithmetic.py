"""Operators on Python values; operators on tensors are handed to the library's model."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from shapecheck.dataflow import objects
from shapecheck.dataflow.conditions import condition
from shapecheck.dataflow.entered import merged
from shapecheck.dataflow.quotients import made_of
from shapecheck.dataflow.repetition import MAX_REPEAT, repeated, repeated_by_scalar
from shapecheck.dataflow.sets import combined
from shapecheck.models.lang.op import Model, lookup_operator
from shapecheck.shapes.shape import differ
from shapecheck.shapes.size import Expr, Kind, Size, fresh
from shapecheck.source import Place
from shapecheck.values import (
    FALSE,
    TRUE,
    Choice,
    Class,
    Code,
    Const,
    Dict,
    Int,
    Library,
    Lost,
    Many,
    ModuleValue,
    Range,
    Ref,
    Scalar,
    Seq,
    Tensor,
    Value,
    as_size,
    is_constant,
    of_size,
)

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}
COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
DUNDERS = {"+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "@": "matmul"}
UNARY: dict[str, Callable[[int], int]] = {"-": operator.neg, "+": operator.pos, "~": operator.inv}
UNARY_NAMES = {"-": "neg", "~": "invert", "+": "pos"}


def library_of(*values: Value) -> str | None:
    """Whose operator applies: TensorFlow's before Keras' before NumPy's."""
    found = {value.library for value in values if isinstance(value, Tensor)}
    return next((library for library in ("tf", "keras", "np") if library in found), None)


def unary(t: Tracer, op: str, operand: Value, place: Place) -> Value:
    library = library_of(operand)
    if library is not None:
        return operate(t, library, UNARY_NAMES[op], [operand], place)
    size = as_size(operand)
    if op in "+-" and isinstance(operand, Const) and isinstance(operand.value, (float, complex)):
        return Const(-operand.value if op == "-" else operand.value)
    if size is not None and op != "~":
        return of_size(-size if op == "-" else size)
    if isinstance(operand, Const) and isinstance(operand.value, bool):
        return Const(UNARY[op](int(operand.value)))
    return Scalar(operand.kind) if isinstance(operand, Scalar) else t.lost("operand of a unary operator")


def operator_model(library: str, op: str, operands: Sequence[Value]) -> Model | None:
    """The library's model of an operator, which may mean something else for operands of a certain role."""
    roles = [value.role for value in operands if isinstance(value, Tensor) and value.role != "tensor"]
    found = (lookup_operator(library, op, role) for role in roles or ("",))
    return next(filter(None, found), None)


def operate(t: Tracer, library: str, op: str, operands: list[Value], place: Place) -> Value:
    """A library's operator as a step of the graph."""
    model = operator_model(library, op, operands)
    if model is None:
        t.unmodelled[f"{library} operator {op}"] += 1
        return t.lost("operator without a model")
    return t.context.run(model, f"{library}.{op}", operands, {}, place)


def binary(t: Tracer, op: str, left: Value, right: Value, place: Place) -> Value:
    if op == "%" and _scalar_kind(left) == "str":
        return _formatted(left, t.context.freeze(right, deep=False))
    library = library_of(left, right)
    if op == "*" and library == "np" and (longer := repeated_by_scalar(t, left, right)) is not None:
        return longer
    if library is not None and not _user_operand(left, right):
        return operate(t, library, op, [left, right], place)
    a, b = as_size(left), as_size(right)
    if op == "/" and a is not None and b is not None and t.project.is_python2(place):
        op = "//"
    if isinstance(left, Const) and isinstance(right, Const):
        return _constants(t, op, left.value, right.value)
    if a is not None and b is not None:
        return _integers(t, op, a, b)
    return _other(t, op, left, right, place)


def _user_operand(left: Value, right: Value) -> bool:
    return any(isinstance(value, Ref) and value.cls == "user" for value in (left, right))


def _constants(t: Tracer, op: str, left: Any, right: Any) -> Value:
    if op == "**" and (abs(right) > 64 if isinstance(right, (int, float)) else True):
        return Scalar("number")
    if op == "*" and any(isinstance(x, int) and x > MAX_REPEAT and not isinstance(y, (int, float, complex))
                         for x, y in ((left, right), (right, left))):  # fmt: skip
        return Scalar("str")
    if op == "<<" and isinstance(right, int) and right > 256:
        return Scalar("int")
    try:
        result = BINARY[op](left, right)
    except Exception:
        return t.lost("operator that raises")
    simple = isinstance(result, (bool, int, float, complex, str, bytes))
    return Const(result) if simple else t.lost("operator on constants")


def _percent(text: str, value: object) -> Value:
    try:
        return Const(text % value)
    except Exception:
        return Scalar("str")


def _integers(t: Tracer, op: str, a: Size, b: Size) -> Value:
    match op:
        case "+":
            return of_size(a + b)
        case "-":
            return of_size(a - b)
        case "*":
            return of_size(a * b)
        case "//":
            return _int(t, "//", a, b) if b == 0 else of_size(a // b)
        case "%":
            return _int(t, "%", a, b) if b == 0 else of_size(a % b)
        case "/":
            return made_of(t, op, of_size(a), of_size(b))
        case "**" if isinstance(b, int) and 0 <= b <= 6:
            result: Size = 1
            for _ in range(b):
                result = result * a
            return of_size(result)
        case "<<" if isinstance(b, int) and 0 <= b < 64:
            return of_size(a * 2**b)
        case ">>" if isinstance(b, int) and 0 <= b < 64:
            return of_size(a // 2**b)
    return _int(t, op, a, b)


def _int(t: Tracer, op: str, a: Size, b: Size) -> Value:
    return Int(fresh("n", Kind.LOST, why=f"{a} {op} {b}", low=None))


def _other(t: Tracer, op: str, left: Value, right: Value, place: Place) -> Value:
    for owner, other, prefix in ((left, right, "__"), (right, left, "__r")):
        if isinstance(owner, Ref) and owner.cls not in ("list", "dict", "set"):
            method = t.context.get(owner, f"{prefix}{DUNDERS.get(op, 'or')}__")
            if method is not None:
                return t.context.call(method, [other])
    a, b = t.context.freeze(left, deep=False), t.context.freeze(right, deep=False)
    if isinstance(a, Choice) or isinstance(b, Choice):
        return t.spread([a, b], lambda values: _other(t, op, values[0], values[1], place))
    if op == "+" and isinstance(a, (Seq, Many, Range)) and isinstance(b, (Seq, Many, Range)):
        return _concatenated(t, left, a, b)
    if op == "*":
        for sequence, count in ((a, b), (b, a)):
            if isinstance(sequence, (Seq, Many)):
                return repeated(t, sequence, count)
    made = combined(t, op, a, b)
    if made is not None:
        return made
    if op == "|" and isinstance(a, Dict) and isinstance(b, Dict):
        return t.new_container("dict", merged(t, a, b))
    return _scalars(t, op, left, right)


def _formatted(text: Value, value: Value) -> Value:
    parts = value.items if isinstance(value, Seq) and value.kind == "tuple" else (value,)
    known = text.value if isinstance(text, Const) else None
    if isinstance(known, str) and all(isinstance(part, Const) for part in parts):
        return _percent(known, tuple(part.value for part in parts if isinstance(part, Const)))
    return Scalar("str")


def _concatenated(t: Tracer, left: Value, a: Value, b: Value) -> Value:
    kind = a.kind if isinstance(a, (Seq, Many)) else "list"
    first, second = t.context.elements(a), t.context.elements(b)
    joined: Value
    if first is not None and second is not None:
        joined = Seq(kind, first + second)  # type: ignore[arg-type]
    else:
        length = t.context.length(a) + t.context.length(b)
        joined = Many(kind, t.generalise_elements(a, b), length)
    return t.new_container(kind, joined) if kind in ("list", "set") else joined


def _scalars(t: Tracer, op: str, left: Value, right: Value) -> Value:
    kinds = {_scalar_kind(left), _scalar_kind(right)}
    if None in kinds or "other" in kinds:
        return t.lost("operator on a lost value")
    if "str" in kinds:
        return Scalar("str")
    if op == "/" or "float" in kinds:
        return made_of(t, op, left, right)
    if kinds <= {"int", "bool"}:
        return Int(fresh("n", Kind.LOST, why="arithmetic on unknown integers", low=None))
    return Scalar("number")


def _scalar_kind(value: Value) -> str | None:
    match value:
        case Scalar(kind=kind):
            return kind
        case Int():
            return "int"
        case Const(value=constant):
            return type(constant).__name__
        case Lost():
            return None
    return "other"


def compare(t: Tracer, op: str, left: Value, right: Value, place: Place) -> Value:
    """One comparison; the outcome is a constant where it is certain, else a condition that can be assumed."""
    if op in ("is", "is not", "in", "not in"):
        return _identity(t, op, left, right) if op.startswith("is") else _membership(t, op, left, right)
    library = library_of(left, right)
    if library is not None and not any(isinstance(v, Const) and v.value is None for v in (left, right)):
        return operate(t, library, op, [left, right], place)
    method = _own_order(t, left, op)
    if method is not None:
        return t.context.call(method, [right])
    if isinstance(left, Const) and isinstance(right, Const):
        try:
            return TRUE if COMPARE[op](left.value, right.value) else FALSE
        except TypeError:
            return Scalar("bool")
    if op in ("==", "!="):
        same = _equal(t, left, right)
        if same is not None:
            return TRUE if same is (op == "==") else FALSE
    return _decided(t, condition(t, op, left, right))


ORDERS = {"<": "lt", "<=": "le", "==": "eq", "!=": "ne", ">": "gt", ">=": "ge"}


def _own_order(t: Tracer, owner: Value, op: str) -> Value | None:
    """How an object of a library compares itself; objects of the program are left to their identity."""
    if not isinstance(owner, Ref) or owner.cls in ("list", "dict", "set", "user"):
        return None
    return t.context.get(owner, f"__{ORDERS[op]}__")


def _decided(t: Tracer, value: Value) -> Value:
    known = t.truth(value)
    return value if known is None else TRUE if known else FALSE


def _equal(t: Tracer, left: Value, right: Value) -> bool | None:
    """Equality of values that are not numbers; None if unknown."""
    if isinstance(left, Library) and isinstance(right, Library):
        return left == right or (False if _are_other_types(left, right) else None)
    if isinstance(left, Class) and isinstance(right, (Class, Library)):
        return left == right
    if isinstance(left, Ref) and isinstance(right, Ref) and (same := objects.same_member(t, left, right)) is not None:
        return same
    a, b = t.context.freeze(left, deep=False), t.context.freeze(right, deep=False)
    if isinstance(a, Seq) and isinstance(b, Seq):
        if len(a.items) != len(b.items):
            return False
        verdicts = [_item_equal(t, x, y) for x, y in zip(a.items, b.items, strict=True)]
        return False if False in verdicts else None if None in verdicts else True
    concrete = (Const, Int, Seq, Dict, Tensor)
    if isinstance(a, concrete) and isinstance(b, concrete) and type(a) is not type(b):
        numbers = isinstance(a, (Const, Int)) and isinstance(b, (Const, Int))
        return None if numbers or isinstance(a, Tensor) or isinstance(b, Tensor) else False
    return None


_NUMBERS = frozenset({"builtins.int", "builtins.float", "builtins.bool", "builtins.complex"})
_TYPES = _NUMBERS | {f"builtins.{name}" for name in ("list", "tuple", "dict", "set", "str")}


def _are_other_types(left: Library, right: Library) -> bool:
    """Whether two types of Python differ for certain; which number a value is need not be known."""
    both = {left.name, right.name}
    return left != right and both <= _TYPES and not both <= _NUMBERS


def _item_equal(t: Tracer, left: Value, right: Value) -> bool | None:
    if isinstance(left, Const) and isinstance(right, Const):
        return bool(left.value == right.value)
    if as_size(left) is not None and as_size(right) is not None:
        return t.truth(condition(t, "==", left, right))
    return _equal(t, left, right)


def _identity(t: Tracer, op: str, left: Value, right: Value) -> Value:
    same: bool | None = None
    if isinstance(left, Const) and isinstance(right, Const):
        same = left == right
    elif isinstance(right, Const) and right.value is None:
        same = _is_none(left)
    elif isinstance(left, Const) and left.value is None:
        same = _is_none(right)
    elif isinstance(left, (Ref, Class, Code, ModuleValue, Library)) and type(left) is type(right):
        same = left == right
    elif isinstance(left, Tensor) and isinstance(right, Tensor) and differ(left.shape, right.shape):
        same = False
    if same is None:
        return _decided(t, condition(t, op, left, right))
    return TRUE if same is (op == "is") else FALSE


def _is_none(value: Value) -> bool | None:
    """Whether a value that is not the constant None can be None: a size that is dynamic may be None statically."""
    if isinstance(value, Lost):
        return None
    if isinstance(value, Int):
        dynamic = any(symbol.kind is not Kind.FREE for symbol in value.size.symbols())
        return None if dynamic else False
    return isinstance(value, Const) and value.value is None


def _membership(t: Tracer, op: str, item: Value, container: Value) -> Value:
    frozen = t.context.freeze(container, deep=False)
    found: bool | None = None
    if isinstance(frozen, Const) and isinstance(frozen.value, str):
        found = item.value in frozen.value if isinstance(item, Const) and isinstance(item.value, str) else None
    elif isinstance(item, Ref) and isinstance(frozen, Seq):
        found = _among(objects.same_member(t, item, other) for other in frozen.items)
    elif isinstance(item, (Class, Library)) and isinstance(frozen, Seq):
        found = _among(_equal(t, item, other) for other in frozen.items)
    elif is_constant(item):
        if isinstance(frozen, Dict):
            present = frozen.get(item) is not None
            found = True if present else (None if frozen.rest is not None or _open(frozen) else False)
        elif isinstance(frozen, Seq) and all(map(is_constant, frozen.items)):
            found = _among(_item_equal(t, item, other) for other in frozen.items)
    if found is None:
        return condition(t, op, item, container)
    return TRUE if found is (op == "in") else FALSE


def _among(verdicts: Iterable[bool | None]) -> bool | None:
    """Whether an item is in a sequence, of what is known of it and each item there."""
    said = set(verdicts)
    return True if True in said else None if None in said else False


def _open(mapping: Dict) -> bool:
    return not all(is_constant(key) for key, _ in mapping.items)


__all__ = ["Expr", "binary", "compare", "library_of", "operate", "unary"]
