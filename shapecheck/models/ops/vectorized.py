"""`np.vectorize`: a scalar function that is called for each element of arrays."""

from __future__ import annotations

from shapecheck.domain.values import (
    NONE,
    Choice,
    Const,
    Int,
    Library,
    Ref,
    Scalar,
    Seq,
    Tensor,
    Value,
    as_size,
    as_str,
    items_of,
)
from shapecheck.models.lang import Context, base, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.lang.constraints import broadcasting
from shapecheck.shapes.shape import SCALAR, Shape

VECTORIZED = "np.vectorize"


@behaviour(VECTORIZED)
def vectorize(ctx: Context, pyfunc: Value = NONE, *others: Value, excluded: Value = NONE, **keywords: Value) -> Value:
    """With a signature, the function is not one of scalars; which arguments are `excluded` may change later."""
    if pyfunc == NONE or len(others) > 2 or not keywords.keys() <= {"otypes", "doc", "cache"}:
        return ctx.lost("what is made of a function")
    whole = ctx.call(Library("builtins.set"), () if excluded == NONE else (excluded,))
    return ctx.new(VECTORIZED, _function=pyfunc, excluded=whole)


base(VECTORIZED, "object")


@behaviour(f"{VECTORIZED}.__call__")
def call_for_each(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    """Arrays broadcast, but for those that are excluded; each resulting array has their shape."""
    given: dict[int | str, Value] = dict([*enumerate(args), *keywords.items()])
    whole = _excluded(ctx, self)
    if whole is None or not given.keys() - whole:
        return ctx.lost("what a function gives for each number")
    tensors = {place: as_tensor(ctx.freeze(value), ctx) for place, value in given.items() if place not in whole}
    shapes = [tensor.shape for tensor in tensors.values()]
    shape, needs = broadcasting(shapes, " and ".join(map(str, shapes)))
    for need in needs:
        ctx.require(need.kind, need.claim, need.message, *tensors.values())
    given |= {place: Tensor(SCALAR, tensor.dtype, "np") for place, tensor in tensors.items()}
    by_place, by_name = [given[place] for place in range(len(args))], {name: given[name] for name in keywords}
    return _stretched(ctx, ctx.freeze(ctx.call(ctx.get(self, "_function") or NONE, by_place, by_name)), shape)


def _excluded(ctx: Context, self: Value) -> set[int | str] | None:
    """Return the positions and names of the arguments that the function is given as they are; None if not known."""
    items = items_of(ctx.freeze(ctx.get(self, "excluded") or NONE)) if isinstance(self, Ref) else None
    places = [as_size(item) if as_str(item) is None else as_str(item) for item in items or ()]
    known = {place for place in places if isinstance(place, int | str)}
    return known if items is not None and len(known) == len(items) else None


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
