"""What a call must meet: a claim, the kind of mismatch it guards against, and the sentence that says so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shapecheck.models.lang.expression import Bindings, comparison, evaluate
from shapecheck.shapes.claims import FALSE, AllOf, AtLeast, Claim, Divides, Equal
from shapecheck.shapes.size import Size

if TYPE_CHECKING:
    from shapecheck.models.lang.kinds import Tensor


@dataclass(frozen=True, slots=True)
class Need:
    kind: str
    claim: Claim
    message: str


LateNeed = Callable[[Bindings], Need]


def need(kind: str, claim: Claim, message: str) -> Need:
    return Need(kind, claim, message)


def never(kind: str, message: str) -> Need:
    """A need that cannot be met: the call is wrong whatever the sizes are."""
    return Need(kind, FALSE, message)


def equal(kind: str, left: Size, right: Size, message: str) -> Need:
    return Need(kind, Equal(left, right), message)


def at_least(kind: str, size: Size, low: Size, message: str) -> Need:
    return Need(kind, AtLeast(size, low), message)


def constraint(text: str, bindings: Bindings) -> Need:
    """The need that a comparison in a model states."""
    left, sign, right = comparison(text)
    if sign == "==" and "%" in text and text.replace(" ", "").endswith("==0"):
        dividend, divisor = text.split("==")[0].rsplit("%", 1)
        a, b = evaluate(left.left, bindings), evaluate(left.right, bindings)  # type: ignore[attr-defined]
        said = f"{dividend.strip(' ()')} = {a} is not a multiple of {divisor.strip(' ()')} = {b}"
        return Need("axis", Divides(b, a), said)
    a, b = evaluate(left, bindings), evaluate(right, bindings)
    if sign == "==":
        if "prod" in text:
            return Need("elements", Equal(a, b), f"{a} elements do not fill {b}")
        return Need("rank" if "rank" in text else "axis", Equal(a, b), f"{text} does not hold: {a} and {b}")
    low, high = {">=": (b, a), ">": (b + 1, a), "<=": (a, b), "<": (a + 1, b)}[sign]
    return Need("negative-size", AtLeast(high, low), f"{text} does not hold: {a} and {b}")


def within(kind: str, size: Size, low: Size, high: Size, message: str) -> Need:
    """The need that low <= size <= high."""
    return Need(kind, AllOf((AtLeast(size, low), AtLeast(high, size))), message)


def position(tensor: Tensor, axis: int) -> str:
    """An axis of an operand in words; `axis` counts from the end where it is negative."""
    rank = None if tensor.shape.tail is not None else len(tensor.shape.head)
    if rank is not None and axis < 0:
        axis += rank
    if rank == 2:
        return "rows" if axis == 0 else "columns"
    if rank == 1:
        return "elements"
    return f"on axis {axis}"


def has(tensor: Tensor, axis: int, size: Size) -> str:
    """ "x has 128 columns"."""
    return f"{tensor.name} has {size} {position(tensor, axis)}"
