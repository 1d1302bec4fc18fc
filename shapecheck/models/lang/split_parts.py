"""The parts of a split: their sizes are not known, and certainly differ in any data of natural size."""

from __future__ import annotations

from itertools import permutations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, TRUE, Const, Seq, Tensor, Value, as_size, of_size
from shapecheck.models.lang.context import Context
from shapecheck.shapes.facts import AtLeast, Equal, Verdict
from shapecheck.shapes.size import Kind, Size, Symbol, expr_of, symbols

GROUPS, VALUES = "the groups of the rows", "the different values of a column"
WHOLE = "all rows"  # about the number of rows that are kept: that of all
COMPLETE = "complete"  # about the number of rows that are kept: every value is there in them
COUNTED_IN = "counted in"  # about a number of columns: of the rows that it was counted in
PARTS = ("the training part of a split", "the test part of a split")


def part_sizes(ctx: Context) -> tuple[Size, Size]:
    """Return the unknown sizes of two parts that have different shares of the rows."""
    train, test = (
        ctx.fresh(name, Kind.FREE, why) for name, why in zip(("train_rows", "test_rows"), PARTS, strict=True)
    )
    return train, test


def kept_rows(ctx: Context, whole: Size) -> Size:
    """Return the unknown number of those of all rows whose values satisfy something, which some certainly do not."""
    left = ctx.fresh("kept", Kind.FREE, "the rows that are kept")
    (kept,) = symbols(left)
    ctx.note(kept, WHOLE, of_size(whole))
    return left


def complete_rows(ctx: Context, whole: Size, gone: Size = 0) -> Size:
    """Return the unknown number of those of all rows in which every value is there, after `gone` rows have lost
    theirs; it need not be smaller where only such rows had been kept."""
    is_again = gone == 0 and _noted(ctx, whole, COMPLETE) is not None
    left = ctx.fresh("kept", Kind.FREE, "the rows that are kept") if is_again else kept_rows(ctx, whole)
    if gone != 0:
        ctx.require(ClashKind.NOTHING, AtLeast(whole - gone, left), "rows without values are dropped")
    (kept,) = symbols(left)
    ctx.note(kept, COMPLETE, TRUE)
    return left


def distinct_rows(ctx: Context, whole: Size, name: str, why: str) -> Size:
    """Return the unknown number of different values or groups of all rows, some of which have several rows."""
    count = ctx.fresh(name, Kind.FREE, why, 1)
    (different,) = symbols(count)
    ctx.note(different, WHOLE, of_size(whole))
    return count


def keep_source(ctx: Context, count: Size, rows: Size | None) -> None:
    """Keep of how many rows it was counted what makes a column each."""
    columns = _symbol(count)
    if rows is not None and columns is not None:
        ctx.note(columns, COUNTED_IN, of_size(rows))


def are_counted_apart(ctx: Context, columns: Size, fitted: Size, data: Value) -> bool:
    """Return whether two numbers of columns were counted in other rows each, which is noticed."""
    sources = [_noted(ctx, size, COUNTED_IN) for size in (columns, fitted)]
    if columns == fitted or None in sources or sources[0] == sources[1]:
        return False
    said = "the columns of the data come from another fit than those that the estimator was fitted to"
    ctx.notice(ClashKind.PARTS_MIXED, said, data)
    return True


def _symbol(size: Size | None) -> Symbol | None:
    """Return the symbol that a size is, or None if it is something else."""
    found = next(iter(symbols(size)), None) if size is not None else None
    return found if found is not None and size == expr_of(found) else None


def _noted(ctx: Context, size: Size | None, what: str) -> Value | None:
    """Return what was kept about a size that is a symbol."""
    symbol = _symbol(size)
    return None if symbol is None else ctx.noted(symbol, what)


def are_mixed(ctx: Context, names: tuple[str, str], first: Tensor, second: Tensor) -> bool:
    """Return whether one array is the training part of a split and the other the test part, which is noticed."""
    for (kept, name), (whole, other) in permutations(zip((first, second), names, strict=True)):
        if _is_filtered(ctx, kept, whole):
            said = f"the rows of {name} are {_which(ctx, kept)}, all of them are in {other}"
            ctx.notice(ClashKind.PARTS_MIXED, said, first, second)
            return True
    a, b = (_part(tensor.shape.size(0)) or _part_of_unknown(ctx, tensor) for tensor in (first, second))
    if a is None or b is None or a == b:
        return False
    said = f"the rows of {names[0]} are {a}, those of {names[1]} are {b}"
    ctx.notice(ClashKind.PARTS_MIXED, said, first, second)
    return True


def _which(ctx: Context, kept: Tensor) -> str:
    """Return which rows an array has that has not all of them."""
    found = next(iter(symbols(kept.shape.size(0) or 0)), None)
    if found is not None and found.why in (GROUPS, VALUES):
        return f"one for each {'group' if found.why == GROUPS else 'value'}"
    return f"those that {'a mask keeps' if ctx.operation(kept)[0].endswith('[]') else 'are kept by their values'}"


def _is_filtered(ctx: Context, kept: Tensor, whole: Tensor) -> bool:
    """Return whether an array has those rows, of as many as another one has, for which a mask or a test is true."""
    left = kept.shape.size(0)
    known = _noted(ctx, left, WHOLE)
    if known is not None and left is not None and whole.shape.head:
        rows = whole.shape.head[0]
        return as_size(known) == rows and ctx.known(Equal(left, rows)) is not Verdict.NEVER
    name, args = ctx.operation(kept)
    mask = args[1] if name.endswith("[]") and len(args) > 1 else None
    if not isinstance(mask, Tensor) or mask.dtype != "bool" or mask.shape.rank != 1 or not whole.shape.head:
        return False
    rows, own = mask.shape.head[0], kept.shape.size(0)
    is_open = own is not None and not isinstance(own, int) and own != rows
    return is_open and rows == whole.shape.head[0] and ctx.known(Equal(own or 0, rows)) is Verdict.MAYBE


def _part(size: Size | None) -> str | None:
    """Return of which part an axis has all rows."""
    found = _symbol(size)
    return found.why if found is not None and found.why in PARTS else None


def _part_of_unknown(ctx: Context, tensor: Tensor) -> str | None:
    """Return which part of a split an array of unknown rows is, if the split is uneven and has only such arrays."""
    name, args = ctx.operation(tensor)
    if tensor.shape.head or not name.endswith("train_test_split") or any(isinstance(arg, Seq) for arg in args):
        return None
    shares = [ctx.keyword(tensor, each) or NONE for each in ("test_size", "train_size")]
    return PARTS[tensor.output % 2] if shares == [NONE, NONE] or is_uneven(*shares) else None


def is_uneven(test: Value, train: Value) -> bool:
    """Return whether one part of a split has certainly more rows than the other: at least 5 in 100."""
    shares = [part.value for part in (test, train) if isinstance(part, Const) and isinstance(part.value, float)]
    return len(shares) == 1 and NONE in (test, train) and abs(shares[0] - 0.5) > 0.025
