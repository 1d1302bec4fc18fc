"""`value[index]`, read, written and deleted, for Python's containers; tensors use the model of their library."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.containers import iteration
from shapecheck.dataflow.containers.default_dict import fill_missing
from shapecheck.dataflow.containers.dict_update import entry, is_distinct_key, updated
from shapecheck.dataflow.containers.item_join import joined_elements
from shapecheck.dataflow.objects import array_mutation
from shapecheck.dataflow.objects.aliases import among, havoc_aliases, part_of
from shapecheck.dataflow.objects.array_classes import array_in
from shapecheck.dataflow.objects.attributes import find_attribute
from shapecheck.dataflow.objects.container_classes import missing_item
from shapecheck.dataflow.objects.declared_classes import members
from shapecheck.dataflow.objects.enum_members import constant_of, key_among
from shapecheck.dataflow.objects.library_methods import run_method, tensor_class
from shapecheck.dataflow.objects.mro import class_attribute
from shapecheck.dataflow.operators.library_operators import operate, operator_model
from shapecheck.dataflow.paths.case_split import for_each_alternative, for_each_contents
from shapecheck.dataflow.paths.constraints import end_if_tolerated, require
from shapecheck.dataflow.paths.float_counts import check_index
from shapecheck.dataflow.paths.truncated_slices import TruncatedSlices
from shapecheck.dataflow.stages.checks import check_array_index, require_hashable, require_python
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.endings import Endings
from shapecheck.dataflow.state.path import PathEnds
from shapecheck.dataflow.state.running_loops import RunningLoops
from shapecheck.dataflow.state.sizes_of_parameters import SizesOfParameters
from shapecheck.domain.alternatives import one_of_objects
from shapecheck.domain.freshen import freshened
from shapecheck.domain.values import (
    CONTAINERS,
    MINUS_ONE,
    NONE,
    BoundLibraryMethod,
    Choice,
    Class,
    Const,
    Dict,
    Function,
    HomogeneousSeq,
    Int,
    Library,
    Lost,
    Partial,
    PartialSizes,
    Range,
    Ref,
    Scalar,
    Seq,
    SliceValue,
    Tensor,
    Value,
    as_size,
    as_sizes,
    as_str,
    is_constant,
    items_of,
    of_size,
    walk,
)
from shapecheck.models.lang.packs import arrays
from shapecheck.models.lang.registry import lookup, lookup_method
from shapecheck.models.lang.slices import sliced
from shapecheck.shapes.facts import FALSE
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Kind, Size, fresh, symbols
from shapecheck.shapes.symbol import Symbol
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

_INDEXED = ("at", "loc", "iloc", "str")
"""Attributes of arrays and tables that are there to be indexed."""

NOTATIONS = ("jaxtyping.", "nptyping.", "typing.Annotated", "typing.Union", "typing.Optional", "typing.Literal")
"""How the names begin whose subscripts say something of shapes."""


def get_item(t: Tracer, owner: Value, index: Value, place: Place) -> Value:
    """Return `owner[index]`."""
    if isinstance(owner, Tensor):
        check_array_index(t, owner, [index], place)
        item = operate(t, owner.library, "[]", [_as_table(t, owner, index), index], place)
        return _note_truncation(t, item, index)
    if isinstance(owner, Ref):
        if owner.cls not in CONTAINERS:
            return _object_item(t, owner, index, place)
        fill_missing(t, owner, index)
    frozen = t.freeze(owner, deep=False)
    match frozen:
        case Choice():
            return for_each_alternative(t, [frozen], lambda values: get_item(t, values[0], index, place))
        case Seq() | HomogeneousSeq() | Range():
            require_python(t, index, place, "an index of a sequence")
            check_index(t, index, place)
            return _sequence_item(t, frozen, index, place)
        case Dict():
            require_hashable(t, index, place, "a key of a dict")
            return _dict_item(t, frozen, index)
        case Const(value=str(text)):
            return _text_item(text, index)
        case Library() | Class():
            return _class_item(t, frozen, index, place)
        case Scalar(kind="str"):
            return Scalar("str")
        case Int() | Const(value=int() | float()):
            t.component(Endings).note("a number has no items", place)
            raise PathEnds
        case BoundLibraryMethod():
            return _item_of_method(t, frozen, index, place)
    return _lost_item(t, frozen, index)


def _item_of_method(t: Tracer, method: BoundLibraryMethod, index: Value, place: Place) -> Value:
    """Return an item of what a library offers for indexing; state that no method of arrays is that."""
    if method.name in _INDEXED:
        return run_method(t, method.owner, f"{method.name}[]", [index]) or t.lost("subscript of a lost value")
    if not isinstance(method.owner, Tensor) or not lookup_method(tensor_class(method.owner), method.name):
        return _lost_item(t, method, index)
    with t.during(t.add_step("op", "[]", [method, index], {}, place)):
        require(t, ClashKind.CALL, FALSE, f"{method.name} is a method, which has no items")
    end_if_tolerated(t, "[]", place)
    return t.failed()


def _lost_item(t: Tracer, owner: Value, index: Value) -> Value:
    """Return an item of what is not known, or a size of an array whose rank is unknown."""
    axis = as_size(index)
    size = owner.shape.size(axis) if isinstance(owner, PartialSizes) and isinstance(axis, int) else None
    if size is not None:
        return of_size(size)
    item = part_of(t, t.lost("subscript of a lost value"), owner)
    key = _key_text(index)
    if isinstance(owner, Lost) and key is not None:
        t.component(SizesOfParameters).note_part(owner, key, item)
    return item


def _key_text(index: Value) -> str | None:
    """Return a key that is a known text."""
    return index.value if isinstance(index, Const) and isinstance(index.value, str) else None


def _note_truncation(t: Tracer, item: Value, index: Value) -> Value:
    """Return the result of a slice after noting the counters that its length depends on, since it may be truncated."""
    for part in index.items if isinstance(index, Seq) else (index,):
        if isinstance(part, SliceValue):
            for bound in (as_size(part.lower), as_size(part.upper)):
                if bound is not None and not isinstance(bound, int):
                    t.component(TruncatedSlices).symbols |= _sizes_in(item) & symbols(bound)
    return item


def _sizes_in(item: Value) -> frozenset[Symbol]:
    """Return the symbols that the length of a sequence or the shape of an array depends on."""
    match item:
        case HomogeneousSeq(length=length):
            return symbols(length)
        case Tensor(shape=shape):
            return frozenset(shape.symbols())
    return frozenset()


def _as_table(t: Tracer, owner: Tensor, index: Value) -> Tensor:
    """Return a table read from a file, which has one axis or two, with two axes if a subscript has two."""
    if owner.role != "table" or owner.shape.is_ranked:
        return owner
    axes = [item for item in index.items if item != NONE] if isinstance(index, Seq) and index.kind == "tuple" else []
    if len(axes) != 2 or any(item == Const(...) for item in axes):
        return owner
    rows, columns = (fresh(name, Kind.FREE, origin=t.place, why="read from a file") for name in ("rows", "columns"))
    table = owner.with_shape(Shape(((*owner.shape.head, rows)[0], (columns, *(owner.shape.tail or ()))[-1])))
    t.refine(owner, table)
    return table


def _class_item(t: Tracer, owner: Library | Class, index: Value, place: Place) -> Value:
    """Return a subscripted class: a library value, a member of an enumeration, or else a generic alias.

    An alias such as `list[int]` is its class; one of a shape is kept as it is written.
    """
    model = lookup(f"{owner.name}[]") if isinstance(owner, Library) else None
    if model is not None:
        items = index.items if isinstance(index, Seq) and index.kind == "tuple" else (index,)
        return t.run_model(model, model.name, Arguments(place, items))
    if isinstance(owner, Library) and owner.name.startswith(NOTATIONS):
        items = index.items if isinstance(index, Seq) and index.kind == "tuple" else (index,)
        return Partial(owner, items)
    known = members(t, owner) if isinstance(owner, Class) else None
    if known is None:
        return owner
    return known.get(as_str(index) or "") or t.lost("member of an enumeration")


def _object_item(t: Tracer, owner: Ref, index: Value, place: Place) -> Value:
    """Return an item of an object, as its class says."""
    array = array_in(t, owner)
    if isinstance(array, Tensor) and not _is_written(t, owner, "__getitem__"):
        return get_item(t, array, index, place)
    method = find_attribute(t, owner, "__getitem__")
    if method is not None:
        made = missing_item(t, owner, index) if isinstance(method, BoundLibraryMethod) else None
        return t.call_here(method, [index]) if made is None else made
    items = iteration.elements(t, owner)
    return t.lost("subscript of an object") if items is None else _sequence_item(t, Seq("tuple", items), index, place)


def _is_written(t: Tracer, owner: Ref, name: str) -> bool:
    """Return whether the class of an object has a method of its own."""
    cls = t.heap.get((owner.address, "__class__"))
    return isinstance(cls, Class) and isinstance(class_attribute(t, cls, name), Function)


def _sequence_item(t: Tracer, owner: Seq | HomogeneousSeq | Range, index: Value, place: Place) -> Value:
    """Return an item or a slice of a frozen sequence."""
    if isinstance(index, SliceValue):
        return _slice(t, owner, index)
    if getattr(owner, "kind", "") in ("list", "tuple") and (said := _no_index(t, owner, index)):
        return _refused_index(t, owner, index, said, place)
    if as_str(index) is not None or (isinstance(index, Scalar) and index.kind == "str"):
        return t.lost("a text is no index of a list")
    position = _position(index)
    items = items_of(owner)
    if items is not None and isinstance(position, int):
        if -len(items) <= position < len(items):
            return items[position]
        return _out_of_range(t, owner, position, len(items), place)
    if isinstance(owner, HomogeneousSeq) and isinstance(position, int) and -len(owner.ends) <= position < 0:
        return owner.ends[position]
    if isinstance(owner, Range) and position is not None:
        low = position if isinstance(position, int) else position.low()
        if low is not None and low >= 0:
            return of_size(owner.start + position * owner.step)
    item = _element(t, owner, (index,))
    return t.lost("one text or several") if isinstance(index, Lost) and _is_text(item) else item


def _is_text(value: Value) -> bool:
    """Return whether a value is a text, which is not told from a list of texts by what is done with it."""
    match value:
        case Scalar(kind="str") | Tensor(dtype="string"):
            return True
    return as_str(value) is not None


def _has_several(array: Tensor) -> bool:
    """Return whether an array certainly has more than one element."""
    return any((size if isinstance(size, int) else size.low() or 0) > 1 for size in array.shape.head)


def _no_index(t: Tracer, owner: Seq | HomogeneousSeq | Range, index: Value) -> str | None:
    """Return why an index is none of a list or tuple, which has one axis; what is said of a parameter may be wrong."""
    kind = "tuple" if isinstance(owner, Seq) and owner.kind == "tuple" else "list"
    if isinstance(index, Tensor):
        is_number = not index.shape.head or (arrays(index.library).numbers_if_single and not _has_several(index))
        return None if is_number else f"an array of shape {index.shape} is no index of a {kind}"
    if not isinstance(owner, Seq):
        return None
    match t.freeze(index, deep=False):
        case Seq(kind="tuple", items=items) if len(items) > 1:
            return f"{len(items)} indices of a {kind}, which has one axis"
        case Seq(kind="list") | HomogeneousSeq(kind="list"):
            return f"a list is no index of a {kind}"
    return None


def _refused_index(t: Tracer, owner: Seq | HomogeneousSeq | Range, index: Value, said: str, place: Place) -> Value:
    """Record that a list or tuple has no such index."""
    step = t.add_step("op", "[]", [owner, index], {}, place)
    with t.during(step):
        require(t, ClashKind.RANK, FALSE, said, index)
    end_if_tolerated(t, "[]", place)
    return t.lost("no index of a list")


def _position(index: Value) -> Size | None:
    """Return the integer that an index is; False is 0 and True is 1."""
    if isinstance(index, Const) and isinstance(index.value, bool):
        return int(index.value)
    return -1 if isinstance(index, Lost) and index.reason == MINUS_ONE else as_size(index)


_LITERAL_INDEX = re.compile(r"\[\s*-?\d+\s*\]$")


def _out_of_range(t: Tracer, owner: Value, position: int, length: int, place: Place) -> Value:
    """Record that a shape, or a tuple of sizes, is indexed beyond its axes.

    One without axes is indexed by a variable in loops over its axes, which may not run.
    """
    if not length and not _LITERAL_INDEX.search(place.text):
        return t.lost("item of no items")
    if isinstance(owner, Seq) and (owner.kind == "shape" or (owner.kind == "tuple" and as_sizes(owner) is not None)):
        step = t.add_step("op", "[]", [owner, Const(position)], {}, place)
        with t.during(step):
            require(t, ClashKind.INDEX_RANGE, FALSE, f"index {position} into a shape of {length} axes", owner)
        end_if_tolerated(t, "[]", place)
    return t.lost("index out of range")


def _slice(t: Tracer, owner: Seq | HomogeneousSeq | Range, index: SliceValue) -> Value:
    """Return a slice of a frozen sequence."""
    bounds = tuple(_bound(part) for part in (index.lower, index.upper, index.step))
    items = items_of(owner)
    kind = "list" if isinstance(owner, Range) else owner.kind
    result: Value
    if items is not None and all(bound is None or isinstance(bound, int) for bound in bounds) and bounds[2] != 0:
        result = Seq(kind, items[slice(*bounds)])  # type: ignore[arg-type]
    else:
        covering = _element(t, owner, (index.lower, index.upper))
        result = _note_truncation(t, HomogeneousSeq(kind, covering, sliced(iteration.length(t, owner), index)), index)
    return t.new_container("list", result) if kind == "list" else result


def _element(t: Tracer, owner: Seq | HomogeneousSeq | Range, bounds: Sequence[Value]) -> Value:
    """Return a value that covers the items at an index or between bounds, which may differ in each iteration."""
    loops, item = t.component(RunningLoops), iteration.element(t, owner)
    return loops.note_float(item) if any(map(loops.varies, bounds)) else item


def _bound(part: Value) -> Size | str | None:
    """Return a bound of a slice: None, a size, or "lost"."""
    if part == NONE:
        return None
    size = as_size(part)
    return "lost" if size is None else size


def _concrete(index: SliceValue) -> slice | None:
    """Return a slice with constant bounds as a Python slice, or None."""
    bounds = [_bound(part) for part in (index.lower, index.upper, index.step)]
    numbers = [bound for bound in bounds if bound is None or isinstance(bound, int)]
    return slice(*numbers) if len(numbers) == len(bounds) else None


MAX_VALUES = 64
PLAIN = (Const, Int, Scalar, Seq, Tensor)  # not objects or functions: each would need a path of its own


def _dict_item(t: Tracer, owner: Dict, index: Value) -> Value:
    """Return the value of a key in a frozen dict."""
    found, index = entry(t, owner, index), constant_of(t, index)
    if found is not None:
        return found
    if owner.rest is None and all(is_constant(key) for key in (index, *(key for key, _ in owner.items))):
        return t.lost("missing key of a dict")
    if owner.rest is not None and is_distinct_key(index):
        return freshened(owner.rest)
    return any_value(t, owner)


def any_value(t: Tracer, mapping: Dict) -> Value:
    """Return a value that covers all values of a frozen dict."""
    rest = () if mapping.rest is None else (freshened(mapping.rest),)
    if rest and not mapping.items:
        return rest[0]
    values = (*(value for _, value in mapping.items), *rest)
    is_plain = 0 < len(values) <= MAX_VALUES and all(isinstance(part, PLAIN) for v in values for part in walk(v))
    if is_plain or one_of_objects(values):
        return iteration.element(t, Seq("tuple", values))
    return among(t, t.lost("unknown key of a dict"), values)


def _text_item(text: str, index: Value) -> Value:
    """Return a letter or a part of a known string."""
    position = as_size(index)
    if isinstance(position, int) and -len(text) <= position < len(text):
        return Const(text[position])
    if isinstance(index, SliceValue):
        bounds = [_bound(part) for part in (index.lower, index.upper, index.step)]
        if all(bound is None or isinstance(bound, int) for bound in bounds) and bounds[2] != 0:
            return Const(text[slice(*bounds)])  # type: ignore[arg-type]
    return Scalar("str")


def set_item(t: Tracer, owner: Value, index: Value, value: Value, place: Place) -> Value:
    """Set `owner[index] = value`; return None, as every assignment."""
    if isinstance(owner, Tensor):
        check_array_index(t, owner, [index, value], place)
        model = operator_model(owner.library, "[]=", [owner])
        if model is not None:
            t.run_model(model, f"{owner.library}.[]=", Arguments(place, [owner, index, value]))
        array_mutation.set_item(t, owner, index, value)
    elif not isinstance(owner, Ref):
        t.component(SizesOfParameters).note_assignment(owner, _key_text(index))
        havoc_aliases(t, owner)
    elif owner.cls == "list":
        for_each_contents(t, owner, lambda: _set_list_item(t, owner, index, value))
    elif owner.cls == "dict":
        require_hashable(t, index, place, "a key of a dict")
        for_each_contents(t, owner, lambda: set_dict_item(t, owner, index, value))
    else:
        method = find_attribute(t, owner, "__setitem__")
        if method is not None:
            t.call_here(method, [index, value])
    return NONE


def delete_item(t: Tracer, owner: Value, index: Value) -> Value:
    """Delete `owner[index]`."""
    if not isinstance(owner, Ref):
        havoc_aliases(t, owner)
        return NONE
    if owner.cls == "list":
        for_each_contents(t, owner, lambda: _delete_list_item(t, owner, index))
    elif owner.cls == "dict":
        for_each_contents(t, owner, lambda: _delete_dict_item(t, owner, index))
    else:
        method = find_attribute(t, owner, "__delitem__")
        if method is not None:
            t.call_here(method, [index])
    return NONE


def _delete_list_item(t: Tracer, owner: Ref, index: Value) -> Value:
    """Delete an item or a slice of a list."""
    contents = t.contents(owner)
    position = _concrete(index) if isinstance(index, SliceValue) else _position(index)
    if isinstance(contents, Seq) and isinstance(position, (int, slice)):
        items = list(contents.items)
        try:
            del items[position]
        except (IndexError, ValueError):
            return NONE
        t.set_contents(owner, Seq("list", tuple(items)))
    elif isinstance(contents, (Seq, HomogeneousSeq)):
        length = fresh("n", Kind.LOST, why="list after del")
        t.set_contents(owner, HomogeneousSeq("list", iteration.element(t, contents), length))
    return NONE


def _delete_dict_item(t: Tracer, owner: Ref, key: Value) -> Value:
    """Delete an entry of a dict."""
    contents = t.contents(owner)
    if not isinstance(contents, Dict):
        return NONE
    key = key_among(t, (name for name, _ in contents.items), key)
    if entry(t, contents, key) is not None or is_constant(key):
        t.set_contents(owner, Dict(tuple((k, v) for k, v in contents.items if k != key), contents.rest))
    else:
        t.set_contents(owner, t.lost("dict after del of an unknown key"))
    return NONE


def _set_list_item(t: Tracer, owner: Ref, index: Value, value: Value) -> Value:
    """Set an item or a slice of a list."""
    contents = t.contents(owner)
    position = _position(index)
    if (
        isinstance(contents, Seq)
        and isinstance(position, int)
        and -len(contents.items) <= position < len(contents.items)
    ):
        items = list(contents.items)
        items[position] = value
        t.set_contents(owner, Seq("list", tuple(items)))
    elif isinstance(contents, Seq) and (spliced := _spliced(t, contents, index, value)) is not None:
        t.set_contents(owner, spliced)
    elif isinstance(contents, (Seq, HomogeneousSeq)):
        length = iteration.length(t, contents)
        if isinstance(index, SliceValue):
            length = fresh("n", Kind.LOST, why="assignment to a slice")
            value = iteration.element(t, value)
        t.set_contents(owner, HomogeneousSeq("list", joined_elements(t, contents, Seq("list", (value,))), length))
    return NONE


def _spliced(t: Tracer, contents: Seq, index: Value, value: Value) -> Seq | None:
    """Return a list after an assignment to a slice, or None if the result is not known."""
    items = iteration.elements(t, value) if isinstance(index, SliceValue) else None
    where = _concrete(index) if isinstance(index, SliceValue) else None
    if items is None or where is None:
        return None
    result = list(contents.items)
    try:
        result[where] = items
    except ValueError:
        return None
    return Seq("list", tuple(result))


def set_dict_item(t: Tracer, owner: Ref, key: Value, value: Value) -> Value:
    """Set an entry of a dict."""
    contents = t.contents(owner)
    if not isinstance(contents, Dict):
        return NONE
    t.set_contents(owner, updated(t, [(key, value)], contents))
    return NONE
