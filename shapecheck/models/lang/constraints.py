"""Constraints of a call: a claim, the kind of mismatch if it cannot hold, and the message for that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shapecheck.clash_kind import ClashKind
from shapecheck.models.lang.dtypes import is_float
from shapecheck.models.lang.expression import Bindings, comparison, evaluate, size_of
from shapecheck.shapes.broadcast import broadcast
from shapecheck.shapes.claims import FALSE, AllOf, AnyOf, AtLeast, Claim, Divides, Equal
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Size

if TYPE_CHECKING:
    from shapecheck.models.lang.parameter_kinds import Tensor


@dataclass(frozen=True, slots=True)
class Need:
    """A claim with its message; `axis` names the axis of the signature that it is about, which the message then
    tells."""

    kind: ClashKind
    claim: Claim
    message: str
    axis: str = ""


LateNeed = Callable[[Bindings], Need]


def never(kind: ClashKind, message: str) -> Need:
    """Return a need that cannot be met: the call fails whatever the sizes are."""
    return Need(kind, FALSE, message)


def equal(kind: ClashKind, left: Size, right: Size, message: str) -> Need:
    return Need(kind, Equal(left, right), message)


def at_least(kind: ClashKind, size: Size, low: Size, message: str) -> Need:
    return Need(kind, AtLeast(size, low), message)


def each_equal(kind: ClashKind, left: Iterable[Size], right: Iterable[Size], message: str) -> list[Need]:
    """Return the needs that axes are equal one by one; the message has a placeholder for either size."""
    return [equal(kind, x, y, message.format(x, y)) for x, y in zip(left, right, strict=False)]


def broadcasting(shapes: Sequence[Shape], said: str) -> tuple[Shape, list[Need]]:
    """Return the shape that shapes broadcast to, and the needs that they do; `said` names them."""
    shape, claims = broadcast(shapes)
    return shape, [Need(ClashKind.BROADCAST, claim, f"{said} do not broadcast") for claim in claims]


def constraint(text: str, bindings: Bindings) -> Need:
    """Return the need for a comparison that a model states."""
    left, sign, right = comparison(text)
    if sign == "==" and "%" in text and text.replace(" ", "").endswith("==0"):
        dividend, divisor = text.split("==")[0].rsplit("%", 1)
        a, b = evaluate(left.left, bindings), evaluate(left.right, bindings)  # type: ignore[attr-defined]
        said = f"{dividend.strip(' ()')} = {a} is not a multiple of {divisor.strip(' ()')} = {b}"
        return Need(ClashKind.AXIS, Divides(b, a), said)
    a, b = evaluate(left, bindings), evaluate(right, bindings)
    if sign == "==":
        if "prod" in text:
            return Need(ClashKind.ELEMENTS, Equal(a, b), f"{a} elements do not fill {b}")
        return Need(
            ClashKind.RANK if "rank" in text else ClashKind.AXIS, Equal(a, b), f"{text} does not hold: {a} and {b}"
        )
    low, high = {">=": (b, a), ">": (b + 1, a), "<=": (a, b), "<": (a + 1, b)}[sign]
    return Need(ClashKind.NEGATIVE_SIZE, AtLeast(high, low), f"{text} does not hold: {a} and {b}")


def one_of(kind: ClashKind, size: Size, options: Iterable[Size], message: str) -> Need:
    return Need(kind, AnyOf(tuple(Equal(size, option) for option in options)), message)


def multiple(name: str, divisor: Size, what: str) -> LateNeed:
    """Return the need that an axis of the signature can be divided into the given number of groups."""

    def divided(bindings: Bindings) -> Need:
        size = size_of(name, bindings)
        return Need(ClashKind.AXIS, Divides(divisor, size), f"{size} {what} cannot be divided into {divisor} groups")

    return divided


class Refused(Exception):
    """The call fails whatever the sizes are."""

    def __init__(self, kind: ClashKind, message: str) -> None:
        super().__init__(message)
        self.need = never(kind, message)


def of_rank(operand: Tensor, *ranks: int) -> None:
    """Refuse an operand that is known to have none of these ranks."""
    if operand.rank is not None and operand.rank not in ranks:
        raise Refused(ClashKind.RANK, f"{operand.name} has rank {operand.rank}, not {' or '.join(map(str, ranks))}")


def of_integers(operand: Tensor) -> None:
    """Refuse an operand that is known to have floats, where TensorFlow takes indices or class numbers."""
    if is_float(operand.dtype):
        raise Refused(ClashKind.NOT_INTEGER, f"{operand.name} is {operand.dtype}, not an integer")


def equal_ranks(operand: Tensor, other: Tensor) -> None:
    """Refuse an operand that is known to have another rank than a second one."""
    if operand.rank != other.rank and operand.rank is not None and other.rank is not None:
        raise Refused(ClashKind.RANK, f"{operand.name} has rank {operand.rank}, {other.name} has rank {other.rank}")


def within(kind: ClashKind, size: Size, low: Size, high: Size, message: str) -> Need:
    """Return the need that low <= size <= high."""
    return Need(kind, AllOf((AtLeast(size, low), AtLeast(high, size))), message)


def position(tensor: Tensor, axis: int) -> str:
    """Return the position of an axis of an operand in words; `axis` counts from the end where it is negative."""
    rank = None if tensor.shape.tail is not None else len(tensor.shape.head)
    if rank is not None and axis < 0:
        axis += rank
    if rank == 2:
        return "rows" if axis == 0 else "columns"
    if rank == 1:
        return "elements"
    return f"on axis {axis}"


def has(tensor: Tensor, axis: int, size: Size) -> str:
    """Return a phrase such as "x has 128 columns"."""
    return f"{tensor.name} has {size} {position(tensor, axis)}"


def not_known(where: str, name: str, size: Size) -> Need:
    """Return the constraint that a size, which is that of weights, is known."""
    told = str(size)
    said = "not known" if "?" in told else told
    return never(ClashKind.UNBUILT, f"the {where} of {name} is {said}, it must be a known size")
