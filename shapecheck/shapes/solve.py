"""Decisions of claims: by normal forms, then by a few natural sizes, then by elimination of the unknowns of linear
inequalities, then by z3 with a deterministic limit."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import lru_cache, reduce
from itertools import islice
from operator import add, mul
from typing import Any

from shapecheck.shapes.candidates import Problem, penalty, problem, solutions
from shapecheck.shapes.ends import bounds_with_counters
from shapecheck.shapes.expr import bounds_of
from shapecheck.shapes.extremes import simplify_extremes
from shapecheck.shapes.facts import (
    FALSE,
    TRUE,
    AllOf,
    AnyOf,
    Claim,
    Divides,
    Equal,
    Facts,
    Not,
    Verdict,
    claim_symbols,
    resolved_under,
    simplify,
)
from shapecheck.shapes.forms import claims_form
from shapecheck.shapes.inequalities import refuted_or_values
from shapecheck.shapes.size import Op, Size, Symbol, substituted
from shapecheck.shapes.symbol import restart_serials

RESOURCE_LIMIT = 200_000
_TRIES = 40
_MAX_UNKNOWNS = 10  # of a query to z3, which gives up on larger ones after a long time


@lru_cache(maxsize=10_000)
def decide(facts: Facts, claim: Claim) -> Verdict:
    """Return whether the claim holds for all sizes that satisfy the facts, for some, or for none.

    The answer is certain unless it is UNDECIDED.
    """
    if simplify(claim) == TRUE:
        return Verdict.ALWAYS
    if facts.is_contradictory:
        return Verdict.UNDECIDED
    verdict = _verdict(facts.relevant(claim_symbols(claim)), claim)
    if verdict is Verdict.NEVER and any(_is_possible(group) is False for group in facts.components()):
        return Verdict.UNDECIDED
    return verdict


def reset() -> None:
    """Restart the numbering of symbols, and forget earlier decisions: symbols are equal by their numbers."""
    forget()
    restart_serials()


def forget() -> None:
    """Forget decisions, before symbols are asked about that are older than a restart."""
    by_facts = (decide, _verdict, _is_possible, resolved_under)
    for remembered in (*by_facts, claim_symbols, simplify, simplify_extremes, bounds_with_counters):
        remembered.cache_clear()
    _possible.clear()
    substituted.cache_clear()  # whose results have symbols of the earlier program


def refute(facts: Facts, claim: Claim) -> Verdict:
    """Return the verdict of `decide` if it is ALWAYS without any facts, or NEVER; MAYBE otherwise.

    This is much cheaper than `decide` for a claim that may hold: one example is sufficient.
    """
    if simplify(claim) == TRUE:
        return Verdict.ALWAYS
    if facts.is_contradictory or _is_possible(facts.relevant(claim_symbols(claim)).add(claim)) is not False:
        return Verdict.MAYBE
    return Verdict.NEVER if decide(facts, claim) is Verdict.NEVER else Verdict.MAYBE


@lru_cache(maxsize=50_000)
def _verdict(facts: Facts, claim: Claim) -> Verdict:
    """Return the verdict of the relevant facts on a claim."""
    it_may = _is_possible(facts.add(claim))
    it_may_not = _is_possible(facts.add(Not(claim)))
    if it_may and it_may_not:
        return Verdict.MAYBE
    if it_may_not is False and it_may is not False:
        return Verdict.ALWAYS
    return Verdict.NEVER if it_may is False and it_may_not else Verdict.UNDECIDED


@lru_cache(maxsize=50_000)
def _is_possible(facts: Facts) -> bool | None:
    """Return whether sizes exist that satisfy all facts; None if that is not known."""
    form = claims_form(facts)
    if form not in _possible:
        _possible[form] = _is_solvable(facts)
    return _possible[form]


_possible: dict[Hashable, bool | None] = {}
"""Whether facts are possible, by their form: those of one iteration of a loop are often like those of another."""


def _is_solvable(facts: Facts) -> bool | None:
    """Return whether sizes satisfy all facts, by trial and by z3."""
    if facts.is_contradictory:
        return False
    task = problem(facts)
    if FALSE in task.constraints:
        return False
    if next(solutions(task, _TRIES), None) is not None:
        return True
    answer = refuted_or_values(task)
    if answer is None and len(task.free) <= _MAX_UNKNOWNS:
        answer = _ask(task)
    return answer if answer is None or isinstance(answer, bool) else True


def witness(facts: Facts, claim: Claim, wanted: Iterable[Symbol] = ()) -> dict[Symbol, int] | None:
    """Return small and natural sizes that satisfy the facts and the claim; None if none are found.

    They are given for all wanted symbols and for all that the claim or related facts depend on.
    """
    if facts.is_contradictory:
        return None
    symbols = claim_symbols(claim).union(wanted)
    task = problem(facts.relevant(symbols).add(claim), symbols)
    found = min(islice(solutions(task), 50), key=penalty, default=None)
    if found is not None and penalty(found)[:2] == (0, 0):
        return found
    limits = ((2, 8), (2, 64), (2, 1024), *(((1, 1024), (1, None), (None, None)) if found is None else ()))
    answers = (_ask(task, low, high) for low, high in limits)
    return next((answer for answer in answers if isinstance(answer, dict)), found)


def _ask(task: Problem, low: int | None = None, high: int | None = None) -> dict[Symbol, int] | bool | None:
    """Return values that satisfy the problem, False if there are none, None if z3 cannot decide or its values are
    wrong."""
    try:
        import z3

        return _answer(z3, task, low, high)
    except (ImportError, ArithmeticError, RecursionError, OSError):
        return None
    except Exception as error:
        if type(error).__name__ != "Z3Exception":
            raise
        return None


def _answer(z3: Any, task: Problem, low: int | None, high: int | None) -> dict[Symbol, int] | bool | None:
    """Return the answer of z3 to a problem, with bounds for all sizes."""
    encoder = _Encoder(z3)
    solver = z3.SimpleSolver(ctx=encoder.context)
    solver.set("rlimit", RESOURCE_LIMIT if low is None else RESOURCE_LIMIT // 4)
    solver.add(*[encoder.claim(claim) for claim in task.constraints])
    for symbol in task.free:
        solver.add(*encoder.limits(symbol, low, high))
    for size in task.forced.values() if low else ():
        solver.add(*([] if isinstance(size, int) else [encoder.size(size) >= low]))
    solver.add(*encoder.conditions)
    result = solver.check()
    if result == z3.unsat:
        return False
    if result != z3.sat:
        return None
    model = solver.model()
    values = {s: model.eval(encoder.symbol(s), model_completion=True).as_long() for s in task.free}
    return task.complete(values)


class _Encoder:
    """The encoding of claims for z3."""

    def __init__(self, z3: Any) -> None:
        self.z3 = z3
        self.conditions: list[Any] = []  # under which all sizes are defined
        self.known: dict[Symbol | Op, Any] = {}
        self.variables = 0
        self.context = z3.Context()  # a new one, so that answers do not depend on earlier queries

    def _variable(self) -> Any:
        """Return a new variable, named only by its order in the query."""
        self.variables += 1
        return self.z3.Int(f"v{self.variables}", self.context)

    def symbol(self, symbol: Symbol) -> Any:
        """Return the variable of a symbol."""
        if symbol not in self.known:
            self.known[symbol] = self._variable()
        return self.known[symbol]

    def limits(self, symbol: Symbol, low: int | None, high: int | None) -> list[Any]:
        """Return the bounds of a symbol, both its own and those of the query."""
        lows = [low_ for low_ in (symbol.low, low) if low_ is not None]
        value = self.symbol(symbol)
        return [*([value >= max(lows)] if lows else []), *([value <= high] if high is not None else [])]

    def claim(self, claim: Claim) -> Any:
        """Return a claim as a formula."""
        if isinstance(claim, Not):
            return self.z3.Not(self.claim(claim.claim))
        if isinstance(claim, AnyOf):
            return self.z3.Or([*map(self.claim, claim.claims)], self.context)
        if isinstance(claim, AllOf):
            return self.z3.And([*map(self.claim, claim.claims)], self.context)
        if isinstance(claim, Divides):
            return self._divides(claim.divisor, claim.a)
        a, b = self.size(claim.a), self.size(claim.b)
        return a == b if isinstance(claim, Equal) else a >= b

    def _divides(self, divisor: Size, size: Size) -> Any:
        """Return the formula for divisibility."""
        by = self.size(divisor)
        return self.z3.And(by != 0, self.size(size) % by == 0)

    def size(self, size: Size) -> Any:
        """Return a size as a term."""
        if isinstance(size, int):
            return self.z3.IntVal(size, self.context)
        terms = [
            reduce(mul, map(self.atom, atoms), self.z3.IntVal(factor, self.context)) for atoms, factor in size.terms
        ]
        return reduce(add, terms)

    def atom(self, atom: Symbol | Op) -> Any:
        """Return an atom as a term."""
        if isinstance(atom, Symbol):
            return self.symbol(atom)
        if atom not in self.known:
            self.known[atom] = self._op(atom, [self.size(arg) for arg in atom.args])
        return self.known[atom]

    def _op(self, op: Op, args: list[Any]) -> Any:
        """Return an operation as a term, and add the condition that its divisor is not zero."""
        if op.name == "min":
            return reduce(lambda x, y: self.z3.If(x <= y, x, y), args)
        if op.name == "max":
            return reduce(lambda x, y: self.z3.If(x >= y, x, y), args)
        size, by = args
        plus, low = None, bounds_of(op.args[1])[0]
        if low is None or low < 0:  # z3 rounds differently if the divisor is negative
            plus = by > 0
            size, by = self.z3.If(plus, size, -size), self.z3.If(plus, by, -by)
        self.conditions.append(by >= 1)
        if op.name == "//":
            return size / by
        return size % by if plus is None else self.z3.If(plus, size % by, -(size % by))
