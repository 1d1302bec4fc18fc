"""Legal shapes that are probably not intended: models report them as notices, for the pattern rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Const, Library, Seq, SliceValue, Value, as_str, walk
from shapecheck.domain.values import Tensor as TensorValue
from shapecheck.models.lang.dtypes import is_float
from shapecheck.models.lang.parameter_kinds import Tensor
from shapecheck.shapes.dtype import canonical
from shapecheck.shapes.merging import merges, merges_in_order
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Kind, Size, expr_of, is_lost, symbols

Notices: TypeAlias = "list[tuple[ClashKind, str]]"
UNBOUND = ("relu", "tanh", "elu", "selu")  # activations whose results are not probabilities
BATCH = ("B", "batch")  # the names of the rows of Keras' inputs and data
MOSTLY_BATCHES = ("torch",)  # libraries in which an unknown array is most often a batch
SORTED = "sorted"  # the nature of arrays whose last axis is sorted
OUTPUTS = ("softmax", "sigmoid", "linear")  # the natures of what a last layer returns


def is_batch(size: Size | None) -> bool:
    """Return whether a size is that of a batch, which a model declares open."""
    symbols = () if size is None or isinstance(size, int) else size.symbols()
    return any(s.kind is Kind.DYNAMIC and s.name in BATCH and size == expr_of(s) for s in symbols)


def normalised_together(x: Tensor) -> Notices:
    """Notice one norm for all rows of a batch."""
    is_table = (x.rank or 0) > 1 and is_batch(x.shape.head[0])
    return (
        [(ClashKind.ROWS_NORMALISED, f"{x.name} {x.shape} has one norm for all rows of the batch")] if is_table else []
    )


def nature_of(activation: Value | None) -> str:
    """Return the nature of what an activation returns: probabilities, or linear outputs."""
    if activation is None or activation == NONE:
        return "linear"
    name = activation.name if isinstance(activation, Library) else as_str(activation)
    last = (name or "").rsplit(".", 1)[-1]
    return last if last in ("softmax", "sigmoid", "linear", *UNBOUND) else ""


def stretched(x: Tensor, y: Tensor) -> Notices:
    """Notice broadcasting that enlarges both operands, (N, 1) with (N,) for example, or that pairs a batch with
    another axis.
    """
    if x.shape.tail is not None or y.shape.tail is not None:
        return []
    if (_enlarges(x.shape, y.shape) and _enlarges(y.shape, x.shape)) or _is_column(x.shape, y.shape):
        return [(ClashKind.STRETCH_BOTH, f"{x.name} {x.shape} and {y.name} {y.shape} are both broadcast")]
    return crossed(x, y) or row_crossed(x, y) or column_of_weights(x, y)


def _is_column(x: Shape, y: Shape) -> bool:
    """Return whether one is a vector and the other a column with the same number of rows, known or not."""
    short, long = sorted((x.head, y.head), key=len)
    return len(short) == 1 and len(long) == 2 and long == (*short, 1) and short != (1,)


def row_crossed(x: Tensor, y: Tensor) -> Notices:
    """Notice one number for each row that is aligned with the columns instead: (N, K) with (N,), where K need not be
    N.
    """
    short, long = sorted((x, y), key=lambda operand: len(operand.shape.head))
    if not short.rank or short.shape.head != long.shape.head[:-1] or short.rank > 2:
        return []
    columns, rows = long.shape.head[-1], short.shape.head[-1]
    kinds = {symbol.kind for size in (columns, rows) for symbol in symbols(size)}
    if columns == rows or 1 in (columns, rows) or not kinds or Kind.FREE in kinds:
        return []
    return [
        (
            ClashKind.ROWS_CROSSED,
            f"{short.name} {short.shape} is broadcast along the columns of {long.name} {long.shape}, not its rows",
        )
    ]


def assigned(x: Tensor, index: Value, value: Tensor) -> Notices:
    """Notice assignments to other parts than those that the values are for."""
    return _unmasked(x, index, value) or columns_of_all(x, index)


def _unmasked(x: Tensor, index: Value, value: Tensor) -> Notices:
    """Notice values for a whole array that are assigned to what a mask selects from it, unless that is known to be all
    of it. Where the mask selects rows, values with fewer axes are those of each row.
    """
    if x.rank is None or value.shape.rank != x.rank:
        return []
    if not isinstance(index, TensorValue) or index.dtype != "bool" or index.content is not None or not index.shape.rank:
        return []
    covered = value.shape.head[: index.shape.rank]
    if covered != index.shape.head or not all(map(_is_large, covered)):
        return []
    said = f"{covered[0]} values are assigned to the part that a mask of {index.shape} selects"
    return [(ClashKind.UNMASKED, said)]


def picked(x: Tensor, index: Value) -> Notices:
    """Notice what is suspicious about reading `x[index]`."""
    return columns_of_all(x, index) or rows_reversed(x, index)


def columns_of_all(x: Tensor, index: Value) -> Notices:
    """Notice an index for each row that selects columns of all rows: `:` and N numbers make (N, N) of (N, K)."""
    entries = index.items if isinstance(index, Seq) and index.kind == "tuple" else ()
    if len(entries) != 2 or entries[0] != SliceValue(NONE, NONE, NONE):
        return []
    numbers, rows = entries[1], x.shape.size(0)
    if not isinstance(numbers, TensorValue) or numbers.dtype == "bool" or rows is None or not _is_large(rows):
        return []
    columns = x.shape.size(1 if x.shape.is_ranked else -1)
    if numbers.shape.size(0) != rows or columns is None or columns == rows:
        return []
    return [(ClashKind.COLUMNS_OF_ALL, f"{rows} indices, one for each row, take {rows} columns of every row")]


def rows_reversed(x: Tensor, index: Value) -> Notices:
    """Notice a matrix whose rows are sorted, each on its own, and that `[::-1]` turns upside down."""
    first = index.items[0] if isinstance(index, Seq) and index.kind == "tuple" and len(index.items) == 1 else index
    if x.nature != SORTED or x.shape.min_rank < 2 or not isinstance(first, SliceValue) or first.step != Const(-1):
        return []
    return [(ClashKind.ROWS_REVERSED, f"axis 0 of {x.shape} is reversed, the last axis is sorted")]


def column_of_weights(x: Tensor, y: Tensor) -> Notices:
    """Notice a bias for each column of a batch that is given as a column itself: (B, K) with a variable of (K, 1)."""
    for bias, rows in ((x, y), (y, x)):
        if getattr(bias.value, "role", "") != "variable" or bias.rank != 2 or rows.rank != 2:
            continue
        (count, width), (batch, columns) = bias.shape.head, rows.shape.head
        if width == 1 and count == columns and _is_large(count) and _is_open(batch) and batch != count:
            return [
                (ClashKind.BIAS_COLUMN, f"{bias.name} {bias.shape} has one value per row of {rows.name} {rows.shape}")
            ]
    return []


def met_by_rows(x: Tensor, y: Tensor) -> Notices:
    """Notice a square table with a vector of the same size: it may be meant for the rows, and broadcasts along the
    columns.
    """
    table, vector = (x.shape, y.shape) if len(x.shape.head) == 2 else (y.shape, x.shape)
    if table.tail is not None or vector.tail is not None or len(table.head) != 2 or len(vector.head) != 1:
        return []
    if not table.head[0] == table.head[1] == vector.head[0] or not _is_large(vector.head[0]):
        return []
    return [(ClashKind.ROWS_MEET_COLUMNS, f"{x.name} {x.shape} and {y.name} {y.shape} are combined along the columns")]


def written_over(x: Tensor, y: Tensor, out: Shape) -> Notices:
    """Notice a product of matrices or vectors that is written to all of an array of more axes, as a third factor may
    be.
    """
    if not x.rank or not y.rank or out.tail is not None:
        return []
    rank = max(x.rank, y.rank) - (x.rank == 1) - (y.rank == 1)
    if len(out.head) <= rank:
        return []
    said = f"the product of {x.name} {x.shape} and {y.name} {y.shape} is written to the third argument {out}"
    return [(ClashKind.WRITTEN_OVER, said)]


def _enlarges(shape: Shape, other: Shape) -> bool:
    """Return whether an axis of `shape` is 1 or missing where the other's is certainly larger."""
    pairs = [(shape.head[-axis] if axis <= len(shape.head) else 1, other.head[-axis]) for axis in _axes(other)]
    return any(mine == 1 and _is_large(yours) for mine, yours in pairs)


def _axes(shape: Shape) -> range:
    return range(1, len(shape.head) + 1)


def _is_large(size: Size) -> bool:
    return size > 1 if isinstance(size, int) else not is_lost(size)


def crossed(x: Tensor, y: Tensor) -> Notices:
    """Notice broadcasting that pairs the batch of one operand with another axis of the other: (B, T) with (B, H, T,
    T).
    """
    short, long = sorted((x, y), key=lambda operand: len(operand.shape.head))
    rank = len(short.shape.head)
    if not rank or rank == len(long.shape.head) or long.shape.tail is not None or short.shape.tail is not None:
        return []
    batch, partner, other = short.shape.head[0], long.shape.head[-rank], long.shape.head[0]
    if not is_batch(batch) or not (other == batch or is_batch(other)):
        return []
    if partner == 1 or partner == batch or not (isinstance(partner, int) or _is_open(partner)) or is_batch(partner):
        return []
    return [
        (
            ClashKind.BATCH_CROSSED,
            f"the batch of {short.name} {short.shape} is aligned with {partner} of {long.name} {long.shape}",
        )
    ]


def _is_open(size: Size) -> bool:
    """Return whether a size is declared open."""
    kinds = set() if isinstance(size, int) else {symbol.kind for symbol in size.symbols()}
    return kinds == {Kind.DYNAMIC}


def over_batch(x: Tensor, axis: int) -> Notices:
    """Notice a softmax over the rows of a batch; an operation that compares the samples of a batch with each other has
    it twice.
    """
    rank = x.rank
    if rank is None or rank < 2 or axis % rank or not _are_samples(x) or any(map(is_batch, x.shape.head[1:])):
        return []
    return [(ClashKind.BATCH_SOFTMAX, f"axis 0 of {x.name} {x.shape} is the batch")]


def _are_samples(x: Tensor) -> bool:
    """Return whether the rows are those of a batch: certainly, or because they are open and a layer returns several
    numbers for each.
    """
    rows, *others = x.shape.head
    several = len(others) == 1 and isinstance(others[0], int) and others[0] > 1
    return is_batch(rows) or (several and _is_open(rows) and x.nature in OUTPUTS)


def over_rows(x: Tensor, axis: int | None) -> Notices:
    """Notice an argmax over samples, or over all numbers of several samples, rather than over classes."""
    rank = x.rank
    if rank is None or rank < 2 or (axis is not None and axis % rank) or (axis is None and rank > 2):
        return []
    if x.shape.head[-1] == 1:  # one score for each sample
        return []
    rows = x.shape.head[0]
    is_one_hot = x.nature == "one-hot" and axis == 0 and rank == 2
    if not (x.nature in OUTPUTS and isinstance(rows, int) and rows > 1) and not _are_samples(x) and not is_one_hot:
        return []
    if getattr(x.value, "library", "") == "np" and not isinstance(rows, int):
        return []  # an array, not a graph: it may have one row
    return [
        (ClashKind.ARGMAX_ROWS, f"axis 0 of {x.name} {x.shape} is the batch" if axis == 0 else f"{x.name} is flattened")
    ]


def reordered(before: Tensor, after: Shape) -> Notices:
    """Notice a reshape to the same sizes in another order, which looks like a transposition."""
    old, new = ([size for size in shape.head if size != 1] for shape in (before.shape, after))
    if before.shape.tail is not None or after.tail is not None or before.content is not None or old == new:
        return []
    kind = _order_mixed(old, new)
    return [] if kind is None else [(kind, f"{before.name} {before.shape} to {after} mixes the axes; use transpose")]


def _order_mixed(old: Sequence[Size], new: Sequence[Size]) -> ClashKind | None:
    """How a reshape mixes up axes: old and new sizes, without those of 1."""
    if _is_merged_apart(old, new) or _is_merged_apart(new, old):
        return ClashKind.AXES_REORDERED if _is_cut(old, new) else ClashKind.HEADS_MERGED
    if _is_out_of_order(old, new) or _is_out_of_order(new, old) or _is_split_over(old, new):
        return ClashKind.AXES_REORDERED
    if len(new) == 2 and len(old) > 2 and new[1] in old[:-1] and new[1] != old[-1]:
        return ClashKind.AXES_GATHERED
    is_permuted = len(old) > 1 and sorted(map(str, old)) == sorted(map(str, new)) and _same_sizes(old, new)
    return ClashKind.AXES_REORDERED if is_permuted else None


def _is_merged_apart(long: Sequence[Size], short: Sequence[Size]) -> bool:
    """Return whether axes that are not neighbours are merged in the other shape: (…, a, s, b) and (…, s, a * b).

    As many elements in both make the last size a * b however it is written; lost sizes must be multiplied there.
    """
    if len(long) != len(short) + 1 or len(long) < 3 or any(map(is_lost, short[:-1])):
        return False
    a, s, b = long[-3:]
    if a == s or [*long[:-3], s] != [*short[:-1]]:
        return False
    return a * b == short[-1] or not (isinstance(short[-1], int) or any(map(is_lost, (a, b, short[-1]))))


def _is_out_of_order(parts: Sequence[Size], wholes: Sequence[Size]) -> bool:
    """Return whether each size of one shape is a product of sizes of the other, but not of neighbours in their order:
    (b, c, t, h, w) and (b * t, c, h * w), or (h, b, n, d) and (b, n, h * d).

    An array of known sizes may be cut in any way, unless it has many axes and keeps the first.
    """
    if not 0 < len(wholes) < len(parts) or any(map(is_lost, (*parts, *wholes))):
        return False
    is_known = all(isinstance(size, int) for size in parts)
    if is_known and (len(parts) == 3 or parts[0] != wholes[0]):
        return False
    return not merges_in_order(parts, wholes) and merges(parts, wholes)


def _is_split_over(old: Sequence[Size], new: Sequence[Size]) -> bool:
    """Return whether a part of an axis moves over another one: (…, b, n, h * d) and (…, b * h, n, d)."""
    if len(old) != len(new) or len(old) < 3 or any(map(is_lost, (*old, *new))):
        return False
    (b, n, w), (c, m, d) = old[-3:], new[-3:]
    is_over = list(old[:-3]) == list(new[:-3]) and n == m and b != c and w != d
    return is_over and c != b * n and b != c * n


def _is_cut(old: Sequence[Size], new: Sequence[Size]) -> bool:
    """Return whether an axis cannot be whole in both shapes: other sizes may happen to result from a split of it, and
    an axis of lost size may be none.
    """
    a, s = max(old, new, key=len)[-3:-1]
    if not isinstance(a, int) or not isinstance(s, int):
        return not is_lost(a)
    return a != 0 and s % a != 0


def _same_sizes(old: Sequence[Size], new: Sequence[Size]) -> bool:
    """Return whether two rows hold the same sizes, of which none is lost."""
    left = list(new)
    for size in old:
        if size not in left or is_lost(size):
            return False
        left.remove(size)
    return True


def squeezed_batch(x: Tensor) -> Notices:
    """Notice a squeeze of all axes of size 1, one of which may be the batch."""
    first, others = x.shape.size(0), x.shape.known[1 if x.shape.head else 0 :]
    is_unknown = (
        not isinstance(first, int)
        and len(others) > (first is None)
        and getattr(x.value, "library", "") in MOSTLY_BATCHES
    )
    if 1 not in others or not (is_batch(first) or is_unknown):
        return []
    return [(ClashKind.SQUEEZE_BATCH, f"the batch of {x.name} {x.shape} is removed too if it is 1")]


def turned(x: Tensor) -> Notices:
    """Notice a transposition of a vector, or one that reverses all axes of a batch."""
    if x.rank == 1:
        return [(ClashKind.VECTOR_TRANSPOSED, f"{x.name} {x.shape} is a vector, so transposing has no effect")]
    if x.rank is not None and x.rank > 2 and is_batch(x.shape.head[0]):
        return [(ClashKind.BATCH_LAST, f"the batch of {x.name} {x.shape} becomes the last axis")]
    return []


def flattened(x: Tensor, what: str) -> Notices:
    """Notice a call that flattens a table first; a single row or column loses nothing."""
    if x.rank is None or sum(size != 1 for size in x.shape.head) < 2:
        return []
    return [(ClashKind.APPEND_FLATTENED, f"{what} flattens {x.name} {x.shape}")]


def outer_batches(a: Tensor, b: Tensor) -> Notices:
    """Notice a product that pairs each matrix of a batch with all of the other's."""
    if a.rank is None or b.rank is None or a.rank < 3 or b.rank < 3:
        return []
    first, second = a.shape.head[:-2], b.shape.head[:-2]
    if first != second or all(size == 1 for size in first):
        return []
    return [(ClashKind.DOT_OUTER, f"each matrix of {a.name} {a.shape} is multiplied by all of {b.name} {b.shape}")]


def misplaced_channels(shape: Shape, first: bool) -> Notices:
    """Notice images whose axis of colours is where a convolution expects none: (B, 3, 224, 224) with channels last."""
    if shape.rank != 4:
        return []
    _, *sizes = shape.head
    channels, sides = (sizes[-1], sizes[:2]) if first else (sizes[0], sizes[1:])
    high, wide = sides
    if channels not in (1, 3) or not isinstance(high, int) or high != wide or high < 8:
        return []
    wanted, seen = ("first", "last") if first else ("last", "first")
    return [(ClashKind.CHANNELS_PLACE, f"channels are expected {wanted}, but {shape} looks channels-{seen}")]


def parts_of_channels(input: Tensor, channels: Size | None, filters: Tensor, taken: Size | None) -> Notices:
    """Notice a filter for a part of the channels, which makes it a grouped convolution."""
    if not isinstance(channels, int) or not isinstance(taken, int) or not 0 < taken < channels or channels % taken:
        return []
    return [
        (
            ClashKind.CHANNELS_GROUPED,
            f"{input.name} has {channels} channels, {filters.name} is for {taken}: the convolution is grouped",
        )
    ]


def normalised(logits: Tensor, *natures: str) -> Notices:
    """Notice a loss that takes logits, given the result of an activation."""
    if logits.nature not in natures:
        return []
    return [(ClashKind.SOFTMAX_AS_LOGITS, f"{logits.name} is already the result of a {logits.nature}")]


def numbered(labels: Shape, logits: Shape) -> Notices:
    """Notice class numbers, one in each row, where a loss compares them with all classes."""
    last = logits.size(-1)
    if labels.rank is None or labels.rank != logits.rank or labels.size(-1) != 1:
        return []
    if not isinstance(last, int) or last < 2:
        return []
    return [(ClashKind.LABELS_ENCODING, f"labels {labels}, logits {logits}: one label for all classes")]


def mixed(x: Tensor, y: Tensor) -> Notices:
    """Notice two dtypes in one call of TensorFlow, which converts NumPy's arrays but never a tensor."""
    for one, other in ((x, y), (y, x)):
        if not _is_strong(one) or is_float(one.dtype) is not False:
            continue
        if other.dtype is not None and not is_float(other.dtype):
            continue
        if getattr(other.value, "library", "") == "np" and not _is_whole(other.content):
            if getattr(other.value, "step", 0):
                return [(ClashKind.FLOATS_TRUNCATED, f"{one.name} is {one.dtype}, {other.name} has fractions")]
            if other.dtype is not None:
                return [(ClashKind.DTYPES_MIXED, f"{one.name} is {one.dtype}, {other.name} is a float")]
    return mixed_tensors(x, y)


def mixed_tensors(x: Tensor, y: Tensor) -> Notices:
    """Notice two tensors of TensorFlow of different dtypes."""
    if _is_strong(x) and _is_strong(y) and canonical(x.dtype or "") != canonical(y.dtype or ""):
        return [(ClashKind.DTYPES_MIXED, f"{x.name} is {x.dtype}, {y.name} is {y.dtype}")]
    return []


def _is_strong(operand: Tensor) -> bool:
    """Return whether an operand is a tensor whose dtype stays as it is."""
    value = operand.value
    is_made = isinstance(value, TensorValue) and value.library == "tf" and value.step != 0
    return is_made and operand.dtype is not None and canonical(operand.dtype) is not None


def _is_whole(content: Value | None) -> bool:
    """Return whether known numbers are all integers."""
    parts = [] if content is None else [part for part in walk(content) if not isinstance(part, Seq)]
    return bool(parts) and all(isinstance(part, Const) and _whole(part.value) for part in parts)


def _whole(number: object) -> bool:
    return isinstance(number, int) or (isinstance(number, float) and number.is_integer())
