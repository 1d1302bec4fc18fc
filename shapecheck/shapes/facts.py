"""Facts: the claims about sizes that hold on a path, as a persistent list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache, reduce
from operator import attrgetter
from types import MappingProxyType

from shapecheck.shapes.claims import (
    FALSE,
    TRUE,
    AllOf,
    AnyOf,
    AtLeast,
    Claim,
    Divides,
    Equal,
    Not,
    claim_sizes,
    claim_symbols,
    holds,
    simplify,
    substitute_claim,
)
from shapecheck.shapes.equations import Solution, solved_with
from shapecheck.shapes.extremes import has_extremes, simplify_extremes
from shapecheck.shapes.size import Size, Symbol, substitute, symbols

__all__ = [
    "EMPTY",
    "FALSE",
    "TRUE",
    "AllOf",
    "AnyOf",
    "AtLeast",
    "Claim",
    "Divides",
    "Equal",
    "Facts",
    "Not",
    "Verdict",
    "claim_sizes",
    "claim_symbols",
    "facts_of",
    "holds",
    "simplify",
    "substitute_claim",
]


class Verdict(Enum):
    """The answer of facts to a claim."""

    ALWAYS = "always"  # it follows from the facts
    MAYBE = "maybe"  # sizes exist for which it holds, and others for which it does not
    NEVER = "never"  # no sizes satisfy both it and the facts
    UNDECIDED = "undecided"  # not known, or the facts contradict each other


class Facts:
    """Claims that hold together. Adding a claim makes a new collection that shares the old one."""

    __slots__ = ("_claim_hash", "_groups", "_hash", "_is_fork", "_solution", "claim", "length", "parent")

    def __init__(self, parent: Facts | None, claim: Claim, claim_hash: int | None = None) -> None:
        self.parent = parent
        self.claim = claim
        self.length: int = 0 if parent is None else parent.length + 1
        self._claim_hash = hash(claim) if claim_hash is None else claim_hash  # cached, since hashing a claim is slow
        self._hash: int = 0 if parent is None else hash((parent._hash, self._claim_hash))
        self._solution: Solution | None = None
        self._groups: dict[Symbol, _Group] | None = None
        self._is_fork: bool | None = None  # False after its groups were moved, True after they were needed again

    def add(self, claim: Claim) -> Facts:
        """Return the facts and one more."""
        if isinstance(claim, AllOf):
            facts = self
            for part in claim.claims:
                facts = facts.add(part)
            return facts
        simple = simplify(claim)
        return self if simple == TRUE or claim in self else Facts(self, claim)

    def __iter__(self) -> Iterator[Claim]:
        """Yield the claims in the order in which they were added."""
        return reversed([node.claim for node in self._nodes()])

    def __len__(self) -> int:
        return self.length

    def __contains__(self, claim: object) -> bool:
        claim_hash = hash(claim)
        node = self
        while node.parent is not None:  # not by a generator: this is one of the places where most time is spent
            if node._claim_hash == claim_hash and node.claim == claim:
                return True
            node = node.parent
        return False

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Facts) or self._hash != other._hash or self.length != other.length:
            return False
        pairs = zip(self._nodes(), other._nodes(), strict=True)
        return all(mine.claim == yours.claim for mine, yours in pairs)

    def __str__(self) -> str:
        return ", ".join(map(str, self))

    def __repr__(self) -> str:
        return f"Facts({self})"

    def _nodes(self) -> Iterator[Facts]:
        """Yield the nodes of the list, from the last added to the first."""
        node = self
        while node.parent is not None:
            yield node
            node = node.parent

    def common(self, other: Facts) -> Facts:
        """Return the facts that both have; this is cheap if the two have a common origin."""
        mine, yours, old = self, other, []
        theirs: set[Claim] = set()
        while mine is not yours:
            if mine.length >= yours.length and mine.parent is not None:
                old.append(mine.claim)
                mine = mine.parent
            elif yours.parent is not None:
                theirs.add(yours.claim)
                yours = yours.parent
        for claim in reversed(old):
            mine = Facts(mine, claim) if claim in theirs else mine
        return mine

    def relevant(self, wanted: Iterable[Symbol]) -> Facts:
        """Return the facts that share symbols with the wanted ones, directly or through other facts."""
        groups = self._grouped()
        found = {id(group): group for symbol in wanted if (group := groups.get(symbol)) is not None}.values()
        kept = _collected(_in_order(found)) if len(found) != 1 else next(iter(found)).facts
        return self if kept.length == self.length else kept

    def components(self) -> Iterator[Facts]:
        """Yield the facts in groups that have no symbol in common."""
        groups = self._grouped()
        seen: set[int] = set()
        for node in self._nodes():
            group = next((groups[symbol] for symbol in claim_symbols(node.claim)), None)
            if group is None:
                yield facts_of([node.claim])
            elif id(group) not in seen:
                seen.add(id(group))
                yield group.facts

    def _grouped(self) -> dict[Symbol, _Group]:
        """Return the group of each symbol.

        The table of an earlier collection is moved to this one, since an earlier collection is seldom queried again. If
        it is, because several collections were made from it, it keeps a copy.
        """
        pending: list[Facts] = []
        fork = None
        node = self
        while node._groups is None and node.parent is not None:
            pending.append(node)
            if fork is None and node._is_fork is False:
                fork = node
            node = node.parent
        groups = node._groups_to_extend()
        for node in reversed(pending):
            group = _joined(node, groups)
            groups.update(dict.fromkeys(group.symbols, group))
            if node is fork:
                node._groups, node._is_fork = groups, True
                groups = node._groups_to_extend()
        self._groups = groups
        return groups

    def _groups_to_extend(self) -> dict[Symbol, _Group]:
        """Return the table of groups to extend: the own one, or a copy if this collection has been queried again."""
        groups = self._groups or {}
        if self._is_fork:
            return dict(groups)
        self._groups, self._is_fork = None, False
        return groups

    @property
    def solution(self) -> Mapping[Symbol, Size]:
        """The symbols that the equations among the facts force, with their values in terms of other symbols."""
        return MappingProxyType(self._solved().values)

    @property
    def is_contradictory(self) -> bool:
        """True if the facts are known to contradict each other; False does not mean that they do not."""
        return self._solved().is_contradictory

    def _solved(self) -> Solution:
        """Return the solution of the equations, computed from that of an earlier collection."""
        pending: list[Facts] = []
        node = self
        while node._solution is None and node.parent is not None:
            pending.append(node)
            node = node.parent
        solution = node._solution or Solution({}, frozenset(), False)
        for node in reversed(pending):
            solution = node._solution = solved_with(solution, node.claim)
        return solution

    def resolve(self, size: Size) -> Size:
        """Return the size with forced symbols replaced by their values."""
        if isinstance(size, int) or self.length == 0:
            return size
        return resolved_under(self.relevant(size.symbols()), size)


@lru_cache(maxsize=50_000)
def resolved_under(facts: Facts, size: Size) -> Size:
    """Return a size with forced symbols replaced, where all facts are about its symbols, directly or through others."""
    values = facts.solution
    resolved = substitute(size, values)
    if has_extremes(resolved):
        resolved = simplify_extremes(resolved, tuple(_nonnegative(facts, resolved)))
    return resolved if _keeps_symbols(size, resolved, values) else size


def _nonnegative(facts: Facts, size: Size) -> list[Size]:
    """Return sizes that are not negative, by facts that share symbols with this size."""
    wanted = symbols(size)
    found: list[Size] = []
    for node in facts.relevant(wanted)._nodes():
        if wanted.isdisjoint(claim_symbols(node.claim)):
            continue
        match node.claim:
            case AtLeast(a, b):
                found.append(a - b)
            case Not(AtLeast(a, b)):
                found.append(b - a - 1)
    return [substitute(known, facts.solution) for known in found]


def _keeps_symbols(before: Size, after: Size, values: Mapping[Symbol, Size]) -> bool:
    """Return whether no symbol became lost by substitution, as happens when an expression grows too large."""
    expected = set(symbols(before)).union(*(symbols(values[s]) for s in symbols(before) if s in values))
    return symbols(after) <= expected


EMPTY = Facts(None, TRUE)


@dataclass(frozen=True, slots=True)
class _Group:
    """Facts that share symbols with each other and with no others; `nodes` are their nodes in the whole collection."""

    facts: Facts
    nodes: tuple[Facts, ...]
    symbols: frozenset[Symbol]


def _joined(node: Facts, groups: Mapping[Symbol, _Group]) -> _Group:
    """Return the group of a new fact, merged with the groups that share symbols with it."""
    own = claim_symbols(node.claim)
    old = list({id(group): group for symbol in own if (group := groups.get(symbol)) is not None}.values())
    involved = own.union(*(group.symbols for group in old))
    if len(old) == 1:
        return _Group(Facts(old[0].facts, node.claim, node._claim_hash), (*old[0].nodes, node), involved)
    nodes = (*_in_order(old), node)
    return _Group(_collected(nodes), nodes, involved)


def _in_order(groups: Iterable[_Group]) -> list[Facts]:
    """Return the nodes of several groups in the order in which they were added."""
    return sorted((node for group in groups for node in group.nodes), key=attrgetter("length"))


def _collected(nodes: Iterable[Facts]) -> Facts:
    """Return a collection of the claims of nodes of another collection; they are known to be distinct."""
    return reduce(lambda facts, node: Facts(facts, node.claim, node._claim_hash), nodes, EMPTY)


def facts_of(claims: Iterable[Claim]) -> Facts:
    """Return a collection of these facts."""
    facts = EMPTY
    for claim in claims:
        facts = facts.add(claim)
    return facts
