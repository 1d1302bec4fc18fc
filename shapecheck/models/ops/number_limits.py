"""np.finfo and np.iinfo: what the numbers of a dtype can be."""

from __future__ import annotations

from shapecheck.domain.values import NONE, Const, Int, Library, Tensor, Value, as_str
from shapecheck.models.lang import Context, attribute, base, behaviour
from shapecheck.models.lang.arguments import as_tensor, dtype_name
from shapecheck.shapes.shape import SCALAR
from shapecheck.shapes.size import Kind

REAL, WHOLE = "np.finfo", "np.iinfo"
base(REAL, "object")
base(WHOLE, "object")


@behaviour(REAL)
def finfo(ctx: Context, dtype: Value) -> Value:
    return ctx.new(REAL, dtype=_of(ctx, dtype))


@behaviour(WHOLE)
def iinfo(ctx: Context, type: Value) -> Value:
    return ctx.new(WHOLE, dtype=_of(ctx, type))


def _of(ctx: Context, given: Value) -> Value:
    """Return the dtype that is given, or that of a number."""
    name = dtype_name(given) if isinstance(given, Library) or as_str(given) else as_tensor(given, ctx).dtype
    return ctx.lost("a dtype") if name is None else Const(name)


@attribute("np.finfo.{eps,epsneg,max,min,resolution,smallest_normal,smallest_subnormal,tiny}")
def real(ctx: Context, self: Value) -> Value:
    name = as_str(ctx.get(self, "dtype") or NONE) or ""
    return Tensor(SCALAR, name if name.startswith("float") else None, "np")


@attribute("np.finfo.{bits,iexp,machep,maxexp,minexp,negep,nexp,nmant,precision}", "np.iinfo.{bits,max,min}")
def whole(ctx: Context, self: Value) -> Value:
    return Int(ctx.fresh("limit", Kind.LOST, "what the numbers of a dtype can be", None))
