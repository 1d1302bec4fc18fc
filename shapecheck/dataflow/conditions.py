"""Truth and assumptions: what a test says about a path, and what taking one side of it teaches."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from shapecheck.dataflow.frame import PathEnds
from shapecheck.shapes.facts import AtLeast, Claim, Equal, Not, Verdict
from shapecheck.shapes.solve import decide
from shapecheck.values import (
    FALSE,
    TRUE,
    Bound,
    Choice,
    Class,
    Code,
    Const,
    Dict,
    Int,
    Library,
    Lost,
    Many,
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
    as_size,
)

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "is": "is not", "is not": "is"}
NEGATED |= {"in": "not in", "not in": "in"}

BOOLEAN = ("is", "is not", "in", "not in", "not", "isinstance")


def _plain(left: Value, right: Value) -> bool:
    """Whether a comparison of the two is a Python bool: comparing what we lost may well give a tensor."""
    return not isinstance(left, (Lost, Choice)) and not isinstance(right, (Lost, Choice))


def truth(t: Tracer, value: Value) -> bool | None:
    """True or False where the value certainly is, under the guards of the path."""
    known = t.guards.get(value)
    if known is not None:
        return known
    match value:
        case Const(value=constant):
            return bool(constant)
        case Int(size=size):
            return _not(_verdict(t, Equal(size, 0)))
        case Tensor(content=Const(value=constant)):
            return bool(constant)
        case Code() | Method() | Bound() | Library() | Class() | ModuleValue() | Partial() | SliceValue():
            return True
        case Choice(options=options):
            verdicts = {truth(t, option) for guard, option in options if t.consistent(guard)}
            return verdicts.pop() if len(verdicts) == 1 else None
        case Scalar() | Lost():
            return _meaning_truth(t, value)
    return _container_truth(t, value)


def _container_truth(t: Tracer, value: Value) -> bool | None:
    """A container is true unless it is empty; an object is true."""
    match value:
        case Seq(items=items):
            return bool(items)
        case Dict(items=items, rest=rest):
            return True if items else (False if rest is None else None)
        case Many(length=int(length)):
            return bool(length)
        case Range(start=int(a), stop=int(b), step=int(c)) if c:
            return bool(range(a, b, c))
        case Ref(cls=cls):
            if cls in ("list", "dict", "set"):
                contents = t.store.get((value.address, "items"))
                return None if contents is None else truth(t, contents)
            return _object_truth(t, value) if cls == "user" else True
    return None


def _object_truth(t: Tracer, value: Ref) -> bool | None:
    """What `__bool__` or `__len__` of an instance says; without them every instance is true."""
    from shapecheck.dataflow.objects import instance_attribute

    for name in ("__bool__", "__len__"):
        method = instance_attribute(t, value, name, t.place)
        if method is not None:
            try:
                said = t.call_now(method, [])
            except PathEnds:
                return None
            return None if said == value else truth(t, said)
    return True


def _meaning_truth(t: Tracer, value: Value) -> bool | None:
    meaning = t.meanings.get(value)
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
    claim = _claim(op, left, right)
    return None if claim is None else _verdict(t, claim)


def _not(value: bool | None) -> bool | None:
    return None if value is None else not value


def _verdict(t: Tracer, claim: Claim) -> bool | None:
    verdict = decide(t.facts, claim)
    return True if verdict is Verdict.ALWAYS else False if verdict is Verdict.NEVER else None


def _claim(op: str, left: Value, right: Value) -> Claim | None:
    """The claim about sizes that a comparison makes, if it makes one."""
    a, b = as_size(left), as_size(right)
    if a is None or b is None:
        return None
    match op:
        case "==" | "is":
            return Equal(a, b)
        case "!=" | "is not":
            return Not(Equal(a, b))
        case ">=":
            return AtLeast(a, b)
        case "<=":
            return AtLeast(b, a)
        case ">":
            return AtLeast(a, b + 1)
        case "<":
            return AtLeast(b, a + 1)
    return None


def assume(t: Tracer, condition: Value, side: bool) -> None:
    """Records which side of a condition the path takes, and what follows from it and from what was taken before."""
    earlier = len(t.guards)
    _take(t, condition, side)
    for taken in tuple(islice(t.guards, earlier, None)):
        for test in (taken, *t.parts.get(taken, ())):
            came_out = t.guards.get(test)
            remaining = None if came_out is None else _remaining(t, test, came_out)
            if came_out is not None and remaining is not None and t.guards.get(remaining) is None:
                assume(t, remaining, came_out)


def _remaining(t: Tracer, test: Value, side: bool) -> Value | None:
    """The only part of a test that can still be what made the test come out so: of `a or b`, b where a was false."""
    if isinstance(test, Choice):
        fitting = [v for guard, v in test.options if t.consistent(guard) and _told(t, v) is not (not side)]
        return fitting[0] if len(fitting) == 1 and isinstance(fitting[0], (Scalar, Lost, Choice)) else None
    op, left, right = t.meanings.get(test, ("", test, test))
    if op != ("or" if side else "and"):
        return None
    return right if _told(t, left) is (not side) else left if _told(t, right) is (not side) else None


def _parts(t: Tracer, test: Value) -> Iterator[Value]:
    """The conditions that a test of several consists of."""
    if isinstance(test, Choice):
        for guard, option in test.options:
            yield from (condition for condition, _ in guard)
            if isinstance(option, (Scalar, Lost, Choice)):
                yield option
    elif (meaning := t.meanings.get(test)) is not None and meaning[0] in ("and", "or"):
        yield from meaning[1:]


def _told(t: Tracer, value: Value) -> bool | None:
    """What the guards of the path themselves say of a test."""
    return bool(value.value) if isinstance(value, Const) else t.guards.get(value)


def _take(t: Tracer, condition: Value, side: bool) -> None:
    """Records a side and what follows from it alone."""
    if isinstance(condition, Const):
        return
    t.guards = {**t.guards, condition: side}
    for part in _parts(t, condition):
        t.parts.setdefault(part, {})[condition] = None
    if isinstance(condition, Choice):
        _assume_choice(t, condition, side)
        return
    meaning = t.meanings.get(condition)
    if meaning is None:
        if isinstance(condition, Int):
            claim: Claim = Equal(condition.size, 0)
            t.facts = t.facts.add(Not(claim) if side else claim)
        return
    op, left, right = meaning
    if op == "not":
        _take(t, left, not side)
    elif op == ("and" if side else "or"):
        _take(t, left, side)
        _take(t, right, side)
    elif op not in ("and", "or"):
        _assume_comparison(t, op if side else NEGATED.get(op, op), left, right)


def _assume_comparison(t: Tracer, op: str, left: Value, right: Value) -> None:
    claim = _claim(op, left, right)
    if claim is not None:
        t.facts = t.facts.add(claim)


def _assume_choice(t: Tracer, condition: Choice, side: bool) -> None:
    fitting = [way for way in condition.options if t.consistent(way[0]) and truth(t, way[1]) is not (not side)]
    for inner, truth_value in fitting[0][0] if fitting else ():
        shared = all((inner, truth_value) in guard for guard, _ in fitting[1:])
        if shared and t.guards.get(inner) is None:
            assume(t, inner, truth_value)
    if len(fitting) == 1 and truth(t, fitting[0][1]) is None:
        assume(t, fitting[0][1], side)


def condition(t: Tracer, op: str, left: Value, right: Value) -> Value:
    """The (unknown) outcome of a test: the same test of the same values is the same condition."""
    key = (op, left, right)
    found = t.conditions.get(key)
    if found is not None:
        return found
    opposite = t.conditions.get((NEGATED.get(op, ""), left, right))
    value: Value = Scalar("bool") if op in BOOLEAN or _plain(left, right) else Lost("comparison with a lost value")
    t.meanings[value] = ("not", opposite, opposite) if opposite is not None else key
    t.conditions[key] = value
    return value


def negate(t: Tracer, value: Value) -> Value:
    """`not value`."""
    known = t.truth(value)
    if known is not None:
        return FALSE if known else TRUE
    meaning = t.meanings.get(value)
    if meaning is not None and meaning[0] == "not":
        return meaning[1]
    return condition(t, "not", value, value)
