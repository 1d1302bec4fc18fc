"""The real Keras in a child process: what a layer does with inputs of given shapes.

Run as a script it answers requests, one JSON object a line; `Oracle` is the other end of the pipe.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Oracle:
    """A child that is started when first asked, and again after a crash."""

    legacy: bool = False
    child: subprocess.Popen[str] | None = field(default=None, repr=False)

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """{"shapes": …}, {"error": …} or {"crash": …}."""
        child = self.child or self._start()
        assert child.stdin and child.stdout
        try:
            child.stdin.write(json.dumps(request) + "\n")
            child.stdin.flush()
            line = child.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            self.child = None
            return {"crash": child.wait()}
        return json.loads(line)  # type: ignore[no-any-return]

    def _start(self) -> subprocess.Popen[str]:
        quiet = {"TF_CPP_MIN_LOG_LEVEL": "3", "TF_ENABLE_ONEDNN_OPTS": "0", "CUDA_VISIBLE_DEVICES": ""}
        arguments = [sys.executable, __file__, "legacy" if self.legacy else "keras"]
        self.child = subprocess.Popen(
            arguments, stdin=-1, stdout=-1, stderr=subprocess.DEVNULL, text=True, env={**os.environ, **quiet}
        )
        return self.child

    def close(self) -> None:
        if self.child:
            self.child.terminate()
            self.child.wait()


def answer(request: dict[str, Any], keras: Any, tf: Any) -> Any:
    """What the library makes of one request."""
    if "fit" in request:
        return fit(request, keras)
    layer = build(request["layer"], keras)
    results = []
    for shapes in request["calls"]:
        make = tensor_maker(request, keras, tf)
        inputs = [make(shape) for shape in shapes]
        keywords = {key: make(shape) for key, shape in request.get("keywords", {}).items()}
        positional = [inputs] if request.get("listed") else inputs
        results.append(shapes_of(layer(*positional, **keywords)))
    return results


def fit(request: dict[str, Any], keras: Any) -> Any:
    """Trains a small classifier for one step: whether data, targets and loss go together."""
    import numpy as np

    start = keras.Input(tuple(request["input"]))
    hidden = keras.layers.Flatten()(start) if len(request["input"]) > 1 and request["flat"] else start
    model = keras.Model(start, keras.layers.Dense(request["units"], activation="softmax")(hidden))
    model.compile("sgd", request["fit"])
    model.fit(np.zeros(request["x"], "float32"), np.zeros(request["y"], "float32"), verbose=0, batch_size=4)
    return []


def build(layer: dict[str, Any], keras: Any) -> Any:
    """A layer from its description; arguments that are descriptions are layers too."""
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
    return list(result.shape)


def flat(shapes: Any) -> list[list[int | None]]:
    """The shapes of nested results in a row."""
    if shapes and all(isinstance(item, list) for item in shapes):
        return [shape for item in shapes for shape in flat(item)]
    return [shapes]


def main(arguments: Sequence[str]) -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    import tensorflow as tf

    keras = __import__("tf_keras") if "legacy" in arguments else __import__("keras")
    for line in sys.stdin:
        try:
            reply = {"shapes": answer(json.loads(line), keras, tf)}
        except Exception as error:
            reply = {"error": f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"}
        answers.write(json.dumps(reply) + "\n")
        answers.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
