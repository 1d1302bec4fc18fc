"""Data sets and loaders: what a batch of them holds."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    FALSE,
    NONE,
    Choice,
    Const,
    Dict,
    HomogeneousSeq,
    Int,
    Lost,
    Ref,
    Scalar,
    Seq,
    SliceValue,
    Tensor,
    Value,
    as_bool,
    as_size,
    items_of,
    of_size,
    walk,
)
from shapecheck.models.lang import Context, base, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.lang.scalar_checks import is_float
from shapecheck.shapes.claims import FALSE as NEVER
from shapecheck.shapes.claims import Equal
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Kind, Size

DATA = "torch.utils.data"
LOADER = f"{DATA}.DataLoader"
SUBSET = f"{DATA}.Subset"
TENSORS = f"{DATA}.TensorDataset"
ELEMENT, ROWS = "@element", "@rows"


@behaviour(f"{DATA}.{{Dataset,IterableDataset,Sampler}}")
def dataset(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.new(f"{DATA}.Dataset")


@behaviour(f"{DATA}.{{Dataset,IterableDataset,Sampler}}.__init__")
def initialise(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    return NONE


base(TENSORS, f"{DATA}.Dataset")
base(SUBSET, f"{DATA}.Dataset")


@behaviour(TENSORS)
def tensor_dataset(ctx: Context, *tensors: Value) -> Value:
    """All tensors have as many rows."""
    given = [ctx.freeze(one) for one in tensors]
    if not given or not all(isinstance(one, Tensor) and one.shape.head for one in given):
        return ctx.new(TENSORS)
    found = [one for one in given if isinstance(one, Tensor)]
    rows = found[0].shape.head[0]
    for other in found[1:]:
        said = f"the first tensor has {rows} rows, another has {other.shape.head[0]}"
        ctx.require(ClashKind.AXIS, Equal(rows, other.shape.head[0]), said, found[0], other)
    items = tuple(Tensor(Shape(one.shape.head[1:], one.shape.tail), one.dtype, "torch") for one in found)
    return ctx.new(TENSORS, tensors=Seq("tuple", tuple(given)), **{ELEMENT: Seq("tuple", items), ROWS: of_size(rows)})


@behaviour(f"{{{TENSORS},{SUBSET}}}.__getitem__")
def sample(ctx: Context, self: Ref, index: Value) -> Value:
    """Return a sample; for a slice or a list of numbers, as many rows of each tensor."""
    index = ctx.freeze(index)
    tensors = ctx.get(self, "tensors")
    if isinstance(tensors, Seq):
        return Seq("tuple", tuple(ctx.apply("torch.Tensor.__getitem__", one, index) for one in tensors.items))
    is_several = isinstance(index, (SliceValue, Seq, HomogeneousSeq))
    return (None if is_several else ctx.get(self, ELEMENT)) or ctx.lost("samples of a data set")


@behaviour(f"{{{TENSORS},{SUBSET}}}.__len__")
def rows_of(ctx: Context, self: Ref) -> Value:
    return ctx.get(self, ROWS) or ctx.lost("the number of samples")


@behaviour(f"{DATA}.random_split")
def random_split(ctx: Context, dataset: Value, lengths: Value, *rest: Value, **options: Value) -> Value:
    """Return parts of a data set, whose samples are those of the whole."""
    sizes = items_of(ctx.freeze(lengths))
    if sizes is None:
        return ctx.lost("parts of a data set")
    element = _sample(ctx, dataset)
    parts = [ctx.new(SUBSET, **{ELEMENT: element, ROWS: size}) for size in sizes]
    return Seq("list", tuple(parts))


@behaviour(SUBSET)
def subset(ctx: Context, dataset: Value, indices: Value = NONE) -> Value:
    """The number of samples is that of the indices."""
    rows = ctx.apply("builtins.len", indices) if indices != NONE else ctx.lost("the number of samples")
    return ctx.new(SUBSET, **{ELEMENT: _sample(ctx, dataset), ROWS: rows})


@behaviour(f"{DATA}.ConcatDataset")
def concatenated(ctx: Context, datasets: Value) -> Value:
    """Return all samples of data sets, of which the first one's stand for all."""
    parts = ctx.elements(datasets)
    if not parts:
        return ctx.lost("data sets that are joined")
    counts = [as_size(_rows_of_any(ctx, part) or NONE) for part in parts]
    samples = [_sample(ctx, part) for part in parts]
    known = [count for count in counts if count is not None]
    rows = {ROWS: of_size(sum(known[1:], known[0]))} if len(known) == len(counts) else {}
    is_one_kind = all(_alike(samples[0], one) for one in samples)
    element = samples[0] if is_one_kind else ctx.lost("samples of several data sets")
    return ctx.new(SUBSET, **{ELEMENT: element}, **rows)


def _alike(one: Value, other: Value) -> bool:
    """Return whether samples have the same shapes."""
    if isinstance(one, Tensor) and isinstance(other, Tensor):
        return one.shape == other.shape and one.dtype == other.dtype
    if isinstance(one, Seq) and isinstance(other, Seq) and len(one.items) == len(other.items):
        return all(map(_alike, one.items, other.items))
    return one == other


def _rows_of_any(ctx: Context, dataset: Value) -> Value | None:
    known = ctx.get(dataset, ROWS) if isinstance(dataset, Ref) else None
    is_user = isinstance(dataset, Ref) and dataset.cls == "user" and ctx.get(dataset, "__len__") is not None
    return ctx.apply("builtins.len", dataset) if known is None and is_user else known


def _sample(ctx: Context, dataset: Value) -> Value:
    """Return a sample of a data set; that of a class of the program is what it returns for a number."""
    if not isinstance(dataset, Ref):
        return ctx.lost("a sample of a data set")
    known = ctx.get(dataset, ELEMENT)
    if known is not None:
        return known
    method = ctx.get(dataset, "__getitem__")
    if method is None or dataset.cls != "user":
        return ctx.lost("a sample of a data set")
    return ctx.freeze(ctx.call(method, [Int(ctx.fresh("index", Kind.FREE, "the number of a sample"))]))


# Loaders -------------------------------------------------------------------------------------------------------------


@behaviour(LOADER)
def loader(ctx: Context, dataset: Value = NONE, batch_size: Value = Const(1), *rest: Value, **options: Value) -> Value:
    number = ctx.freeze(batch_size)
    if is_float(number):
        ctx.require(ClashKind.NOT_INTEGER, NEVER, "batch_size is a float, not an integer", number)
    told = {name: options[name] for name in ("collate_fn", "batch_sampler", "sampler", "drop_last") if name in options}
    return ctx.new(LOADER, dataset=dataset, batch_size=batch_size, **told)


@behaviour(f"{LOADER}.__iter__")
def batches(ctx: Context, self: Ref) -> Value:
    """Iterate over batches, of which the last may be smaller."""
    count, last = ctx.fresh("batches", Kind.FREE, "number of batches"), last_batch(ctx, self)
    return HomogeneousSeq("iterator", _batch(ctx, self), count, distinct_item=None if last == NONE else last)


@behaviour(f"{LOADER}.__len__")
def length(ctx: Context, self: Ref) -> Value:
    """Return the number of batches; that of the samples may be known."""
    size, whole = as_size(ctx.get(self, "batch_size") or NONE), _whole(ctx, self)
    drops_last = as_bool(ctx.get(self, "drop_last") or FALSE)
    if isinstance(size, int) and isinstance(whole, int) and size > 0 and drops_last is not None:
        return Const(whole // size if drops_last else -(-whole // size))
    return Int(ctx.fresh("batches", Kind.FREE, "number of batches"))


@behaviour(f"{LOADER}.__last__")
def last_batch(ctx: Context, self: Ref) -> Value:
    """Return the last batch, where it is certainly smaller than the others; None otherwise."""
    size, whole = as_size(ctx.get(self, "batch_size") or NONE), _whole(ctx, self)
    is_kept = as_bool(ctx.get(self, "drop_last") or FALSE) is False
    if not isinstance(size, int) or not isinstance(whole, int) or not is_kept:
        return NONE
    return _batch(ctx, self, whole % size) if 0 < size < whole and whole % size else NONE


def _batch(ctx: Context, self: Ref, rows: Size | None = None) -> Value:
    if ctx.get(self, "batch_sampler") not in (None, NONE):
        return ctx.lost("a batch of samples that the program chooses")
    size = ctx.get(self, "batch_size") or NONE
    item = _sample(ctx, ctx.get(self, "dataset") or NONE)
    if size == NONE:
        return item
    count, collate = _rows(ctx, self, size) if rows is None else rows, ctx.get(self, "collate_fn") or NONE
    if collate == NONE:
        _stack(ctx, self, size, item)
        return _collated(ctx, item, count)
    samples = HomogeneousSeq("list", item, count)
    return ctx.freeze(ctx.call(collate, [ctx.apply("builtins.list", samples)]))


def _stack(ctx: Context, self: Ref, size: Value, item: Value) -> None:
    """State that samples have the same shape, of which the first two are compared where sizes depend on the sample."""
    rows, whole, dataset = as_size(size), _whole(ctx, self), ctx.get(self, "dataset")
    method = ctx.get(dataset, "__getitem__") if isinstance(dataset, Ref) and dataset.cls == "user" else None
    if method is None or not isinstance(rows, int) or not isinstance(whole, int) or min(rows, whole) < 2:
        return
    if all(map(_is_known, walk(item))):
        return
    _have_same_shapes(ctx, *(ctx.freeze(ctx.call(method, [Const(number)])) for number in (0, 1)))


def _is_known(part: Value) -> bool:
    if isinstance(part, Tensor):
        return part.shape.tail is None and all(isinstance(size, int) for size in part.shape.head)
    return not isinstance(part, (Choice, Lost))


def _have_same_shapes(ctx: Context, one: Value, other: Value) -> None:
    match one, other:
        case Tensor(), Tensor() if one.shape.rank is not None and one.shape.rank == other.shape.rank:
            said = f"samples have the shapes {one.shape} and {other.shape}, which cannot be stacked"
            for size, wanted in zip(one.shape.head, other.shape.head, strict=True):
                ctx.require(ClashKind.AXIS, Equal(size, wanted), said, one, other)
        case Seq(items=first), Seq(items=second) if len(first) == len(second):
            for part, like in zip(first, second, strict=True):
                _have_same_shapes(ctx, part, like)


def _rows(ctx: Context, self: Ref, said: Value) -> Size:
    """Return the rows of a batch: as many as asked for if no smaller one is left."""
    size = as_size(said)
    if size is not None and as_bool(ctx.get(self, "drop_last") or NONE) is True:
        return size
    whole = _whole(ctx, self)
    if isinstance(size, int) and isinstance(whole, int) and size > 0 and (whole % size == 0 or whole < size):
        return min(whole, size)
    return ctx.fresh("batch", Kind.DYNAMIC, "rows in a batch", low=1)


def _whole(ctx: Context, self: Ref) -> Size | None:
    """Return the number of samples of a loader."""
    if ctx.get(self, "sampler") not in (None, NONE):
        return None
    dataset = ctx.get(self, "dataset")
    if not isinstance(dataset, Ref):
        return None
    return as_size(_rows_of_any(ctx, dataset) or NONE)


def _collated(ctx: Context, item: Value, rows: Size) -> Value:
    """Return what the samples of a batch are stacked to."""
    match item:
        case Tensor():
            made = as_tensor(item, ctx)
            return Tensor(Shape((rows, *made.shape.head), made.shape.tail), made.dtype, "torch")
        case Seq(kind="tuple" | "list", items=items):
            return Seq("list", tuple(_collated(ctx, one, rows) for one in items))
        case Dict(rest=None):
            return Dict(tuple((key, _collated(ctx, one, rows)) for key, one in item.items))
        case Int() | Scalar(kind="int"):
            return Tensor(Shape((rows,)), "int64", "torch")
        case Const(value=bool() | int()):
            return Tensor(Shape((rows,)), "int64", "torch")
        case Const(value=float()) | Scalar(kind="float"):
            return Tensor(Shape((rows,)), "float64", "torch")
        case _:
            return ctx.lost("samples that are collated")
