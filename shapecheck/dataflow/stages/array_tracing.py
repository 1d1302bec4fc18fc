"""Calls that are traced with arrays of the library itself.

Numbers and arrays of NumPy among the arguments become arrays, too. What depends on an argument has no value meanwhile;
what does not is computed at once, unless all operations are part of the trace. Python's statements are not converted,
but arrays can be iterated over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.objects.mro import mro
from shapecheck.dataflow.paths.constraints import require
from shapecheck.dataflow.stages.entering import call_outside, released
from shapecheck.dataflow.stages.trace_time import unwatched
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.path import PathEnds
from shapecheck.dataflow.state.stage import Stage
from shapecheck.domain.traversal import map_children
from shapecheck.domain.values import (
    CONTAINERS,
    NONE,
    Class,
    Const,
    Function,
    Int,
    Library,
    Method,
    Ref,
    Scalar,
    Seq,
    Tensor,
    Value,
    as_size,
    as_str,
    items_of,
    walk,
)
from shapecheck.models.lang.packs import NUMPY_ARRAYS
from shapecheck.models.lang.traits import has
from shapecheck.shapes.facts import FALSE as IMPOSSIBLE
from shapecheck.shapes.shape import SCALAR
from shapecheck.source import Source

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

KIND, POSITIONS, NAMES = "arrays", "static_argnums", "static_argnames"
"""Attributes of the object that traces a function: the kind of arrays, and the arguments that keep their values."""
TRACED = ("tensor", "run-time")
MAKES_TREES = re.compile(r"pytree|register_|dataclass|NamedTuple|namedtuple|struct\b|metaclass")
"""What a program mentions that makes trees of objects of its classes."""


def traced_stage(t: Tracer, function: Function) -> Stage | None:
    """Return the stage of a function that is traced with arrays of its library; None for another one."""
    kind = as_str(t.heap.get((function.graph, KIND)) or NONE) if function.graph else None
    return None if kind is None else Stage(function.key + 1, function.name, arrays=kind, is_total=True)


def stage_with(function: Value, kind: str, *, has_values: bool, is_total: bool) -> Stage:
    """Return the stage of a function that a library calls with arrays of a kind."""
    code = function.function if isinstance(function, Method) else function
    key, name = (code.key + 1, code.name) if isinstance(code, Function) else (-1, "")
    return Stage(key, name, arrays=kind, has_values=has_values, is_total=is_total)


def call_traced(
    t: Tracer, stage: Stage, given: Arguments, run: Callable[[Arguments], Value], fixed: Container[int] = ()
) -> Value:
    """Return the result of a call with traced arrays for the arguments, except for those at `fixed` positions."""
    outer, start, is_first = t.stage, t.graph_start, t.stage.is_eager
    if not is_first and outer.arrays != stage.arrays:
        return run(given)
    t.has_graphs = True
    t.stage = stage if is_first else _within(outer, stage)
    if is_first:
        t.graph_start, t.watch = t.heap.address(), None
    trace = t.stage.trace
    values = [value if at in fixed else _as_traced(t, value, trace) for at, value in enumerate(given.values)]
    try:
        result = run(given.with_values(values))
    finally:
        t.stage, t.graph_start = outer, start
        if is_first:
            t.watch = unwatched(t)
    for value in given.values if is_first else ():
        if _keeps_state(t, value):
            released(t, value)
    return released(t, result) if is_first else result


def call_with_values(t: Tracer, given: Arguments, run: Callable[[Arguments], Value]) -> Value:
    """Return the result of a call that has values within a trace which has them; its arrays are part of the trace."""
    stage = t.stage
    if stage.is_eager or stage.is_total or not stage.has_values:
        return run(given)
    return _in_trace(call_outside(t, given, run), stage.trace)


def _in_trace(value: Value, trace: int) -> Value:
    """Return a value whose arrays are part of a trace."""
    if isinstance(value, Tensor):
        return replace(value, trace=trace, content=None)
    return map_children(value, lambda part: _in_trace(part, trace))


def _keeps_state(t: Tracer, value: Value) -> bool:
    """Return whether an argument is an object whose attributes the library carries out of a trace."""
    cls = t.heap.get((value.address, "__class__")) if isinstance(value, Ref) and value.cls == "user" else None
    bases = mro(t, cls) if isinstance(cls, Class) else ()
    return any(isinstance(base, Library) and has(base.name, "keeps what is traced") for base in bases)


def _within(outer: Stage, stage: Stage) -> Stage:
    """Return the stage of a call inside of another trace."""
    has_values, is_total = outer.has_values and stage.has_values, outer.is_total or stage.is_total
    return replace(outer, has_values=has_values, is_total=is_total)


def _as_traced(t: Tracer, value: Value, trace: int) -> Value:
    """Return an argument inside of the function."""
    kind = t.stage.arrays
    match value:
        case Tensor(role="tensor" | "run-time", library=library) if library in (kind, NUMPY_ARRAYS.name):
            return replace(value, library=kind, trace=trace, content=None, role="tensor")
        case Const(value=bool() | int() | float()) | Int() | Scalar(kind="int" | "float" | "number" | "bool"):
            return Tensor(SCALAR, None, kind, trace=trace)
        case Ref(cls=cls) if cls in CONTAINERS:
            contents = t.contents(value)
            return value if contents is None else t.new_container(cls, _as_traced(t, contents, trace))
        case Ref() | Const():
            return value
    return map_children(value, lambda part: _as_traced(t, part, trace))


def fixed_positions(t: Tracer, function: Function, given: Arguments) -> frozenset[int] | None:
    """Return the positions of arguments that keep their values; None if they are not known.

    A parameter that is named by its position keeps its value where it is given by name, and the other way round.
    """
    said = [item for option in (POSITIONS, NAMES) for item in _several(t.heap.get((function.graph, option)) or NONE)]
    if not said:
        return frozenset()
    listed = _parameters(t, function)
    named = [_name(item, listed) for item in said]
    count = len(given.args)
    if None in named or count > len(listed):  # a wrapper has the parameters of what it wraps
        return None
    _check_hashable(t, given, listed, named)
    kept = {place for place in range(count) if place < len(listed) and listed[place] in named}
    return frozenset(kept | {count + place for place, name in enumerate(given.keywords) if name in named})


def _check_hashable(t: Tracer, given: Arguments, listed: list[str], named: list[str | None]) -> None:
    """Refuse lists, dictionaries and arrays as arguments that keep their values, by which traces are found again."""
    pairs = [*zip(listed, given.args, strict=False), *given.keywords.items()]
    for name, value in pairs:
        what = _unhashable(value) if name in named else ""
        if what:
            step = t.add_step("op", "static", [value], {}, given.place)
            with t.during(step):
                said = f"{name} is {what}, and a static argument must be hashable"
                require(t, ClashKind.SYMBOLIC_PYTHON, IMPOSSIBLE, said, value)
            raise PathEnds


def _unhashable(value: Value) -> str:
    """Return what a value is that no dictionary takes as a key; "" for others. Numbers of NumPy are hashable."""
    match value:
        case Ref(cls="list" | "dict" | "set" as cls):
            return f"a {cls}"
        case Tensor(role="tensor", library=library, shape=shape) if library != NUMPY_ARRAYS.name or shape.min_rank:
            return "an array"
    return ""


def check_arguments(t: Tracer, function: Function, given: Arguments, fixed: Container[int]) -> None:
    """Refuse texts, functions and objects among the arguments of a compiled function, which takes arrays and trees of
    them."""
    if t.is_standalone and not t.call_stack.functions:
        return
    sources = (given.place.source, t.functions[function.key].frame.source)
    kind = as_str(t.heap.get((function.graph, KIND)) or NONE)
    names = [*_parameters(t, function)[: len(given.args)], *given.keywords]
    for place, (name, value) in enumerate(zip(names, given.values, strict=False)):
        what = _no_array(t, value, sources) if place not in fixed else ""
        if what:
            step = t.add_step("op", f"{kind}.traced", [value], {}, given.place)
            with t.during(step):
                said = f"{name} is {what}, and a compiled function takes arrays"
                require(t, ClashKind.SYMBOLIC_PYTHON, IMPOSSIBLE, said, value)
            raise PathEnds


def _no_array(t: Tracer, value: Value, sources: Iterable[Source]) -> str:
    """Return what a value is that is certainly no array, number or tree; "" for others."""
    match value:
        case Const(value=str()):
            return "a text"
        case Function():
            return "a function"
        case Ref(cls="user", address=address):
            cls = t.heap.get((address, "__class__"))
            if isinstance(cls, Class) and _is_plain_class(t, cls, sources):
                return f"an object of {cls.name}"
    return ""


def _is_plain_class(t: Tracer, cls: Class, sources: Iterable[Source]) -> bool:
    """Return whether a class derives from no other library's, and nothing may have made trees of its objects, which
    a base in another file may do for all that derive from it.
    """
    return all(
        _makes_no_trees(base, sources) if isinstance(base, Class) else base == Library("builtins.object")
        for base in mro(t, cls)
    )


def _makes_no_trees(cls: Class, sources: Iterable[Source]) -> bool:
    own = [each for each in sources if each.mentions(re.compile(rf"\bclass {cls.name}\b"))]
    return bool(own) and not any(each.mentions(MAKES_TREES) for each in own)


def _name(said: Value, listed: list[str]) -> str | None:
    """Return the name of a parameter, which is told by its position or by its name."""
    place = as_size(said)
    return listed[place] if isinstance(place, int) and place < len(listed) else as_str(said)


def _parameters(t: Tracer, function: Function) -> list[str]:
    """Return the names of the parameters that can be given by position."""
    names = []
    for parameter in t.functions[function.key].node.params:
        if parameter.kind not in ("plain", "positional"):
            break
        names.append(parameter.name)
    return names


def _several(value: Value) -> tuple[Value, ...]:
    """Return the items of a sequence, or one value; nothing for None."""
    if value == NONE:
        return ()
    return (items_of(value) or (value,)) if isinstance(value, Seq) else (value,)


def trace_of(t: Tracer, given: Arguments) -> int:
    """Return the trace of the arrays that a step makes of its operands: 0 where these have values."""
    if t.stage.is_total:
        return t.stage.trace
    parts = (part for value in given.values for part in walk(value))
    return t.stage.trace if any(isinstance(part, Tensor) and part.trace for part in parts) else 0
