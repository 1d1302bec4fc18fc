"""Verdicts, witnesses and forced sizes, compared with enumeration of all small sizes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import assume, given, seed, settings
from hypothesis import strategies as st

from shapecheck.shapes import solve
from shapecheck.shapes.candidates import problem
from shapecheck.shapes.facts import (
    EMPTY,
    FALSE,
    TRUE,
    AllOf,
    AnyOf,
    AtLeast,
    Claim,
    Divides,
    Equal,
    Facts,
    Not,
    Verdict,
    claim_symbols,
    facts_of,
    holds,
    simplify,
    substitute_claim,
)
from shapecheck.shapes.inequalities import refuted_or_values
from shapecheck.shapes.size import (
    Kind,
    Size,
    Symbol,
    ceildiv,
    evaluate,
    floor_div,
    fresh,
    maximum,
    minimum,
    modulo,
    symbols,
)
from shapecheck.shapes.solve import decide, witness
from tests.support.seed import SEED

B, H, x = fresh("B", Kind.DYNAMIC), fresh("H", Kind.FREE), fresh("x", Kind.FREE)
y = fresh("y", Kind.LOST, low=1)
ALL = sorted(symbols(B + H + x + y), key=lambda symbol: symbol.serial)
quick = settings(deadline=None, derandomize=True, max_examples=300)

atoms = st.sampled_from([B, H, x, y, B, H])
factors = st.one_of(atoms, st.integers(0, 7))


def _operated(operator: str, a: Size, b: Size, k: int) -> Size:
    results = {"+": a + b, "-": a - b, "*": a * b, "//": a // k, "ceil": ceildiv(a, k), "%": a % k}
    return results.get(
        operator, maximum(a, b) if operator == "max" else minimum(a, b) if operator == "min" else floor_div(a, b)
    )


operators = st.sampled_from(["+", "-", "*", "//", "ceil", "%", "max", "min", "by"])
sizes = st.one_of(
    factors,
    st.builds(_operated, operators, atoms, factors, st.integers(1, 5)),
    st.builds(lambda a, b, k: ceildiv(a, k) * k + b, atoms, factors, st.integers(1, 3)),
)
simple = st.one_of(
    st.builds(Equal, sizes, sizes),
    st.builds(Equal, sizes, sizes),
    st.builds(AtLeast, sizes, sizes),
    st.builds(Divides, st.one_of(st.integers(1, 6), atoms), sizes),
)
claims: st.SearchStrategy[Claim] = st.recursive(
    simple,
    lambda inner: st.one_of(
        st.builds(Not, inner),
        st.builds(lambda *parts: AnyOf(parts), inner, inner),
        st.builds(lambda *parts: AllOf(parts), inner, inner),
    ),
    max_leaves=3,
)
wild = st.one_of(
    st.builds(lambda a, b, c, d: Equal(floor_div(a, b - c), d), factors, atoms, atoms, sizes),
    st.builds(lambda a, b, c, d: AtLeast(modulo(a + 1, b - 2 * c), d), atoms, atoms, atoms, sizes),
    st.builds(lambda a, b, c: Divides(a - b, c), atoms, atoms, sizes),
)
known = st.lists(claims, max_size=3).map(facts_of)


def box(facts: Facts, claim: Claim = TRUE, most: int = 6) -> Iterator[dict[Symbol, int]]:
    """Yield all small sizes that satisfy the facts; symbols that neither they nor the claim mention are 1."""
    involved = claim_symbols(claim).union(*map(claim_symbols, facts))
    choices = [range(s.low or 0, most + 1) if s in involved else (1,) for s in ALL]
    for numbers in product(*choices):
        values = dict(zip(ALL, numbers, strict=True))
        if satisfies(facts, values):
            yield values


def satisfies(facts: Facts, values: dict[Symbol, int]) -> bool:
    return all(truth(fact, values) for fact in facts)


def truth(claim: Claim, values: dict[Symbol, int]) -> bool | None:
    """Return whether it holds, None if it is undefined."""
    try:
        return holds(claim, values)
    except ZeroDivisionError:
        return None


def is_followed(*parts: Claim) -> bool:
    return {s for part in parts for s in claim_symbols(part)} <= set(ALL)


@quick
@seed(SEED)
@given(known, claims)
def test_verdicts_agree_with_all_small_sizes(facts: Facts, claim: Claim) -> None:
    assume(is_followed(claim, *facts))
    verdict, seen = decide(facts, claim), {truth(claim, values) for values in box(facts, claim)} - {None}
    if verdict is Verdict.ALWAYS:
        assert False not in seen
    if verdict is Verdict.NEVER:
        assert True not in seen
        assert decide(facts, Not(claim)) is Verdict.ALWAYS
    if seen == {True, False}:
        assert verdict in (Verdict.MAYBE, Verdict.UNDECIDED)
    if verdict is Verdict.MAYBE:
        for side in (claim, Not(claim)):
            values = witness(facts, side)
            assert values is not None
            assert satisfies(facts.relevant(claim_symbols(claim)).add(side), values)


@quick
@seed(SEED)
@given(st.lists(st.builds(AtLeast, sizes, sizes), min_size=1, max_size=5).map(facts_of))
def test_inequalities_are_refuted_or_solved(facts: Facts) -> None:
    assume(is_followed(*facts) and not facts.is_contradictory)
    task = problem(facts)
    found = refuted_or_values(task)
    if found is False:
        assert not list(box(facts))
    elif isinstance(found, dict):
        values = task.complete(found)
        assert values is not None
        assert satisfies(facts, values)


@pytest.mark.parametrize(
    ("facts", "is_possible"),
    [
        ([AtLeast(x, y + 1), AtLeast(y, H + 1), AtLeast(H, x)], False),
        ([AtLeast(x, y + 30), AtLeast(y, H + 20), AtLeast(H, 7)], True),
        ([AtLeast(x, 100), AtLeast(1, maximum(0, x - 99))], True),
        ([AtLeast(x, 101), AtLeast(1, maximum(0, x - 99))], False),
        ([AtLeast(minimum(x, y), 40), AtLeast(50, x + 1), AtLeast(y, 90)], True),
        ([AtLeast(minimum(x, y), 50), AtLeast(50, x + 1)], False),
        ([AtLeast(x // 4, 25), AtLeast(99, x)], False),
        ([AtLeast(x // 4, 25), AtLeast(100, x)], True),
    ],
)
def test_linear_inequalities_need_no_solver(facts: list[Claim], is_possible: bool) -> None:
    found = refuted_or_values(problem(facts_of(facts)))
    assert isinstance(found, dict) if is_possible else found is False


@settings(quick, max_examples=100)
@seed(SEED)
@given(st.lists(wild, max_size=1).map(facts_of), wild)
def test_verdicts_agree_where_divisors_may_be_negative(facts: Facts, claim: Claim) -> None:
    assume(is_followed(claim, *facts))
    verdict, seen = decide(facts, claim), {truth(claim, values) for values in box(facts, claim)} - {None}
    assert verdict is not Verdict.ALWAYS or False not in seen
    assert verdict is not Verdict.NEVER or True not in seen


@quick
@seed(SEED)
@given(claims)
def test_simple_claims_mean_the_same(claim: Claim) -> None:
    assume(is_followed(claim))
    simple_claim = simplify(claim)
    for values in box(EMPTY, claim, 3):
        expected = truth(claim, values)
        assert expected is None or holds(simple_claim, values) == expected


@quick
@seed(SEED)
@given(known, sizes)
def test_forced_sizes_keep_their_value(facts: Facts, size: Size) -> None:
    assume(is_followed(Equal(size, 0), *facts))
    resolved = facts.resolve(size)
    assert symbols(resolved) <= set(ALL)
    for values in box(facts, Equal(size, 0), 4):
        if truth(Equal(size, 0), values) is not None:
            assert evaluate(resolved, values) == evaluate(size, values)


@quick
@seed(SEED)
@given(known, claims)
def test_witnesses_satisfy(facts: Facts, claim: Claim) -> None:
    assume(is_followed(claim, *facts))
    values = witness(facts, claim, ALL)
    if values is None:
        assert next(box(facts.add(claim), most=3), None) is None
    else:
        assert set(ALL) <= set(values)
        assert holds(claim, values)
        assert all(symbol.low is None or values[symbol] >= symbol.low for symbol in ALL)


@quick
@seed(SEED)
@given(known, known, known)
def test_facts_that_two_paths_share(common: Facts, one: Facts, other: Facts) -> None:
    left, right = common, common
    for claim in one:
        left = left.add(claim)
    for claim in other:
        right = right.add(claim)
    shared = left.common(right)
    assert set(shared) == set(left) & set(right)
    assert set(shared) == set(right.common(left))


@quick
@seed(SEED)
@given(st.lists(st.tuples(st.integers(0, 9), claims), max_size=8), st.lists(st.integers(0, 9), max_size=20))
def test_collections_that_are_made_of_one_another_do_not_mix(made: list[tuple[int, Claim]], asked: list[int]) -> None:
    collections = [EMPTY]
    for index, claim in made:
        collections.append(collections[index % len(collections)].add(claim))
    for index in asked:
        facts = collections[index % len(collections)]
        alone = facts_of(facts)
        for symbol in ALL:
            assert list(facts.relevant([symbol])) == list(alone.relevant([symbol]))


def test_related_facts() -> None:
    facts = facts_of([Equal(B, 3 * H), AtLeast(x, 2), AtLeast(H, 4), Divides(2, y)])
    assert list(facts.relevant(symbols(B))) == [Equal(B, 3 * H), AtLeast(H, 4)]
    assert facts.relevant(symbols(B + x + y)) is facts
    assert sorted(len(group) for group in facts.components()) == [1, 1, 2]


def test_equal_facts_are_one_key() -> None:
    one, other = (facts_of([Equal(B, 3), AtLeast(x, 2)]) for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)
    assert one.add(Equal(B, 3)) is one
    assert one.add(TRUE) is one
    assert one != EMPTY
    assert len(one.add(AllOf((Equal(H, 1), Equal(y, 2))))) == 4


@pytest.mark.parametrize(
    ("facts", "claim", "verdict"),
    [
        ([], Equal((H // 2) // 2, H // 4), Verdict.ALWAYS),
        ([], Equal(2 * (H // 2), H), Verdict.MAYBE),
        ([], Equal(2 * ceildiv(H, 2), H), Verdict.MAYBE),
        ([Divides(2, H)], Equal(2 * ceildiv(H, 2), H), Verdict.ALWAYS),
        ([], Equal(4 * B, 21), Verdict.NEVER),
        ([], Equal(51200, 3136 * x), Verdict.NEVER),
        ([AtLeast(B, 1)], Equal(784 * B, 1024 * x), Verdict.MAYBE),
        ([AtLeast(B, 1), Equal(B * 28 * 28 * 64, B * x)], Equal(x, 50176), Verdict.ALWAYS),
        ([AtLeast(B, 1), Equal(B * 28 * 28 * 64, B * x)], Equal(x, 3136), Verdict.NEVER),
        ([Equal(B * 28 * 28 * 64, B * x)], Equal(x, 50176), Verdict.MAYBE),
        ([Equal(x, 784)], Equal(x, 100), Verdict.NEVER),
        ([AnyOf((Equal(H, x), Equal(H, 1))), Equal(x, 3)], Equal(H, 4), Verdict.NEVER),
        ([], AnyOf((Equal(B, 128), Equal(B, 1))), Verdict.MAYBE),
        ([AtLeast(B, 129)], AnyOf((Equal(B, 128), Equal(B, 1))), Verdict.NEVER),
        ([], Divides(B, B * x), Verdict.MAYBE),
        ([AtLeast(B, 1)], Divides(B, B * x), Verdict.ALWAYS),
        ([], AtLeast(B, 0), Verdict.ALWAYS),
        ([], Equal(H - (H // 2), H // 2 + H % 2), Verdict.ALWAYS),
        ([Equal(x, 4), Equal(x, 5)], Equal(x, 6), Verdict.UNDECIDED),
        ([Equal(x, 4), Equal(x, 5)], Equal(H, 6), Verdict.UNDECIDED),
        ([Equal(x, 4), Equal(x, 5)], Equal(3, 4), Verdict.UNDECIDED),
        ([Equal(3, 4)], Equal(2 * H, 7), Verdict.UNDECIDED),
        ([FALSE], FALSE, Verdict.UNDECIDED),
        ([], FALSE, Verdict.NEVER),
    ],
)
def test_typical_queries(facts: list[Claim], claim: Claim, verdict: Verdict) -> None:
    assert decide(facts_of(facts), claim) is verdict


def test_number_theory_ends_without_verdict() -> None:
    assert decide(facts_of([AtLeast(x, 1)]), Equal(x * x, 2 * H * H)) is Verdict.UNDECIDED


def test_without_solver_it_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve, "_ask", lambda *_: None)
    a, b = fresh("a", Kind.FREE), fresh("b", Kind.FREE)
    assert decide(facts_of([AtLeast(a, b)]), Equal(maximum(a, b), a)) is Verdict.UNDECIDED


def test_witnesses_are_natural() -> None:
    symbol_h, symbol_b, symbol_x = (next(iter(symbols(size))) for size in (H, B, x))
    assert witness(EMPTY, Not(Equal(2 * (H // 2), H))) == {symbol_h: 3}
    assert witness(EMPTY, TRUE, [symbol_b, symbol_h]) == {symbol_b: 2, symbol_h: 3}
    odd = witness(facts_of([Equal(49 * B, 64 * x), AtLeast(B, 1)]), TRUE)
    assert odd is None or odd == {}
    found = witness(facts_of([Equal(49 * B, 64 * x)]), TRUE, [symbol_b])
    assert found == {symbol_b: 64, symbol_x: 49}
    assert witness(facts_of([Equal(x, 4), Equal(x, 5)]), TRUE, [symbol_x]) is None
    assert witness(EMPTY, Equal(4 * B, 21)) is None


def test_verdicts_are_repeatable() -> None:
    facts, claim = facts_of([AtLeast(x, 1)]), Equal(x * x * H, 3 * B * B + 7)
    first = decide(facts, claim)
    decide.cache_clear()
    solve._verdict.cache_clear()
    solve._is_possible.cache_clear()
    assert decide(facts, claim) is first


def test_claims_read_like_conditions() -> None:
    assert str(Equal(2 * (H // 2), H)) == "2*(H//2) == H"
    assert str(Divides(2, H)) == "H % 2 == 0"
    assert str(Divides(2, H + 1)) == "(H + 1) % 2 == 0"
    assert str(Not(Equal(B, 1))) == "B != 1"
    assert str(Not(AtLeast(B, 1))) == "B < 1"
    assert str(AllOf((Equal(B, 1), AnyOf((Equal(H, 2), Equal(H, 1)))))) == "B == 1 and (H == 2 or H == 1)"
    assert (str(TRUE), str(FALSE)) == ("true", "false")
    assert substitute_claim(Not(Equal(B, 1)), dict.fromkeys(symbols(B), H + 1)) == Not(Equal(H + 1, 1))
