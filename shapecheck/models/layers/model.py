"""`keras.Model`: functional models, subclassed models and layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from shapecheck.domain.values import (
    FALSE,
    NONE,
    TRUE,
    Dict,
    Function,
    Lost,
    Method,
    Ref,
    Seq,
    Tensor,
    Value,
    items_of,
)
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.registry import attribute, behaviour
from shapecheck.models.lang.settings import MASKS, setting
from shapecheck.models.layers.first_feeds import note_feed
from shapecheck.models.layers.input_checks import check_count, check_feed, may_be_one, notice_rank
from shapecheck.models.layers.input_spec import check_input_spec
from shapecheck.models.layers.io_names import inputs_by_name
from shapecheck.models.layers.masks import attach_mask, mask_of
from shapecheck.models.layers.output_shapes import as_told, tells_output
from shapecheck.models.layers.structure import (
    as_tensors,
    change,
    data,
    holds_tensors,
    is_symbolic,
    is_written,
    leaves,
    python_shape,
    shapes_of,
)
from shapecheck.models.layers.traced_calls import call_in_layer, in_graph, note_eager
from shapecheck.shapes.shape import Shape


@behaviour("keras.Model")
def model(ctx: Context, inputs: Value = NONE, outputs: Value = NONE, *args: Value, **keywords: Value) -> Value:
    self = ctx.new("keras.Model", name=keywords.get("name", NONE))
    initialise(ctx, self, inputs, outputs, **keywords)
    return self


@behaviour("keras.Model.__init__")
def initialise(
    ctx: Context, self: Value, inputs: Value = NONE, outputs: Value = NONE, *args: Value, **keywords: Value
) -> Value:
    inputs = inputs if inputs != NONE else keywords.get("input", NONE)  # the spelling of Keras 1
    outputs = outputs if outputs != NONE else keywords.get("output", NONE)
    if ctx.target.keras != 3 and isinstance(outputs, Seq) and outputs.kind == "list":
        outputs = _one_or_list(outputs) or outputs  # Keras 2 returns the only one, Keras 3 not always
    if isinstance(self, Ref) and NONE not in (inputs, outputs):
        ctx.set(self, "@inputs", inputs)
        ctx.set(self, "@outputs", outputs)
        ctx.set(self, "@built", TRUE)
    return NONE


@behaviour("keras.layers.Layer")
def layer(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return ctx.new("keras.layers.Layer", **keywords)


@behaviour("keras.layers.Layer.__init__")
def initialise_layer(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    if isinstance(self, Ref):
        for name, value in keywords.items():
            ctx.set(self, "_given_input_shape" if name == "input_shape" else name, value)
        note_eager(ctx, keywords.get("dynamic"))
        ctx.set(self, "_is_dynamic", keywords.get("dynamic", FALSE))
    return NONE


def is_functional(ctx: Context, self: Value) -> bool:
    """Return whether a model was made of inputs and outputs."""
    return ctx.get(self, "@inputs") is not None


@behaviour("keras.Model.__call__", "keras.layers.Layer.__call__")
def call(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    if is_functional(ctx, self) and not is_written(ctx.get(self, "call")):
        return call_functional(ctx, self, args[0] if args else keywords.get("inputs", NONE))
    return call_written(ctx, self, args, keywords)


def call_written(ctx: Context, self: Value, args: tuple[Value, ...], keywords: dict[str, Value]) -> Value:
    """Call a class of the program: `build` once, then `call`."""
    function = ctx.get(self, "call")
    if not is_written(function) or function is None:
        return ctx.lost("call of a layer that is not known")
    if not args and "inputs" in keywords and "inputs" not in (ctx.parameters(function) or {"inputs": True}):
        args, keywords = (keywords["inputs"],), {name: each for name, each in keywords.items() if name != "inputs"}
    args = tuple(as_tensors(ctx.freeze(arg)) if holds_tensors(ctx.freeze(arg)) else arg for arg in args)
    keywords = {name: as_tensors(value) for name, value in keywords.items()}
    if isinstance(self, Ref):
        check_input_spec(ctx, self, args[0] if args else keywords.get("inputs", NONE))
        _build(ctx, self, args[0] if args else keywords.get("inputs", NONE))
        _remember(ctx, self, "@input", args[0] if args else None)
    if is_symbolic(*args) and ctx.get(self, "_is_dynamic") not in (None, NONE, FALSE):
        return ctx.lost("a layer that never becomes part of a graph")
    given = _with_given_on(ctx, function, args, keywords)
    result = call_in_layer(ctx, function, args, given, knows_sizes=tells_output(ctx, self))
    frozen = ctx.freeze(result)
    told = as_told(ctx, self, args, frozen)
    attach_mask(ctx, self, args, told)
    if isinstance(self, Ref):
        _remember(ctx, self, "@output", told)
    return result if told is frozen else told


def _with_given_on(
    ctx: Context, function: Value, args: Sequence[Value], keywords: dict[str, Value]
) -> dict[str, Value]:
    """Return the keywords with those that Keras passes on where the caller gave none: `training`, and masks."""
    code = function.function if isinstance(function, Method) else function
    if len(args) > 1 or not isinstance(code, Function):
        return keywords
    given_on = {"training": "whether this is training"}
    if ("mask", NONE) in code.defaults and setting(ctx, MASKS) is not None:
        given_on["mask"] = "a mask that Keras gives on"
    taken = [name for name, _ in code.defaults if name in given_on and name not in keywords]
    known = {"mask": mask_of(ctx, args[0])} if args and "mask" in taken else {}
    return {**keywords, **{name: known.get(name) or ctx.lost(given_on[name]) for name in taken}}


def _remember(ctx: Context, self: Ref, name: str, value: Value | None) -> None:
    if value is not None and is_symbolic(value):
        ctx.set(self, name, value)


def _build(ctx: Context, self: Ref, inputs: Value) -> None:
    function = ctx.get(self, "build")
    if TRUE in (ctx.get(self, "@built"), ctx.get(self, "built")):
        return
    ctx.set(self, "@built", TRUE)
    if is_written(function) and function is not None:
        kind = "tuple" if ctx.target.keras == 3 else "shape"
        ctx.set(self, "@symbolic", TRUE if is_symbolic(inputs) else NONE)
        given = [shapes_of(ctx.freeze(inputs), kind)]
        ctx.call_eagerly(function, given) if _is_lifted(ctx) else ctx.call(function, given)


def _is_lifted(ctx: Context) -> bool:
    """Return whether Keras calls `build` outside of the graph that is being built, as Keras 2 does."""
    return ctx.target.tensorflow != 1 and (ctx.target.keras == 2 or ctx.target.dated)


def call_functional(ctx: Context, self: Value, given: Value) -> Value:
    """Re-execute the graph between the model's inputs and outputs."""
    if has_new_outputs(ctx, self):
        return ctx.lost("outputs that the program has changed")
    inputs = ctx.get(self, "@inputs") or NONE
    outputs = ctx.get(self, "@outputs") or NONE
    feeds = match_feeds(ctx, inputs, as_tensors(data(ctx.freeze(given))))
    if feeds is None:
        return rebuilt(outputs, tuple(ctx.lost("functional model's input") for _ in leaves(outputs)))
    note_open_feeds(ctx, self, "x", feeds)
    fits = [
        check_feed(ctx, "x", value, declared, called=True)
        for declared, value in feeds.items()
        if isinstance(value, Tensor)
    ]
    fed: dict[Value, Value] = {
        declared: _fed(declared, value, ok)
        for (declared, value), ok in zip(feeds.items(), fits or [False] * len(feeds), strict=False)
    }
    fed = {declared: adjusted(declared, value) for declared, value in fed.items()}
    since = ctx.moment
    made = rebuilt(outputs, ctx.replay(tuple(leaves(outputs)), fed, objects_here=True))
    for declared, value in fed.items():
        notice_rank(ctx, value, declared, made)
    return made if is_symbolic(*fed.values()) else change(made, lambda tensor: _computed(in_graph(tensor), since))


def note_open_feeds(ctx: Context, self: Value, name: str, feeds: Mapping[Tensor, Value]) -> None:
    """Compare what is fed to the only input of a model with what was fed before, where its rank is not known."""
    ((declared, value),) = feeds.items() if len(feeds) == 1 else (((None, NONE)),)
    if declared is not None and declared.shape.tail is not None and isinstance(self, Ref):
        note_feed(ctx, self, name, value)


def _computed(tensor: Tensor, since: int) -> Tensor:
    """Return an output as computed by the call: one that depends on no input was computed before, by other steps."""
    return replace(tensor, step=0, output=0) if 0 < tensor.step <= since else tensor


def _fed(declared: Tensor, value: Value, fits: bool) -> Value:
    """Return a value that is fed to an input; an unknown one has the declared shape, and need not be symbolic."""
    if not isinstance(value, Tensor):
        return replace(declared, library="tf", role="tensor")
    return value if fits else declared


def _cast(declared: Tensor, value: Tensor) -> Tensor:
    """Return an array or a tensor with the declared type of numbers."""
    numbers = all((tensor.dtype or "").startswith(("int", "uint", "float")) for tensor in (declared, value))
    return replace(value, dtype=declared.dtype) if numbers and value.library != "keras" else value


def adjusted(declared: Value, value: Value) -> Value:
    """Return the value with the rank that the model declares, if that is known, and the type of numbers; Keras adds or
    drops a last axis of size 1.
    """
    if not isinstance(declared, Tensor) or not isinstance(value, Tensor):
        return value
    value = _cast(declared, value)
    if declared.shape.tail is not None:
        open_rank = Shape(value.shape.head[:1], ())
        return Tensor(open_rank, value.dtype, value.library, value.step, value.output)
    shape, rank = value.shape, len(declared.shape.head)
    if shape.tail is not None or len(shape.head) == rank:
        return value
    if len(shape.head) == rank + 1 and may_be_one(shape.head[-1]):
        head = shape.head[:-1]
    elif len(shape.head) == rank - 1 and may_be_one(declared.shape.head[-1]):
        head = (*shape.head, 1)
    else:
        return value
    return Tensor(type(shape)(head), value.dtype, value.library, value.step, value.output)


def match_feeds(ctx: Context, inputs: Value, given: Value) -> dict[Tensor, Value] | None:
    """Return the value for each declared input; None where that is not known."""
    if isinstance(inputs, Dict) or isinstance(given, Dict):
        ordered = _by_name(ctx, inputs, given)
        if ordered is None:
            return None
        given = ordered
    declared = [leaf for leaf in leaves(inputs) if isinstance(leaf, Tensor)]
    values = list(leaves(given))
    if len(declared) != len(list(leaves(inputs))):
        return None
    if len(declared) != len(values):
        check_count(ctx, declared, values, given)
        return None
    return dict(zip(declared, values, strict=True))


def _by_name(ctx: Context, inputs: Value, given: Value) -> Value | None:
    """Return the given values in the order of the declared names."""
    if not isinstance(given, Dict):
        return None
    if not isinstance(inputs, Dict):
        return inputs_by_name(ctx, inputs, given)
    found = [given.get(name) for name, _ in inputs.items]
    return None if None in found else Seq("list", tuple(value for value in found if value is not None))


def rebuilt(structure: Value, items: tuple[Value, ...]) -> Value:
    """Return the structure with its leaves replaced, in order."""
    queue = list(items)

    def place(value: Value) -> Value:
        return queue.pop(0) if queue else value

    if isinstance(structure, (Tensor, Lost)) or not list(leaves(structure)):
        return place(structure)
    return change(structure, place)


# Attributes --------------------------------------------------------------------------------------------------------


def _one_or_list(value: Value | None) -> Value | None:
    items = None if value is None else items_of(value)
    return items[0] if items is not None and len(items) == 1 else value


@attribute("keras.layers.Layer.input")
def input_of(ctx: Context, self: Value) -> Value:
    found = _one_or_list(ctx.get(self, "@inputs")) or ctx.get(self, "@input")
    return found or ctx.lost("input of a layer")


@attribute("keras.layers.Layer.output")
def output_of(ctx: Context, self: Value) -> Value:
    found = _one_or_list(ctx.get(self, "@outputs")) or ctx.get(self, "@output")
    made = (
        [out for out in ctx.results(self) if is_symbolic(out)] if isinstance(found, Tensor) and not found.step else []
    )
    return made[-1] if made else found or ctx.lost("output of a layer")


@attribute("keras.Model.inputs")
def inputs_of(ctx: Context, self: Value) -> Value:
    return _listed(ctx, input_of(ctx, self))


@attribute("keras.Model.outputs")
def outputs_of(ctx: Context, self: Value) -> Value:
    return _listed(ctx, output_of(ctx, self))


def has_new_outputs(ctx: Context, model: Value) -> bool:
    """Return whether the program has given the model another list of outputs, as only Keras 2 allows."""
    listed = ctx.get(model, "outputs")
    return isinstance(listed, Ref) and ctx.freeze(listed) != outputs_of(ctx, model)


def _listed(ctx: Context, value: Value) -> Value:
    return ctx.lost("tensors of a model") if isinstance(value, Lost) else Seq("list", tuple(leaves(value)))


@attribute("keras.layers.Layer.input_shape")
@behaviour("keras.layers.Layer.get_input_shape_at")
def input_shape(ctx: Context, self: Value, node_index: Value = NONE) -> Value:
    return _shape_value(ctx, input_of(ctx, self))


@attribute("keras.layers.Layer.output_shape")
@behaviour("keras.layers.Layer.get_output_shape_at")
def output_shape(ctx: Context, self: Value, node_index: Value = NONE) -> Value:
    return _shape_value(ctx, output_of(ctx, self))


def _shape_value(ctx: Context, value: Value) -> Value:
    if isinstance(value, Tensor):
        return python_shape(value.shape)
    items = items_of(value)
    return ctx.lost("shape of a layer") if items is None else shapes_of(value)
