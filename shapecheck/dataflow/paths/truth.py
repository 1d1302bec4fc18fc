"""The truth of values, if it is certain on the present path."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.dataflow.objects.array_classes import array_in
from shapecheck.dataflow.objects.attributes import instance_attribute
from shapecheck.dataflow.paths.conditions import Conditions, compared_sizes, condition
from shapecheck.dataflow.paths.equality import equality
from shapecheck.dataflow.state.path import PathEnds
from shapecheck.domain.values import (
    CONTAINERS,
    FALSE,
    TRUE,
    BoundLibraryMethod,
    Choice,
    Class,
    Const,
    Dict,
    Function,
    Guard,
    HomogeneousSeq,
    Int,
    Library,
    Lost,
    Method,
    ModuleValue,
    Partial,
    Range,
    Ref,
    Scalar,
    Seq,
    SliceValue,
    Tensor,
    Value,
)
from shapecheck.shapes.facts import Claim, Equal, Verdict
from shapecheck.shapes.solve import decide

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def truth(t: Tracer, value: Value) -> bool | None:
    """Return whether a value is true under the guards of the path, or None if that is not certain."""
    known = t.path.guards.get(value)
    if known is not None:
        return known
    match value:
        case Const(value=constant):
            return bool(constant)
        case Int(size=size):
            return _not(_verdict(t, Equal(size, 0)))
        case Tensor(content=Const(value=constant)):
            return bool(constant)
        case (
            Function()
            | Method()
            | BoundLibraryMethod()
            | Library()
            | Class()
            | ModuleValue()
            | Partial()
            | SliceValue()
        ):
            return True
        case Choice(options=options):
            verdicts = {_truth_of_option(t, guard, option) for guard, option in options if t.path.is_consistent(guard)}
            return verdicts.pop() if len(verdicts) == 1 else None
        case Scalar() | Lost():
            return _meaning_truth(t, value)
    return _container_truth(t, value)


def _truth_of_option(t: Tracer, guard: Guard, option: Value) -> bool | None:
    """Return the truth of one of several alternatives, which its guard may tell, as in `test and False`."""
    told = next((holds for condition, holds in guard if condition == option), None)
    return truth(t, option) if told is None else told


def _container_truth(t: Tracer, value: Value) -> bool | None:
    """Return the truth of a container, which is false if it is empty; other objects are true.

    A TensorShape of known rank is true as well.
    """
    match value:
        case Seq(kind="shape"):
            return True
        case Seq(items=items):
            return bool(items)
        case Dict(items=items, rest=rest):
            return True if items else (False if rest is None else None)
        case HomogeneousSeq(length=int(length)):
            return bool(length)
        case Range(start=int(a), stop=int(b), step=int(c)) if c:
            return bool(range(a, b, c))
        case Ref(cls=cls):
            if cls in CONTAINERS:
                contents = t.contents(value)
                return None if contents is None else truth(t, contents)
            return _object_truth(t, value) if cls == "user" else True
    return None


def _object_truth(t: Tracer, value: Ref) -> bool | None:
    """Return the truth of an instance by `__bool__` or `__len__`, or of the array in it; otherwise it is true."""
    array = array_in(t, value)
    if array is not value:
        return truth(t, array)
    for name in ("__bool__", "__len__"):
        method = instance_attribute(t, value, name, t.place)
        if method is not None:
            try:
                result = t.call_here(method, [])
            except PathEnds:
                return None
            return None if result == value else truth(t, result)
    return True


def _meaning_truth(t: Tracer, value: Value) -> bool | None:
    """Return the truth of a condition by its meaning."""
    meaning = t.component(Conditions).meanings.get(value)
    if meaning is None:
        return None
    op, left, right = meaning
    if op == "not":
        return _not(truth(t, left))
    if op in ("and", "or"):
        sides = (truth(t, left), truth(t, right))
        absorbing = op == "or"
        if absorbing in sides:
            return absorbing
        return None if None in sides else not absorbing
    claim = compared_sizes(op, left, right)
    return equality(t, op, left, right) if claim is None else _verdict(t, claim)


def _not(value: bool | None) -> bool | None:
    """Return the negation of a truth value that may be unknown."""
    return None if value is None else not value


def _verdict(t: Tracer, claim: Claim) -> bool | None:
    """Return the truth of a claim under the facts of the path."""
    verdict = decide(t.path.facts, claim)
    return True if verdict is Verdict.ALWAYS else False if verdict is Verdict.NEVER else None


def negate(t: Tracer, value: Value) -> Value:
    """Return `not value`."""
    known = truth(t, value)
    if known is not None:
        return FALSE if known else TRUE
    meaning = t.component(Conditions).meanings.get(value)
    if meaning is not None and meaning[0] == "not":
        return meaning[1]
    return condition(t, "not", value, value)
