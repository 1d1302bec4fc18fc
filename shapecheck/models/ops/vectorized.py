"""`np.vectorize`: a scalar function that is called for each element of arrays."""

from __future__ import annotations

from shapecheck.domain.values import NONE, Choice, Const, Int, Ref, Scalar, Seq, Tensor, Value
from shapecheck.models.lang import Context, base, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.lang.constraints import broadcasting
from shapecheck.shapes.shape import SCALAR, Shape

VECTORIZED = "np.vectorize"


@behaviour(VECTORIZED)
def vectorize(ctx: Context, pyfunc: Value = NONE, *others: Value, **keywords: Value) -> Value:
    """With a signature, or excluded arguments, the function is not one of scalars."""
    if pyfunc == NONE or len(others) > 2 or not keywords.keys() <= {"otypes", "doc", "cache"}:
        return ctx.lost("what is made of a function")
    return ctx.new(VECTORIZED, _function=pyfunc)


base(VECTORIZED, "object")


@behaviour(f"{VECTORIZED}.__call__")
def call_for_each(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    """Arrays broadcast; each resulting array has their shape."""
    if keywords or not args or not isinstance(self, Ref):
        return ctx.lost("what a function gives for each number")
    tensors = [as_tensor(ctx.freeze(value), ctx) for value in args]
    shapes = [tensor.shape for tensor in tensors]
    shape, needs = broadcasting(shapes, " and ".join(map(str, shapes)))
    for need in needs:
        ctx.require(need.kind, need.claim, need.message, *tensors)
    numbers = [Tensor(SCALAR, tensor.dtype, "np") for tensor in tensors]
    return _stretched(ctx, ctx.freeze(ctx.call(ctx.get(self, "_function") or NONE, numbers)), shape)


def _stretched(ctx: Context, made: Value, shape: Shape) -> Value:
    """Return an array of the function's results for one element, or one array for each of several results."""
    if isinstance(made, Seq) and made.kind == "tuple":
        return Seq("tuple", tuple(_stretched(ctx, item, shape) for item in made.items))
    if isinstance(made, Choice):
        made = as_tensor(made, ctx)
    if isinstance(made, Tensor) and made.shape == SCALAR:
        return Tensor(shape, made.dtype, "np")
    if isinstance(made, Scalar | Int) or (isinstance(made, Const) and made != NONE):
        return Tensor(shape, None, "np")
    return ctx.lost("what a function gives for each number")
