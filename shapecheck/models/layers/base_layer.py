"""The common base of all Keras layers: construction, calls and remembered axes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    NONE,
    Const,
    Function,
    Int,
    Library,
    Method,
    Ref,
    Seq,
    Tensor,
    Value,
    as_size,
    as_str,
)
from shapecheck.models.lang.bind import bind, real_parameters
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.parameter_kinds import Parameter, Reading
from shapecheck.models.lang.registry import REGISTRY, Definition, Model, behaviour, dimensions, expanded, layer
from shapecheck.models.lang.settings import ORDER, SETTINGS, setting
from shapecheck.models.lang.suspicious import nature_of
from shapecheck.models.layers.compute_dtype import made, taken
from shapecheck.models.layers.initializers import require_fitting
from shapecheck.models.layers.masks import note_mask
from shapecheck.models.layers.missing_calls import is_given_layer, is_given_tensor
from shapecheck.models.layers.model import call_written
from shapecheck.models.layers.structure import change, is_written, tensors
from shapecheck.models.layers.traced_calls import call_in_layer
from shapecheck.shapes.facts import FALSE
from shapecheck.shapes.shape import UNRANKED

Defining = TypeVar("Defining", bound=Callable[..., Any])
Noticing = Callable[[Context, Value, Value], None]
LAYERS: dict[str, Definition] = {}
ACTIVATED = ("Dense", "Conv1D", "Conv2D", "Conv3D", "Conv1DTranspose", "Conv2DTranspose", "Conv3DTranspose")
KERAS_1 = {
    "nb_filter": "filters",
    "filter_length": "kernel_size",
    "border_mode": "padding",
    "subsample": "strides",
    "subsample_length": "strides",
    "dim_ordering": "data_format",
    "atrous_rate": "dilation_rate",
    "pool_length": "pool_size",
    "stride": "strides",
    "output_dim": "units",
    "p": "rate",
    "sigma": "stddev",
    "length": "size",
    "concat_axis": "axis",
}


KERAS_1_WORDS = {"border_mode", "subsample", "nb_filter", "nb_row", "nb_col", "W_regularizer", "b_regularizer"}


def keras_layer(
    *names: str,
    was: Mapping[str, str] | None = None,
    dtype: str = "float32",
    one_batch: bool = False,
    same_rank: bool = False,
    noticing: Noticing | None = None,
    oracle: str = "",
) -> Callable[[Defining], Defining]:
    """Register a layer by signature, as `layer` does; `one_batch` means that Keras 3 accepts a single axis before the
    dimensions of the layer, `same_rank` that all calls must have the rank of the first, and `noticing` is called with
    the layer and its inputs.
    """

    def register(function: Defining) -> Defining:
        layer(*names, was=KERAS_1 | dict(was or {}), dtype=dtype, oracle=oracle)(function)
        for name in expanded(names):
            made, called = REGISTRY[name], REGISTRY[f"{name}.__call__"]
            LAYERS[name] = made.definition
            _replace(name, _maker(made), function)
            compute = _computation(called, dimensions(name) + 2 if one_batch else None, same_rank, noticing)
            _replace(f"{name}.__call__", _caller(compute), function)
            _replace(f"{name}.call", compute, function)
            _replace(f"{name}.__init__", _initialiser(made), function)
        return function

    return register


def _replace(name: str, run: Callable[..., Value], function: Callable[..., Any]) -> None:
    run.__module__ = function.__module__
    behaviour(name, anew=True)(run)


def _maker(model: Model) -> Callable[..., Value]:
    own = [parameter.name for parameter in own_parameters(model)]

    def make(ctx: Context, *args: Value, **keywords: Value) -> Value:
        real = real_parameters(model.name, ctx.target)
        if "data_format" in own and "data_format" not in (real or own)[: len(args)]:
            keywords = with_format(ctx, model.name, keywords)
        keywords = declared_apart(keywords)
        if real is None:
            args = args[: len(own)]
        require_fitting(ctx, model.name, keywords)
        options = [ctx.freeze(arg) for arg in args]
        if is_given_tensor(ctx, model.name, *options):
            return ctx.lost("a layer that cannot be made")
        return model.run(ctx, options, keywords)

    return make


def _initialiser(model: Model) -> Callable[..., Value]:
    """Initialise a class of the program that inherits from a layer: `super().__init__(…)`."""
    own = own_parameters(model)

    def initialise(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
        bound = bind(model.name, own, model.definition.was, "", args, declared_apart(keywords), ctx.target)
        if bound is not None and isinstance(self, Ref):
            for name, value in {**bound.given, **bound.others}.items():
                ctx.set(self, name, _for_each_axis(model.name, value) if name in _WINDOWS else value)
        return NONE

    return initialise


_WINDOWS = frozenset({"kernel_size", "strides", "dilation_rate", "pool_size"})
"""Options of which a layer keeps one number for each axis."""


def _for_each_axis(layer: str, value: Value) -> Value:
    is_number = isinstance(value, (Const, Int)) and as_size(value) is not None
    return Seq("tuple", (value,) * dimensions(layer)) if is_number and re.search(r"\d[dD]", layer) else value


def own_parameters(model: Model) -> list[Parameter]:
    """Return the parameters of a layer's constructor."""
    return [p for p in model.definition.parameters if p.reading not in (Reading.TENSOR, Reading.TENSORS)]


def declared_apart(keywords: Mapping[str, Value]) -> dict[str, Value]:
    """Return the keywords with separate names for declared values, where an attribute holds the actual one."""
    return {_APART.get(name, name): value for name, value in keywords.items()}


_APART = {"input_shape": "_given_input_shape", "weights": "_given_weights"}


def with_format(ctx: Context, layer: str, keywords: dict[str, Value]) -> dict[str, Value]:
    """Return the keywords with the data format that the program has set, and the names of Keras 1 for formats; layers
    of one dimension follow what is set in Keras 3 only."""
    given = keywords.pop("dim_ordering", keywords.get("data_format"))
    if _SEQUENCE.search(layer) and (ctx.target.keras in (1, 2) or ctx.target.dated):
        return keywords if given is None else {**keywords, "data_format": given}
    if given is None or given == NONE or given == Const("default"):
        if KERAS_1_WORDS & keywords.keys():
            note_open_order(ctx)
        given = setting(ctx, ORDER)
    if given is not None and given != NONE:
        keywords = {**keywords, "data_format": format_of(given)}
    return keywords


_SEQUENCE = re.compile(r"1[dD]")


def note_open_order(ctx: Context) -> None:
    """Note that a program may be for Keras 1, which takes the order of the axes from a file of the user."""
    if setting(ctx, ORDER) is None:
        ctx.set(SETTINGS, ORDER, ctx.lost("the order of the axes, which Keras 1 takes from a file of the user"))


def format_of(value: Value) -> Value:
    """Return the present name for `th` and `tf` of Keras 1."""
    text = as_str(value)
    return Const({"th": "channels_first", "tf": "channels_last"}.get(text, text)) if text is not None else value


def _caller(compute: Callable[..., Value]) -> Callable[..., Value]:
    """Return the function that calls a layer; a class of the program may override the computation."""

    def call(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
        if is_written(ctx.get(self, "call")):
            return call_written(ctx, self, args, keywords)
        if isinstance(ctx.get(self, "add_weight"), Function):  # that the program has put in the place of the method
            return ctx.lost("a layer whose weights the program makes")
        note_mask(ctx, self)
        return compute(ctx, self, *args, **keywords)

    return call


def _computation(model: Model, most: int | None, same_rank: bool, noticing: Noticing | None) -> Callable[..., Value]:
    """Return the computation of the library's own `call`, also where a class of the program calls it by `super()`."""
    activated = model.name.removesuffix(".__call__").rsplit(".", 1)[-1] in ACTIVATED

    def compute(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
        args = tuple(taken(ctx, self, arg) for arg in args)
        if not args and "inputs" in keywords:
            args = (taken(ctx, self, keywords["inputs"]),)
        if args and (is_given_layer(ctx, LAYERS, ctx.freeze(args[0])) or _is_too_deep(ctx, args[0], most)):
            return ctx.lost("a call that fails")
        if same_rank and args and _rank_changed(ctx, self, args[0]):
            return ctx.lost("a call that fails")
        result = made(ctx, self, change(model.run(ctx, [self, *args], keywords), _possible))
        if noticing is not None and args:
            noticing(ctx, self, ctx.freeze(args[0]))
        notice_softmax(ctx, ctx.get(self, "activation"), result)
        if activated and isinstance(result, Tensor):
            result = _activated(ctx, ctx.get(self, "activation"), result)
        remember(ctx, self, args[0] if args else NONE, result)
        return result

    return compute


def _activated(ctx: Context, activation: Value | None, result: Tensor) -> Value:
    """Return the output of a layer after its activation; functions of the program are called."""
    if not isinstance(activation, (Function, Method)):
        return replace(result, nature=nature_of(activation))
    output = ctx.freeze(call_in_layer(ctx, activation, [result], may_convert=False))
    return output if isinstance(output, Tensor) else ctx.lost("what an activation gives")


def _possible(tensor: Tensor) -> Tensor:
    """Return the tensor, unknown where a call that fails gave it a negative size."""
    negative = any(isinstance(size, int) and size < 0 for size in tensor.shape.known)
    return tensor.with_shape(UNRANKED) if negative else tensor


def _is_too_deep(ctx: Context, value: Value, most: int | None) -> bool:
    rank = value.shape.rank if isinstance(value, Tensor) else None
    if most is None or rank is None or rank <= most or ctx.target.keras != 3:
        return False
    ctx.require(ClashKind.RANK, FALSE, f"inputs has rank {rank}, the kernel has {most} axes", value)
    return True


def _rank_changed(ctx: Context, self: Value, value: Value) -> bool:
    rank = value.shape.rank if isinstance(value, Tensor) else None
    if rank is None or not isinstance(self, Ref):
        return False
    before = ctx.get(self, "@rank")
    if before is None:
        ctx.set(self, "@rank", Const(rank))
    if not isinstance(before, Const) or before.value == rank or not _is_judged(ctx, value):
        return False
    ctx.require(
        ClashKind.LAYER_INPUT,
        FALSE,
        f"inputs has rank {rank}, the layer was first called on rank {before.value}",
        value,
    )
    return True


def _is_judged(ctx: Context, value: Value) -> bool:
    """Return whether the rank of inputs is checked: Keras 2 in TensorFlow 2 does so only where
    something is computed.
    """
    return ctx.target.keras == 3 or ctx.target.tensorflow == 1 or getattr(value, "library", "") != "keras"


def remember(ctx: Context, self: Value, inputs: Value, outputs: Value) -> None:
    """Keep the layer's symbolic input and output, for `layer.output`."""
    if isinstance(self, Ref) and any(tensor.library == "keras" for tensor in tensors(inputs)):
        ctx.set(self, "@input", inputs)
        ctx.set(self, "@output", outputs)


def notice_softmax(ctx: Context, activation: Value | None, result: Value, axis: int = -1) -> None:
    """Notice a softmax over one value, which is always 1."""
    if activation is None or not is_softmax(activation) or not isinstance(result, Tensor):
        return
    if result.shape.size(axis) == 1:
        ctx.notice(ClashKind.SIZE1_AXIS, "softmax over an axis of size 1 is always 1", result)


def is_softmax(activation: Value) -> bool:
    text = as_str(activation)
    name = activation.name if isinstance(activation, Library) else text
    return name is not None and name.rsplit(".", 1)[-1] == "softmax"
