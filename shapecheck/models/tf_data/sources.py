"""Sources of datasets: tensors, generators, files."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    NONE,
    Const,
    Dict,
    Library,
    Lost,
    Ref,
    Seq,
    Tensor,
    Value,
    as_size,
    as_str,
    items_of,
)
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.arguments import dtype_name, shape_arg
from shapecheck.models.lang.faulty_sources import note_fault
from shapecheck.models.ops.records import RECORDS_OF
from shapecheck.models.tf_data.dataset import (
    DATASET,
    each,
    either,
    element_of,
    leaves,
    length_of,
    make,
    sliced,
    structure,
)
from shapecheck.models.tf_data.generators import agreed, disagreement, items
from shapecheck.shapes.claims import AtLeast, Equal
from shapecheck.shapes.facts import Verdict
from shapecheck.shapes.shape import SCALAR, UNRANKED
from shapecheck.shapes.size import Size, ceildiv, maximum, minimum


def common_rows(ctx: Context, element: Value) -> Size | None:
    """Return the number of rows that all tensors of a structure have, and state that they agree."""
    tensors = leaves(element)
    if tensors is None:
        return None
    rows: Size | None = None
    for number, tensor in enumerate(tensors):
        if tensor.shape.rank == 0:
            said = "a scalar cannot be sliced"
            ctx.require(ClashKind.RANK, AtLeast(0, 1), said, tensor)
            return None
        size = tensor.shape.size(0)
        if size is None or size == rows:
            continue
        if rows is not None:
            said = f"component {number} has {size} rows, those before it have {rows}"
            if ctx.require(ClashKind.AXIS, Equal(rows, size), said, *tensors) is Verdict.NEVER:
                return None
        rows = size if rows is None or isinstance(size, int) else rows
    return rows


@behaviour(f"{DATASET}.from_tensor_slices")
def from_tensor_slices(ctx: Context, tensors: Value, name: Value = NONE) -> Value:
    element = structure(ctx, tensors)
    return make(ctx, each(element, sliced), common_rows(ctx, element))


@behaviour(f"{DATASET}.from_tensors")
def from_tensors(ctx: Context, tensors: Value, name: Value = NONE) -> Value:
    return make(ctx, structure(ctx, tensors), 1)


@behaviour(f"{DATASET}.range")
def count(ctx: Context, *args: Value, **keywords: Value) -> Value:
    sizes = [as_size(arg) for arg in args]
    number = Tensor(SCALAR, dtype_name(keywords.get("output_type", NONE)) or "int64")
    start, stop, step = {1: (0, *sizes, 1), 2: (*sizes, 1), 3: tuple(sizes)}.get(len(sizes), (None, None, None))
    if start is None or stop is None or not isinstance(step, int) or step == 0:
        return make(ctx, number, None)
    return make(ctx, number, maximum(ceildiv(stop - start, step), 0))


@behaviour("tf.data.Dataset.random", "tf.data.Dataset.counter", "tf.data.experimental.{Counter,RandomDataset}")
def endless(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return make(ctx, Tensor(SCALAR, "int64"), None)


@behaviour("tf.data.TFRecordDataset")
def records(ctx: Context, filenames: Value, compression_type: Value = NONE, *args: Value, **keywords: Value) -> Value:
    """The first record of all is that of the first file."""
    path = as_str(next(iter(items_of(ctx.freeze(filenames)) or (filenames,))))
    nature = f"{RECORDS_OF}{path}" if path is not None and compression_type in (NONE, Const("")) else ""
    return make(ctx, Tensor(SCALAR, "string", nature=nature), None)


@behaviour("tf.data.{TextLine,FixedLengthRecord}Dataset", f"{DATASET}.list_files")
def texts(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return make(ctx, Tensor(SCALAR, "string"), None)


@behaviour("tf.data.experimental.CsvDataset")
def csv(ctx: Context, filenames: Value, record_defaults: Value, *args: Value, **keywords: Value) -> Value:
    columns = items_of(record_defaults)
    if columns is None:
        return make(ctx, ctx.lost("a row of a file"), None)
    return make(ctx, Seq("tuple", tuple(Tensor(SCALAR, dtype_name(column)) for column in columns)), None)


@behaviour("tf.data.experimental.{make_csv_dataset,make_batched_features_dataset,load}", f"{DATASET}.load")
def unknown(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return make(ctx, ctx.lost("an element of a file"), None)


# Generators ---------------------------------------------------------------------------------------------------------


@behaviour(f"{DATASET}.from_generator")
def from_generator(
    ctx: Context,
    generator: Value,
    output_types: Value = NONE,
    output_shapes: Value = NONE,
    args: Value = NONE,
    output_signature: Value = NONE,
    name: Value = NONE,
) -> Value:
    if output_signature != NONE:
        declared = from_spec(ctx, ctx.freeze(output_signature))
    else:
        declared = _typed(ctx, ctx.freeze(output_types), ctx.freeze(output_shapes))
    given = items(ctx, generator, args)
    if given is None:
        return make(ctx, declared, None)
    made, fault = make(ctx, agreed(ctx, declared, given), None), disagreement(ctx, declared, given)
    if fault is not None:
        note_fault(ctx, made, fault)
    return made


def from_spec(ctx: Context, spec: Value) -> Value:
    """Return the element that a structure of `tf.TensorSpec` describes."""
    match spec:
        case Seq(items=items):
            return Seq("tuple", tuple(from_spec(ctx, item) for item in items))
        case Dict(items=pairs, rest=None):
            return Dict(tuple((key, from_spec(ctx, item)) for key, item in pairs))
        case Tensor():
            return spec
        case Ref(cls="tf.TensorSpec"):
            shape = ctx.get(spec, "shape")
            dtype = dtype_name(ctx.get(spec, "dtype") or NONE)
            if shape in (None, NONE):
                return Tensor(UNRANKED, dtype, is_rank_open=True)
            return Tensor(shape_arg(ctx.freeze(shape), ctx), dtype)
    return ctx.lost("an element described by something unknown")


def _typed(ctx: Context, types: Value, shapes: Value) -> Value:
    """Return the element of these dtypes, with the shapes where they are given."""
    match types:
        case Seq(items=items):
            known = items_of(shapes) or ()
            rest = (NONE,) * (len(items) - len(known))
            return Seq("tuple", tuple(_typed(ctx, *pair) for pair in zip(items, (*known, *rest), strict=False)))
        case Dict(items=pairs, rest=None):
            inner = shapes if isinstance(shapes, Dict) else Dict(())
            return Dict(tuple((key, _typed(ctx, item, inner.get(key) or NONE)) for key, item in pairs))
        case Library() | Const(value=str()):
            if shapes == NONE or isinstance(shapes, Lost):
                return Tensor(UNRANKED, dtype_name(types), is_rank_open=shapes == NONE)
            return Tensor(shape_arg(shapes, ctx), dtype_name(types))
    return ctx.lost("an element of unknown type")


# Several datasets ---------------------------------------------------------------------------------------------------


@behaviour(f"{DATASET}.zip")
def zipped(ctx: Context, *datasets: Value, **keywords: Value) -> Value:
    parts = datasets[0] if len(datasets) == 1 else Seq("tuple", datasets)
    parts = keywords.get("datasets", parts)
    lengths: list[Size | None] = []

    def combine(value: Value) -> Value:
        match ctx.freeze(value):
            case Seq(items=items):
                return Seq("tuple", tuple(combine(item) for item in items))
            case Dict(items=pairs, rest=None):
                return Dict(tuple((key, combine(item)) for key, item in pairs))
        lengths.append(length_of(ctx, value))
        return element_of(ctx, value)

    element = combine(parts)
    known = [length for length in lengths if length is not None]
    return make(ctx, element, minimum(*known) if known and len(known) == len(lengths) else None)


@behaviour(
    f"{DATASET}.{{sample_from_datasets,choose_from_datasets}}",
    "tf.data.experimental.{sample_from_datasets,choose_from_datasets}",
)
def mixed(ctx: Context, datasets: Value, *args: Value, **keywords: Value) -> Value:
    items = ctx.elements(datasets)
    if not items:
        element = element_of(ctx, ctx.element(datasets))
    else:
        element = element_of(ctx, items[0])
        for item in items[1:]:
            element = either(ctx, element, element_of(ctx, item))
    return make(ctx, element, None)


# Specifications -----------------------------------------------------------------------------------------------------


def spec_of(ctx: Context, element: Value) -> Value:
    """Return the structure of `tf.TensorSpec` for an element."""

    def spec(tensor: Tensor) -> Value:
        sizes = tensor.shape.sizes if tensor.shape.is_ranked else None
        shape = NONE if sizes is None else Seq("shape", tuple(_known(size) for size in sizes))
        dtype = Library(f"tf.{tensor.dtype}") if tensor.dtype else ctx.lost("a dtype")
        return ctx.new("tf.TensorSpec", shape=shape, dtype=dtype)

    return each(element, spec)


def _known(size: Size) -> Value:
    return Const(size) if isinstance(size, int) else NONE


def as_numpy(element: Value) -> Value:
    """Return an element as arrays."""
    return each(element, lambda tensor: replace(tensor, library="np", step=0, output=0))
