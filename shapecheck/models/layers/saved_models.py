"""Models made of a configuration, as files have it: layers by their classes and options, and how they are connected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shapecheck.domain.values import Const, Lost, Ref, Seq, Value
from shapecheck.models.lang.bind import real_parameters
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.registry import lookup

LAYERS = "keras.layers."
_GENERIC = ("Lambda", "TFOpLambda", "SlicingOpLambda", "Layer")  # whose shapes no configuration tells


class _Untold(Exception):
    """The configuration does not tell the model."""


def made_of(ctx: Context, config: object) -> Value:
    """Return the model of a configuration, lost if some layer is not known."""
    try:
        return _model(ctx, config)
    except (_Untold, KeyError, TypeError, ValueError, IndexError, AttributeError):
        return ctx.lost("a model with a configuration that is not known")


def _model(ctx: Context, config: Any) -> Ref:
    inner = config["config"]
    if config["class_name"] == "Sequential":
        layers = inner if isinstance(inner, list) else inner["layers"]
        return _known(ctx.apply("keras.Sequential", Seq("list", tuple(_layer(ctx, each) for each in layers))))
    if config["class_name"] in ("Functional", "Model"):
        return _functional(ctx, inner)
    raise _Untold


def _known(made: Value) -> Ref:
    if not isinstance(made, Ref):
        raise _Untold
    return made


def _layer(ctx: Context, config: Mapping[str, Any]) -> Value:
    """Return a layer, or the input of a model."""
    kind, options = config["class_name"], config["config"]
    if kind in ("Sequential", "Functional", "Model"):
        return _model(ctx, config)
    if kind == "InputLayer":
        shape = options.get("batch_shape") or options["batch_input_shape"]
        return _input(ctx, shape)
    if kind in _GENERIC or lookup(LAYERS + kind) is None:
        raise _Untold
    if "layer" in options:
        return _known(ctx.apply(LAYERS + kind, _layer(ctx, options["layer"])))
    names = real_parameters(LAYERS + kind, ctx.target) or ()
    plain = {name: value(told) for name, told in options.items() if name in names and _is_plain(told)}
    return _known(ctx.apply(LAYERS + kind, **plain))


def _input(ctx: Context, shape: Any) -> Value:
    return ctx.apply("keras.Input", batch_shape=Seq("tuple", tuple(map(Const, shape))))


def _is_plain(told: Any) -> bool:
    """Return whether an option is a number, a text or a list of these."""
    return all(map(_is_plain, told)) if isinstance(told, list) else not isinstance(told, dict)


def value(told: Any) -> Value:
    """Return the value that a plain value of JSON stands for."""
    return Seq("tuple", tuple(map(value, told))) if isinstance(told, list) else Const(told)


# Connections ---------------------------------------------------------------------------------------------------------


def _functional(ctx: Context, config: Mapping[str, Any]) -> Ref:
    """Return a model of layers each of which is called once."""
    outputs: dict[str, Value] = {}
    for each in config["layers"]:
        name = each.get("name") or each["config"]["name"]
        layer = _layer(ctx, each)
        if each["class_name"] != "InputLayer":
            (node,) = each["inbound_nodes"]
            layer = ctx.call(layer, [_operand(node, outputs)])
        outputs[name] = layer
    ends = [_ends(config[key], outputs) for key in ("input_layers", "output_layers")]
    return _known(ctx.apply("keras.Model", *ends))


def _operand(node: Any, outputs: Mapping[str, Value]) -> Value:
    """Return what a layer is called with, in the form of Keras 3 or an older one."""
    if isinstance(node, dict):
        if node["kwargs"] and any(told is not None and told is not False for told in node["kwargs"].values()):
            raise _Untold
        (given,) = node["args"]
        return _tensor(given, outputs)
    found = [_output(name, at, outputs) for name, _, at, *_ in node]
    return found[0] if len(found) == 1 else Seq("list", tuple(found))


def _tensor(given: Any, outputs: Mapping[str, Value]) -> Value:
    if isinstance(given, list):
        return Seq("list", tuple(_tensor(each, outputs) for each in given))
    name, _, at = given["config"]["keras_history"]
    return _output(name, at, outputs)


def _output(name: str, at: int, outputs: Mapping[str, Value]) -> Value:
    if at or isinstance(outputs[name], Lost):
        raise _Untold
    return outputs[name]


def _ends(told: Any, outputs: Mapping[str, Value]) -> Value:
    """Return the inputs or outputs of a model: one is told by its name alone, or as a list of one."""
    if told and isinstance(told[0], str):
        return _output(told[0], told[2], outputs)
    found = [_output(name, at, outputs) for name, _, at in told]
    return found[0] if len(found) == 1 else Seq("list", tuple(found))
