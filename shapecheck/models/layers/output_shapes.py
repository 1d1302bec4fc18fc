"""`compute_output_shape` of a layer of the program, beside the shape that its `call` gives."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Const, Seq, Tensor, Value, as_size
from shapecheck.models.lang.context import Context
from shapecheck.models.layers.structure import is_symbolic, is_written, shapes_of
from shapecheck.shapes.shape import Shape


def tells_output(ctx: Context, layer: Value) -> bool:
    """Return whether a layer tells the shape of its output: then Keras 3 traces its call only for data."""
    told = (ctx.get(layer, name) for name in ("compute_output_shape", "compute_output_spec"))
    return ctx.target.keras != 2 and any(is_written(method) for method in told)


def as_told(ctx: Context, layer: Value, args: tuple[Value, ...], result: Value) -> Value:
    """Return the result of a layer that becomes part of a model, with the sizes that only `compute_output_shape` tells,
    after noticing that it tells another shape.
    """
    method = ctx.get(layer, "compute_output_shape")
    if method is None or not is_written(method) or is_written(ctx.get(layer, "compute_output_spec")):
        return result
    if len(args) != 1 or not is_symbolic(*args) or not isinstance(result, Tensor):
        return result
    told = _told(ctx, method, ctx.freeze(args[0]))
    given = shapes_of(result)
    if ctx.target.keras != 2 and _differ(told, given):
        said = f"compute_output_shape gives {_shown(told)}, call gives {_shown(given)}"
        ctx.notice(ClashKind.OUTPUT_SHAPE, said, result)
    return _completed(result, told)


def _told(ctx: Context, method: Value, inputs: Value) -> Value:
    """Return what a layer tells; not all of Keras 2 asks it, and those that do give it a `TensorShape`."""
    if ctx.target.keras == 3:
        return ctx.freeze(ctx.call(method, [shapes_of(inputs)]))
    ctx.note_version()
    return ctx.freeze(ctx.attempt(lambda: ctx.call(method, [shapes_of(inputs, "shape")])))


def _completed(result: Tensor, told: Value) -> Tensor:
    """Return a tensor whose sizes that are not known are those that are told."""
    sizes = [as_size(item) for item in told.items] if isinstance(told, Seq) else []
    if not result.shape.is_ranked or len(sizes) != result.shape.rank:
        return result
    pairs = zip(result.shape.head, sizes, strict=True)
    known = [other if isinstance(other, int) and not isinstance(size, int) else size for size, other in pairs]
    return result if tuple(known) == result.shape.head else result.with_shape(Shape(tuple(known)))


def _differ(told: Value, given: Value) -> bool:
    """Return whether two shapes certainly are different: axes that are not fixed agree with all."""
    if not isinstance(told, Seq) or not isinstance(given, Seq) or any(isinstance(item, Seq) for item in told.items):
        return False
    pairs = [(as_size(one), as_size(other)) for one, other in zip(told.items, given.items, strict=False)]
    known = [(one, other) for one, other in pairs if isinstance(one, int) and isinstance(other, int)]
    return len(told.items) != len(given.items) or any(one != other for one, other in known)


def _shown(shape: Value) -> str:
    items = shape.items if isinstance(shape, Seq) else ()
    sizes = [str(item.value) if isinstance(item, Const) else "?" for item in items]
    return f"({', '.join(sizes)}{',' if len(sizes) == 1 else ''})"
