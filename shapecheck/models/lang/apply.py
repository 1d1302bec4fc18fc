"""Application of a parsed signature to operand shapes: results and constraints.

Where sizes or ranks are not known, less is known about the results. Nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from shapecheck.clash_kind import ClashKind
from shapecheck.models.lang.constraints import LateNeed, Need, constraint, equal, has, never
from shapecheck.models.lang.expression import Unknown, evaluate, parse
from shapecheck.models.lang.parameter_kinds import Tensor
from shapecheck.models.lang.signature import Axis, Computed, Many, Memory, Pattern, Signature, Token
from shapecheck.shapes.broadcast import broadcast
from shapecheck.shapes.claims import AnyOf, Equal
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Expr, Size

Bound: TypeAlias = "Size | Shape | tuple[Size, ...]"
Derived: TypeAlias = "Bound | str | Callable[[Mapping[str, Bound]], Size]"
Fresh: TypeAlias = Callable[[str], Expr]
IN_GRAPHS = "TensorFlow 1"  # bound where the call is made, which compares shapes before anything is computed


def _star(pattern: Pattern) -> int | None:
    """Where any number of axes stands in a pattern."""
    return next((at for at, token in enumerate(pattern) if isinstance(token, Many)), None)


def _fixed(pattern: Pattern) -> int:
    """How many axes a pattern has at least."""
    return len(pattern) - (_star(pattern) is not None)


@dataclass(slots=True)
class Application:
    """One application of a signature; `bindings` starts with the parameters and the axes that a layer remembers."""

    bindings: dict[str, Bound]
    fresh: Fresh
    needs: list[Need] = field(default_factory=list)
    origins: dict[str, tuple[Tensor, int]] = field(default_factory=dict)
    casts: dict[str, list[tuple[Tensor, Shape]]] = field(default_factory=dict)
    late: list[tuple[Tensor, int, Size, Computed]] = field(default_factory=list)
    missing: set[str] = field(default_factory=set)
    blurred: bool = False  # an optional axis may be present or not
    failed: bool = False  # an operand has a rank that does not fit at all

    def run(
        self,
        signature: Signature,
        operands: Sequence[Tensor],
        derived: Mapping[str, Derived] = {},
        constraints: Sequence[str | LateNeed | Need] = (),
    ) -> tuple[Shape, ...]:
        """Match all operands, then state the constraints and build the results."""
        for pattern, operand in zip(signature.inputs, operands, strict=False):
            self.match(pattern, operand)
        self._fill(signature)
        self._broadcast()
        self.derive(derived)
        self._compare_computed()
        for text in constraints:
            self.state(text)
        if self.failed or self.blurred:
            return (UNRANKED,) * len(signature.outputs)
        return tuple(self.build(pattern) for pattern in signature.outputs)

    # Matching --------------------------------------------------------------------------------------------------

    def match(self, pattern: Pattern, operand: Tensor) -> None:
        """Bind the tokens of a pattern to the axes of an operand."""
        shape = operand.shape
        optional = [at for at, token in enumerate(pattern) if isinstance(token, Axis) and token.optional]
        missing = _fixed(pattern) - len(shape.head) - len(shape.tail or ())
        if missing > 0 and optional:
            if shape.tail is not None:
                self.blurred = True
                return
            pattern = self._without_missing(pattern, optional[:missing])
        star = _star(pattern)
        fixed = _fixed(pattern)
        if not self._rank_fits(operand, fixed, star is not None):
            return
        before, after = (fixed, 0) if star is None else (star, fixed - star)
        for at in range(before):
            self._bind(pattern[at], operand, at, axis_of(shape, at, fixed if star is None else None))
        for back in range(1, after + 1):
            self._bind(pattern[-back], operand, -back, axis_of(shape, -back, None))
        if star is not None:
            self._bind_many(pattern[star], operand, middle(shape, before, after))  # type: ignore[arg-type]

    def _without_missing(self, pattern: Pattern, gone: Sequence[int]) -> Pattern:
        self.missing.update(token.name for at in gone if isinstance(token := pattern[at], Axis))
        return tuple(token for at, token in enumerate(pattern) if at not in gone)

    def _rank_fits(self, operand: Tensor, fixed: int, open_ended: bool) -> bool:
        shape = operand.shape
        known = len(shape.head) + len(shape.tail or ())
        if shape.tail is None and (known < fixed if open_ended else known != fixed):
            said = f"at least {fixed} is needed" if open_ended else f"not {fixed}"
            self.needs.append(never(ClashKind.RANK, f"{operand.name} has rank {known}, {said}"))
        elif shape.tail is not None and known > fixed and not open_ended:
            self.needs.append(never(ClashKind.RANK, f"{operand.name} has at least {known} axes, not {fixed}"))
        else:
            return True
        self.failed = True
        return False

    def _bind(self, token: Token, operand: Tensor, at: int, size: Size | None) -> None:
        match token:
            case Axis(name="_"):
                return
            case Axis(name=name):
                self._bind_name(name, operand, at, size, ClashKind.AXIS)
            case Memory(name=name):
                self._bind_name("@" + name, operand, at, size, ClashKind.LAYER_INPUT)
            case Computed() if size is not None:
                self.late.append((operand, at, size, token))

    def _bind_name(self, name: str, operand: Tensor, at: int, size: Size | None, kind: ClashKind) -> None:
        if size is None:
            return
        bound = self.bindings.get(name)
        if bound is None or isinstance(bound, (Shape, tuple)):
            self.bindings[name] = size
            self.origins[name] = operand, at
            return
        if bound == size:
            return
        if name in self.origins:
            other, there = self.origins[name]
            said = f"{has(operand, at, size)}, {has(other, there, bound)}"
            if (operand.order, at) > (other.order, there):
                said = f"{has(other, there, bound)}, {has(operand, at, size)}"
        else:
            said = f"{has(operand, at, size)}, not {bound}"
        self.needs.append(equal(kind, bound, size, said))
        if isinstance(size, int):
            self.bindings[name] = size

    def _bind_many(self, token: Many, operand: Tensor, shape: Shape) -> None:
        if token.cast:
            self.casts.setdefault(token.name, []).append((operand, shape))
            return
        bound = self.bindings.get(token.name)
        if not isinstance(bound, Shape):
            self.bindings[token.name] = shape
            self.origins[token.name] = operand, 0
            return
        self.needs += same(self.origins[token.name][0], bound, operand, shape)
        if bound.tail is not None and shape.tail is None:
            self.bindings[token.name] = shape

    def _fill(self, signature: Signature) -> None:
        """Bind names that occur in the inputs but met nothing known to fresh symbols."""
        for pattern in signature.inputs:
            for token in pattern:
                if isinstance(token, Axis) and token.name != "_" and token.name not in self.missing:
                    if token.name not in self.bindings:
                        self.bindings[token.name] = self.fresh(token.name)
                elif isinstance(token, Many) and not token.cast:
                    self.bindings.setdefault(token.name, UNRANKED)
                elif isinstance(token, Many):
                    self.casts.setdefault(token.name, [])

    def _broadcast(self) -> None:
        for name, parts in self.casts.items():
            if self.failed or self.blurred or not parts:
                self.bindings[name] = UNRANKED
                continue
            shape, claims = broadcast([part for _, part in parts])
            said = " and ".join(f"{operand.name} {operand.shape}" for operand, _ in parts)
            self.needs += [Need(ClashKind.BROADCAST, claim, f"{said} do not broadcast") for claim in claims]
            self.bindings[name] = shape

    def derive(self, derived: Mapping[str, Derived]) -> None:
        """Bind the sizes that a model derives from others."""
        for name, value in derived.items():
            self.bindings[name] = self._derived(name, value)

    def _derived(self, name: str, value: Derived) -> Bound:
        try:
            if isinstance(value, str):
                return evaluate(parse(value), self.bindings)
            return value(self.bindings) if callable(value) else value
        except Unknown:
            return self.fresh(name)

    def _compare_computed(self) -> None:
        for operand, at, size, token in self.late:
            try:
                wanted = evaluate(token.tree, self.bindings)
            except Unknown:
                continue
            if wanted != size:
                self.needs.append(equal(ClashKind.AXIS, size, wanted, f"{has(operand, at, size)}, not {wanted}"))

    def state(self, text: str | LateNeed | Need) -> None:
        """Add a constraint, if its sizes are known."""
        try:
            if isinstance(text, Need):
                self.needs.append(text)
            else:
                need = constraint(text, self.bindings) if isinstance(text, str) else text(self.bindings)
                self.needs.append(self._placed(need))
        except Unknown:
            return

    def _placed(self, need: Need) -> Need:
        """Return a need whose message tells which axis of which operand it is about."""
        if need.axis not in self.origins:
            return need
        return replace(need, message=f"{need.message}: {has(*self.origins[need.axis], self._one(need.axis))}")

    # Building --------------------------------------------------------------------------------------------------

    def build(self, pattern: Pattern) -> Shape:
        """The shape that an output pattern describes."""
        return joined([self._piece(token) for token in pattern])

    def _piece(self, token: Token) -> Shape:
        match token:
            case Axis(name=name) if name in self.missing:
                return Shape(())
            case Axis(name="_"):
                return Shape((self.fresh("_"),))
            case Axis(name=name):
                return Shape((self._one(name),))
            case Memory(name=name):
                return Shape((self._one("@" + name),))
            case Computed(tree=tree, text=text):
                try:
                    return Shape((evaluate(tree, self.bindings),))
                except Unknown:
                    return Shape((self.fresh(text),))
            case Many(name=name):
                bound = self.bindings.get(name, UNRANKED)
                return bound if isinstance(bound, Shape) else Shape(tuple(bound))  # type: ignore[arg-type]

    def _one(self, name: str) -> Size:
        bound = self.bindings.get(name)
        return self.fresh(name) if bound is None or isinstance(bound, (Shape, tuple)) else bound


def axis_of(shape: Shape, at: int, rank: int | None) -> Size | None:
    """Return the size at a position from the front, or from the back where negative; `rank` if the pattern fixes it."""
    if shape.tail is None:
        return shape.head[at] if -len(shape.head) <= at < len(shape.head) else None
    if at >= 0:
        if at < len(shape.head):
            return shape.head[at]
        return shape.tail[at - rank] if rank is not None and rank - at <= len(shape.tail) else None
    return shape.tail[at] if -at <= len(shape.tail) else None


def middle(shape: Shape, before: int, after: int) -> Shape:
    """Return a shape without its first and last axes."""
    if shape.tail is None:
        return Shape(shape.head[before : len(shape.head) - after])
    # Axes beyond the known head may be those of the known tail, and the other way round.
    too_many, too_few = max(0, before - len(shape.head)), max(0, after - len(shape.tail))
    head = shape.head[before : max(0, len(shape.head) - too_few)] if too_few else shape.head[before:]
    tail = shape.tail[: len(shape.tail) - after] if after <= len(shape.tail) else ()
    return Shape(head, tail[too_many:])


def joined(pieces: Sequence[Shape]) -> Shape:
    """Return the axes of all pieces, one piece after the other."""
    if all(piece.tail is None for piece in pieces):
        return Shape(tuple(size for piece in pieces for size in piece.head))
    head: tuple[Size, ...] = ()
    tail: tuple[Size, ...] = ()
    for piece in pieces:
        head += piece.head
        if piece.tail is not None:
            break
    for piece in reversed(pieces):
        if piece.tail is not None:
            tail = piece.tail + tail
            break
        tail = piece.head + tail
    return Shape(head, tail)


def stretches_to(operand: Tensor, shape: Shape, kind: ClashKind = ClashKind.BROADCAST) -> list[Need]:
    """Return the constraint for an operand to broadcast to exactly a shape."""
    if shape.tail is not None or operand.shape.tail is not None:
        return []
    said = f"{operand.name} {operand.shape} does not broadcast to {shape}"
    if len(operand.shape.head) > len(shape.head):
        return [never(kind, said)]
    pairs = list(zip(reversed(operand.shape.head), reversed(shape.head), strict=False))
    return [Need(kind, AnyOf((Equal(size, 1), Equal(size, wanted))), said) for size, wanted in pairs if size != wanted]


def together(
    shapes: Sequence[Shape], said: str = "", kind: ClashKind = ClashKind.BROADCAST
) -> tuple[Shape, list[Need]]:
    """Return the shape that shapes broadcast to, and the constraints for that, with the message that they do not
    broadcast.
    """
    shape, claims = broadcast(shapes)
    said = said or " and ".join(map(str, shapes)) + " do not broadcast"
    return shape, [Need(kind, claim, said) for claim in claims]


def same(a: Tensor, left: Shape, b: Tensor, right: Shape, kind: ClashKind = ClashKind.AXIS) -> list[Need]:
    """Return the constraints for two shapes to be the same."""
    if left.tail is None and right.tail is None:
        if len(left.head) != len(right.head):
            return [never(ClashKind.RANK, f"{a.name} has shape {a.shape}, {b.name} has shape {b.shape}")]
        pairs = list(zip(left.head, right.head, strict=True))
    else:
        pairs = list(zip(left.head, right.head, strict=False))
        ends = (left.head if left.tail is None else left.tail, right.head if right.tail is None else right.tail)
        pairs += list(zip(reversed(ends[0]), reversed(ends[1]), strict=False))
    said = f"{a.name} has shape {a.shape}, {b.name} has shape {b.shape}"
    return [equal(kind, x, y, said) for x, y in pairs if x != y]
