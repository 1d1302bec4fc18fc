"""Writes shapecheck/models/public_names.json: the public names of the libraries under each modelled namespace.

Run by `make docs`. With `packs`, the tables of those that have an environment of their own are written; in the
environment this file is a child that prints its names.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.support import generated
from tests.support.child import serve
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


OF_PACKS = {
    "shapecheck.models.torch": (
        *("torch", "torch.nn", "torch.nn.functional", "torch.linalg", "torch.fft", "torch.special", "torch.Tensor"),
        *("torch.nn.init", "torch.distributions", "torch.optim", "torch.utils.data"),
    ),
    "shapecheck.models.jax": (
        *("jax", "jax.numpy", "jax.numpy.linalg", "jax.numpy.fft", "jax.lax", "jax.nn", "jax.nn.initializers"),
        *("jax.random", "jax.scipy.special", "jax.scipy.linalg", "jax.scipy.signal", "jax.ops", "jax.tree"),
        *("jax.tree_util", "jax.Array", "flax.linen", "flax.nnx", "optax", "optax.losses"),
    ),
}


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
    return {TARGET: text({namespace: public(namespace) for namespace in NAMESPACES})}


def documented(namespace: str) -> list[str]:
    """Return the names of a namespace that have a documentation: of compiled modules, others are no one's to call."""
    owner = resolve(namespace)
    listed = getattr(owner, "__all__", None) if not isinstance(owner, type) else None
    names = [name for name in listed or dir(owner) if not name.startswith("_")]
    return sorted(name for name in names if _is_documented(owner, getattr(owner, name, None)))


def _is_documented(owner: Any, thing: Any) -> bool:
    """Return whether an attribute is one that programs call; classes of numbers and exceptions are not."""
    if isinstance(thing, ModuleType) or not (isinstance(owner, type) or callable(thing)):
        return False
    if isinstance(thing, type) and issubclass(thing, BaseException):
        return False
    is_own = getattr(thing, "__module__", None) not in (
        "typing",
        "typing_extensions",
        "collections.abc",
        "types",
        "enum",
    )
    return is_own and bool(inspect.getdoc(thing))


def of_packs() -> dict[Path, str]:
    """Return the tables of the packs whose environment is there."""
    from tests.support.child import Child
    from tests.support.environments import PACKS, ROOT

    made = {}
    for environment in filter(lambda each: each.is_there, PACKS):
        child = Child("tests.support.generate_public_names", "child", python=environment.python)
        spaces = child.ask(OF_PACKS[environment.package])
        child.stop()
        made[ROOT.joinpath(*environment.package.split("."), "public_names.json")] = text(spaces)
    return made


def text(spaces: dict[str, list[str]]) -> str:
    return "{\n" + ",\n".join(f"{json.dumps(space)}: {json.dumps(names)}" for space, names in spaces.items()) + "\n}\n"


if __name__ == "__main__":
    if sys.argv[1:] == ["child"]:
        serve(lambda spaces: {space: documented(space) for space in spaces})
    elif sys.argv[1:] == ["packs"]:
        generated.main(of_packs)
        sys.exit()
    generated.main(files, {"TF_USE_LEGACY_KERAS": "1"})  # tf.compat.v1.layers needs Keras 2
