"""Live layers and models of Keras, written as the calls that make their like."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from shapecheck.live import known_types as known

if TYPE_CHECKING:
    from shapecheck.live.snapshot import Snapshot

UNKNOWN = "_live.unknown()"
_SHAPELESS = (
    "initializer",
    "regularizer",
    "constraint",
    "dtype",
    "seed",
    "trainable",
    "autocast",
    "quantization_config",
)
_PLAIN = (bool, int, float, str, type(None))


def layer(snapshot: Snapshot, value: Any, depth: int) -> str:
    """Return a layer or model like a live one."""
    if not known.is_of_library(value):
        return _of_program(snapshot, value, depth)
    name = known.type_name(value)
    if name == known.SEQUENTIAL:
        return _sequential(snapshot, value, depth)
    if name == known.FUNCTIONAL:
        return _functional(snapshot, value, depth)
    if known.is_a(value, known.MODEL):
        return snapshot.named(value, UNKNOWN)
    return _plain_layer(snapshot, value, depth)


def _of_program(snapshot: Snapshot, value: Any, depth: int) -> str:
    cls = snapshot.functions.get(id(type(value)))
    if cls is None:
        return snapshot.named(value, UNKNOWN)
    name = snapshot.instance(value, cls, depth)
    _compile(snapshot, name, value)
    return name


# --- layers ----------------------------------------------------------------------------------------------------------


def _plain_layer(snapshot: Snapshot, value: Any, depth: int) -> str:
    """Return a layer of Keras with the arguments that it was made with, built if it is."""
    given = _arguments(snapshot, value, depth)
    if given is None:
        return snapshot.named(value, UNKNOWN)
    name = snapshot.named(value, f"_keras.layers.{type(value).__name__}({', '.join(given)})")
    built = getattr(value, "_build_shapes_dict", None)
    shape = built.get("input_shape") if value.built and isinstance(built, dict) else None
    if _is_plain_shape(shape):
        snapshot.lines.append(f"{name}.build({(None, *tuple(shape)[1:])!r})")  # type: ignore[arg-type]
    return name


def _is_plain_shape(shape: object) -> bool:
    return (
        isinstance(shape, (tuple, list))
        and len(shape) > 0
        and all(size is None or isinstance(size, int) for size in shape)
    )


def _arguments(snapshot: Snapshot, value: Any, depth: int) -> list[str] | None:
    """Return the arguments of a constructor of the library, which its objects keep under the same names."""
    given = []
    for name, is_required in _parameters(type(value)):  # type: ignore[arg-type]
        if name.endswith(_SHAPELESS):
            continue
        try:
            held = getattr(value, name)
        except AttributeError:
            held = known.own_attributes(value).get(f"_{name}", inspect.Parameter.empty)
        if held is inspect.Parameter.empty:
            if is_required:
                return None
            continue
        given.append(f"{name}={_argument(snapshot, held, depth)}")
    return given


@cache
def _parameters(cls: Any) -> tuple[tuple[str, bool], ...]:
    """Return the names of the parameters of a constructor, and whether each is required."""
    found = list(inspect.signature(cls.__init__).parameters.values())[1:]
    plain = [each for each in found if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)]
    names = tuple((each.name, each.default is each.empty) for each in plain)
    return names if any(each.name == "name" for each in plain) else (*names, ("name", False))


def _argument(snapshot: Snapshot, held: object, depth: int) -> str:
    if type(held) in _PLAIN:
        return repr(held)
    if isinstance(held, (tuple, list)):
        return f"({', '.join(_argument(snapshot, item, depth) for item in held)}{',' if len(held) == 1 else ''})"
    if known.is_a(held, known.LAYER):
        return layer(snapshot, held, depth + 1)
    return _function(snapshot, held)


def _function(snapshot: Snapshot, held: Any) -> str:
    """Return a function by its name: one of Keras, or one of the program."""
    if inspect.isfunction(held) and (held.__module__ or "").startswith("keras."):
        return repr(held.__name__)
    return snapshot.functions.get(id(held), UNKNOWN)


# --- models ----------------------------------------------------------------------------------------------------------


def _sequential(snapshot: Snapshot, value: Any, depth: int) -> str:
    layers = [layer(snapshot, each, depth + 1) for each in value.layers]
    if value.built and (inputs := _inputs(value)) is not None and len(inputs) == 1:
        layers.insert(0, _input(inputs[0]))
    name = snapshot.named(value, f"_keras.Sequential([{', '.join(layers)}], name={value.name!r})")
    _compile(snapshot, name, value)
    return name


def _inputs(model: Any) -> Sequence[Any] | None:
    try:
        found = model.inputs
    except (AttributeError, ValueError):
        return None
    return found if isinstance(found, (list, tuple)) else None


def _input(tensor: Any) -> str:
    batch, *sizes = tensor.shape
    fixed = f", batch_size={batch}" if batch is not None else ""
    return f"_keras.Input({tuple(sizes)!r}{fixed}, dtype={tensor.dtype!r}, name={tensor.name!r})"


def _functional(snapshot: Snapshot, value: Any, depth: int) -> str:
    """Return a functional model: its layers are called again as they were."""
    tensors: dict[int, str] = {}
    given = [snapshot.named(tensor, _input(tensor)) for tensor in value.inputs]
    tensors.update((id(tensor), name) for tensor, name in zip(value.inputs, given, strict=True))
    try:
        for node in _nodes(value):
            if any(id(tensor) not in tensors for tensor in node.output_tensors):
                _call(snapshot, node, tensors, depth)
        inputs, outputs = (_structure(each, tensors) for each in (value._inputs_struct, value._outputs_struct))
    except (AttributeError, KeyError, TypeError):
        return snapshot.named(value, UNKNOWN)
    name = snapshot.named(value, f"_keras.Model({inputs}, {outputs}, name={value.name!r})")
    _compile(snapshot, name, value)
    return name


def _nodes(model: Any) -> Iterator[Any]:
    """Yield the calls of a functional model in their order."""
    by_depth = model._nodes_by_depth
    for depth in sorted(by_depth, reverse=True):
        yield from (node for node in by_depth[depth] if not node.is_input)


def _call(snapshot: Snapshot, node: Any, tensors: dict[int, str], depth: int) -> None:
    """Add the call of a layer; of any other operation, its results."""
    results = list(node.output_tensors)
    if known.is_a(node.operation, known.LAYER):
        made = layer(snapshot, node.operation, depth + 1)
        args = [_structure(arg, tensors) for arg in node.arguments.args]
        args += [f"{name}={_structure(arg, tensors)}" for name, arg in node.arguments.kwargs.items() if arg is not None]
        called = f"{made}({', '.join(args)})"
    else:
        sources = ", ".join(tensors[id(tensor)] for tensor in node.input_tensors)
        shapes = ", ".join(f"({tuple(tensor.shape)!r}, {tensor.dtype!r})" for tensor in results)
        called = f"_live.computed(({shapes},), ({sources},))"
    names = [f"_live_t{len(tensors) + at}" for at in range(len(results))]
    tensors.update((id(tensor), name) for tensor, name in zip(results, names, strict=True))
    snapshot.lines.append(f"{', '.join(names)} = {called}")


def _structure(value: Any, tensors: dict[int, str]) -> str:
    """Return tensors, and lists, tuples and dicts of them; raises KeyError for a tensor of another model."""
    if id(value) in tensors:
        return tensors[id(value)]
    if type(value) in _PLAIN:
        return repr(value)
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key!r}: {_structure(held, tensors)}' for key, held in value.items())}}}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_structure(held, tensors) for held in value)}]"
    if known.type_name(value) == "keras.src.backend.common.keras_tensor.KerasTensor":
        raise KeyError(value)
    return UNKNOWN


# --- compilation -----------------------------------------------------------------------------------------------------


def _compile(snapshot: Snapshot, name: str, model: Any) -> None:
    """Add the call of `compile` that a model has had."""
    held = known.own_attributes(model)
    if held.get("compiled") is not True:
        return
    loss = _objective(snapshot, held.get("loss"), "losses")
    metrics = known.own_attributes(held.get("_compile_metrics")).get("_user_metrics")
    measured = f", metrics={_objective(snapshot, metrics, 'metrics')}" if metrics is not None else ""
    snapshot.lines.append(f'{name}.compile(optimizer="sgd", loss={loss}{measured})')


def _objective(snapshot: Snapshot, value: Any, kind: str) -> str:
    """Return a loss or metric, or a structure of them."""
    if value is None or isinstance(value, str):
        return repr(value)
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key!r}: {_objective(snapshot, held, kind)}' for key, held in value.items())}}}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_objective(snapshot, held, kind) for held in value)}]"
    if known.is_of_library(value) and type(value).__module__.startswith(f"keras.src.{kind}"):
        config = value.get_config()
        named = dict(_parameters(type(value)))  # type: ignore[arg-type]
        given = [f"{key}={held!r}" for key, held in config.items() if key in named and type(held) in _PLAIN]
        return f"_keras.{kind}.{type(value).__name__}({', '.join(arg for arg in given if 'dtype=' not in arg)})"
    return _function(snapshot, value)
