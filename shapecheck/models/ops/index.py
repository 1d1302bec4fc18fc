"""Subscripts: integers, slices, new axes, the ellipsis, masks and arrays of indices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import dropwhile

from shapecheck.clash_kind import ClashKind
from shapecheck.domain import values
from shapecheck.domain.values import (
    NONE,
    TRUE,
    Const,
    HomogeneousSeq,
    Range,
    Scalar,
    Seq,
    SliceValue,
    Value,
    as_size,
    as_str,
    items_of,
)
from shapecheck.models.lang import Answer, AnyValue, Blind, Context, Target, Tensor, behaviour, op, result
from shapecheck.models.lang.apply import together
from shapecheck.models.lang.constraints import Need, Refused
from shapecheck.models.lang.element_bounds import outermost
from shapecheck.models.lang.np_matrix import two_axes
from shapecheck.models.lang.packs import arrays
from shapecheck.models.lang.scalar_checks import is_float
from shapecheck.models.lang.slices import sliced
from shapecheck.models.lang.suspicious import assigned, picked
from shapecheck.shapes.claims import AllOf, AtLeast, Claim, Equal
from shapecheck.shapes.dtype import canonical, fields_of, kind
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size, ceildiv, fresh, maximum

ZERO = Const(0)
WHOLE = SliceValue(NONE, NONE, NONE)
NUMBERS = frozenset("bool int32 int64 uint8 float32 float64".split())
"""The usual dtypes of arrays that are no records."""


@op("tf.Tensor.__getitem__", operator="[]", oracle="none: an operator")
def subscript_without_arrays(x: Tensor, index: AnyValue, target: Target = Target()) -> Answer:
    """As in NumPy, but without arrays of indices; a mask must be the only index, and a list is read as a tuple."""
    if isinstance(x.value, values.Tensor) and x.value.library == "tf" and not target.numpy_behavior:
        index = _without_arrays(x, index)
    return subscript(x, index, target)


def _without_arrays(x: Tensor, index: Value) -> Value:
    """Return the index with a list as a tuple, if it contains no arrays."""
    if isinstance(index, HomogeneousSeq):
        raise Blind("how many indices there are")
    if isinstance(index, Seq) and index.kind == "list":
        index = Seq("tuple", index.items)
    arrays = [shape for entry in _entries(index) if (shape := _array_shape(entry)) is not None]
    if arrays and not _is_mask(index):
        raise Refused(ClashKind.RANK, f"{x.name} cannot be indexed with an array of shape {arrays[0]}")
    return index


def _entries(index: Value) -> list[Value]:
    if isinstance(index, HomogeneousSeq) and index.kind == "tuple":
        raise Blind("how many indices there are")
    return list(index.items) if isinstance(index, Seq) and index.kind == "tuple" else [index]


def _array_shape(entry: Value) -> Shape | None:
    """Return the shape of an array of indices; None for numbers, slices and what is not known."""
    match entry:
        case values.Tensor(shape=Shape(head=(_, *_)) as shape):
            return shape
        case Seq(kind="list" | "tuple", items=items):
            return Shape((len(items),))
        case Range(start=start, stop=stop, step=step):
            return Shape((maximum(ceildiv(stop - start, step), 0),))
        case HomogeneousSeq(kind="list" | "tuple", length=length):
            return Shape((length,))
    return None


def _is_mask(index: Value) -> bool:
    """Return whether an index may be a mask, which must be the only index."""
    return isinstance(index, values.Tensor) and index.dtype in ("bool", None)


@op("np.ndarray.__getitem__", operator="[]")
def subscript(x: Tensor, index: AnyValue, target: Target = Target()) -> Answer:
    """Return the value of `x[index]`."""
    if _names_fields(x, index):
        return _field(x, index)
    shape, needs = index_shape(x, index, target)
    return result(_item(x, index, shape), needs=needs, notices=picked(x, index), content=_content(x, index))


def _refuse_fractions(x: Tensor, entries: Sequence[Value]) -> None:
    """Refuse floats as indices and bounds, which old versions of NumPy cut off, as Python 2 does with a quotient."""
    if not isinstance(x.value, values.Tensor) or x.value.library not in ("np", "tf") or x.value.step == 0:
        return
    for entry in entries:
        bounds = (entry.lower, entry.upper, entry.step) if isinstance(entry, SliceValue) else (entry,)
        if any(map(_has_fractions, bounds)):
            raise Refused(ClashKind.NOT_INTEGER, f"{x.name} is indexed with a float, not an integer")


def _refuse_texts(x: Tensor, entries: Sequence[Value]) -> None:
    """Refuse texts as indices: tensors have no keys, and of arrays only those of records and unknown elements may."""
    text = next((entry.value for entry in entries if isinstance(entry, Const) and isinstance(entry.value, str)), None)
    if text is None or not isinstance(x.value, values.Tensor) or x.value.step == 0:
        return
    if x.value.library == "tf" or (x.value.library == "np" and canonical(x.dtype or "") in NUMBERS):
        raise Refused(ClashKind.INDEX_RANGE, f"{x.name} has no key {text!r}: it is indexed by numbers")


def _has_fractions(entry: Value) -> bool:
    """Return whether an index is a float, or an array of floats."""
    if isinstance(entry, values.Tensor) and entry.step != 0:
        entry = entry.with_shape(SCALAR)
    return is_float(entry)


def _names_fields(x: Tensor, index: Value) -> bool:
    """Return whether the index selects fields of records."""
    is_record = x.rank == 0 and not isinstance(index, SliceValue)  # fields are also selected by number
    return bool(fields_of(x.dtype)) and (is_record or isinstance(index, Seq) or as_str(index) is not None)


def _item(x: Tensor, index: Value, shape: Shape) -> Shape | Value:
    """Return the part of a shape, a single number unless the items are objects: texts have items of their own, other
    objects may be anything.
    """
    if shape != SCALAR:
        return shape
    is_array = isinstance(x.value, values.Tensor) and x.value.library == "np"
    if is_array and x.dtype == "object":
        content = _content(x, index)
        return content if isinstance(content, values.Ref) else values.Lost("an object in an array")
    is_object = x.dtype == "object" or (is_array and x.dtype == "string")
    return values.Lost("an object in an array") if is_object else SCALAR


@behaviour("tf.strided_slice")
def strided_slice(
    ctx: Context,
    input_: Value,
    begin: Value,
    end: Value,
    strides: Value = NONE,
    begin_mask: Value = ZERO,
    end_mask: Value = ZERO,
    ellipsis_mask: Value = ZERO,
    new_axis_mask: Value = ZERO,
    shrink_axis_mask: Value = ZERO,
    var: Value = NONE,
    name: Value = NONE,
) -> Value:
    """Return `x[begin:end:strides, …]`; a mask has a bit for each entry."""
    starts, stops = items_of(begin), items_of(end)
    steps = items_of(strides) or (NONE,) * len(starts or ())
    given = (as_size(mask) for mask in (ellipsis_mask, new_axis_mask, shrink_axis_mask, begin_mask, end_mask))
    masks = [mask for mask in given if isinstance(mask, int)]
    if starts is None or stops is None or len(masks) < 5 or not len(starts) == len(stops) == len(steps):
        return ctx.lost("a slice with bounds that are not known")
    bounds = enumerate(zip(starts, stops, steps, strict=True))
    entries = [_masked(each, [bool(mask >> place & 1) for mask in masks]) for place, each in bounds]
    return ctx.apply("tf.Tensor.__getitem__", input_, Seq("tuple", tuple(entries)))


def _masked(bounds: tuple[Value, Value, Value], bits: Sequence[bool]) -> Value:
    """Return an entry of an index, according to the first mask that mentions it."""
    (low, high, step), (is_rest, is_new, is_one, from_start, to_end) = bounds, bits
    if is_rest or is_new:
        return Const(...) if is_rest else NONE
    return low if is_one else SliceValue(NONE if from_start else low, NONE if to_end else high, step)


@op("np.matrix.__getitem__", operator="matrix[]", oracle="none: an operator")
def row_or_column(x: Tensor, index: AnyValue) -> Answer:
    """A result that would be a vector is a row, or a column if a number is the second index."""
    shape, needs = index_shape(x, index)
    return result(_row_or_column(shape, index), needs=needs)


def _row_or_column(shape: Shape, index: Value) -> Shape:
    """Return the part of an array of this shape, as part of a matrix."""
    made = two_axes(shape)
    if made is None:
        raise Blind("part of a matrix")
    entries = index.items if isinstance(index, Seq) and index.kind == "tuple" else ()
    is_column = len(shape.head) == 1 and len(entries) > 1 and _is_number(entries[1])
    return Shape(made.head[::-1]) if is_column else made


def _is_number(entry: Value) -> bool:
    return as_size(entry) is not None or isinstance(entry, Scalar)


@op("np.matrix.__setitem__", operator="matrix[]=", oracle="none: a statement")
def assign_to_matrix(x: Tensor, index: AnyValue, value: Tensor) -> Answer:
    """Parts of matrices are matrices, also in assignments."""
    return result(NONE)


def _field(x: Tensor, index: Value) -> Answer:
    """Return a field of an array of records; its own axes come last."""
    fields, place = fields_of(x.dtype), as_size(index)
    is_number = isinstance(place, int) and -len(fields) <= place < len(fields)
    name = list(fields)[place] if isinstance(place, int) and is_number else as_str(index)
    dtype, inner = fields.get(name or "", (None, None))
    head, tail = x.shape.head, x.shape.tail
    if inner is None:
        return values.Tensor(UNRANKED, dtype, "np")
    return values.Tensor(Shape((*head, *inner)) if tail is None else Shape(head, (*tail, *inner)), dtype, "np")


@op("tf.Tensor.__setitem__", operator="[]=", oracle="none: a statement")
def assign_to_tensor(x: Tensor, index: AnyValue, value: AnyValue) -> Answer:
    raise Refused(ClashKind.IMMUTABLE, "elements of a tensor of TensorFlow cannot be assigned")


@op("np.ndarray.__setitem__", operator="[]=", oracle="none: a statement")
def assign(x: Tensor, index: AnyValue, value: Tensor, target: Target = Target()) -> Answer:
    """The value must broadcast to the part that is assigned."""
    if fields_of(x.dtype):
        return result(NONE)  # numbers fill all fields of a record, tuples fill one each
    part, needs = index_shape(x, index, target)
    return result(NONE, needs=[*needs, *fits(x, part, value)], notices=assigned(x, index, value))


def fits(x: Tensor, part: Shape, value: Tensor) -> list[Need]:
    """Return the constraint for a value to broadcast to a part."""
    if part.tail is not None or value.shape.tail is not None or _is_one_object(x, part, value):
        return []
    said = f"the part has shape {part}, the value has shape {value.shape}"
    sizes = tuple(dropwhile(lambda size: size == 1, value.shape.head))
    surplus = sizes[: max(0, len(sizes) - len(part.head))]
    pairs = zip(reversed(part.head), reversed(sizes), strict=False)
    claims: list[Claim] = [Equal(size, 1) for size in surplus]
    claims += [AtLeast(1, size) for have, size in pairs if have == 1 and size != 1]
    return [*together([part, value.shape], said)[1], *(Need(ClashKind.BROADCAST, claim, said) for claim in claims)]


def _is_one_object(x: Tensor, part: Shape, value: Tensor) -> bool:
    """Return whether the value may be an element of an array of objects, rather than an array of elements."""
    dtype = canonical(x.dtype or "")
    is_number = dtype is not None and kind(dtype) != "string"
    return not is_number and len(value.shape.head) > len(part.head)


@dataclass
class _Walk:
    """The state of matching index entries with axes."""

    x: Tensor
    needs: list[Need] = field(default_factory=list)
    sizes: list[Size] = field(default_factory=list)
    arrays: list[Shape] = field(default_factory=list)
    at: int = 0  # the index of the entry
    chosen: list[int] = field(default_factory=list)  # the advanced entries: arrays, and numbers beside them
    place: int = 0  # the axis of the result at which the first of them was

    def choose(self) -> None:
        self.place = self.place if self.chosen else len(self.sizes)
        self.chosen.append(self.at)

    @property
    def is_apart(self) -> bool:
        """Return whether other entries separate the advanced ones, whose axes then come first."""
        return self.chosen[-1] - self.chosen[0] >= len(self.chosen)


def index_shape(x: Tensor, index: Value, target: Target = Target()) -> tuple[Shape, list[Need]]:
    """Return the shape of `x[index]`, and the constraints; raise `Blind` if nothing is known."""
    entries = [_as_mask(entry) for entry in _entries(index)]
    if not target.dated and target.tensorflow != 1:
        _refuse_fractions(x, entries)
    _refuse_texts(x, entries)
    if entries.count(Const(...)) > 1:
        raise Refused(ClashKind.INDEX_RANGE, f"{entries.count(Const(...))} ellipses in one index of {x.name}")
    if x.shape.tail is not None:
        return _partly(x, entries)
    rank, used = len(x.shape.head), 0
    for taken in map(_axes_taken, entries):
        if taken is None:
            raise Blind("how many axes an index takes")
        used += taken
    if used > rank:
        raise _too_many(x, used, entries)
    if Const(...) not in entries:
        entries.append(Const(...))
    walk, axis = _Walk(x), 0
    for walk.at, entry in enumerate(entries):
        axis = _step(walk, entry, axis, rank - used)
    return _assembled(walk), walk.needs


def _as_mask(entry: Value) -> Value:
    """Return an array of another dtype that selects as one of truth values does."""
    if not isinstance(entry, values.Tensor) or entry.dtype in ("bool", None):
        return entry
    return replace(entry, dtype="bool", content=None) if entry.dtype in arrays(entry.library).masks else entry


def _too_many(x: Tensor, used: int, entries: Sequence[Value]) -> Refused | Blind:
    """Refuse an index with more entries than axes, unless elements may be texts or objects that support subscripts, or
    an entry one truth value, which takes no axis."""
    rank = len(x.shape.head)
    if any(isinstance(entry, values.Tensor) and entry.dtype is None and entry.content is None for entry in entries):
        return Blind("a number or a truth value")
    if x.dtype == "string" or (rank == 0 and not canonical(x.dtype or "") and getattr(x.value, "library", "") == "np"):
        return Blind("what is in an array")
    axes = "1 axis" if rank == 1 else f"{rank} axes"
    return Refused(ClashKind.INDEX_RANGE, f"{used} indices for {x.name} with {axes}")


def _axes_taken(entry: Value) -> int | None:
    """Return how many axes an entry consumes; None if that is not known."""
    match entry:
        case Const(value=known) if known is None or known is ...:
            return 0
        case Const(value=bool() | str()):
            return None
        case values.Tensor(dtype="bool", shape=shape):
            return len(shape.head) if shape.tail is None else None
        case values.Tensor(dtype=None, shape=shape):
            return None if shape.tail is not None or shape.head else 1
        case Const() | SliceValue() | values.Int() | values.Tensor() | Range() | HomogeneousSeq():
            return 1
        case Scalar(kind="int"):
            return 1
        case Seq(items=items):
            return 1 if all(as_size(item) is not None for item in items) else None
    return None


def _step(walk: _Walk, entry: Value, axis: int, spare: int) -> int:
    """Match one entry; return the next axis."""
    head = walk.x.shape.head
    match entry:
        case Const(value=None):
            walk.sizes.append(1)
            return axis
        case SliceValue():
            walk.sizes.append(sliced(head[axis], entry))
            return axis + 1
    if entry == Const(...):
        walk.sizes += head[axis : axis + spare]
        return axis + spare
    walk.choose()
    number = as_size(entry)
    if number is not None or isinstance(entry, Scalar):
        if number is not None:
            _check(walk, number, axis)
        return axis + 1
    return _array(walk, entry, axis)


def _array(walk: _Walk, entry: Value, axis: int) -> int:
    """Match an array of indices or a mask."""
    match entry:
        case values.Tensor(dtype="bool", shape=shape):
            walk.arrays.append(Shape((_true_entries(entry.content),)))
            sizes = enumerate(zip(walk.x.shape.head[axis:], shape.head, strict=False), axis)
            walk.needs += [
                Need(
                    ClashKind.INDEX_RANGE,
                    AllOf((AtLeast(a, b), AtLeast(b, a))),
                    f"the mask is for {b} entries, axis {at} of {walk.x.name} has {a}",
                )
                for at, (a, b) in sizes
                if a != b
            ]
            return axis + len(shape.head)
        case values.Tensor(shape=shape):
            walk.arrays.append(shape)
        case Seq(items=items):
            walk.arrays.append(Shape((len(items),)))
            for number in outermost(map(as_size, items)):
                _check(walk, number, axis)
        case Range(start=start, stop=stop, step=step):
            walk.arrays.append(Shape((maximum(ceildiv(stop - start, step), 0),)))
        case HomogeneousSeq(length=length):
            walk.arrays.append(Shape((length,)))
    return axis + 1


def _true_entries(mask: Value | None) -> Size:
    """Return the number of true entries of a mask, if its content is known."""
    entries = [item for item in values.walk(mask) if not isinstance(item, Seq)] if mask is not None else []
    if entries and all(isinstance(item, Const) and isinstance(item.value, bool) for item in entries):
        return entries.count(TRUE)
    return fresh("n", Kind.COUNTED, why="as many as the mask has true entries")


def _check(walk: _Walk, number: Size, axis: int) -> None:
    size = walk.x.shape.head[axis]
    said = f"index {number} is out of range: {walk.x.name} has {size} on axis {axis}"
    claim = AllOf((AtLeast(number, 0 - size), AtLeast(size - 1, number)))
    walk.needs.append(Need(ClashKind.INDEX_RANGE, claim, said))


def _assembled(walk: _Walk) -> Shape:
    if not walk.arrays:
        return Shape(tuple(walk.sizes))
    if any(shape.tail is not None for shape in walk.arrays):
        return UNRANKED
    said = "the index arrays " + " and ".join(map(str, walk.arrays)) + " do not broadcast"
    shape, needs = together(walk.arrays, said)
    walk.needs += needs
    place = 0 if walk.is_apart else walk.place
    return Shape((*walk.sizes[:place], *shape.head, *walk.sizes[place:]))


def _partly(x: Tensor, entries: list[Value]) -> tuple[Shape, list[Need]]:
    """Return what is known of a shape of unknown rank, indexed without arrays: from the front, and at the end."""
    sizes: list[Size] = []
    head = list(x.shape.head)
    for at, entry in enumerate(entries):
        if entry == NONE:
            sizes.append(1)
        elif entry == Const(...):
            return _indexed_from_end(Shape((*sizes, *head), x.shape.tail), entries[at + 1 :]), []
        elif not head or _axes_taken(entry) != 1:
            return Shape(tuple(sizes), _untouched(x.shape.tail or (), entries[at:])), []
        elif isinstance(entry, SliceValue):
            sizes.append(sliced(head.pop(0), entry))
        elif as_size(entry) is not None:
            head.pop(0)
        else:
            raise Blind("an array of indices")
    return Shape((*sizes, *head), x.shape.tail), []


def _indexed_from_end(shape: Shape, entries: Sequence[Value]) -> Shape:
    """Return a shape of unknown rank whose last axes are indexed."""
    tail = shape.tail or ()
    if len(entries) > len(tail) or not all(map(_is_plain, entries)):
        return UNRANKED
    kept = len(tail) - len(entries)
    cut = [sliced(size, at) for size, at in zip(tail[kept:], entries, strict=True) if isinstance(at, SliceValue)]
    return Shape(shape.head, (*tail[:kept], *cut))


def _untouched(tail: tuple[Size, ...], entries: Sequence[Value]) -> tuple[Size, ...]:
    """Return the last axes that entries leave as they are, whatever the number of axes before these."""
    if not all(map(_is_plain, entries)):
        return ()
    beyond = max(0, len(entries) - len(tail))
    first = next((at for at, entry in enumerate(reversed(entries)) if entry != WHOLE), len(entries))
    touched = len(entries) - first - beyond  # an entry meets the axis of its number, or an earlier one
    return tail[max(0, touched) :]


def _is_plain(entry: Value) -> bool:
    """Return whether an entry takes one axis, and is no array."""
    return _axes_taken(entry) == 1 and (isinstance(entry, SliceValue) or as_size(entry) is not None)


def _content(x: Tensor, index: Value) -> Value | None:
    """Return the content of a part of a tensor whose content is known."""
    items = items_of(x.value) if x.content is not None else None
    if items is None:
        return None
    number = as_size(index)
    if isinstance(number, int):
        return items[number] if -len(items) <= number < len(items) else None
    if isinstance(index, SliceValue):
        bounds: list[int | None] = []
        for part in (index.lower, index.upper, index.step):
            bound = as_size(part)
            if part != NONE and not isinstance(bound, int):
                return None
            bounds.append(bound if isinstance(bound, int) else None)
        if bounds[2] != 0:
            return Seq("list", items[slice(*bounds)])
    return None
