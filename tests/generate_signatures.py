"""Writes shapecheck/models/signatures.json: the real parameter lists of every modelled name.

Run by `make docs`.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import sys
from pathlib import Path
from typing import Any

from child import QUIET

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "shapecheck" / "models" / "signatures.json"
KINDS = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
METHOD_OWNERS = {"np.ndarray": "numpy.ndarray", "tf.Tensor": "tensorflow.Tensor", "tf.Variable": "tensorflow.Variable"}


def resolve(name: str, keras: str = "keras") -> Any:
    """The object that a canonical name stands for, or None if the installed libraries have no such name."""
    root, _, rest = name.partition(".")
    module = {"np": "numpy", "tf": "tensorflow", "keras": keras, "scipy": "scipy"}.get(root)
    if module is None:
        return None
    found = importlib.import_module(module)
    for part in rest.split(".") if rest else ():
        try:
            found = getattr(found, part)
        except (AttributeError, ImportError, ModuleNotFoundError):
            return None
    return found


def parameters(thing: Any) -> list[str] | None:
    """The parameter names, with stars; None where the library does not tell."""
    try:
        found = inspect.signature(thing)
    except (TypeError, ValueError):
        return None
    names = [KINDS.get(parameter.kind, "") + name for name, parameter in found.parameters.items()]
    return names if names not in ([], ["*args", "**kwargs"], ["self", "*args", "**kwargs"]) else None


def layer(name: str) -> list[str] | None:
    """The parameters of a layer as Keras 2 and Keras 3 have them in common; `_4` is one on which they differ."""
    found = [listed for library in ("tf_keras", "keras") if (listed := parameters(resolve(name, library)))]
    plain = [[each for each in listed if not each.startswith("*")] for listed in found]
    if not plain:
        return None
    merged = [f"_{at}" if len(set(names)) > 1 else names[0] for at, names in enumerate(zip(*plain, strict=False))]
    return [*merged, *max(plain, key=len)[len(merged) :], "**kwargs"]


def table(names: list[str]) -> dict[str, list[str]]:
    """The lists of all names, and of their TensorFlow 1 versions."""
    found: dict[str, list[str]] = {}
    for name in names:
        candidates = [name]
        if name.startswith("tf.") and not name.startswith("tf.compat."):
            candidates.append("tf.compat.v1." + name[3:])
        for candidate in candidates:
            thing = resolve(candidate)
            listed = parameters(thing) if callable(thing) else None
            if listed is not None and not (candidate != name and found.get(name) == listed):
                found[candidate] = listed
    return found


def main() -> None:
    sys.path.insert(0, str(ROOT))
    os.environ.update(QUIET)
    from shapecheck.models.lang.op import REGISTRY, load
    from shapecheck.models.layers.keras import LAYERS

    load()
    names = [name for name, model in REGISTRY.items() if model.definition.form in ("op", "layer")]
    layers = {name: listed for name in LAYERS if (listed := layer(name))}
    listed = dict(sorted((table(names) | layers).items()))
    lines = [f"{json.dumps(name)}: {json.dumps(parameters)}" for name, parameters in listed.items()]
    TARGET.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
