"""Functions of the program that Keras calls, which it traces into graphs unless it runs eagerly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from shapecheck.domain.values import FALSE, NONE, TRUE, Ref, Tensor, Value
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.settings import EAGER_FUNCTIONS, EVER_EAGER, RUN_EAGERLY, SETTINGS, setting
from shapecheck.models.layers.structure import change, is_symbolic

JIT = "@jit_compile"


def call_in_layer(
    ctx: Context,
    function: Value,
    args: Sequence[Value],
    keywords: Mapping[str, Value] | None = None,
    *,
    may_convert: bool = True,
    knows_sizes: bool = False,
) -> Value:
    """Return the result of a function that a layer calls; what is symbolic is a tensor of a graph inside of it.

    With `knows_sizes`, that graph is built for data of which all sizes may be known. Before Keras 3, AutoGraph converts
    the layers of a program, but not the functions that are given to others.
    """
    keywords = keywords or {}
    if is_symbolic(*args, *keywords.values()):
        inner = [change(arg, in_graph) for arg in args]
        named = {name: change(value, in_graph) for name, value in keywords.items()}
        outputs = ctx.call_by_keras(function, inner, named, may_convert=may_convert, knows_sizes=knows_sizes)
        return change(ctx.freeze(outputs), _as_symbolic)
    if ctx.is_in_graph:
        return ctx.call_by_keras(function, args, keywords, may_convert=may_convert)
    return ctx.call(function, args, keywords)


def in_graph(tensor: Tensor) -> Tensor:
    """Return a symbolic tensor of Keras as the tensor of TensorFlow in its place."""
    if tensor.library != "keras":
        return tensor
    return replace(tensor, library="tf", role=tensor.role if tensor.role in ("sparse", "ragged") else "tensor")


def _as_symbolic(tensor: Tensor) -> Tensor:
    return replace(tensor, library="keras") if tensor.library == "tf" and tensor.role != "variable" else tensor


def call_in_training(
    ctx: Context,
    function: Value,
    args: Sequence[Value],
    *,
    may_convert: bool = True,
    knows_sizes: bool = False,
    is_compiled: bool = False,
) -> Value:
    """Return the result of a function that `fit`, `evaluate` or `predict` calls."""
    if not runs_in_graphs(ctx):
        return ctx.call(function, args)
    return ctx.call_by_keras(
        function, args, may_convert=may_convert, is_repeated=True, knows_sizes=knows_sizes, is_compiled=is_compiled
    )


def is_compiled_model(ctx: Context, model: Ref) -> bool:
    """Return whether XLA compiles the graphs in which a model is trained, because the program asks for it."""
    return ctx.get(model, JIT) == TRUE


def runs_in_graphs(ctx: Context) -> bool:
    """Return whether `fit`, `evaluate` and `predict` trace what they call."""
    names = (RUN_EAGERLY, EAGER_FUNCTIONS, *((EVER_EAGER,) if ctx.is_alone else ()))
    return all(setting(ctx, name) in (None, NONE) for name in names)


def note_eager(ctx: Context, value: Value | None) -> None:
    """Note the value of `run_eagerly`: if it is true of one model, or not known, all training may run eagerly."""
    if value not in (None, NONE, FALSE):
        ctx.set(SETTINGS, RUN_EAGERLY, TRUE)


def note_eager_model(ctx: Context, model: Ref) -> None:
    """Note whether a model was told to run eagerly, by its attribute or when it was compiled, if that is known."""
    compiled = ctx.get(model, "@loss")
    note_eager(ctx, ctx.get(model, "run_eagerly") if compiled is not None else ctx.lost("how the model is compiled"))
