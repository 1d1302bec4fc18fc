"""Operations on values with alternatives: each combination of alternatives is a path of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shapecheck.dataflow.graph.clash import Clash
from shapecheck.dataflow.objects.aliases import among
from shapecheck.dataflow.paths.feasibility import Feasibility
from shapecheck.dataflow.paths.joins import join_exits
from shapecheck.dataflow.paths.narrowing import assume
from shapecheck.dataflow.state.path import Exit, PathEnds
from shapecheck.domain.alternatives import combinations, varies, widened
from shapecheck.domain.values import NONE, Choice, Guard, Lost, Ref, Value
from shapecheck.shapes.facts import Verdict

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


@dataclass(frozen=True, slots=True)
class _Case:
    """The result of an operation for one combination of alternatives, and whether it certainly raises."""

    guard: Guard
    exit: Exit
    clashes: list[Clash]
    fails: bool


def of_none(values: Sequence[Value]) -> bool:
    """Return whether an operation is one of None, which has no attributes, items or arithmetic."""
    return values[0] == NONE


def for_each_alternative(
    t: Tracer,
    values: Sequence[Value],
    run: Callable[[Sequence[Value]], Value],
    raises: Callable[[Sequence[Value]], bool] | None = None,
) -> Value:
    """Run an operation once for every consistent combination of the alternatives in its operands.

    Operands without alternatives are handed to the operation as they are, in the same sequence.
    A clash counts only if every combination clashes; if only some do, the program continues with the others. So it does
    if some combinations certainly raise, as `raises` tells.
    """
    if not any(map(varies, values)):
        return run(values)
    found = combinations(values, t.path.is_consistent)
    if found is None:
        return run([among(t, widened(value), [value]) for value in values])
    if raises is not None:
        found = _possible(t, found, raises)
    path = t.path
    ends: list[list[Clash]] = []
    cases = [case for guard, combination in found if (case := _case(t, guard, combination, run, ends)) is not None]
    if not cases and found:
        if all(ends):
            t.clashes.extend(ends[0])
        raise PathEnds
    if not cases:
        return t.lost("no alternative is consistent with the path")
    if all(case.clashes for case in cases):
        t.clashes.extend(cases[0].clashes)
    else:
        for clash in (clash for case in cases for clash in case.clashes):
            clash.step.is_suspect = True
    passing = [case for case in cases if not case.fails] or cases
    value = join_exits(t, [case.exit for case in passing], path.guards)
    for case in cases if len(passing) < len(cases) else ():
        if case.fails:
            _exclude(t, case.guard, [other.guard for other in passing])
    return value


def _possible(
    t: Tracer, found: list[tuple[Guard, list[Value]]], raises: Callable[[Sequence[Value]], bool]
) -> list[tuple[Guard, list[Value]]]:
    """Return the combinations that need not raise, after excluding the others on this path; all if each raises."""
    possible = [(guard, combination) for guard, combination in found if not raises(combination)]
    if not possible:
        return found
    for guard, combination in found if len(possible) < len(found) else ():
        if raises(combination):
            _exclude(t, guard, [other for other, _ in possible])
    return possible


def without(t: Tracer, value: Value, raises: Callable[[Sequence[Value]], bool]) -> Value:
    """Return the alternatives of a value for which an operation need not raise, which has them from here on."""
    found = combinations([value], t.path.is_consistent) if isinstance(value, Choice) else None
    if not found or all(raises(combination) for _, combination in found):
        return value
    _possible(t, found, raises)
    return t.select(value)


def _exclude(t: Tracer, guard: Guard, others: Iterable[Guard]) -> None:
    """Continue on the path where a guard does not hold, if it is a single condition, and none of the others may hold
    beside it: alternatives may overlap."""
    if len(guard) == 1:
        condition, truth = guard[0]
        if all((condition, not truth) in other for other in others):
            assume(t, condition, not truth)


def _case(
    t: Tracer,
    guard: Guard,
    combination: Sequence[Value],
    run: Callable[[Sequence[Value]], Value],
    ends: list[list[Clash]],
) -> _Case | None:
    """Run an operation on one combination, and undo its changes; None if the path ends, whose clashes are added."""
    outer, path, mark = t.clashes, t.path, t.heap.mark()
    decided = t.component(Feasibility).decided
    chosen: set[Value] = set()
    t.clashes = []
    try:
        for condition, truth in guard:
            assume(t, condition, truth)
        start = t.path.guards
        chosen = start.keys() - path.guards.keys() - decided
        decided |= chosen
        value = run(combination)
        return _Case(guard, t.exit(mark, value), t.clashes, _fails(t, t.clashes, start))
    except PathEnds:
        ends.append(t.clashes)
        return None
    finally:
        t.heap.rollback(mark)
        decided -= chosen
        t.clashes, t.path = outer, path


def _fails(t: Tracer, clashes: Sequence[Clash], start: Mapping[Value, bool]) -> bool:
    """Return whether an operation of this expression certainly raises, so that the path ends there."""
    depth, guards = len(t.call_stack.frames), tuple(start.items())
    return t.tolerance == 0 and any(
        clash.verdict is Verdict.NEVER and len(clash.step.frames) == depth and clash.guards == guards
        for clash in clashes
    )


def call_one_of(t: Tracer, functions: Sequence[Value]) -> list[Value]:
    """Call functions of which a run calls one, not known which; return what each of them gives."""
    path, remaining = t.path, t.path
    exits: list[Exit] = []
    for function in functions:
        mark, chosen = t.heap.mark(), Lost("which of several functions is called")
        t.path = remaining if function is functions[-1] else remaining.taking(chosen, True)
        remaining = remaining.taking(chosen, False)
        try:
            value = t.call_here(function)
            exits.append(t.exit(mark, value))
        except PathEnds:
            pass
        finally:
            t.heap.rollback(mark)
            t.path = path
    if not exits:
        raise PathEnds
    join_exits(t, exits, path.guards)
    t.path = path
    return [way.value for way in exits]


def for_each_contents(t: Tracer, owner: Ref, run: Callable[[], Value]) -> Value:
    """Run an operation on a container once for each of the contents that it may have."""
    contents = t.contents(owner)
    if not isinstance(contents, Choice):
        return run()

    def once(values: Sequence[Value]) -> Value:
        t.set_contents(owner, values[0])
        return run()

    return for_each_alternative(t, [contents], once)
