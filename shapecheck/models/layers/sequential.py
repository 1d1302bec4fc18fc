"""`keras.Sequential`: a list of layers, called as soon as the input's shape is known."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.domain.values import NONE, TRUE, Const, Library, Lost, Ref, Seq, Tensor, Value, items_of
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.registry import behaviour
from shapecheck.models.layers.input_checks import check_feed, is_strict, may_be_one, notice_rank
from shapecheck.models.layers.inputs import declared_input
from shapecheck.models.layers.model import adjusted, call_written
from shapecheck.models.layers.structure import as_tensors, fed, is_written, python_shape
from shapecheck.shapes.shape import UNRANKED

FIRST_CALL = ("@fed", "@handed")
"""What is known of the call that builds a model: its inputs, or that unknown code may make it."""


@behaviour("keras.Sequential")
def sequential(ctx: Context, layers: Value = NONE, name: Value = NONE, trainable: Value = NONE) -> Value:
    self = ctx.new("keras.Sequential", name=name)
    initialise(ctx, self, layers)
    return self


@behaviour("keras.Sequential.__init__")
def initialise(ctx: Context, self: Ref, layers: Value = NONE, name: Value = NONE, trainable: Value = NONE) -> Value:
    ctx.set(self, "@layers", Seq("list", ()))
    items = items_of(ctx.freeze(layers))
    if items is None and layers != NONE:
        ctx.set(self, "@layers", ctx.lost("layers of a Sequential"))
    for item in items or ():
        add(ctx, self, item)
    return NONE


@behaviour("keras.Sequential.add")
def add(ctx: Context, self: Ref, layer: Value = NONE, rebuild: Value = NONE) -> Value:
    known = items_of(ctx.get(self, "@layers") or NONE)
    if known is None or ctx.get(self, "@handed") is not None:  # or a function has the model that may add others
        return _forget(ctx, self)
    if isinstance(layer, Tensor):
        return _begin(ctx, self, layer)
    first = None if known or ctx.get(self, "@input") else _first_input(ctx, layer)
    if first is not None:
        _begin(ctx, self, first)
    if isinstance(layer, Ref) and layer.cls == "keras.layers.InputLayer":
        return NONE
    ctx.set(self, "@layers", Seq("list", (*known, layer)))
    current = ctx.get(self, "@output")
    if current is not None and current != NONE:
        ctx.set(self, "@output", ctx.freeze(ctx.call(layer, [current])))
    return NONE


def _forget(ctx: Context, self: Ref) -> Value:
    ctx.set(self, "@layers", ctx.lost("layers that are not known"))
    ctx.set(self, "@output", ctx.lost("output of layers that are not known"))
    return NONE


def _begin(ctx: Context, self: Ref, tensor: Value) -> Value:
    ctx.set(self, "@input", tensor)
    ctx.set(self, "@output", tensor)
    ctx.set(self, "@built", TRUE)
    return NONE


def _first_input(ctx: Context, layer: Value) -> Value | None:
    """Return the input that the first layer, or the first layer inside it, declares."""
    found = declared_input(ctx, layer)
    inner = (
        ctx.get(layer, "@inputs") or ctx.get(layer, "@input") if isinstance(layer, Ref) and is_model(layer) else None
    )
    items = items_of(inner) if inner is not None else None
    if items and len(items) > 1:
        return ctx.lost("inputs of a model that takes several")
    inner = items[0] if items else inner
    if found is None and isinstance(inner, Tensor) and inner.library == "keras":
        batch_shape, name = python_shape(inner.shape), ctx.lost("a name that depends on the version of Keras")
        options = {"batch_shape": batch_shape, "dtype": Const(inner.dtype), "name": name}
        return ctx.call(Library("keras.Input"), (), options)
    if found is None and isinstance(layer, Ref) and layer.cls in _WRAPPERS:
        return _wrapped_input(ctx, layer)
    if found is None and isinstance(layer, Ref) and layer.cls == "user":
        return _written_input(ctx, layer)
    return found


def _written_input(ctx: Context, layer: Ref) -> Value | None:
    """Return the input that a layer of the program declares, as layers of Keras 2 do."""
    shape = ctx.get(layer, "_batch_input_shape")
    if shape is None or shape == NONE:
        return None
    known = items_of(ctx.freeze(shape)) is not None
    return ctx.apply("keras.Input", batch_shape=shape) if known else ctx.lost("input that a layer declares")


_WRAPPERS = ("keras.layers.TimeDistributed", "keras.layers.Bidirectional")


def _wrapped_input(ctx: Context, layer: Ref) -> Value | None:
    inner = ctx.get(layer, "layer")
    return declared_input(ctx, inner) if inner is not None and layer.cls == "keras.layers.Bidirectional" else None


def is_model(layer: Ref) -> bool:
    """Return whether a library object is a model."""
    return layer.cls in ("keras.Model", "keras.Sequential", "keras.applications.Network")


@behaviour("keras.Sequential.pop")
def pop(ctx: Context, self: Ref, rebuild: Value = NONE) -> Value:
    known = items_of(ctx.get(self, "@layers") or NONE)
    if known is None:
        return _forget(ctx, self)
    if not known:
        return NONE
    ctx.set(self, "@layers", Seq("list", known[:-1]))
    last = known[-2] if len(known) > 1 else None
    before = ctx.get(last, "@output") if last is not None else ctx.get(self, "@input")
    if ctx.get(self, "@output") is not None:
        ctx.set(self, "@output", before or ctx.lost("output of a shortened model"))
    return known[-1]


@behaviour("keras.Sequential.build")
def build(ctx: Context, self: Ref, input_shape: Value = NONE) -> Value:
    if ctx.get(self, "@input") is None and items_of(input_shape) is not None:
        tensor = ctx.apply("keras.Input", batch_shape=input_shape)
        if ctx.target.keras == 3:
            output = through(ctx, self, tensor)
        else:  # layers that refuse the shape are built by the first call
            output = ctx.attempt(lambda: through(ctx, self, tensor))
            if isinstance(output, Lost):
                return NONE
        _begin(ctx, self, tensor)
        ctx.set(self, "@by_build", TRUE)
        ctx.set(self, "@output", output)
    return NONE


@behaviour("keras.Sequential.__call__")
def call(ctx: Context, self: Ref, inputs: Value = NONE, *args: Value, **keywords: Value) -> Value:
    written = ctx.get(self, "call")
    if is_written(written):
        return call_written(ctx, self, (inputs, *args), keywords)
    return ctx.lost("call of a model that is not known") if isinstance(written, Lost) else feed(ctx, self, inputs)


@behaviour("keras.Sequential.call")
def feed(ctx: Context, self: Ref, inputs: Value = NONE, training: Value = NONE, mask: Value = NONE) -> Value:
    """Return the outputs of the layers for the inputs."""
    declared = ctx.get(self, "@input")
    inputs = ctx.freeze(inputs)
    items = items_of(inputs) if isinstance(inputs, Seq) else None
    if isinstance(declared, Tensor) and items is not None and len(items) == 1 and isinstance(items[0], Tensor):
        inputs = items[0]  # a list of all inputs, of which there is one
    given = as_tensors(fed(inputs))
    if isinstance(declared, Tensor) and isinstance(given, Tensor):
        if not check_feed(ctx, "x", given, declared, strict=is_strict(ctx, self), called=True):
            return ctx.get(self, "@output") or ctx.lost("output of a model")
        given = adjusted(declared, given)
        made = through(ctx, self, given)
        notice_rank(ctx, given, declared, made)
        return made
    if isinstance(declared, Lost) and isinstance(given, Tensor):  # to whose rank the data is brought
        given = replace(given, shape=UNRANKED, content=None)
    elif declared is None:
        given = _adjusted_to_first(ctx, self, given)
    return through(ctx, self, given)


def _adjusted_to_first(ctx: Context, self: Ref, given: Value) -> Value:
    """Return the inputs of a model that its first call builds, brought to the rank of the inputs then.

    Where that is not known, or unknown code may have called it, a last axis of size 1 may be dropped."""
    first = ctx.get(self, "@fed")
    if first is None:
        first = ctx.lost("what others have fed") if ctx.get(self, "@handed") is not None else given
        ctx.set(self, "@fed", first)
    if not isinstance(given, Tensor) or first == given:
        return given
    if isinstance(first, Tensor) and first.shape.tail is None:
        return adjusted(first, given)
    last = given.shape.size(-1)
    return given if last is not None and not may_be_one(last) else replace(given, shape=UNRANKED, content=None)


def through(ctx: Context, self: Value, value: Value) -> Value:
    """Return the value after all layers."""
    layers = items_of(ctx.get(self, "@layers") or NONE)
    if layers is None:
        return ctx.lost("layers of a Sequential")
    if ctx.target.keras != 3 and not ctx.target.is_unmarked and ctx.get(self, "@input") is None:
        layers = tuple(dict.fromkeys(layers))  # a model that its first call builds has each layer once
    for layer in layers:
        value = ctx.freeze(ctx.call(layer, [value]))
    return value
