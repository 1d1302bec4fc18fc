"""Views of tensors whose axes were moved: only axes that lie together in memory can be merged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Tensor, Value, as_size, as_sizes
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.registry import REGISTRY
from shapecheck.shapes.claims import FALSE as IMPOSSIBLE

MAKERS = frozenset(
    f"torch.{name}" for name in "rand randn zeros ones full empty randint randperm arange linspace eye bmm".split()
) | {"torch.Tensor.bmm", "torch.Tensor.contiguous", "torch.nn.Linear.__call__", "torch.nn.Embedding.__call__"}
"""What gives tensors whose elements lie in the order of their axes, whatever it is given."""
PRODUCTS = ("torch.@", "torch.matmul", "torch.Tensor.matmul")
VIEWS = ("torch.Tensor.view", "torch.Tensor.flatten")
SWAPS = tuple(f"{owner}.{name}" for owner in ("torch", "torch.Tensor") for name in ("transpose", "swapaxes"))
TURNS = ("torch.t", "torch.Tensor.t", "torch.Tensor.T", "torch.Tensor.mT", "torch.adjoint")
ORDERS = ("torch.permute", "torch.Tensor.permute")


@dataclass(frozen=True, slots=True)
class Layout:
    """How a tensor lies in memory: the sizes of its axes, and how far apart its parts along each are."""

    sizes: tuple[int, ...]
    strides: tuple[int, ...]

    def moved(self, order: Sequence[int]) -> Layout | None:
        """Return the layout with its axes in another order."""
        places = [axis % len(self.sizes) for axis in order] if self.sizes else []
        if sorted(places) != list(range(len(self.sizes))):
            return None
        return Layout(tuple(self.sizes[place] for place in places), tuple(self.strides[place] for place in places))

    def has_view(self, wanted: Sequence[int]) -> bool:
        """Return whether the same memory can be seen with other sizes, of as many elements."""
        if 0 in self.sizes or not self.sizes:
            return True
        left, stride, count = len(wanted) - 1, self.strides[-1], 1
        for axis in reversed(range(len(self.sizes))):
            count *= self.sizes[axis]
            if axis > 0 and (self.sizes[axis - 1] == 1 or self.strides[axis - 1] == count * stride):
                continue
            made = 1
            while left >= 0 and (made < count or wanted[left] == 1):
                made, left = made * wanted[left], left - 1
            if made != count:
                return False
            stride, count = self.strides[axis - 1], 1
        return left == -1


def layout(ctx: Context, value: Value, depth: int = 8) -> Layout | None:
    """Return how a tensor lies in memory, None if that is not known."""
    sizes = _sizes(ctx, value)
    if not isinstance(value, Tensor) or sizes is None or not depth:
        return None
    name, args = ctx.operation(value)
    if name in MAKERS or (name in PRODUCTS and _is_in_order(args)):
        return _in_order(sizes)
    before = layout(ctx, args[0], depth - 1) if args else None
    if before is None:
        return None
    if name in VIEWS:
        return _in_order(sizes) if before == _in_order(before.sizes) else None
    if name in SWAPS and len(args) == 3:
        return _swapped(before, *map(as_size, args[1:]))
    if name in TURNS:
        return before if len(before.sizes) < 2 else _swapped(before, -1, -2)
    if name in ORDERS:
        order = as_sizes(args[1]) if len(args) == 2 else tuple(map(as_size, args[1:]))
        known = [place for place in order or () if isinstance(place, int)]
        return before.moved(known)
    return None


def _sizes(ctx: Context, value: Value) -> tuple[int, ...] | None:
    """Return the sizes of a tensor, if all of them are known."""
    if not isinstance(value, Tensor) or value.shape.tail is not None:
        return None
    found = [ctx.resolve(size) for size in value.shape.head]
    known = tuple(size for size in found if isinstance(size, int))
    return known if len(known) == len(found) else None


def _in_order(sizes: tuple[int, ...]) -> Layout:
    strides = [1]
    for size in reversed(sizes[1:]):
        strides.insert(0, strides[0] * size)
    return Layout(sizes, tuple(strides[: len(sizes)]))


def _is_in_order(factors: Sequence[Value]) -> bool:
    """Return whether a product lies in order: a second factor with more axes is multiplied in another one."""
    ranks = [factor.shape.rank for factor in factors if isinstance(factor, Tensor)]
    match ranks:
        case [int() as first, int() as second]:
            return first >= second
    return False


def _swapped(before: Layout, one: object, other: object) -> Layout | None:
    if not isinstance(one, int) or not isinstance(other, int) or not before.sizes:
        return None
    order = list(range(len(before.sizes)))
    one, other = one % len(order), other % len(order)
    order[one], order[other] = order[other], order[one]
    return before.moved(order)


@behaviour("torch.Tensor.view", anew=True)
def view(ctx: Context, self: Value, *shape: Value, **options: Value) -> Value:
    """Return the tensor with other sizes, if its elements lie in their order."""
    made = REGISTRY["torch.Tensor.reshape"].run(ctx, (self, *shape), options)
    before, wanted = layout(ctx, self), _sizes(ctx, made)
    if before is not None and wanted is not None and not before.has_view(wanted):
        said = f"axes of {before.sizes} were moved, so that no view can merge them: use reshape"
        ctx.require(ClashKind.ELEMENTS, IMPOSSIBLE, said, self)
    return made
