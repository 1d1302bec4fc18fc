"""Windows of maps as columns and back, and maps that are sampled at given places."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Const, Value
from shapecheck.models.lang import Answer, AnyValue, Need, Refused, ShapeArg, Tensor, equal, op, result
from shapecheck.models.lang.constraints import equal_ranks
from shapecheck.models.torch.layer import layer
from shapecheck.models.torch.maps import Maps, of_maps, slide, spread
from shapecheck.shapes.claims import Divides
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size

ONE, ZERO = Const(1), Const(0)
FUNCTIONS = "torch.nn.functional"


def _product(sizes: tuple[Size, ...]) -> Size:
    total: Size = 1
    for size in sizes:
        total = total * size
    return total


@layer("torch.nn.Unfold")
@op(f"{FUNCTIONS}.unfold")
def unfold(
    input: Tensor, kernel_size: AnyValue, dilation: AnyValue = ONE, padding: AnyValue = ZERO, stride: AnyValue = ONE
) -> Answer:
    """Each window becomes a column."""
    return _columns(input, spread(kernel_size, 2), dilation, padding, stride)


def _columns(input: Tensor, kernel: Maps, dilation: Value, padding: Value, stride: Value) -> Answer:
    found = of_maps(input, 2)
    if found is None or input.rank is None:
        return UNRANKED
    counts, needs = slide(found, 2, kernel, stride, padding, dilation)
    columns = (found[0] * _product(kernel), _product(counts))
    return result(Shape((*input.shape.head[: input.rank - 3], *columns)), needs=needs)


@layer("torch.nn.Fold")
@op(f"{FUNCTIONS}.fold")
def fold(
    input: Tensor,
    output_size: AnyValue,
    kernel_size: AnyValue,
    dilation: AnyValue = ONE,
    padding: AnyValue = ZERO,
    stride: AnyValue = ONE,
) -> Answer:
    """The columns are the windows of the result."""
    return _folded(input, spread(output_size, 2), spread(kernel_size, 2), dilation, padding, stride)


def _folded(input: Tensor, sizes: Maps, kernel: Maps, dilation: Value, padding: Value, stride: Value) -> Answer:
    if input.rank is None:
        return UNRANKED
    if input.rank not in (2, 3):
        raise Refused(ClashKind.RANK, f"{input.name} has rank {input.rank}, not 2 or 3")
    *batch, rows, columns = input.shape.head
    channels = rows // _product(kernel)
    counts, needs = slide((channels, *sizes), 2, kernel, stride, padding, dilation)
    said = f"{input.name} has {rows} rows, which are no multiple of the {_product(kernel)} elements of a window"
    needs.append(Need(ClashKind.AXIS, Divides(_product(kernel), rows), said))
    said = f"{input.name} has {columns} columns, the result has {_product(counts)} windows"
    needs = [*needs, equal(ClashKind.AXIS, columns, _product(counts), said)]
    return result(Shape((*batch, channels, *sizes)), needs=needs)


@op(f"{FUNCTIONS}.grid_sample")
def grid_sample(input: Tensor, grid: Tensor) -> Answer:
    """A place in the input for each pixel of the result."""
    return _sampled(input, grid)


def _sampled(input: Tensor, grid: Tensor) -> Answer:
    if input.rank is None or grid.rank is None:
        return UNRANKED
    equal_ranks(input, grid)
    if input.rank not in (4, 5):
        raise Refused(ClashKind.RANK, f"{input.name} has rank {input.rank}, not 4 or 5")
    axes = " ".join("xyz"[: input.rank - 2])
    inside = " ".join("hwd"[: input.rank - 2])
    return f"n c {inside}, n {axes} {input.rank - 2} -> n c {axes}"


@op(f"{FUNCTIONS}.affine_grid")
def affine_grid(theta: Tensor, size: ShapeArg) -> Answer:
    """A grid for maps of a size, of a matrix for each of them."""
    if size.tail is not None or len(size.head) != 4:
        return UNRANKED
    return "n 2 3 -> n h w 2", {"h": size.head[2], "w": size.head[3]}, *_one_each(theta, size.head[0])


def _one_each(theta: Tensor, count: Size) -> list[Need]:
    """Return the need that there is a matrix for each map."""
    size = theta.shape.size(0)
    said = f"{theta.name} has {size} matrices for {count} maps"
    return [] if size is None else [equal(ClashKind.AXIS, size, count, said)]
