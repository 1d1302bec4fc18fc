"""The real Keras in a child process: the results of layers for inputs of given shapes.

Started as a module, this file is the child.
"""

from __future__ import annotations

from typing import Any

from tests.support.child import serve
from tests.support.options import options


def answer(request: dict[str, Any], keras: Any, tf: Any) -> Any:
    """Return the library's answer to one request."""
    if "fit" in request:
        return fit(request, keras)
    if not hasattr(keras.layers, request["layer"]["name"]):
        return "missing"
    keras.backend.clear_session()
    layer = build(request["layer"], keras)
    results = []
    for shapes in request["calls"]:
        make = tensor_maker(request, keras, tf)
        inputs = [make(shape) for shape in shapes]
        keywords = {key: make(shape) for key, shape in request.get("keywords", {}).items()}
        positional = [inputs] if request.get("listed") else inputs
        results.append(layer(*positional, **keywords))
    return results


def told(results: Any) -> dict[str, Any]:
    """Return the shapes of the results, and the dtypes of all in a row."""
    if not isinstance(results, list):
        return {"shapes": results}
    return {"shapes": [shapes_of(result) for result in results], "dtypes": [dtypes_of(result) for result in results]}


def dtypes_of(result: Any) -> list[str]:
    if isinstance(result, (list, tuple)):
        return [dtype for item in result for dtype in dtypes_of(item)]
    return [str(getattr(result.dtype, "name", result.dtype))]


def offered(name: str, keras: Any) -> dict[str, list[Any]]:
    """By option of a layer's constructor, what may be given for it."""
    layer = getattr(keras.layers, name, None)
    return {} if layer is None else {**options(layer), "dtype": ["float64", "mixed_float16", "float16"]}


def fit(request: dict[str, Any], keras: Any) -> Any:
    """Train a small classifier for one step; return whether data, targets and loss fit together."""
    import numpy as np

    start = keras.Input(tuple(request["input"]))
    hidden = keras.layers.Flatten()(start) if len(request["input"]) > 1 and request["flat"] else start
    model = keras.Model(start, keras.layers.Dense(request["units"], activation="softmax")(hidden))
    model.compile("sgd", request["fit"])
    model.fit(np.zeros(request["x"], "float32"), np.zeros(request["y"], "float32"), verbose=0, batch_size=4)
    return []


def build(layer: dict[str, Any], keras: Any) -> Any:
    """Return a layer from its description; arguments that are descriptions are layers too."""
    arguments = {name: thaw(value, keras) for name, value in layer["arguments"].items()}
    return getattr(keras.layers, layer["name"])(**arguments)


def thaw(value: Any, keras: Any) -> Any:
    if isinstance(value, dict):
        return build(value, keras)
    return tuple(thaw(item, keras) for item in value) if isinstance(value, list) else value


def tensor_maker(request: dict[str, Any], keras: Any, tf: Any) -> Any:
    dtype = request.get("dtype", "float32")
    if request.get("symbolic"):
        return lambda shape: keras.Input(batch_shape=tuple(shape), dtype=dtype)
    return lambda shape: tf.zeros(shape, dtype)


def shapes_of(result: Any) -> Any:
    if isinstance(result, (list, tuple)):
        return [shapes_of(item) for item in result]
    return result.shape.as_list() if hasattr(result.shape, "as_list") else list(result.shape)


def flat(shapes: Any) -> list[list[int | None]]:
    """Return the shapes of nested results in a row."""
    if shapes and all(isinstance(item, list) for item in shapes):
        return [shape for item in shapes for shape in flat(item)]
    return [shapes]


def main() -> None:
    import gc

    import tensorflow as tf

    gc.freeze()  # each new session collects garbage, and would look through all of TensorFlow
    serve(lambda request: reply(request, tf.keras, tf))


def reply(request: dict[str, Any], keras: Any, tf: Any) -> dict[str, Any]:
    if "options" in request:
        return {"options": offered(request["options"], keras)}
    return told(answer(request, keras, tf))


if __name__ == "__main__":
    main()
