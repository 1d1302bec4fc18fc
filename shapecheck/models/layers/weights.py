"""Methods and attributes of all layers and models besides their call: weights, losses, configuration, saving."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    NONE,
    TRUE,
    HomogeneousSeq,
    Lost,
    Ref,
    Scalar,
    Seq,
    Tensor,
    Value,
    as_size,
    as_str,
    items_of,
)
from shapecheck.models.lang.arguments import shape_arg
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.registry import attribute, base, behaviour
from shapecheck.models.lang.settings import ADDED_LOSSES, SETTINGS
from shapecheck.models.layers.inputs import as_dtype
from shapecheck.models.layers.structure import is_written, python_shape
from shapecheck.models.layers.weight_shapes import UNSET, trainable_weights
from shapecheck.shapes.facts import FALSE
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind

for _model in ("keras.Model", "keras.Sequential"):
    base(_model, "keras.layers.Layer" if _model == "keras.Model" else "keras.Model")


@behaviour("keras.{layers.Layer,metrics.Metric}.{add_weight,add_variable}")
def add_weight(
    ctx: Context,
    self: Value,
    name: Value = NONE,
    shape: Value = NONE,
    dtype: Value = NONE,
    *rest: Value,
    **others: Value,
) -> Value:
    if _is_shape(name) or as_str(shape) is not None:  # Keras 3 and the first releases of Keras 1 begin with the shape
        name, shape = shape, name
    if others.get("regularizer", NONE) != NONE:
        ctx.set(SETTINGS, ADDED_LOSSES, TRUE)
    given = ctx.freeze(shape)
    if given == NONE and isinstance(name, Lost):
        given = name  # which of the two it is
    sizes = Shape(()) if given == NONE else shape_arg(given, ctx)
    if ctx.get(self, "@symbolic") == TRUE and any(symbol.kind is Kind.DYNAMIC for symbol in sizes.symbols()):
        ctx.require(ClashKind.UNBUILT, FALSE, f"a weight of shape {sizes} has a size that is not known when it is made")
    return Tensor(sizes, as_dtype(dtype) or "float32", role="variable")


def _is_shape(value: Value) -> bool:
    return as_size(value) is not None or isinstance(value, (Seq, HomogeneousSeq, Tensor))


@behaviour("keras.layers.Layer.add_loss")
def add_loss(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    ctx.set(SETTINGS, ADDED_LOSSES, TRUE)
    return NONE


@behaviour(
    "keras.layers.Layer.{add_metric,add_update,summary,reset_states}",
    "keras.layers.Layer.{reset_state,export,build_from_config,compile_from_config,reset_metrics,quantize}",
)
def nothing(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    return NONE


@behaviour("keras.layers.Layer.{get_config,get_losses_for,get_updates_for}", "keras.Model.{to_json,to_yaml}")
def unknown(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    return ctx.lost("configuration of a layer")


@behaviour("keras.layers.Layer.count_params")
def count_params(ctx: Context, self: Value) -> Value:
    return Scalar("int")


@behaviour("keras.layers.Layer.{compute_output_shape,get_output_shape_for}")
def compute_output_shape(ctx: Context, self: Value, input_shape: Value = NONE) -> Value:
    return ctx.lost("output shape of a layer")


@behaviour("keras.layers.Layer.get_input_at")
def input_at(ctx: Context, self: Value, node_index: Value = NONE) -> Value:
    return ctx.get(self, "@input") or ctx.lost("input of a layer")


@behaviour("keras.layers.Layer.get_output_at")
def output_at(ctx: Context, self: Value, node_index: Value = NONE) -> Value:
    return ctx.get(self, "@output") or ctx.lost("output of a layer")


@attribute("keras.layers.Layer.{trainable_weights,trainable_variables}")
def trainable(ctx: Context, self: Value) -> Value:
    known = trainable_weights(ctx, self)
    if not known:
        return variables(ctx, self)
    return Seq("list", tuple(Tensor(shape, "float32", role="variable") for _, shape in known))


@attribute(
    "keras.layers.Layer.{weights,non_trainable_weights,variables}",
    "keras.layers.Layer.{non_trainable_variables,losses,updates}",
    "tf.Module.{variables,trainable_variables,non_trainable_variables}",
)
def variables(ctx: Context, self: Value) -> Value:
    weight = Tensor(UNRANKED, "float32", role="variable")
    return HomogeneousSeq("list", weight, ctx.fresh("?", Kind.LOST, "number of weights"))


@attribute("keras.layers.Layer.metrics")
def metrics(ctx: Context, self: Value) -> Value:
    return HomogeneousSeq("list", ctx.new("keras.metrics.Metric"), ctx.fresh("?", Kind.LOST, "number of metrics"))


@attribute("keras.layers.{Dense,Embedding}.{kernel,embeddings}")
def kernel(ctx: Context, self: Value) -> Tensor:
    rows = ctx.get(self, "_axis_i") or ctx.get(self, "input_dim")
    columns = ctx.get(self, "units") or ctx.get(self, "output_dim")
    first, second = as_size(rows or NONE), as_size(columns or NONE)
    shape = UNRANKED if first is None or second is None else Shape((first, second))
    return Tensor(shape, "float32", role="variable")


@attribute("keras.layers.Dense.bias")
def bias(ctx: Context, self: Value) -> Tensor:
    units = as_size(ctx.get(self, "units") or NONE)
    return Tensor(UNRANKED if units is None else Shape((units,)), "float32", role="variable")


@behaviour("keras.layers.Layer.build")
def build_layer(ctx: Context, self: Value, input_shape: Value = NONE) -> Value:
    """Call a layer of the library once, so that it knows the sizes of its weights."""
    if not isinstance(self, Ref) or self.cls == "user" or as_sizes_or_none(input_shape) is None:
        return NONE
    sizes = items_of(ctx.freeze(input_shape)) or ()
    whole = Seq("tuple", (NONE, *sizes) if len(sizes) == 1 else sizes)  # a build without a batch is not checked
    data = ctx.apply("keras.Input", batch_shape=whole)
    if self.cls.endswith("Normalization"):  # the others compare ranks and sizes only when they are called
        ctx.call(self, [data])
    else:
        ctx.attempt(lambda: ctx.call(self, [data]))
    return NONE


@attribute("keras.layers.Layer.built")
def built(ctx: Context, self: Value) -> Value:
    return TRUE if ctx.get(self, "@built") == TRUE else Scalar("bool")


@attribute("keras.layers.Layer.name")
def name(ctx: Context, self: Value) -> Value:
    return Scalar("str")


@attribute("keras.layers.Layer.{trainable,training,stateful,dynamic,input_spec,compute_dtype,dtype_policy}")
def setting(ctx: Context, self: Value) -> Value:
    return ctx.lost(UNSET)


@attribute("keras.callbacks.{History,Callback}.{history,epoch,params}")
def history(ctx: Context, self: Value) -> Value:
    return ctx.lost("record of a training")


@attribute("keras.callbacks.Callback.model")
def model_of(ctx: Context, self: Value) -> Value:
    return ctx.lost("model of a callback")


# Whole models ------------------------------------------------------------------------------------------------------


@behaviour("keras.models.{model_from_json,model_from_config,model_from_yaml}")
def made_again(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return ctx.lost("a model made of its configuration")


@behaviour("keras.utils.plot_model", "keras.utils.model_to_dot")
def plot_model(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return NONE


@behaviour("keras.Model.build")
def build(ctx: Context, self: Ref, input_shape: Value = NONE) -> Value:
    function, sizes = ctx.get(self, "call"), as_sizes_or_none(input_shape)
    if sizes is None or not is_written(function) or ctx.get(self, "@inputs") is not None:
        return NONE
    if sizes[0] != NONE and not _builds_by_call(ctx):
        return NONE
    ctx.call(self, [ctx.apply("keras.Input", batch_shape=ctx.freeze(input_shape))])
    return NONE


def _builds_by_call(ctx: Context) -> bool:
    """Return whether `build` calls a model, as in Keras 2; since Keras 3 it only warns, and the first call builds."""
    return ctx.target.keras == 2 or ctx.target.tensorflow == 1 or ctx.target.dated


def as_sizes_or_none(shape: Value) -> tuple[Value, ...] | None:
    """Return the entries of a shape, if it is one shape."""
    items = items_of(shape)
    return items if items and all(item == NONE or as_size(item) is not None for item in items) else None


@behaviour("keras.KerasTensor.get_shape")
def get_shape(ctx: Context, self: Value) -> Value:
    return python_shape(self.shape, "shape") if isinstance(self, Tensor) else ctx.lost("shape")


@behaviour("keras.utils.{normalize_data_format,get_custom_objects}")
def helper(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return ctx.lost("a helper of Keras")
