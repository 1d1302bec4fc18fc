"""Writes shapecheck/models/public_names.json: the public names of the libraries under each modelled namespace.

Run by `make docs`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.support import generated
from tests.support.generate_signatures import resolve

TARGET = Path(__file__).resolve().parents[2] / "shapecheck" / "models" / "public_names.json"
NAMESPACES = (
    *("tf", "tf.math", "tf.nn", "tf.linalg", "tf.image", "tf.signal", "tf.random", "tf.strings", "tf.sparse"),
    *("tf.ragged", "tf.data.Dataset", "tf.TensorArray", "tf.Variable"),
    *("tf.compat.v1", "tf.compat.v1.layers", "tf.compat.v1.losses", "tf.compat.v1.metrics", "tf.compat.v1.nn"),
    *("tf.compat.v1.nn.rnn_cell", "tf.compat.v1.image"),
    *(
        "keras.layers",
        "keras.ops",
        "keras.ops.image",
        "keras.backend",
        "keras.losses",
        "keras.metrics",
        "keras.applications",
    ),
    *("keras.datasets", "keras.utils", "keras.preprocessing", "keras.activations", "keras.random"),
    *("np", "np.ndarray", "np.linalg", "np.fft", "np.random"),
)
OLD = {"keras.backend": "tf_keras", "keras.preprocessing": "tf_keras"}  # what Keras 2 had more of


def public(namespace: str) -> list[str]:
    """Return the functions, classes, methods and properties of a namespace."""
    owner = resolve(namespace, OLD.get(namespace, "keras"))
    return sorted(_offered(owner, deep=namespace in ("keras.applications", "keras.datasets", "keras.preprocessing")))


def _offered(owner: Any, deep: bool, prefix: str = "") -> Iterator[str]:
    for name in dir(owner):
        if name.startswith("_"):
            continue
        thing = getattr(owner, name, None)
        if isinstance(thing, ModuleType):
            if deep:
                yield from _offered(thing, deep, f"{prefix}{name}.")
        elif isinstance(owner, type) or _is_offer(thing):
            yield prefix + name


def _is_offer(thing: Any) -> bool:
    """Return whether an object is a function or a class, but no dtype, exception or constant."""
    import numpy as np

    if isinstance(thing, type):
        return not issubclass(thing, (BaseException, np.generic))
    return callable(thing)


def files() -> dict[Path, str]:
    """Return the text of the table."""
    lines = [f"{json.dumps(namespace)}: {json.dumps(public(namespace))}" for namespace in NAMESPACES]
    return {TARGET: "{\n" + ",\n".join(lines) + "\n}\n"}


if __name__ == "__main__":
    generated.main(files, {"TF_USE_LEGACY_KERAS": "1"})  # tf.compat.v1.layers needs Keras 2
