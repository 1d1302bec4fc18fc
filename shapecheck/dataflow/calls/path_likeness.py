"""Whether two paths tell the same of what a call reads on them, up to the names of unknown values and objects."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shapecheck.dataflow.paths.conditions import Conditions
from shapecheck.dataflow.state.path import PathState
from shapecheck.domain.correspondence import Correspondence, Unlike
from shapecheck.domain.values import Int, Lost, Ref, Scalar, Tensor, Value, walk
from shapecheck.shapes.claims import substitute_claim
from shapecheck.shapes.size import Size, Symbol, expr_of

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


@dataclass(slots=True)
class _Subjects:
    """What each condition is about: unknown values, symbols, arrays and the addresses of objects."""

    of: dict[Value, frozenset[Hashable]] = field(default_factory=dict)


def tell_the_same(t: Tracer, before: PathState, now: PathState, relation: Correspondence) -> bool:
    """Return whether the facts and guards of two paths say the same of what corresponds."""
    try:
        return before is now or (_guards_agree(t, before, now, relation) and _facts_agree(before, now, relation))
    except Unlike:
        return False


def _facts_agree(before: PathState, now: PathState, relation: Correspondence) -> bool:
    old = before.facts.relevant(relation.symbols)
    new = now.facts.relevant(relation.symbols.values())
    if len(old) != len(new):
        return False
    if old is new or not len(old):
        return True
    renamed: dict[Symbol, Size] = {one: expr_of(other) for one, other in relation.symbols.items()}
    return {substitute_claim(claim, renamed) for claim in old} == set(new)


def _guards_agree(t: Tracer, before: PathState, now: PathState, relation: Correspondence) -> bool:
    """Extend the relation by the conditions about what corresponds; return whether they have the same sides."""
    if not (before.guards or now.guards):
        return True
    count = 0
    while True:  # what one condition relates others may be about
        old = {*relation.unknowns, *relation.symbols, *relation.arrays, *relation.addresses}
        tables = (relation.unknowns, relation.symbols, relation.arrays, relation.addresses)
        new: set[Hashable] = {other for table in tables for other in table.values()}
        said = [each for each in before.guards.items() if not _subjects(t, each[0]).isdisjoint(old)]
        says = [each for each in now.guards.items() if not _subjects(t, each[0]).isdisjoint(new)]
        if len(said) != len(says):
            return False
        if len(said) == count:
            return True
        count = len(said)
        for (one, side), (other, other_side) in zip(said, says, strict=True):
            if side is not other_side:
                return False
            relation.match(one, other)


def _subjects(t: Tracer, condition: Value) -> frozenset[Hashable]:
    """Return what a condition is about."""
    known = t.component(_Subjects).of
    if condition not in known:
        known[condition] = frozenset(_found_in(t, condition))
    return known[condition]


def _found_in(t: Tracer, condition: Value) -> Iterator[Hashable]:
    meanings = t.component(Conditions).meanings
    met: dict[Value, None] = {condition: None}
    for value in (todo := [condition]):  # extended within the loop
        match value:
            case Lost() | Scalar():
                yield value
            case Tensor(step=step, output=output) if step:
                yield step, output
            case Ref(address=address):
                yield address
            case Int(size=size):
                yield from size.symbols()
        new = [part for part in (*walk(value), *meanings.get(value, ("",))[1:]) if part not in met]
        met.update(dict.fromkeys(new))
        todo += new
