"""Arrays beside the axes that are written for them: what must hold, where a name is the same size at each place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from shapecheck.models.lang import expression
from shapecheck.shapes.broadcast import broadcast
from shapecheck.shapes.claims import FALSE, TRUE, AllOf, AnyOf, Claim, Equal
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Kind, Size, fresh
from shapecheck.shapes.text import show
from shapecheck.shapes.written import Axes, Axis


@dataclass(frozen=True, slots=True)
class Demand:
    """What must hold, and what is said if it cannot."""

    claim: Claim
    said: str


@dataclass(slots=True)
class Bindings:
    """The sizes that names of axes stand for, and what has them; for names of many axes, their sizes and whether they
    may be stretched."""

    sizes: dict[str, tuple[Size, str]] = field(default_factory=dict)
    many: dict[str, tuple[tuple[Size, ...], bool]] = field(default_factory=dict)

    def copy(self) -> Bindings:
        return Bindings(dict(self.sizes), dict(self.many))

    def value(self, axis: Axis) -> Size | None:
        """Return the size of an axis as far as it is written or bound, otherwise None."""
        if axis.size is not None:
            return axis.size
        if axis.name:
            return self.sizes[axis.name][0] if axis.name in self.sizes else None
        if not axis.expression:
            return None
        known: dict[str, Size] = {name: size for name, (size, _) in self.sizes.items()}
        try:
            return expression.evaluate(expression.parse(axis.expression), known)
        except (expression.Unknown, ValueError, SyntaxError):
            return None


def demands(axes: Axes, shape: Shape, text: str, name: str, bound: Bindings) -> Iterator[Demand]:
    """Yield what must hold for an array of a shape; names are bound to the sizes that they are first used for."""
    at = next((at for at, axis in enumerate(axes) if axis.is_many), None)
    said = f"{name} has shape {show(shape)}, not “{text}”"
    least = len(axes) - (at is not None)
    if shape.tail is not None:
        if at is None and shape.min_rank > least:
            yield Demand(FALSE, said)
        return
    rank = len(shape.head)
    if rank < least or (at is None and rank != least):
        yield Demand(FALSE, said)
        return
    before = len(axes) if at is None else at
    end = rank - (len(axes) - before - 1) if at is not None else rank
    single = [*zip(axes[:before], range(before), strict=True)]
    single += zip(axes[before + 1 :], range(end, rank), strict=True)
    for axis, position in single:
        yield from _single(axis, shape.head[position], position, said, name, bound)
    if at is not None and axes[at].name:
        yield from _many(axes[at], shape.head[before:end], name, bound)


def _single(axis: Axis, size: Size, position: int, said: str, name: str, bound: Bindings) -> Iterator[Demand]:
    wanted = bound.value(axis)
    if wanted is None:
        if axis.name and not (axis.stretched and not (isinstance(size, int) and size != 1)):
            bound.sizes[axis.name] = size, name
        return
    claim: Claim = Equal(size, wanted)
    if axis.stretched:
        claim = AnyOf((claim, Equal(size, 1)))
    if axis.size is None and isinstance(wanted, int):
        other = f" in {bound.sizes[axis.name][1]}" if axis.name else ""
        what = axis.name or axis.expression
        said = f"{name} has {size} for “{what}” on axis {position}, but “{what}” is {wanted}{other}"
    yield Demand(claim, said)


def _many(axis: Axis, sizes: tuple[Size, ...], name: str, bound: Bindings) -> Iterator[Demand]:
    """Yield the demands of `*name`: the same axes as before, or ones that broadcast if either is written with #."""
    if axis.name not in bound.many:
        bound.many[axis.name] = sizes, axis.stretched
        return
    earlier, may_stretch = bound.many[axis.name]
    said = f"{name} has {show(Shape(sizes))} for “*{axis.name}”, which is {show(Shape(earlier))} before"
    if not (may_stretch or axis.stretched):
        yield Demand(_same(sizes, earlier), said)
        return
    result, needed = broadcast([Shape(sizes), Shape(earlier)])
    yield Demand(AllOf(needed), said)
    if not (may_stretch and axis.stretched):
        yield Demand(_same(result.head, sizes if may_stretch else earlier), said)
    if may_stretch:
        bound.many[axis.name] = result.head, axis.stretched


def _same(sizes: Sequence[Size], others: Sequence[Size]) -> Claim:
    if len(sizes) != len(others):
        return FALSE
    return AllOf(tuple(Equal(a, b) for a, b in zip(sizes, others, strict=True) if a != b)) if sizes else TRUE


def declared_shape(axes: Axes, bound: Bindings, new_size: Callable[[str], Size]) -> Shape:
    """Return the shape that axes declare; `new_size` makes the size of a name that is not bound, or of ""."""
    at = next((at for at, axis in enumerate(axes) if axis.is_many), None)
    if at is None:
        return Shape(tuple(_declared(axis, bound, new_size) for axis in axes))
    head, tail = (tuple(_declared(axis, bound, new_size) for axis in part) for part in (axes[:at], axes[at + 1 :]))
    sizes, may_stretch = bound.many.get(axes[at].name, ((), True))
    return Shape(head, tail) if may_stretch or axes[at].stretched else Shape((*head, *sizes, *tail))


def _declared(axis: Axis, bound: Bindings, new_size: Callable[[str], Size]) -> Size:
    if axis.stretched:
        return fresh("?", Kind.LOST, why="size that may be stretched")
    size = bound.value(axis)
    if size is not None:
        return size
    if axis.expression:
        return fresh("?", Kind.LOST, why="expression of sizes that are not known")
    made = new_size(axis.name)
    if axis.name:
        bound.sizes[axis.name] = made, "the annotations"
    return made
