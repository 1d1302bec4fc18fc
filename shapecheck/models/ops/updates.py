"""Partial updates of variables, and tensors that describe them: scatter methods, partitions, static values."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.domain import values
from shapecheck.domain.values import NONE, HomogeneousSeq, Value, as_size, as_sizes
from shapecheck.models.lang import Answer, AnyValue, Context, ShapeArg, Size, Tensor, attribute, behaviour, op, result
from shapecheck.models.lang.arguments import as_tensor, dtype_name
from shapecheck.models.lang.unknown_sizes import lost
from shapecheck.shapes.dtype import width
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, fresh

MOST_GENERATORS = 16


@behaviour("tf.Variable.scatter_{add,sub,update,max,min,mul,div,nd_add,nd_sub,nd_update}")
@behaviour("tf.Variable.{batch_scatter_update,count_up_to}")
def scatter(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    return self


@behaviour("tf.Variable.gather_nd")
def read(ctx: Context, self: Value, indices: Value, name: Value = NONE) -> Value:
    return ctx.apply("tf.gather_nd", self, indices)


@behaviour("tf.Variable.sparse_read")
def read_rows(ctx: Context, self: Value, indices: Value, name: Value = NONE) -> Value:
    return ctx.apply("tf.gather", self, indices)


@attribute("tf.Variable.{trainable,aggregation,synchronization,constraint}")
def setting(ctx: Context, self: Value) -> Value:
    return ctx.lost("a setting of a variable")


@behaviour("tf.Variable.{ref,experimental_ref,deref}")
def reference(ctx: Context, self: Value) -> Value:
    return ctx.lost("a reference")


@behaviour("tf.dynamic_partition")
def dynamic_partition(ctx: Context, data: Value, partitions: Value, num_partitions: Value, name: Value = NONE) -> Value:
    """Each part has as many rows as have its number."""
    inner, chosen, count = as_tensor(data, ctx), as_tensor(partitions, ctx), as_size(num_partitions)
    if inner.shape.tail is not None or chosen.shape.rank is None or count is None:
        return ctx.lost("parts of a tensor")
    rest = inner.shape.head[chosen.shape.rank :]
    rows = ctx.fresh("?", Kind.LOST, "as many rows as have the number")
    return HomogeneousSeq("list", values.Tensor(Shape((rows, *rest)), inner.dtype), count)


@behaviour("tf.get_static_value")
def static_value(ctx: Context, tensor: Value, partial: Value = NONE) -> Value:
    """Return the value of an eager tensor; in a graph, only that of a constant is known."""
    if ctx.is_in_graph or not isinstance(tensor, values.Tensor) or tensor.role not in ("tensor", "run-time"):
        return ctx.lost("a value that the graph may not know")
    return replace(tensor, library="np", role="tensor", step=0, output=0)


@op("tf.{convert_to_tensor_or_sparse_tensor,convert_to_tensor_or_indexed_slices}")
def converted(tensor: Tensor) -> Answer:
    return result(tensor.shape, content=tensor.content)


@op("{tf,tf.math}.scalar_mul")
def scalar_mul(scalar: Tensor, x: Tensor) -> Answer:
    return ", *S -> *S" if scalar.rank == 0 else UNRANKED


@op("{tf,tf.math}.lbeta")
def lbeta(x: Tensor) -> Answer:
    return "*S n -> *S" if x.rank else UNRANKED


@op("{tf,tf.math}.betainc", oracle="none: scalars go with anything")
def betainc(a: Tensor, b: Tensor, x: Tensor) -> Answer:
    return "~B, ~B, ~B -> ~B"


@op("tf.math.sobol_sample", dtype="float32", oracle="none: needs sizes from 1")
def sobol_sample(dim: Size, num_results: Size) -> Answer:
    return Shape((num_results, dim))


@op("tf.bitcast", oracle="none: widths decide")
def bitcast(input: Tensor, type: AnyValue) -> Answer:
    before, after = width(input.dtype), width(dtype_name(type))
    return input.shape if before is not None and before == after else UNRANKED


@op("tf.quantization.fake_quant_with_min_max_{args,vars,vars_per_channel}", oracle="none: needs bounds")
@op("tf.fake_quant_with_min_max_{args,vars,vars_per_channel}", oracle="none: needs bounds")
def fake_quant(inputs: Tensor) -> Answer:
    return "*S -> *S"


@op("tf.edit_distance", oracle="none: sparse texts")
def edit_distance(hypothesis: Tensor, truth: Tensor) -> Answer:
    return UNRANKED


@behaviour("tf.{broadcast_static_shape,broadcast_dynamic_shape,required_space_to_batch_paddings,dimension_at_index}")
def worked_out(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return ctx.lost("a shape that is worked out")


@op("tf.random.split", oracle="none: needs a seed")
def split_seed(seed: Tensor, num: Size = 2) -> Answer:
    return Shape((num, 2))


@op("tf.random_index_shuffle", oracle="none: needs a seed")
@op("tf.count_up_to", oracle="none: of a variable")
def counted(index: Tensor) -> Answer:
    return index.shape


@op("tf.random.fold_in", oracle="none: needs a seed")
def fold_in(seed: Tensor, data: Tensor) -> Answer:
    return seed.shape


@behaviour(
    "tf.random.Generator", "tf.random.Generator.{from_seed,from_non_deterministic_state,from_state,from_key_counter}"
)
@behaviour("tf.random.get_global_generator", "tf.random.experimental.{Generator,get_global_generator}")
def generator(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return ctx.new("tf.random.Generator")


@behaviour("tf.random.Generator.split")
def split_generator(ctx: Context, self: Value, count: Value = values.Const(1)) -> Value:
    """Return several generators, independent of this one and of each other."""
    number = as_size(count)
    if isinstance(number, int) and number <= MOST_GENERATORS:
        return values.Seq("list", tuple(generator(ctx) for _ in range(number)))
    return values.HomogeneousSeq("list", generator(ctx), ctx.fresh("n", Kind.FREE, "number of generators"))


@attribute("tf.random.Generator.state")
def state(ctx: Context, self: Value) -> Value:
    """Return the variable that holds the state, whose size is that of the algorithm."""
    return values.Tensor(Shape((lost("size of the state"),)), "int64", "tf", role="variable")


@behaviour("np.ndarray.resize")
def resize(ctx: Context, self: Value, *shape: Value, refcheck: Value = NONE) -> Value:
    """The array itself gets the shape."""
    if isinstance(self, values.Tensor) and shape:
        given = shape[0] if len(shape) == 1 else values.Seq("tuple", shape)
        single = as_size(given)
        sizes = as_sizes(given) if single is None else (single,)
        wanted = UNRANKED if sizes is None else Shape(sizes)
        ctx.refine(self, self.with_shape(wanted))
    return NONE


@op("np.ndarray.searchsorted", dtype="int64")
def searchsorted(a: Tensor, v: Tensor, side: Value = NONE) -> Answer:
    return "n, *S -> *S"


@op("np.ndarray", dtype="float64", oracle="np.empty")
def ndarray(shape: ShapeArg) -> Answer:
    return shape


@attribute("np.ndarray.mT")
def matrix_transposed(ctx: Context, self: Value) -> Value:
    return ctx.apply("np.matrix_transpose", self)


@attribute("np.ndarray.{base,ctypes,data,flags}")
def memory(ctx: Context, self: Value) -> Value:
    return ctx.lost("the memory of an array")


@op("np.polydiv", returns="tuple")
def polydiv(u: Tensor, v: Tensor) -> Answer:
    if u.rank != 1 or v.rank != 1:
        return result(UNRANKED, UNRANKED)
    return result(*[Shape((fresh("?", Kind.LOST, why="without leading zeros"),))] * 2)


@op("np.divmod", returns="tuple", dtype="promote")
def divmod_(x1: Tensor, x2: Tensor) -> Answer:
    return "~B, ~B -> ~B, ~B"


@op("np.from_dlpack", oracle="none: of another library")
def from_dlpack(x: Tensor) -> Answer:
    return x.shape


@behaviour("np.{common_type,min_scalar_type,mintypecode,promote_types,result_type,typename}")
@behaviour("keras.ops.dtype", "keras.backend.{dtype,standardize_dtype}", "keras.utils.standardize_dtype")
def some_dtype(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return ctx.lost("a dtype")


@op("np.mask_indices", returns="tuple", oracle="none: takes a function")
def mask_indices(n: Size) -> Answer:
    return result(*[Shape((fresh("?", Kind.COUNTED, why="as many as the mask tells"),))] * 2)


@behaviour("np.{histogramdd,nditer,ndindex,ndenumerate,nested_iters,fromregex,rec.array,recarray}")
@behaviour("np.{einsum_path,busday_count,busday_offset,busdaycalendar,is_busday,datetime_as_string,datetime_data}")
def not_followed(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return ctx.lost("what is not followed")


@op("np.memmap", oracle="none: needs a file")
def memmap(filename: AnyValue, dtype: AnyValue = NONE, shape: ShapeArg | None = None) -> Answer:
    return Shape((fresh("n", Kind.FREE, why="as many as the file holds"),)) if shape is None else shape
