"""`np.broadcast`: an object with the shape that arrays are stretched to."""

from __future__ import annotations

from shapecheck.domain.values import Seq, Value
from shapecheck.models.lang import Context, behaviour


@behaviour("np.broadcast")
def broadcast(ctx: Context, *args: Value) -> Value:
    arrays = ctx.apply("np.broadcast_arrays", *args)
    first = arrays.items[0] if isinstance(arrays, Seq) and arrays.items else ctx.lost("arrays of unknown shapes")
    shape, ndim, size = (ctx.apply(f"np.{name}", first) for name in ("shape", "ndim", "size"))
    return ctx.new("np.broadcast", shape=shape, ndim=ndim, nd=ndim, size=size)
