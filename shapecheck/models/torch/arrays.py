"""Tensors themselves: attributes, subscripts, iteration, and the methods of autograd."""

from __future__ import annotations

from shapecheck.domain import values
from shapecheck.domain.values import (
    FALSE,
    NONE,
    TRUE,
    Const,
    Dict,
    HomogeneousSeq,
    Int,
    Library,
    Range,
    Scalar,
    Seq,
    Value,
    as_size,
    of_size,
    sizes_of,
)
from shapecheck.models.lang import Answer, AnyValue, Blind, Context, Tensor, attribute, behaviour, op, result
from shapecheck.models.lang.apply import stretches_to
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.lang.suspicious import columns_of_all
from shapecheck.models.ops.index import index_shape
from shapecheck.shapes.shape import UNRANKED, Shape

CLASS = "torch.Tensor"


def _shape_of(ctx: Context, self: Value) -> Shape:
    return as_tensor(self, ctx).shape.map(lambda each: each if isinstance(each, int) else ctx.resolve(each))


@attribute(f"{CLASS}.shape")
def shape(ctx: Context, self: Value) -> Value:
    return sizes_of(_shape_of(ctx, self))


@behaviour(f"{CLASS}.size")
def size(ctx: Context, self: Value, dim: Value = NONE) -> Value:
    """Return all sizes, or that of an axis."""
    if dim == NONE:
        return shape(ctx, self)
    axis = as_size(dim)
    found = _shape_of(ctx, self).size(axis) if isinstance(axis, int) else None
    return ctx.lost("the size of an axis") if found is None else of_size(found)


@attribute(f"{CLASS}.ndim")
def ndim(ctx: Context, self: Value) -> Value:
    found = _shape_of(ctx, self)
    return ctx.lost("the rank") if found.tail is not None else Const(len(found.head))


@behaviour(f"{CLASS}.{{dim,ndimension}}")
def dim(ctx: Context, self: Value) -> Value:
    return ndim(ctx, self)


@behaviour(f"{CLASS}.{{numel,nelement}}", "torch.numel")
def numel(ctx: Context, self: Value) -> Value:
    total = _shape_of(ctx, self).elements()
    return ctx.lost("the number of elements") if total is None else of_size(total)


@behaviour(f"{CLASS}.__len__")
def length(ctx: Context, self: Value) -> Value:
    first = _shape_of(ctx, self).size(0)
    return ctx.lost("the number of rows") if first is None else of_size(first)


@attribute(f"{CLASS}.dtype")
def dtype(ctx: Context, self: Value) -> Value:
    name = self.dtype if isinstance(self, values.Tensor) else None
    return Library(f"torch.{name}") if name else ctx.lost("the dtype")


@attribute(f"{CLASS}.{{data,grad}}")
def same(ctx: Context, self: Value) -> Value:
    """Data and gradient have the shape of the tensor."""
    return self


@attribute(f"{CLASS}.T")
def turned(ctx: Context, self: Value) -> Value:
    rank = as_tensor(self, ctx).shape.rank
    if rank is None:
        return ctx.lost("the rank")
    return ctx.apply("torch.permute", self, Seq("tuple", tuple(map(Const, reversed(range(rank))))))


@attribute(f"{CLASS}.{{mT,mH,H}}")
def matrices_turned(ctx: Context, self: Value) -> Value:
    return ctx.apply("torch.transpose", self, Const(-2), Const(-1))


@attribute(f"{CLASS}.{{real,imag}}")
def part(ctx: Context, self: Value) -> Value:
    return as_tensor(self, ctx).with_shape(_shape_of(ctx, self))


@behaviour(f"{CLASS}.item")
def item(ctx: Context, self: Value) -> Value:
    return Scalar("number")


@behaviour(f"{CLASS}.set_")
def set_storage(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    """Return the tensor when it shares the elements of another one, in any shape."""
    return values.Tensor(UNRANKED, library="torch")


@behaviour(f"{CLASS}.{{zero_grad,register_hook,retain_grad}}")
def nothing(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    return NONE


@attribute(f"{CLASS}.{{requires_grad,is_leaf,is_cuda,is_cpu,is_meta,is_mps,is_sparse_csr}}")
@attribute(f"{CLASS}.{{is_quantized,is_sparse,retains_grad}}")
def state(ctx: Context, self: Value) -> Value:
    return Scalar("bool")


@attribute(f"{CLASS}.{{device,itemsize,nbytes,layout,grad_fn,is_nested}}")
def kind_of_storage(ctx: Context, self: Value) -> Value:
    return ctx.lost("where and how a tensor is stored")


@behaviour("torch.{result_type,promote_types}")
def common_dtype(ctx: Context, *args: Value) -> Value:
    return ctx.lost("a dtype")


@behaviour(
    f"{CLASS}.{{untyped_storage,dim_order,sparse_dim,dense_dim,storage_type,register_post_accumulate_grad_hook}}"
)
@behaviour(f"{CLASS}.{{tolist,stride,storage,is_contiguous,get_device,element_size,storage_offset,data_ptr}}")
def number(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    return ctx.lost("what a tensor tells of itself")


_QUESTIONS = (
    "can_cast equal allclose is_floating_point is_complex is_nonzero is_same_size is_signed is_conj is_neg is_inference"
)
_OF_TENSORS = "is_pinned is_shared is_coalesced is_set_to is_distributed"


@behaviour(f"{{{CLASS},torch}}.{{{','.join(_QUESTIONS.split())}}}", f"{CLASS}.{{{','.join(_OF_TENSORS.split())}}}")
def tested(ctx: Context, *args: Value, **options: Value) -> Value:
    return Scalar("bool")


# Subscripts ----------------------------------------------------------------------------------------------------------


@op(f"{CLASS}.__getitem__", operator="[]", oracle="none: an operator")
def subscript(x: Tensor, index: AnyValue) -> Answer:
    """As in NumPy, but a list of several slices or tensors is no array."""
    found, needs = index_shape(x, index)
    return result(found, needs=needs, notices=columns_of_all(x, index), nature=x.nature)


@op(f"{CLASS}.__setitem__", operator="[]=", oracle="none: an operator")
def assign(x: Tensor, index: AnyValue, value: Tensor) -> Answer:
    found, needs = index_shape(x, index)
    fits = stretches_to(_without_ones(value, found), found)
    return result(x.shape, needs=[*needs, *fits], notices=columns_of_all(x, index))


def _without_ones(value: Tensor, part: Shape) -> Tensor:
    """Return the value without leading axes of size 1, which it may have beyond those of the part."""
    if value.rank is None or part.tail is not None or value.rank <= len(part.head):
        return value
    extra = value.rank - len(part.head)
    if not all(isinstance(size, int) for size in value.shape.head[:extra]):
        raise Blind("axes of the value")
    if any(size != 1 for size in value.shape.head[:extra]):
        return value
    return Tensor(value.name, Shape(value.shape.head[extra:]), value.dtype, value.value, value.order, value.given)


@behaviour("torch.is_tensor")
def is_tensor(ctx: Context, obj: Value) -> Value:
    match ctx.freeze(obj):
        case values.Tensor(library="torch"):
            return TRUE
        case values.Tensor(library="np", step=int(step), is_ambiguous=False) if step:
            return FALSE
        case Const() | Int() | Seq() | HomogeneousSeq() | Dict() | Range():
            return FALSE
    return Scalar("bool")
