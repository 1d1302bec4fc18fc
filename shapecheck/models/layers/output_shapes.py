"""`compute_output_shape` of a layer of the program, beside the shape that its `call` gives."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Const, Seq, Tensor, Value, as_size
from shapecheck.models.lang.context import Context
from shapecheck.models.layers.structure import is_symbolic, is_written, shapes_of


def tells_output(ctx: Context, layer: Value) -> bool:
    """Return whether a layer tells the shape of its output: then Keras 3 traces its call only for data."""
    told = (ctx.get(layer, name) for name in ("compute_output_shape", "compute_output_spec"))
    return ctx.target.keras != 2 and any(is_written(method) for method in told)


def check_output(ctx: Context, layer: Value, args: tuple[Value, ...], result: Value) -> None:
    """Notice that a layer, where it becomes part of a model, tells another shape than that of its result."""
    method = ctx.get(layer, "compute_output_shape")
    if method is None or not is_written(method) or is_written(ctx.get(layer, "compute_output_spec")):
        return
    if (
        ctx.target.keras == 2
        or len(args) != 1
        or not is_symbolic(*args)
        or is_written(ctx.get(layer, "compute_output_spec"))
    ):
        return
    told, given = ctx.freeze(ctx.call(method, [shapes_of(ctx.freeze(args[0]))])), shapes_of(result)
    if isinstance(result, Tensor) and _differ(told, given):
        said = f"compute_output_shape gives {_shown(told)}, call gives {_shown(given)}"
        ctx.notice(ClashKind.OUTPUT_SHAPE, said, result)


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
