"""Parts of tensors that values choose, and tensors of unknown numbers of elements."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import FALSE, NONE, HomogeneousSeq, Seq, Value, as_size, as_sizes
from shapecheck.domain.values import Tensor as TensorValue
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Axis,
    Context,
    Flag,
    Ranked,
    Size,
    Tensor,
    also,
    at,
    behaviour,
    op,
    result,
)
from shapecheck.models.lang.arguments import as_tensor, dtype_name
from shapecheck.models.lang.axis_positions import instead, place_of
from shapecheck.models.lang.constraints import never
from shapecheck.models.lang.unknown_sizes import counted
from shapecheck.models.torch.reduce import along
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind

BOTH = "{torch,torch.Tensor}"


@op(f"{BOTH}.select")
def select(input: Tensor, dim: Axis, index: Size) -> Answer:
    """An index may count from the end."""
    size = None if input.rank is None else input.shape.head[place_of(input, dim)]
    is_outside = isinstance(size, int) and isinstance(index, int) and not -size <= index < size
    return at(dim, "d ->"), *([never(ClashKind.INDEX_RANGE, f"index {index} is outside {size}")] if is_outside else [])


@op(f"{BOTH}.unique", dtype=",int64")
def unique(
    input: Tensor,
    sorted: AnyValue = NONE,
    return_inverse: Flag = False,
    return_counts: Flag = False,
    dim: Axis | None = None,
) -> Answer:
    """Different values of all elements, or different slices along an axis."""
    return _different(input, return_inverse, return_counts, dim)


def _different(input: Tensor, return_inverse: bool, return_counts: bool, dim: int | None) -> Answer:
    count = counted("as many as there are different ones")
    if dim is not None:
        if input.rank is None:
            return result(*[UNRANKED] * (1 + return_inverse + return_counts))
        place = place_of(input, dim)
        one, inverse = instead(input.shape, place, Shape((count,))), Shape((input.shape.head[place],))
    else:
        one, inverse = Shape((count,)), input.shape
    made = result(one, *[inverse] * return_inverse, *[Shape((count,))] * return_counts)
    return made, also(dtype=(input.dtype, "int64", "int64")[: 1 + return_inverse + return_counts])


@op(f"{BOTH}.unique_consecutive", dtype=",int64")
def unique_consecutive(
    input: Tensor, return_inverse: Flag = False, return_counts: Flag = False, dim: Axis | None = None
) -> Answer:
    """As `unique`, of neighbours that are the same."""
    if return_inverse or return_counts:
        return result(*[UNRANKED] * (1 + return_inverse + return_counts))
    return _different(input, False, False, dim)


@op(f"{BOTH}.{{index_fill,index_reduce,masked_scatter,scatter_reduce}}")
@op("torch.Tensor.{index_reduce_,masked_scatter_,scatter_reduce_,fill_diagonal_}")
@op("torch.Tensor.{put_,map_,exponential_,geometric_,cauchy_,log_normal_,lerp_,addcmul_,addcdiv_,addmm_,renorm_}")
@op("torch.Tensor.{addmv_,addr_,addbmm_,baddbmm_}")
@op(f"{BOTH}.{{renorm,msort}}")
def kept(input: Tensor) -> Answer:
    return "*S -> *S"


@op(f"{BOTH}.argwhere", dtype="int64")
def argwhere(input: Ranked) -> Answer:
    return result(Shape((counted("as many as are not zero"), input.rank)))


@op("torch.isin", dtype="bool")
def isin(elements: Tensor, test_elements: AnyValue) -> Answer:
    return "*S -> *S"


@op(f"{BOTH}.nonzero_static", dtype="int64", oracle="none: a size must be given")
def nonzero_static(input: Ranked, size: Size) -> Answer:
    return Shape((size, input.rank))


@op(f"{BOTH}.histc")
def histc(input: Tensor, bins: Size = 100) -> Answer:
    return Shape((bins,))


@op("torch.bucketize", dtype="?")
def bucketize(input: Tensor, boundaries: Tensor) -> Answer:
    return "*S, n -> *S"


@op("torch.searchsorted", dtype="?")
def searchsorted(sorted_sequence: Tensor, input: Tensor) -> Answer:
    """A row of the sequence for each row of the values, or one for all of them."""
    if sorted_sequence.rank is None:
        return input.shape
    return "n, *S -> *S" if sorted_sequence.rank == 1 else "*S n, *S m -> *S m"


@op(f"{BOTH}.diag_embed")
def diag_embed(input: Ranked, offset: AnyValue = NONE, dim1: AnyValue = NONE, dim2: AnyValue = NONE) -> Answer:
    """The last axis becomes a diagonal."""
    if any(given != NONE for given in (offset, dim1, dim2)) or input.rank == 0:
        return UNRANKED
    return "*S n -> *S n n"


@op("torch.{tril_indices,triu_indices}", dtype="int64")
def indices_of_triangle(row: Size, col: Size, offset: AnyValue = NONE) -> Answer:
    return result(Shape((2, counted("as many as lie in the triangle"))))


@op(f"{BOTH}.{{cov,corrcoef}}", dtype="?")
def covariance(input: Tensor) -> Answer:
    """Rows are variables; of one of them it is a number."""
    return _covariance(input)


def _covariance(input: Tensor) -> Answer:
    if input.rank is None:
        return UNRANKED
    rows = input.shape.size(0)
    if input.rank < 2:
        return Shape(())
    if rows == 1:
        return "m n ->"
    return "m n -> m m" if isinstance(rows, int) else UNRANKED


@op("torch.view_as_real", dtype="?")
def view_as_real(input: Tensor) -> Answer:
    return "*S -> *S 2", also(dtype={"complex64": "float32", "complex128": "float64"}.get(input.dtype or ""))


@op("torch.view_as_complex", dtype="?")
def view_as_complex(input: Tensor) -> Answer:
    return "*S 2 -> *S", also(dtype={"float32": "complex64", "float64": "complex128"}.get(input.dtype or ""))


@op("torch.{complex,polar}", dtype="?")
def of_parts(real: Tensor, imag: Tensor) -> Answer:
    return "~B, ~B -> ~B"


@op("torch.{real,imag,angle}", "torch.Tensor.angle", dtype="?")
def part(input: Tensor) -> Answer:
    return "*S -> *S"


@op("torch.nn.functional.gumbel_softmax")
def gumbel_softmax(
    logits: Tensor, tau: AnyValue = NONE, hard: AnyValue = FALSE, eps: AnyValue = NONE, dim: Axis = -1
) -> Answer:
    return along(logits, dim, "d -> d"), also(nature="softmax")


@op("torch.{nn.functional.,}prelu", oracle="none: scalars and weights of several axes")
def prelu(input: Tensor, weight: Tensor) -> Answer:
    return "*S, *W -> *S"


@behaviour("torch.Tensor.new")
def new(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    """Return a tensor of the same dtype, of given sizes or with given elements."""
    dtype = self.dtype if isinstance(self, TensorValue) else None
    given = ctx.freeze(args[0]) if len(args) == 1 else Seq("shape", args)
    if isinstance(given, Seq) and given.kind == "shape":
        sizes = [as_size(size) for size in given.items]
        known = (ctx.fresh("?", Kind.LOST, "size") if size is None else size for size in sizes)
        return TensorValue(Shape(tuple(known)), dtype, "torch")
    if (size := as_size(given)) is not None:
        return TensorValue(Shape((size,)), dtype, "torch")
    if isinstance(given, (Seq, HomogeneousSeq, TensorValue)) and getattr(given, "kind", "list") == "list":
        return TensorValue(as_tensor(given, ctx).shape, dtype, "torch")
    return ctx.lost("a new tensor")


@behaviour("torch.Tensor.new_tensor")
def new_tensor(ctx: Context, self: Value, data: Value, dtype: Value = NONE, **options: Value) -> Value:
    own = self.dtype if isinstance(self, TensorValue) else None
    return TensorValue(as_tensor(ctx.freeze(data), ctx).shape, own if dtype == NONE else dtype_name(dtype), "torch")


# Sparse tensors ------------------------------------------------------------------------------------------------------


_SPARSE = """
sparse_bsc_tensor sparse_bsr_tensor sparse_compressed_tensor sparse_csc_tensor sparse_csr_tensor smm hspmm
sspaddmm
"""


@behaviour(f"torch.{{{','.join(_SPARSE.split())}}}")
@behaviour("torch.Tensor.{indices,values,crow_indices,col_indices,smm,sspaddmm,sparse_mask}")
def of_sparse(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.lost("a sparse tensor")


@behaviour("torch.sparse_coo_tensor", "torch.sparse.FloatTensor")
def sparse(ctx: Context, indices: Value, values: Value = NONE, size: Value = NONE, **options: Value) -> Value:
    """Return a sparse tensor, which has a shape as others have."""
    sizes, held = as_sizes(ctx.freeze(size)), ctx.freeze(values)
    if sizes is None:
        return ctx.lost("a sparse tensor")
    dtype = held.dtype if isinstance(held, TensorValue) else None
    return TensorValue(Shape(sizes), dtype, "torch")


@op(
    "torch.Tensor.{to_dense,coalesce,to_sparse,to_sparse_coo,to_sparse_csr,to_sparse_csc,to_mkldnn}",
    oracle="none: of sparse tensors",
)
def in_other_form(input: Tensor) -> Answer:
    return "*S -> *S"


@op("torch.{spmm,sparse.mm,dsmm}", oracle="none: of sparse tensors")
def sparse_product(input: Tensor, mat2: Tensor) -> Answer:
    return "m k, k n -> m n"


# Boxes ---------------------------------------------------------------------------------------------------------------


@op("torchvision.ops.{nms,boxes.nms}", dtype="int64", oracle="none: compiled apart")
def nms(boxes: Tensor, scores: Tensor) -> Answer:
    return "n 4, n -> {m}", {"m": counted("as many as are kept")}


@op("torchvision.ops.{box_iou,boxes.box_iou,generalized_box_iou}", oracle="none: compiled apart")
def box_iou(boxes1: Tensor, boxes2: Tensor) -> Answer:
    return "n 4, m 4 -> n m"


@op("torchvision.ops.{box_area,boxes.box_area}", oracle="none: compiled apart")
def box_area(boxes: Tensor) -> Answer:
    return "n 4 -> n"


@op("torchvision.ops.{box_convert,clip_boxes_to_image}", oracle="none: compiled apart")
def boxes_again(boxes: Tensor) -> Answer:
    return "*S 4 -> *S 4"
