"""`tf.data.Dataset`: an object that knows the structure of its elements (`_element`) and their number (`_length`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from shapecheck.domain.values import Choice, Dict, HomogeneousSeq, Lost, Ref, Seq, Tensor, Value, as_size, of_size, walk
from shapecheck.models.lang import Context, base
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.lang.faulty_sources import check_source
from shapecheck.shapes.shape import UNRANKED, Shape, join, substitute_shape
from shapecheck.shapes.size import Kind, Size, expr_of
from shapecheck.shapes.symbol import Symbol

DATASET = "tf.data.Dataset"
for _cls in ("FixedLengthRecordDataset", "TFRecordDataset", "TextLineDataset", "experimental.CsvDataset"):
    base(f"tf.data.{_cls}", DATASET)
base("tf.data.DatasetV2", DATASET)


def make(ctx: Context, element: Value, length: Size | None) -> Ref:
    """Return a dataset with a number of elements; None where that is not known."""
    known = ctx.lost("the length of a dataset") if length is None else of_size(length)
    return ctx.new(DATASET, _element=element, _length=known)


def is_dataset(value: Value) -> bool:
    return isinstance(value, Ref) and value.cls.startswith("tf.data.")


def element_of(ctx: Context, dataset: Value) -> Value:
    found = ctx.get(dataset, "_element") if is_dataset(dataset) else None
    return ctx.lost("an element of an unknown dataset") if found is None else found


def length_of(ctx: Context, dataset: Value) -> Size | None:
    found = ctx.get(dataset, "_length") if is_dataset(dataset) else None
    return None if found is None else as_size(found)


def new_length(ctx: Context, why: str) -> Size:
    """Return a number of elements that depends on the data."""
    return ctx.fresh("elements", Kind.FREE, why)


# Structures of tensors ----------------------------------------------------------------------------------------------


def structure(ctx: Context, value: Value) -> Value:
    """Return a value as an element: lists become tensors, tuples and dictionaries stay."""
    value = ctx.freeze(value)
    match value:
        case Tensor():
            return replace(value, library="tf") if value.library == "np" else value
        case Seq(kind="tuple", items=items):
            return Seq("tuple", tuple(structure(ctx, item) for item in items))
        case Dict(items=pairs, rest=None):
            return Dict(tuple((key, structure(ctx, item)) for key, item in pairs))
        case Dict():
            return ctx.lost("entries by keys that are not known")
        case HomogeneousSeq(kind="tuple"):
            return ctx.lost("a tuple of unknown length")
        case Ref() if is_dataset(value):
            return value
        case Lost():
            return value
        case Choice(options=options) if any(isinstance(option, (Seq, Dict)) for _, option in options):
            return _one_of(ctx, value)
    if any(is_dataset(part) for part in walk(value)):
        return ctx.lost("several datasets in one element")
    tensor = as_tensor(value, ctx)
    return replace(tensor, library="tf")


def _one_of(ctx: Context, choice: Choice) -> Value:
    """Return what alternatives have in common that are tuples of the same length."""
    guards = [guard for guard, _ in choice.options]
    rows = [option.items for _, option in choice.options if isinstance(option, Seq) and option.kind == "tuple"]
    if len(rows) < len(guards) or len({len(row) for row in rows}) > 1:
        return ctx.lost("elements of several forms")
    columns = zip(*rows, strict=True)
    return Seq("tuple", tuple(structure(ctx, Choice(tuple(zip(guards, column, strict=True)))) for column in columns))


def returned(ctx: Context, value: Value) -> Value:
    """Return the result of a function as an element: a list counts as a tuple."""
    given = ctx.freeze(value)
    if isinstance(given, (Seq, HomogeneousSeq)) and given.kind == "list":
        given = replace(given, kind="tuple")
    return structure(ctx, given)


def each(value: Value, change: Callable[[Tensor], Value]) -> Value:
    """Return the structure with each tensor changed."""
    match value:
        case Tensor():
            return change(value)
        case Seq(kind=kind, items=items):
            return Seq(kind, tuple(each(item, change) for item in items))
        case Dict(items=pairs, rest=None):
            return Dict(tuple((key, each(item, change)) for key, item in pairs))
    return value


def leaves(value: Value) -> list[Tensor] | None:
    """Return the tensors of a structure; None if some of it is unknown."""
    match value:
        case Tensor():
            return [value]
        case Seq(items=items):
            return _all(items)
        case Dict(items=pairs, rest=None):
            return _all([item for _, item in pairs])
    return None


def _all(items: Sequence[Value]) -> list[Tensor] | None:
    found: list[Tensor] = []
    for item in items:
        inner = leaves(item)
        if inner is None:
            return None
        found += inner
    return found


def plain(tensor: Tensor, shape: Shape) -> Tensor:
    """Return a tensor made from another."""
    return replace(tensor, shape=shape, step=0, output=0, content=None, library="tf", role="tensor")


def stacked(tensor: Tensor, size: Size) -> Tensor:
    """Return several copies of a tensor stacked along a new first axis."""
    return plain(tensor, Shape((size, *tensor.shape.head), tensor.shape.tail))


def sliced(tensor: Tensor) -> Tensor:
    """Return one of a tensor's slices along its first axis."""
    shape = tensor.shape
    return plain(tensor, UNRANKED if shape.tail is not None and not shape.head else Shape(shape.head[1:], shape.tail))


def relaxed(ctx: Context, shape: Shape) -> Shape:
    """Return a shape whose sizes may differ from element to element."""
    return shape.map(lambda size: size if isinstance(size, int) else ctx.fresh("None", Kind.DYNAMIC, "may differ"))


def either(ctx: Context, a: Value, b: Value) -> Value:
    """Return what elements of two datasets have in common."""
    if a == b:
        return a
    match a, b:
        case Tensor(), Tensor():
            fresh = ctx.fresh("None", Kind.DYNAMIC, "differs between elements")
            shape = join(a.shape, b.shape, lambda x, y: fresh)
            return replace(plain(a, shape), dtype=a.dtype if a.dtype == b.dtype else None)
        case Seq(items=left), Seq(items=right) if len(left) == len(right):
            return Seq(a.kind, tuple(either(ctx, x, y) for x, y in zip(left, right, strict=True)))
        case Dict(items=pairs, rest=None), Dict(rest=None) if {key for key, _ in pairs} == {key for key, _ in b.items}:
            return Dict(tuple((key, either(ctx, item, b.get(key) or item)) for key, item in pairs))
    return ctx.lost("elements of different structure")


def applied(ctx: Context, function: Value, element: Value) -> Value:
    """Return the result of a function for an element: a tuple is passed as several arguments, anything else as one."""
    if isinstance(element, Lost):
        return ctx.lost("a function of unknown elements")
    spread = isinstance(element, Seq) and element.kind == "tuple"
    return ctx.call_in_graph(function, element.items if spread and isinstance(element, Seq) else (element,))


def turns(ctx: Context, dataset: Value) -> Value:
    """Return the items of an iteration over a dataset."""
    check_source(ctx, dataset)
    length, element = length_of(ctx, dataset), element_of(ctx, dataset)
    element = element if ctx.is_in_graph else at_hand(ctx, element)
    return HomogeneousSeq("iterator", element, new_length(ctx, "a dataset") if length is None else length)


def _at_hand(ctx: Context, symbol: Symbol) -> Size:
    """Return the number that an open size is, if that is known, or a new one."""
    known = ctx.resolve(expr_of(symbol))
    return known if isinstance(known, int) else ctx.fresh(symbol.name, Kind.FREE, symbol.why)


def at_hand(ctx: Context, element: Value) -> Value:
    """Return an element that the program iterates over eagerly, where open sizes have values."""
    symbols = {s for part in walk(element) if isinstance(part, Tensor) for s in part.shape.symbols()}
    opened = sorted((s for s in symbols if s.kind is Kind.DYNAMIC), key=lambda s: s.serial)
    sizes: dict[Symbol, Size] = {s: _at_hand(ctx, s) for s in opened}
    return each(element, lambda tensor: replace(tensor, shape=substitute_shape(tensor.shape, sizes), static=True))
