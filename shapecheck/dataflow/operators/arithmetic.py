"""Arithmetic operators on Python values."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from shapecheck.dataflow.containers.dict_update import merged
from shapecheck.dataflow.objects.array_classes import array_in
from shapecheck.dataflow.objects.attributes import find_attribute, special_method
from shapecheck.dataflow.operators.concatenation import added
from shapecheck.dataflow.operators.library_operators import NOT_IMPLEMENTED, UNARY_NAMES, library_of, operate
from shapecheck.dataflow.operators.repetition import MAX_REPEAT, repeated, repeated_by_scalar
from shapecheck.dataflow.operators.sets import set_operation
from shapecheck.dataflow.operators.symbolic_float import symbolic_float
from shapecheck.dataflow.operators.undefined import refuse_sequence
from shapecheck.dataflow.paths.case_split import for_each_alternative
from shapecheck.dataflow.stages.missing_results import refuse_missing
from shapecheck.dataflow.stages.python_values import check_interpolation
from shapecheck.dataflow.stages.static_sizes import refuse_open
from shapecheck.dataflow.state.sizes_of_parameters import SizesOfParameters
from shapecheck.domain.values import (
    ANNOTATED,
    CONTAINERS,
    NONE,
    Choice,
    Const,
    Dict,
    Failed,
    HomogeneousSeq,
    Int,
    Lost,
    Ref,
    Scalar,
    Seq,
    Tensor,
    Value,
    as_size,
    of_size,
)
from shapecheck.shapes.size import Kind, Size, fresh
from shapecheck.source import Place

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
ARITHMETIC = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "truediv",
    "//": "floordiv",
    "%": "mod",
    "**": "pow",
    "@": "matmul",
}
OF_NUMBERS = ("+", "-", "*", "//", "/", "**")
"""The operators that give a number for numbers."""
DUNDERS = {**ARITHMETIC, "&": "and", "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift"}
UNARY_METHODS = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}
UNARY: dict[str, Callable[[int], int]] = {"-": operator.neg, "+": operator.pos, "~": operator.inv}


def unary(t: Tracer, op: str, operand: Value, place: Place) -> Value:
    """Return the result of a unary operator."""
    of_object = method_result(t, operand, UNARY_METHODS[op])
    if of_object is not None:
        return of_object
    operand = array_in(t, operand)
    if t.has_missing:
        refuse_missing(t, [operand], op, place)
        refuse_open(t, [operand], op, place)
    library = library_of(operand)
    if library is not None:
        return operate(t, library, UNARY_NAMES[op], [operand], place)
    size = as_size(operand)
    if op in "+-" and isinstance(operand, Const) and isinstance(operand.value, (float, complex)):
        return Const(-operand.value if op == "-" else operand.value)
    if size is not None and op != "~":
        return of_size(-size if op == "-" else size)
    if op == "~" and _scalar_kind(operand) == "bool":
        return t.lost("number or mask")
    if (failed := refuse_sequence(t, op, (operand,), place)) is not None:
        return failed
    if isinstance(operand, Const) and isinstance(operand.value, bool):
        return Const(UNARY[op](int(operand.value)))
    return Scalar(operand.kind) if isinstance(operand, Scalar) else t.lost("operand of a unary operator")


def method_result(t: Tracer, owner: Value, name: str, *args: Value) -> Value | None:
    """Return what a method of an object gives that stands for an operator; None if there is none for these operands."""
    if not isinstance(owner, Ref) or owner.cls in CONTAINERS:
        return None
    method = special_method(t, owner, name)
    result = NOT_IMPLEMENTED if method is None else t.call_here(method, args)
    return None if result == NOT_IMPLEMENTED else result


def binary(t: Tracer, op: str, left: Value, right: Value, place: Place) -> Value:
    """Return the result of a binary operator."""
    if op == "%" and _scalar_kind(left) == "str":
        values = t.freeze(right, deep=False)
        if t.has_graphs:
            check_interpolation(t, left, values, place)
        return _formatted_text(left, values)
    of_object = _of_library_object(t, op, left, right)
    if of_object is not None:
        return of_object
    library = library_of(left, right)
    if op == "*" and library == "np" and (repeated_list := repeated_by_scalar(t, left, right)) is not None:
        return repeated_list
    if library is not None and not _user_operand(left, right):
        return operate(t, library, op, [left, right], place)
    if t.has_missing and op != "%":
        refuse_missing(t, [left, right], op, place)
        refuse_open(t, [left, right], op, place)
    a, b = as_size(left), as_size(right)
    if op == "/" and a is not None and b is not None and t.program.is_python2(place):
        op = "//"
    if isinstance(left, Const) and isinstance(right, Const):
        return _constant_operation(t, op, left.value, right.value)
    if a is not None and b is not None:
        return _size_operation(t, op, a, b)
    return _other_operands(t, op, left, right, place)


def _of_library_object(t: Tracer, op: str, left: Value, right: Value) -> Value | None:
    """Return the result of an operator that an object of a library defines, such as a sparse matrix; else None."""
    for owner, other, prefix in ((left, right, "__"), (right, left, "__r")):
        if isinstance(owner, Ref) and owner.cls not in CONTAINERS and owner.cls != "user" and op in DUNDERS:
            method = find_attribute(t, owner, f"{prefix}{DUNDERS[op]}__")
            if method is not None:
                return t.call_here(method, [other])
    return None


def raises_for_none(op: str, operands: Sequence[Value]) -> bool:
    """Return whether an operator certainly raises for None and a number, an array of numbers or a sequence."""
    left, right = operands
    other = right if left == NONE else left if right == NONE else None
    if op not in ARITHMETIC or _scalar_kind(left) == "str" or (isinstance(other, Tensor) and other.dtype == "object"):
        return False
    return isinstance(other, (Const, Int, Scalar, Tensor, Seq, HomogeneousSeq)) and other != NONE


def _user_operand(left: Value, right: Value) -> bool:
    """Return whether an operand is an instance of a class of the program."""
    return any(isinstance(value, Ref) and value.cls == "user" for value in (left, right))


def _constant_operation(t: Tracer, op: str, left: Any, right: Any) -> Value:
    """Return the result of an operator on two constants, unless it is too large."""
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


def _format_constants(text: str, value: object) -> Value:
    """Return the text of a format with constants."""
    try:
        return Const(text % value)
    except Exception:
        return Scalar("str")


def _size_operation(t: Tracer, op: str, a: Size, b: Size) -> Value:
    """Return the result of an operator on two sizes."""
    match op:
        case "+":
            return of_size(a + b)
        case "-":
            return of_size(a - b)
        case "*":
            return of_size(a * b)
        case "//":
            return _unknown_result("//", a, b) if b == 0 else of_size(a // b)
        case "%":
            return _unknown_result("%", a, b) if b == 0 else of_size(a % b)
        case "/":
            return symbolic_float(t, op, of_size(a), of_size(b))
        case "**" if isinstance(b, int) and 0 <= b <= 6:
            result: Size = 1
            for _ in range(b):
                result = result * a
            return of_size(result)
        case "<<" if isinstance(b, int) and 0 <= b < 64:
            return of_size(a * 2**b)
        case ">>" if isinstance(b, int) and 0 <= b < 64:
            return of_size(a // 2**b)
    return _unknown_result(op, a, b)


def _unknown_result(op: str, a: Size, b: Size) -> Value:
    """Return an unknown integer that is the result of an operator."""
    return Int(fresh("n", Kind.LOST, why=f"{a} {op} {b}", low=None))


def _other_operands(t: Tracer, op: str, left: Value, right: Value, place: Place) -> Value:
    """Return the result of an operator on other values: objects, sequences, sets, dicts and scalars."""
    for owner, other, prefix in ((left, right, "__"), (right, left, "__r")):
        result = method_result(t, owner, f"{prefix}{DUNDERS[op]}__", other)
        if result is not None:
            return result
    arrays = [array_in(t, value) for value in (left, right)]
    if arrays != [left, right]:
        return binary(t, op, arrays[0], arrays[1], place)
    a, b = t.freeze(left, deep=False), t.freeze(right, deep=False)
    if isinstance(a, Choice) or isinstance(b, Choice):
        return for_each_alternative(t, [a, b], lambda values: _other_operands(t, op, values[0], values[1], place))
    if op == "+" and (joined := added(t, left, right, (a, b), place)) is not None:
        return joined
    if (failed := refuse_sequence(t, op, (left, right), place)) is not None:
        return failed
    if op == "*":
        for sequence, count in ((a, b), (b, a)):
            if isinstance(sequence, (Seq, HomogeneousSeq)):
                return repeated(t, sequence, count, place)
    made = set_operation(t, op, a, b)
    if made is not None:
        return made
    if op == "|" and isinstance(a, Dict) and isinstance(b, Dict):
        return t.new_container("dict", merged(t, a, b))
    return _scalars(t, op, left, right)


def _formatted_text(text: Value, value: Value) -> Value:
    """Return the text of `text % value`."""
    parts = value.items if isinstance(value, Seq) and value.kind == "tuple" else (value,)
    known = text.value if isinstance(text, Const) else None
    if isinstance(known, str) and all(isinstance(part, Const) for part in parts):
        return _format_constants(known, tuple(part.value for part in parts if isinstance(part, Const)))
    return Scalar("str")


def _scalars(t: Tracer, op: str, left: Value, right: Value) -> Value:
    """Return the kind of number that an operator gives."""
    kinds = {_scalar_kind(left), _scalar_kind(right)}
    if None in kinds or "other" in kinds:
        failed = next((value for value in (left, right) if isinstance(value, Failed)), None)
        return failed or _lost_number(t, op, left, right)
    if "str" in kinds:
        is_defined = (op == "+" and kinds == {"str"}) or (op == "*" and kinds <= {"str", "int", "bool"})
        return Scalar("str") if is_defined else t.lost("operator that raises")
    is_declared = any(isinstance(value, Scalar) and value.why == ANNOTATED for value in (left, right))
    if is_declared and not kinds <= {"int", "bool"}:
        return Scalar("number", why=ANNOTATED)
    if op == "/" or "float" in kinds:
        return symbolic_float(t, op, left, right)
    if kinds <= {"int", "bool"}:
        return Int(fresh("n", Kind.LOST, why="arithmetic on unknown integers", low=None))
    return Scalar("number")


def _lost_number(t: Tracer, op: str, left: Value, right: Value) -> Value:
    """Return an unknown value; what is computed from parameters is a number as soon as they are known to be."""
    result = t.lost("operator on a lost value")
    if t.is_standalone and op in OF_NUMBERS:
        t.component(SizesOfParameters).note_operation(result, op, left, right, partial(_of_numbers, t, op))
    return result


def _of_numbers(t: Tracer, op: str, left: Value, right: Value) -> Value:
    """Return the result of an operator on two numbers."""
    a, b = as_size(left), as_size(right)
    return _scalars(t, op, left, right) if a is None or b is None else _size_operation(t, op, a, b)


def _scalar_kind(value: Value) -> str | None:
    """Return the name of the type of a scalar; None for a lost value, "other" for others."""
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
