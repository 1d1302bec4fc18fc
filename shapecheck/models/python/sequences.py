"""Lengths, and sequences made of sequences: `itertools`, `functools`, `operator`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product, zip_longest
from math import prod

from shapecheck.domain.values import (
    NONE,
    TRUE,
    Const,
    Function,
    HomogeneousSeq,
    Int,
    Library,
    Partial,
    Range,
    Seq,
    Tensor,
    Value,
    as_size,
    of_size,
)
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.registry import lookup_operator
from shapecheck.shapes.size import Kind, Size, maximum
from shapecheck.shapes.size import product as size_product

LIMIT = 64  # more items than this are represented by one value


def length_of(ctx: Context, value: Value) -> Size | None:
    """Return the number of items of a sequence, if it is known."""
    match value:
        case HomogeneousSeq(length=length):
            return length
        case Seq(items=items):
            return len(items)
        case Tensor(shape=shape):
            return shape.size(0)
        case Range(start=start, stop=stop, step=1):
            return maximum(stop - start, 0)
    items_known = ctx.elements(value)
    return None if items_known is None else len(items_known)


def few(ctx: Context, values: Sequence[Value]) -> list[tuple[Value, ...]] | None:
    """Return the items of all sequences, if each is known."""
    found = [ctx.elements(value) for value in values]
    return None if any(items is None for items in found) else found  # type: ignore[return-value]


def unknown_length(ctx: Context, why: str) -> Size:
    return ctx.fresh("items", Kind.LOST, why)


def common(ctx: Context, items: Sequence[Value]) -> Value:
    """Return a value for any item, if they are all alike."""
    return items[0] if items and all(item == items[0] for item in items) else ctx.lost("items of different kinds")


@behaviour("itertools.product")
def cartesian(ctx: Context, *iterables: Value, repeat: Value = Const(1)) -> Value:
    times = as_size(repeat)
    if not isinstance(times, int):
        return ctx.lost("a product repeated an unknown number of times")
    parts = list(iterables) * times
    items = few(ctx, parts)
    if items is not None and prod(map(len, items)) <= LIMIT:
        return Seq("list", tuple(Seq("tuple", row) for row in product(*items)))
    lengths = [length_of(ctx, part) for part in parts]
    row = Seq("tuple", tuple(ctx.element(part) for part in parts))
    if None in lengths:
        return HomogeneousSeq("iterator", row, unknown_length(ctx, "a product of unknown sequences"))
    return HomogeneousSeq("iterator", row, size_product(length for length in lengths if length is not None))


@behaviour("itertools.chain")
def chain(ctx: Context, *iterables: Value) -> Value:
    items = few(ctx, iterables)
    if items is not None:
        return Seq("list", tuple(item for part in items for item in part))
    lengths = [length_of(ctx, part) for part in iterables]
    element = common(ctx, [ctx.element(part) for part in iterables])
    known = [length for length in lengths if length is not None]
    total = sum(known) if len(known) == len(lengths) else unknown_length(ctx, "a chain of unknown sequences")
    return HomogeneousSeq("iterator", element, total)


@behaviour("itertools.chain.from_iterable")
def chain_from_iterable(ctx: Context, iterable: Value) -> Value:
    parts = ctx.elements(iterable)
    if parts is not None:
        return ctx.apply("itertools.chain", *parts)
    return HomogeneousSeq(
        "iterator", ctx.element(ctx.element(iterable)), unknown_length(ctx, "a chain of unknown sequences")
    )


@behaviour("itertools.zip_longest")
def zip_all(ctx: Context, *iterables: Value, fillvalue: Value = NONE) -> Value:
    items = few(ctx, iterables)
    if items is not None:
        return Seq("list", tuple(Seq("tuple", row) for row in zip_longest(*items, fillvalue=fillvalue)))
    row = Seq("tuple", tuple(ctx.lost("an item or the fill value") for _ in iterables))
    return HomogeneousSeq("iterator", row, unknown_length(ctx, "the longest of unknown sequences"))


@behaviour("itertools.permutations", "itertools.combinations", "itertools.combinations_with_replacement")
def arrangements(ctx: Context, iterable: Value, r: Value = NONE) -> Value:
    count = as_size(r)
    if not isinstance(count, int) or count > LIMIT:
        return ctx.lost("arrangements of an unknown number of items")
    row = Seq("tuple", (ctx.element(iterable),) * count)
    return HomogeneousSeq("iterator", row, unknown_length(ctx, "arrangements"))


@behaviour("itertools.islice")
def islice(ctx: Context, iterable: Value, start: Value, stop: Value = NONE, step: Value = NONE) -> Value:
    return HomogeneousSeq("iterator", ctx.element(iterable), unknown_length(ctx, "a part of an iteration"))


@behaviour("itertools.cycle")
def cycle(ctx: Context, iterable: Value) -> Value:
    return HomogeneousSeq("iterator", ctx.element(iterable), unknown_length(ctx, "a cycle without end"))


@behaviour("itertools.tee")
def tee(ctx: Context, iterable: Value, n: Value = Const(2)) -> Value:
    count = as_size(n)
    return Seq("tuple", (iterable,) * count) if isinstance(count, int) and count <= LIMIT else ctx.lost("many copies")


@behaviour("itertools.count")
def count_up(ctx: Context, start: Value = Const(0), step: Value = Const(1)) -> Value:
    number = Int(ctx.fresh("count", Kind.LOST, "a count without end", None))
    return HomogeneousSeq("iterator", number, unknown_length(ctx, "a count without end"))


KEEPING = "functools.lru_cache.keeping"


# functools ----------------------------------------------------------------------------------------------------------


@behaviour("functools.partial")
def partial(ctx: Context, func: Value, /, *args: Value, **keywords: Value) -> Value:
    return Partial(func, args, tuple(keywords.items()))


@behaviour("functools.partial.same", "functools.total_ordering")
def same(ctx: Context, value: Value) -> Value:
    return value


@behaviour("functools.singledispatch", "functools.singledispatchmethod")
def dispatched(ctx: Context, func: Value) -> Value:
    """The called function depends on the type for which it was registered."""
    return ctx.lost("function chosen by the type of its argument")


@behaviour("functools.update_wrapper")
def update_wrapper(ctx: Context, wrapper: Value, *args: Value, **keywords: Value) -> Value:
    return wrapper


@behaviour("functools.wraps")
def wraps(ctx: Context, wrapped: Value, *args: Value, **keywords: Value) -> Value:
    return Library("functools.partial.same")


@behaviour("functools.lru_cache", "functools.cache")
def lru_cache(ctx: Context, maxsize: Value = NONE, typed: Value = NONE) -> Value:
    return keeping(ctx, maxsize) if isinstance(maxsize, (Function, Partial, Library)) else Library(KEEPING)


@behaviour(KEEPING)
def keeping(ctx: Context, func: Value) -> Value:
    """Return a function that keeps its results."""
    if isinstance(func, Function):
        ctx.set(func, "keeps results", TRUE)
    return func


@behaviour("functools.reduce")
def reduce(ctx: Context, function: Value, iterable: Value, initial: Value = NONE) -> Value:
    items = ctx.elements(iterable)
    if items is None or len(items) > LIMIT:
        return ctx.lost("a reduction of many items")
    todo = items if initial == NONE else (initial, *items)
    if not todo:
        return ctx.lost("a reduction of nothing")
    result = todo[0]
    for item in todo[1:]:
        result = ctx.call(function, [result, item])
    return result


# operator -----------------------------------------------------------------------------------------------------------


def apply_operator(ctx: Context, sign: str, a: Value, b: Value) -> Value:
    """Return `a sign b` for integers and tensors."""
    left, right = as_size(a), as_size(b)
    if left is not None and right is not None and not isinstance(a, Tensor) and not isinstance(b, Tensor):
        return of_size(_of_sizes(sign, left, right)) if sign != "//" or right != 0 else ctx.lost("division by zero")
    libraries = [value.library for value in (a, b) if isinstance(value, Tensor)]
    library = next((name for name in ("tf", "keras", "np") if name in libraries), None)
    model = lookup_operator(library, sign) if library else None
    return model.run(ctx, [a, b], {}) if model else ctx.lost("an operator of unknown values")


def _of_sizes(sign: str, left: Size, right: Size) -> Size:
    match sign:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
    return left // right


def _operator(name: str, sign: str) -> None:
    @behaviour(f"operator.{name}")
    def call(ctx: Context, a: Value, b: Value) -> Value:
        return apply_operator(ctx, sign, a, b)


for _name, _sign in {"add": "+", "sub": "-", "mul": "*", "floordiv": "//"}.items():
    _operator(_name, _sign)
