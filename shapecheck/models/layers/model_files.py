"""Copies of models: clones, and models that are saved and loaded again; a file has the model that was last saved."""

from __future__ import annotations

from shapecheck.domain.values import FALSE, NONE, TRUE, Ref, Seq, Tensor, Value, as_str, items_of
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.registry import behaviour
from shapecheck.models.lang.settings import SETTINGS, STATE_OF_METHODS, file_key, setting
from shapecheck.models.layers.first_feeds import LOADED
from shapecheck.models.layers.inner_layers import layers_of
from shapecheck.models.layers.saved_models import made_of
from shapecheck.models.layers.sequential import FIRST_CALL
from shapecheck.models.layers.weight_shapes import save_weights


@behaviour("keras.layers.Layer.save")
def save(ctx: Context, self: Value, filepath: Value = NONE, *args: Value, **keywords: Value) -> Value:
    key = file_key("model", filepath)
    if key is not None:
        made = _copy(ctx, self)
        ctx.set(SETTINGS, key, NONE if made is None else made)
    return save_weights(ctx, self, filepath)


@behaviour("keras.models.save_model", "keras.saving.save_model")
def save_model(ctx: Context, model: Value = NONE, filepath: Value = NONE, *args: Value, **keywords: Value) -> Value:
    return save(ctx, model, filepath) if isinstance(model, Ref) else NONE


@behaviour("keras.models.load_model", "keras.saving.load_model")
def load_model(
    ctx: Context, filepath: Value = NONE, custom_objects: Value = NONE, compile: Value = TRUE, **keywords: Value
) -> Value:
    key = file_key("model", filepath)
    saved = None if key is None else setting(ctx, key)
    made = None if saved is None else _copy(ctx, saved, compile)
    if made is None and saved is None:
        config = (ctx.facts_of(filepath) or {}).get("model")
        is_plain = custom_objects == NONE and filepath != NONE
        unknown = ctx.new(LOADED) if is_plain else ctx.lost("a saved model")
        return unknown if config is None else made_of(ctx, config)
    return ctx.lost("a saved model") if made is None else made


@behaviour("keras.models.clone_model")
def clone_model(
    ctx: Context, model: Value = NONE, input_tensors: Value = NONE, clone_function: Value = NONE, **others: Value
) -> Value:
    # Layers that are not built take inputs of another width in each model.
    is_built = isinstance(model, Ref) and (model.cls == "keras.Model" or isinstance(ctx.get(model, "@input"), Tensor))
    is_plain = input_tensors == clone_function == NONE
    return (_copy(ctx, model, FALSE) if is_built and is_plain else None) or ctx.lost("a cloned model")


def keep_checkpoint(ctx: Context, callback: Ref, model: Ref) -> None:
    """Save the model, as a callback does during training, to a file whose name does not depend on the epoch."""
    path, only = ctx.get(callback, "filepath") or NONE, ctx.get(callback, "save_weights_only")
    given = items_of(ctx.get(callback, "_args") or NONE) or ()
    path = given[0] if path == NONE and given else path
    if only in (None, FALSE) and len(given) < 2 and "{" not in (as_str(path) or "{"):
        save(ctx, model, path)


def _copy(ctx: Context, model: Value, is_compiled: Value = TRUE) -> Ref | None:
    """Return another model of the same layers; None for models that are not known to be made of layers."""
    made: Value = NONE
    if isinstance(model, Ref) and model.cls == "keras.Sequential":
        layers = layers_of(ctx, model)
        made = NONE if layers is None else ctx.apply("keras.Sequential", Seq("list", layers))
    elif isinstance(model, Ref) and model.cls == "keras.Model":
        inputs, outputs = ctx.get(model, "@inputs"), ctx.get(model, "@outputs")
        made = NONE if inputs is None or outputs is None else ctx.apply("keras.Model", inputs, outputs)
    if not isinstance(made, Ref):
        return None
    for name in (*FIRST_CALL, *(STATE_OF_METHODS["compile"] if is_compiled == TRUE else ())):
        told = ctx.get(model, name)
        if told is not None:
            ctx.set(made, name, told)
    return made
