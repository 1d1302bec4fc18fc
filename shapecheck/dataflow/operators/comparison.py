"""Comparisons, identity and membership."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from shapecheck.dataflow.containers.dict_update import entry
from shapecheck.dataflow.containers.iteration import contents
from shapecheck.dataflow.objects.array_classes import array_in
from shapecheck.dataflow.objects.attributes import find_attribute
from shapecheck.dataflow.objects.enum_members import constant_of, same_member
from shapecheck.dataflow.objects.mro import class_attribute
from shapecheck.dataflow.operators.library_operators import NOT_IMPLEMENTED, library_of, operate
from shapecheck.dataflow.operators.undefined import refuse_sequence
from shapecheck.dataflow.paths.conditions import condition
from shapecheck.dataflow.paths.truth import truth
from shapecheck.dataflow.stages.checks import is_keras_tensor, require_iterable, require_value
from shapecheck.dataflow.stages.missing_results import expect_some
from shapecheck.dataflow.stages.static_sizes import refuse_open
from shapecheck.domain.values import (
    FALSE,
    NONE,
    TRUE,
    Class,
    Const,
    Dict,
    Function,
    Int,
    Library,
    Lost,
    Method,
    ModuleValue,
    Ref,
    Scalar,
    Seq,
    Tensor,
    Value,
    as_size,
    is_constant,
    items_of,
    label_count,
)
from shapecheck.models.lang.traits import has
from shapecheck.shapes.shape import Shape, differ
from shapecheck.shapes.size import Kind
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def compare(t: Tracer, op: str, left: Value, right: Value, place: Place) -> Value:
    """Return the result of one comparison: a constant if it is certain, otherwise a condition that can be assumed."""
    if op in ("is", "is not", "in", "not in"):
        return _identity(t, op, left, right) if op.startswith("is") else _membership(t, op, left, right, place)
    found = _by_method(t, op, left, right)
    return _compared(t, op, left, right, place) if found is None else found


def _compared(t: Tracer, op: str, left: Value, right: Value, place: Place) -> Value:
    """Return the result of a comparison of values that have no methods of the program for it."""
    left, right = (constant_of(t, array_in(t, value)) for value in (left, right))
    library = library_of(left, right)
    if t.has_missing and op not in ("==", "!="):
        refuse_open(t, [left, right], op, place)
    if library == "tf" and op in ("==", "!=") and t.target.deferred:
        return _same_object(left, right, op)
    if op in ("==", "!=") and is_keras_tensor(left) and is_keras_tensor(right) and not _has_elementwise_equality(t):
        return Scalar("bool") if t.target.keras == 3 else t.lost("a comparison of symbolic tensors")
    if library is not None and not any(isinstance(v, Const) and v.value is None for v in (left, right)):
        return operate(t, library, op, [left, right], place)
    for value in (left, right):
        labels = label_count(t.freeze(value, deep=False))
        if labels is not None:
            return Tensor(Shape((labels,)), "bool", "np")
    method = _comparison_method(t, left, op)
    if method is not None:
        return t.call_here(method, [right])
    if isinstance(left, Const) and isinstance(right, Const):
        try:
            return TRUE if COMPARE[op](left.value, right.value) else FALSE
        except TypeError:
            return Scalar("bool")
    return _of_others(t, op, left, right, place)


def _of_others(t: Tracer, op: str, left: Value, right: Value, place: Place) -> Value:
    """Return the result of a comparison of values that are no arrays, and not both constants."""
    if op in ("==", "!="):
        same = _equal(t, left, right)
        if same is not None:
            return TRUE if same is (op == "==") else FALSE
    elif not t.program.is_python2(place) and (failed := refuse_sequence(t, op, (left, right), place)) is not None:
        return failed
    return _as_constant(t, condition(t, op, left, right))


def _has_elementwise_equality(t: Tracer) -> bool:
    """Return whether symbolic tensors of Keras are compared by their elements, as by the last versions before 3."""
    return t.target.keras == 2 and t.target.tensorflow != 1 and not t.target.dated


def _same_object(left: Value, right: Value, op: str) -> Value:
    """Return the result of `==` or `!=` on tensors of TensorFlow 1, which compare objects."""
    if any(isinstance(value, (Const, Int, Scalar)) for value in (left, right)):
        return FALSE if op == "==" else TRUE
    return Scalar("bool")


METHODS = {"<": "lt", "<=": "le", "==": "eq", "!=": "ne", ">": "gt", ">=": "ge"}
REFLECTED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _by_method(t: Tracer, op: str, left: Value, right: Value) -> Value | None:
    """Return the result of the comparison method of an object of the program; None if neither operand has one."""
    for owner, other, name in ((left, right, op), (right, left, REFLECTED.get(op, op))):
        cls = t.heap.get((owner.address, "__class__")) if isinstance(owner, Ref) and owner.cls == "user" else None
        method = class_attribute(t, cls, f"__{METHODS[name]}__") if isinstance(cls, Class) else None
        if isinstance(method, Function):
            result = t.call_here(Method(owner, method), [other])
            if result != NOT_IMPLEMENTED:
                return result
    return None


def _comparison_method(t: Tracer, owner: Value, op: str) -> Value | None:
    """Return the comparison method of a library object; objects of the program are compared by identity."""
    if not isinstance(owner, Ref) or owner.cls in ("list", "dict", "set", "user"):
        return None
    return find_attribute(t, owner, f"__{METHODS[op]}__")


def _as_constant(t: Tracer, value: Value) -> Value:
    """Return a condition as a constant if its truth is certain."""
    known = truth(t, value)
    return value if known is None else TRUE if known else FALSE


CODE = (Class, Function, ModuleValue)
"""Values that are equal only to themselves."""


def _equal(t: Tracer, left: Value, right: Value) -> bool | None:
    """Return whether values that are not numbers are equal, or None if unknown."""
    if isinstance(left, Library) and isinstance(right, Library):
        return left == right or _are_same_dtypes(left, right) or (False if _are_other_types(left, right) else None)
    if isinstance(left, CODE) and isinstance(right, (*CODE, Library)):
        return left == right
    if isinstance(left, Ref) and isinstance(right, Ref) and (same := same_member(t, left, right)) is not None:
        return same
    a, b = t.freeze(left, deep=False), t.freeze(right, deep=False)
    a, b = _beside(a, b), _beside(b, a)
    if isinstance(a, Seq) and isinstance(b, Seq):
        if len(a.items) != len(b.items):
            return False
        verdicts = [_item_equal(t, x, y) for x, y in zip(a.items, b.items, strict=True)]
        return False if False in verdicts else None if None in verdicts else True
    for one, other in ((a, b), (b, a)):
        if isinstance(one, (Function, Method)) and isinstance(other, (Const, Int, Seq, Dict)):
            return False
    concrete = (Const, Int, Seq, Dict, Tensor)
    if isinstance(a, concrete) and isinstance(b, concrete) and type(a) is not type(b):
        numbers = isinstance(a, (Const, Int)) and isinstance(b, (Const, Int))
        return None if numbers or isinstance(a, Tensor) or isinstance(b, Tensor) else False
    return None


def _beside(value: Value, other: Value) -> Value:
    """Return an operand as another one reads it: beside a TensorShape, a number is a shape of one axis."""
    is_shape = isinstance(other, Seq) and other.kind == "shape"
    return Seq("shape", (value,)) if is_shape and as_size(value) is not None else value


def _are_same_dtypes(left: Library, right: Library) -> bool:
    """Return whether two names are of the same dtype of NumPy, which other libraries name, too."""
    is_same = left.name.rpartition(".")[2] == right.name.rpartition(".")[2]
    return is_same and all(has(each.name, "is a dtype of NumPy") for each in (left, right))


EMPTY = Seq("tuple", ())
_NUMBERS = frozenset({"builtins.int", "builtins.float", "builtins.bool", "builtins.complex"})
_TYPES = _NUMBERS | {f"builtins.{name}" for name in ("list", "tuple", "dict", "set", "str")}


def _are_other_types(left: Library, right: Library) -> bool:
    """Return whether two builtin types or dtypes certainly differ; the exact type of a number may be unknown."""
    both = {left.name, right.name}
    if any(has(name, "is a dtype of texts") for name in both) and any(
        has(name, "is a dtype of numbers") for name in both
    ):
        return True
    if left != right and all(has(name, "is a dtype of numbers") for name in both):
        return True
    return left != right and both <= _TYPES and not both <= _NUMBERS


def _item_equal(t: Tracer, left: Value, right: Value) -> bool | None:
    """Return whether two items are equal, or None if unknown."""
    if isinstance(left, Const) and isinstance(right, Const):
        return bool(left.value == right.value)
    if as_size(left) is not None and as_size(right) is not None:
        return truth(t, condition(t, "==", left, right))
    return _equal(t, left, right)


def _identity(t: Tracer, op: str, left: Value, right: Value) -> Value:
    """Return the result of `is` or `is not`."""
    if t.has_missing and right == NONE:
        expect_some(t, left)
    same: bool | None = None
    if isinstance(left, Const) and isinstance(right, Const):
        same = left == right
    elif isinstance(right, Const) and right.value is None:
        same = _is_none(left)
    elif isinstance(left, Const) and left.value is None:
        same = _is_none(right)
    elif isinstance(left, (Ref, *CODE, Library)) and type(left) is type(right):
        same = left == right
    elif _are_other_objects(t, left, right):
        same = False
    elif EMPTY in (left, right):  # which Python makes once
        other = right if left == EMPTY else left
        same = other == EMPTY if isinstance(other, (Const, Ref, Seq, Tensor)) else None
    if same is None:
        return _as_constant(t, condition(t, op, left, right))
    return TRUE if same is (op == "is") else FALSE


def _are_other_objects(t: Tracer, left: Value, right: Value) -> bool:
    """Return whether values certainly are different objects."""
    if isinstance(left, Tensor) and isinstance(right, Tensor):
        return differ(left.shape, right.shape)
    return _is_own_object(t, left, right) or _is_own_object(t, right, left)


def _is_own_object(t: Tracer, value: Value, other: Value) -> bool:
    """Return whether a value is an object of a class of the program, and the other one certainly is none."""
    is_own = isinstance(value, Ref) and value.cls == "user" and array_in(t, value) is value
    return is_own and isinstance(other, (Const, Int, Scalar, Seq, Tensor, *CODE))


def _is_none(value: Value) -> bool | None:
    """Return whether a value is None, or None if unknown: an open size may be None in a static shape."""
    if isinstance(value, Lost):
        return None
    if isinstance(value, Int):
        dynamic = any(symbol.kind is not Kind.FREE for symbol in value.size.symbols())
        return None if dynamic else False
    return isinstance(value, Const) and value.value is None


def _membership(t: Tracer, op: str, item: Value, container: Value, place: Place) -> Value:
    """Return the result of `in` or `not in`."""
    is_of_program = isinstance(container, Ref) and container.cls == "user"
    frozen = t.freeze(container, deep=False) if is_of_program else contents(t, container)
    require_iterable(t, [frozen], place, op)
    found: bool | None = None
    item, frozen = constant_of(t, item), _with_constants(t, frozen)
    if isinstance(frozen, Seq) and isinstance(item, Tensor):
        if _compares_elements(t, item, frozen.items):
            require_value(t, item, place, op)
        elif any(_is_same_tensor(item, other) for other in frozen.items):
            found = True
    elif isinstance(frozen, Const) and isinstance(frozen.value, str):
        found = item.value in frozen.value if isinstance(item, Const) and isinstance(item.value, str) else None
    elif isinstance(item, Ref) and isinstance(frozen, Seq):
        found = _any_true(same_member(t, item, other) for other in frozen.items)
    elif isinstance(item, (*CODE, Library)) and isinstance(frozen, Seq):
        found = _any_true(_equal(t, item, other) for other in frozen.items)
    elif is_constant(item):
        if isinstance(frozen, Dict):
            present = entry(t, frozen, item) is not None
            found = True if present else (None if frozen.rest is not None or _has_unknown_keys(frozen) else False)
        elif (items := items_of(frozen)) is not None and all(map(is_constant, items)):
            found = _any_true(_item_equal(t, item, other) for other in items)
    if found is None:
        is_known = isinstance(frozen, Seq) and all(map(is_constant, frozen.items))
        return condition(t, op, item, frozen if is_known else container)
    return TRUE if found is (op == "in") else FALSE


def _with_constants(t: Tracer, container: Value) -> Value:
    """Return a sequence with constants for members of enumerations that are constants; other values as they are."""
    if not isinstance(container, Seq) or not any(isinstance(item, Ref) for item in container.items):
        return container
    return Seq(container.kind, tuple(constant_of(t, item) for item in container.items))


def _compares_elements(t: Tracer, item: Tensor, others: Sequence[Value]) -> bool:
    """Return whether a search in a sequence compares a tensor by its elements before it meets the tensor itself.

    Keras 3 compares symbolic tensors as objects, and TensorFlow does so with those of graphs that a session runs.
    """
    if (item.library == "keras" and t.target.keras != 2) or t.target.deferred:
        return False
    first = next((other for other in others if other != NONE), NONE)
    if isinstance(first, Tensor):
        return bool(item.step) and not (item.is_ambiguous or first.is_ambiguous or _is_same_tensor(item, first))
    return is_constant(first) and first != NONE


def _is_same_tensor(item: Tensor, other: Value) -> bool:
    """Return whether two values are certainly one object."""
    if not isinstance(other, Tensor) or not item.step or item.is_ambiguous or other.is_ambiguous:
        return False
    return (item.step, item.output) == (other.step, other.output)


def _any_true(verdicts: Iterable[bool | None]) -> bool | None:
    """Return whether any comparison is true, or None if unknown."""
    seen = set(verdicts)
    return True if True in seen else None if None in seen else False


def _has_unknown_keys(mapping: Dict) -> bool:
    """Return whether a dict has keys that are not constants."""
    return not all(is_constant(key) for key, _ in mapping.items)
