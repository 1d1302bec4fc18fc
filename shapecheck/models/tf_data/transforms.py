"""Transformations of datasets, which give new elements."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.agreement import dtype_difference, tensor_kind
from shapecheck.domain.values import (
    FALSE,
    NONE,
    TRUE,
    Const,
    Dict,
    HomogeneousSeq,
    Ref,
    Seq,
    Tensor,
    Value,
    as_size,
    items_of,
)
from shapecheck.models.lang import Context, attribute, behaviour
from shapecheck.models.lang.arguments import shape_arg
from shapecheck.models.lang.faulty_sources import check_source
from shapecheck.models.lang.mixed_state import with_dtypes
from shapecheck.models.lang.scalar_checks import require_integer
from shapecheck.models.lang.unknown_sizes import UNEVEN, lost
from shapecheck.models.tf_data.dataset import (
    DATASET,
    applied,
    each,
    either,
    element_of,
    is_dataset,
    leaves,
    length_of,
    make,
    plain,
    relaxed,
    returned,
    sliced,
    stacked,
    structure,
    turns,
)
from shapecheck.models.tf_data.last_batch import carried, with_remainder
from shapecheck.models.tf_data.sources import as_numpy, common_rows, spec_of
from shapecheck.shapes.claims import FALSE as IMPOSSIBLE
from shapecheck.shapes.claims import AtLeast, Divides, Equal
from shapecheck.shapes.facts import Verdict
from shapecheck.shapes.shape import SCALAR, Shape
from shapecheck.shapes.size import Kind, Size, ceildiv, is_open, maximum, minimum, product

SAME = "{cache,ignore_errors,prefetch,shuffle,snapshot,with_options}"


@behaviour(f"{DATASET}.{SAME}")
def same(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    return self


@behaviour(f"{DATASET}.{{filter,filter_with_legacy_function,take_while,unique,rejection_resample}}")
def fewer(ctx: Context, self: Value, predicate: Value = NONE, *args: Value, **keywords: Value) -> Value:
    if predicate != NONE:
        _require_bool(ctx, applied(ctx, predicate, element_of(ctx, self)))
    return make(ctx, element_of(ctx, self), None)


def _require_bool(ctx: Context, made: Value) -> None:
    """State that a predicate gives one bool for each element."""
    kind = tensor_kind(ctx.freeze(made))
    if kind is not None and kind.dtype not in (None, "bool"):
        ctx.require(ClashKind.DECLARED, IMPOSSIBLE, f"the function returns {kind.dtype}, bool is expected", made)
    elif kind is not None and kind.dtype and kind.shape.head:
        said = f"the function returns shape {kind.shape}, one bool is expected"
        ctx.require(ClashKind.DECLARED, IMPOSSIBLE, said, made)


@behaviour(f"{DATASET}.repeat")
def repeat(ctx: Context, self: Value, count: Value = NONE, name: Value = NONE) -> Value:
    require_integer(ctx, "count", count)
    length, times = length_of(ctx, self), as_size(count)
    known = length is not None and times is not None and times != -1
    made = make(ctx, element_of(ctx, self), product((length or 0, times or 0)) if known else None)
    ctx.set(made, "_batch", ctx.get(self, "_batch") or NONE)
    if count == NONE or times == -1:
        ctx.set(made, "_endless", TRUE)
    return carried(ctx, made, self)


@behaviour(f"{DATASET}.take")
def take(ctx: Context, self: Value, count: Value, name: Value = NONE) -> Value:
    require_integer(ctx, "count", count)
    length, wanted = length_of(ctx, self), as_size(count)
    if length is None or wanted is None or wanted == -1:
        return make(ctx, element_of(ctx, self), length if wanted == -1 else None)
    return make(ctx, element_of(ctx, self), minimum(length, wanted))


@behaviour(f"{DATASET}.skip")
def skip(ctx: Context, self: Value, count: Value, name: Value = NONE) -> Value:
    require_integer(ctx, "count", count)
    length, gone = length_of(ctx, self), as_size(count)
    if length is None or gone is None or gone == -1:
        return make(ctx, element_of(ctx, self), None)
    return make(ctx, element_of(ctx, self), maximum(length - gone, 0))


@behaviour(f"{DATASET}.shard")
def shard(ctx: Context, self: Value, num_shards: Value, index: Value, name: Value = NONE) -> Value:
    return make(ctx, element_of(ctx, self), None)


@behaviour(f"{DATASET}.concatenate")
def concatenate(ctx: Context, self: Value, dataset: Value, name: Value = NONE) -> Value:
    first, second = length_of(ctx, self), length_of(ctx, dataset)
    length = None if first is None or second is None else first + second
    return make(ctx, either(ctx, element_of(ctx, self), element_of(ctx, dataset)), length)


@behaviour(f"{DATASET}.enumerate")
def numbered(ctx: Context, self: Value, start: Value = Const(0), name: Value = NONE) -> Value:
    number = Tensor(SCALAR, "int64")
    return make(ctx, Seq("tuple", (number, element_of(ctx, self))), length_of(ctx, self))


@behaviour(f"{DATASET}.apply")
def apply(ctx: Context, self: Value, transformation_func: Value, name: Value = NONE) -> Value:
    return ctx.call(transformation_func, [self])


# Functions on elements ----------------------------------------------------------------------------------------------


@behaviour(f"{DATASET}.{{map,map_with_legacy_function}}")
def mapped(ctx: Context, self: Value, map_func: Value, *args: Value, **keywords: Value) -> Value:
    made = make(ctx, returned(ctx, applied(ctx, map_func, element_of(ctx, self))), length_of(ctx, self))
    return carried(ctx, made, self, map_func)


@behaviour(f"{DATASET}.{{flat_map,interleave}}")
def flat_map(ctx: Context, self: Value, map_func: Value, *args: Value, **keywords: Value) -> Value:
    made = applied(ctx, map_func, element_of(ctx, self))
    _require_dataset(ctx, made)
    return make(ctx, element_of(ctx, made), None)


def _require_dataset(ctx: Context, made: Value) -> None:
    """State that a function gives a dataset for each element."""
    match ctx.freeze(made):
        case Tensor(shape=shape, role="tensor") if shape.is_ranked:
            said = f"a tensor of shape {shape}"
        case Seq(kind="tuple"):
            said = "a tuple"
        case _:
            return
    ctx.require(ClashKind.RANK, IMPOSSIBLE, f"the function gives {said}, not a dataset", made)


@behaviour(f"{DATASET}.reduce")
def reduce(ctx: Context, self: Value, initial_state: Value, reduce_func: Value, name: Value = NONE) -> Value:
    check_source(ctx, self)
    state = _state(ctx, initial_state)

    def step(state: Value) -> Value:
        return returned(ctx, ctx.call_in_graph(reduce_func, [state, element_of(ctx, self)]))

    made = with_dtypes(ctx, state, step(state), step)
    _require_same_state(ctx, state, made)
    return made


def _state(ctx: Context, initial: Value) -> Value:
    """Return an initial state as the function is given it: tensors whose values it does not know."""
    return each(structure(ctx, initial), lambda tensor: plain(tensor, tensor.shape))


def _require_same_state(ctx: Context, before: Value, after: Value) -> None:
    """State that a function returns as many tensors as its state has, of the same dtypes; shapes may change."""
    first, last = leaves(before), leaves(ctx.freeze(after))
    if first is None or last is None:
        return
    if len(first) != len(last):
        said = f"the state has {len(first)} part{'' if len(first) == 1 else 's'}, the function returns {len(last)}"
        ctx.require(ClashKind.LOOP_TYPE, IMPOSSIBLE, said, before)
        return
    differ = next((found for pair in zip(first, last, strict=True) if (found := dtype_difference(*pair))), None)
    if differ is not None:
        said = f"the state is {differ[0]}, the function returns {differ[1]}"
        ctx.require(ClashKind.LOOP_TYPE, IMPOSSIBLE, said, before)


@behaviour(f"{DATASET}.scan")
def scan(ctx: Context, self: Value, initial_state: Value, scan_func: Value, name: Value = NONE) -> Value:
    state = _state(ctx, initial_state)

    def step(state: Value) -> Value:
        return ctx.freeze(ctx.call_in_graph(scan_func, [state, element_of(ctx, self)]))

    made = items_of(with_dtypes(ctx, state, step(state), step))
    if made is None or len(made) != 2:
        return make(ctx, ctx.lost("what a scan gives"), length_of(ctx, self))
    _require_same_state(ctx, state, structure(ctx, made[0]))
    element = structure(ctx, made[1])
    return make(ctx, element, length_of(ctx, self))


# Batches ------------------------------------------------------------------------------------------------------------


def batches(ctx: Context, dataset: Value, batch_size: Value, drop_remainder: Value) -> tuple[Size, Size | None]:
    """Return the size of a batch (dynamic if there is a last one, which may be smaller) and the number of batches."""
    require_integer(ctx, "batch_size", batch_size)
    size, length = as_size(batch_size), length_of(ctx, dataset)
    if size is None:
        return ctx.fresh("?", Kind.LOST, "the size of a batch"), None
    if size in (0, 1):
        return size, length if size else None
    if drop_remainder == TRUE or ctx.get(dataset, "_endless") == TRUE:
        return size, None if length is None else length // size
    count = None if length is None else ceildiv(length, size)
    rows = ctx.fresh("batch", Kind.DYNAMIC, UNEVEN)
    if length is not None and ctx.known(Divides(size, length)) is Verdict.ALWAYS:
        ctx.require(ClashKind.NOTHING, Equal(rows, size), "the elements fill the batches")
    return rows, count


@behaviour(f"{DATASET}.batch", f"{DATASET}.ragged_batch")
def batch(
    ctx: Context, self: Value, batch_size: Value, drop_remainder: Value = FALSE, *args: Value, **keywords: Value
) -> Value:
    size, count = batches(ctx, self, batch_size, drop_remainder)
    static = drop_remainder == TRUE or not isinstance(size, int)  # TensorFlow does not count the existing elements
    if as_size(batch_size) is not None and ctx.get(self, "_batch") == batch_size:
        ctx.notice(ClashKind.BATCHED_TWICE, f"the elements are already batches of {as_size(batch_size)}")
    element = each(element_of(ctx, self), lambda tensor: replace(stacked(tensor, size), static=static))
    made = make(ctx, element, count)
    ctx.set(made, "_batch", batch_size)
    return with_remainder(ctx, made, self, batch_size, drop_remainder)


@behaviour(f"{DATASET}.padded_batch")
def padded_batch(
    ctx: Context,
    self: Value,
    batch_size: Value,
    padded_shapes: Value = NONE,
    padding_values: Value = NONE,
    drop_remainder: Value = FALSE,
    name: Value = NONE,
) -> Value:
    size, count = batches(ctx, self, batch_size, drop_remainder)
    element = element_of(ctx, self)
    return make(ctx, _padded(ctx, element, ctx.freeze(padded_shapes), size), count)


def _padded(ctx: Context, element: Value, shapes: Value, size: Size) -> Value:
    match element:
        case Tensor():
            return stacked(plain(element, _padded_shape(ctx, element.shape, shapes)), size)
        case Seq(items=items):
            given = items_of(shapes) or (shapes,) * len(items)
            return Seq("tuple", tuple(_padded(ctx, *pair, size) for pair in zip(items, given, strict=False)))
        case Dict(items=pairs, rest=None):
            known = shapes if isinstance(shapes, Dict) else Dict((), None if shapes == NONE else shapes)
            otherwise = known.rest or NONE
            return Dict(tuple((key, _padded(ctx, item, known.get(key) or otherwise, size)) for key, item in pairs))
    return element


def _padded_shape(ctx: Context, shape: Shape, wanted: Value) -> Shape:
    """Return the padded shape: axes are padded to the requested size, or to the longest of the batch."""
    if wanted == NONE:
        return relaxed(ctx, shape)
    asked = shape_arg(wanted, ctx)
    if asked.rank is None:
        return shape.map(lambda _: lost("padded to a size that is not known"))
    said = f"the element has shape {shape}, it is padded to {asked}"
    if shape.rank is not None and shape.rank != asked.rank:
        ctx.require(ClashKind.RANK, Equal(shape.rank, asked.rank), said)
        return asked
    sizes: list[Size] = []
    for axis, size in enumerate(asked.sizes):
        have = shape.size(axis) if shape.is_ranked else None
        if size == -1 or is_open(size):
            sizes.append(have if isinstance(have, int) else ctx.fresh("None", Kind.DYNAMIC, "padded to the longest"))
            continue
        if have is not None and isinstance(size, int):
            ctx.require(ClashKind.AXIS, AtLeast(size, have), said)
        sizes.append(size)
    return Shape(tuple(sizes))


@behaviour(f"{DATASET}.unbatch")
def unbatch(ctx: Context, self: Value, name: Value = NONE) -> Value:
    element = element_of(ctx, self)
    length, rows = length_of(ctx, self), common_rows(ctx, element)
    known = length is not None and isinstance(rows, int)
    return make(ctx, each(element, sliced), product((length or 0, rows or 0)) if known else None)


@behaviour(f"{DATASET}.{{rebatch,sparse_batch,bucket_by_sequence_length}}")
def rebatch(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    return make(ctx, ctx.lost("a batch of another size"), None)


@behaviour(f"{DATASET}.window")
def window(ctx: Context, self: Value, size: Value, *args: Value, **keywords: Value) -> Value:
    inner = each(element_of(ctx, self), lambda tensor: make(ctx, tensor, None))
    return make(ctx, inner, None)


@behaviour(f"{DATASET}.group_by_window", "tf.data.experimental.{group_by_window,bucket_by_sequence_length}")
def grouped(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return make(ctx, ctx.lost("a group of elements"), None)


# Iteration ----------------------------------------------------------------------------------------------------------


@behaviour(f"{DATASET}.__iter__")
def iterate(ctx: Context, self: Value) -> Value:
    return turns(ctx, self)


@behaviour(f"{DATASET}.as_numpy_iterator")
def iterate_arrays(ctx: Context, self: Value) -> Value:
    many = turns(ctx, self)
    return replace(many, element=as_numpy(many.element)) if isinstance(many, HomogeneousSeq) else many


@behaviour(
    f"{DATASET}.{{make_one_shot_iterator,make_initializable_iterator}}",
    "tf.data.{make_one_shot_iterator,make_initializable_iterator}",
)
def iterator(ctx: Context, dataset: Value, *args: Value, **keywords: Value) -> Value:
    check_source(ctx, dataset)
    return ctx.new("tf.data.Iterator", _element=element_of(ctx, dataset))


@behaviour("tf.data.Iterator.from_structure")
def from_structure(ctx: Context, output_types: Value, output_shapes: Value = NONE, *args: Value) -> Value:
    return ctx.new("tf.data.Iterator", _element=ctx.lost("an element of whichever dataset is chosen"))


@behaviour("tf.data.Iterator.{get_next,next,__next__}")
def get_next(ctx: Context, self: Value, name: Value = NONE) -> Value:
    """Return an element, which a graph that is being built does not have yet."""
    return ctx.symbolic(ctx.get(self, "_element") or ctx.lost("an element of an unknown dataset"))


@behaviour("tf.data.Iterator.__iter__")
def iterate_iterator(ctx: Context, self: Value) -> Value:
    element = ctx.get(self, "_element") or ctx.lost("an element of an unknown dataset")
    return HomogeneousSeq("iterator", element, ctx.fresh("elements", Kind.FREE, "a dataset"))


@behaviour("tf.data.Iterator.make_initializer")
def make_initializer(ctx: Context, self: Value, dataset: Value, name: Value = NONE) -> Value:
    before, element = ctx.get(self, "_element"), element_of(ctx, dataset)
    if isinstance(self, Ref):
        ctx.set(self, "_element", either(ctx, before, element) if isinstance(before, (Tensor, Seq, Dict)) else element)
    return ctx.new("tf.Operation", _inputs=Seq("tuple", ()))


@attribute("tf.data.Iterator.initializer")
def initializer(ctx: Context, self: Value) -> Value:
    return ctx.new("tf.Operation", _inputs=Seq("tuple", ()))


@behaviour(f"{DATASET}.get_single_element", "tf.data.experimental.get_single_element")
def single(ctx: Context, self: Value, name: Value = NONE) -> Value:
    check_source(ctx, self)
    return element_of(ctx, self)


@behaviour(f"{DATASET}.{{cardinality,__len__}}", "tf.data.experimental.cardinality")
def cardinality(ctx: Context, self: Value) -> Value:
    length = ctx.get(self, "_length") if is_dataset(self) else None
    return Tensor(SCALAR, "int64", content=length if length is not None and as_size(length) is not None else None)


@attribute(f"{DATASET}.element_spec", "tf.data.Iterator.element_spec")
def element_spec(ctx: Context, self: Value) -> Value:
    return spec_of(ctx, element_of(ctx, self))


@attribute(f"{DATASET}.output_shapes")
def output_shapes(ctx: Context, self: Value) -> Value:
    return ctx.lost("the shapes of a dataset")
