"""Derivatives by autograd, of a number or with a weight for each element, and those that a program defines."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Lost, Ref, Seq, Tensor, Value, items_of
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.gradient_norms import GRADIENT
from shapecheck.shapes.claims import FALSE, Equal

# Of tensors ----------------------------------------------------------------------------------------------------------


@behaviour("torch.Tensor.backward")
def backward(ctx: Context, self: Value, gradient: Value = NONE, *rest: Value, **options: Value) -> Value:
    _check(ctx, self, gradient)
    return NONE


@behaviour("torch.autograd.backward")
def backward_of(ctx: Context, tensors: Value, grad_tensors: Value = NONE, *rest: Value, **options: Value) -> Value:
    _check_each(ctx, tensors, grad_tensors)
    return NONE


@behaviour("torch.autograd.grad")
def gradient(
    ctx: Context, outputs: Value, inputs: Value, grad_outputs: Value = NONE, *rest: Value, **options: Value
) -> Value:
    """A gradient has the shape of what it is taken for."""
    _check_each(ctx, outputs, grad_outputs)
    found = ctx.freeze(inputs)
    if isinstance(found, Lost):
        return ctx.lost("gradients")
    return Seq("tuple", tuple(map(_gradient, found.items if isinstance(found, Seq) else (found,))))


def _gradient(of: Value) -> Value:
    return replace(of, step=0, output=0, content=None, nature=GRADIENT) if isinstance(of, Tensor) else of


def _check_each(ctx: Context, outputs: Value, weights: Value) -> None:
    one, other = ctx.freeze(outputs), ctx.freeze(weights)
    if isinstance(one, Tensor):
        found = items_of(other) if isinstance(other, Seq) else (other,)
        _check(ctx, one, found[0] if found else NONE)
        return
    for each in (items_of(one) or ()) if isinstance(one, Seq) and other == NONE else ():
        _check(ctx, each, NONE)


def _check(ctx: Context, output: Value, weight: Value) -> None:
    """State that derivatives are those of a number, unless there is a weight for each element."""
    if not isinstance(output, Tensor) or output.shape.tail is not None:
        return
    if weight == NONE and any(isinstance(size, int) and size != 1 for size in output.shape.head):
        said = f"a gradient is taken of one number, not of a tensor of shape {output.shape}"
        ctx.require(ClashKind.RANK, FALSE, said, output)
    if not isinstance(weight, Tensor) or weight.shape.tail is not None:
        return
    said = f"the gradient has shape {weight.shape}, the tensor has shape {output.shape}"
    if len(weight.shape.head) != len(output.shape.head):
        ctx.require(ClashKind.RANK, FALSE, said, output, weight)
        return
    for size, wanted in zip(weight.shape.head, output.shape.head, strict=True):
        if size != wanted:
            ctx.require(ClashKind.AXIS, Equal(size, wanted), said, output, weight)


# Of the program ------------------------------------------------------------------------------------------------------

FUNCTION = "torch.autograd.Function"


@behaviour(f"{FUNCTION}.apply")
def apply(ctx: Context, cls: Value, *args: Value, **options: Value) -> Value:
    """Compute the result, and then its derivatives, as a program does that needs them."""
    state = ctx.call(cls, [])  # an object of the class stands for the state as well
    forward, later = ctx.get(state, "forward"), ctx.get(state, "setup_context")
    if forward is None:
        return ctx.lost("a function with derivatives of its own")
    result = ctx.call(forward, args if later is not None else [state, *args], options)
    if later is not None:
        ctx.call(later, [state, Seq("tuple", tuple(args)), result])
    backward, made = ctx.get(state, "backward"), ctx.freeze(result)
    if backward is not None and isinstance(made, Tensor) and made.shape.tail is None:
        ctx.call(backward, [state, Tensor(made.shape, made.dtype, "torch")])
    return result


@behaviour(f"{FUNCTION}.__init__")
def initialise(ctx: Context, self: Value) -> Value:
    return NONE


@behaviour(f"{FUNCTION}.save_for_backward")
def save(ctx: Context, self: Ref, *tensors: Value) -> Value:
    ctx.set(self, "saved_tensors", Seq("tuple", tensors))
    return NONE


@behaviour(f"{FUNCTION}.{{mark_dirty,mark_non_differentiable,set_materialize_grads,save_for_forward}}")
def noted(ctx: Context, self: Value, *args: Value) -> Value:
    return NONE
