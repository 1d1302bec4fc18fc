"""Values of the analysis: what many of them share is compared and hashed once."""

from __future__ import annotations

from shapecheck.domain.values import FALSE, NONE, TRUE, Choice, Lost, Missing, Value

DEPTH = 60


def nested(test: Value, depth: int) -> Value:
    """Return alternatives that hold the same part twice, so that they have 2 ** depth parts in all."""
    value = test
    for _ in range(depth):
        value = Choice(((((value, True),), value), (((value, False),), FALSE)))
    return value


def test_equal_alternatives_are_compared_once() -> None:
    test = Lost("a test")
    one, other = nested(test, DEPTH), nested(test, DEPTH)
    assert hash(one) == hash(other)
    assert one == other  # takes for ever if each occurrence of a part is compared
    assert {one: TRUE}[other] == TRUE


def test_different_alternatives_are_not_equal() -> None:
    one, other = nested(Lost("a test"), 3), nested(Lost("a test"), 3)
    assert one != other
    hash(one), hash(other)
    assert one != other
    assert one != TRUE


def test_what_is_equal_stays_what_it_is() -> None:
    test, missing = Lost("a test"), Missing(None, 1, "gradient")
    one, other = (Choice(((((test, True),), value), (((test, False),), TRUE))) for value in (NONE, missing))
    assert one == other
    assert other.options[0][1] is missing
