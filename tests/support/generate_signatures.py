"""Writes into shapecheck/models/parameters.txt what the present versions call the parameters of every modelled name,
and older_signatures.json, the lists of older versions where they differ.

Run by `make docs`; in an older environment this file is a child that prints its lists.
"""

from __future__ import annotations

import importlib
import inspect
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.support import torch_signatures
from tests.support.child import Child, serve

if TYPE_CHECKING:
    from tests.support.environments import Environment

ROOT = Path(__file__).resolve().parents[2]
PARTS = {"tensorflow 1.15": "tf.", "tensorflow 2.15": "tf.", "keras 2.15": "keras.", "numpy 1.26": "np."}
OLDER = ROOT / "shapecheck" / "models" / "older_signatures.json"
SAME = ("scipy", "jax", "flax", "optax", "haiku", "equinox", "torch", "torchvision")
"""Libraries whose canonical names begin with their own."""
KINDS = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}


def resolve(name: str, keras: str = "keras") -> Any:
    """Return the object that a canonical name stands for, or None if the installed libraries have no such name."""
    root, _, rest = name.partition(".")
    found = library({"np": "numpy", "tf": "tensorflow", "keras": keras, **dict.fromkeys(SAME, root)}.get(root, ""))
    names = [root]
    for part in rest.split(".") if rest else ():
        names.append(part)
        try:
            found = getattr(found, part) if hasattr(found, part) else importlib.import_module(".".join(names))
        except (AttributeError, ImportError, ModuleNotFoundError):
            return None
    return found


def library(module: str) -> Any:
    """Return a library, or None if it is not installed; old Keras came with TensorFlow only."""
    try:
        return importlib.import_module(module) if module else None
    except ImportError:
        return importlib.import_module("tensorflow").keras if module == "keras" else None


def parameters(thing: Any) -> list[str] | None:
    """Return the parameter names, with stars; None if the library does not reveal them."""
    try:
        found = inspect.signature(thing)
    except (TypeError, ValueError):
        return None
    names = [KINDS.get(parameter.kind, "") + name for name, parameter in found.parameters.items()]
    names = [name for name in names if name != "_sentinel"]  # which refuses what is not named
    return names if names not in ([], ["*args", "**kwargs"], ["self", "*args", "**kwargs"]) else None


def layer(name: str) -> list[str] | None:
    """Return the common parameters of a layer of Keras 2 and Keras 3; `_4` is one on which they differ."""
    lists = (parameters(resolve(name, library)) for library in ("tf_keras", "keras"))
    found = [listed for listed in lists if listed]
    plain = [[each for each in listed if not each.startswith("*")] for listed in found]
    if not plain:
        return None
    merged = [f"_{at}" if len(set(names)) > 1 else names[0] for at, names in enumerate(zip(*plain, strict=False))]
    return [*merged, *max(plain, key=len)[len(merged) :], "**kwargs"]


def table(names: list[str]) -> dict[str, list[str]]:
    """Return the lists of all names, and of their TensorFlow 1 versions."""
    found: dict[str, list[str]] = {}
    for name in names:
        candidates = [name]
        if name.startswith("tf.") and not name.startswith("tf.compat."):
            candidates.append("tf.compat.v1." + name[3:])
        for candidate in candidates:
            listed = told(candidate)
            if listed is not None and not (candidate != name and found.get(name) == listed):
                found[candidate] = listed
    return found


def told(name: str) -> list[str] | None:
    """Return the parameters of the library's function or class of a name."""
    thing = resolve(name)
    if name.startswith("torch.") and thing is not None:
        return torch_signatures.parameters(thing, name)
    if name.startswith("flax.") and isinstance(thing, type) and not parameters(thing):  # made by a metaclass
        return (parameters(thing.__init__) or [])[1:] or None
    return parameters(thing) if callable(thing) else None


def older(names: list[str], newest: dict[str, list[str]], kept: dict[str, Any]) -> dict[str, Any]:
    """Return, by version, the lists that differ from the newest by more than appended parameters; those of versions
    that are not installed are kept."""
    from tests.support.environments import OLD

    found = {}
    for environment in OLD:
        if not environment.is_there:
            print(f"{environment.name} is not there, its lists are kept: make diff")
            for section in environment.sections:
                found[section] = {name: told for name, told in kept.get(section, {}).items() if name in names}
            continue
        child = Child("tests.support.generate_signatures", "child", python=environment.python)
        lists = child.ask(names)
        child.stop()
        for section in environment.sections:
            found[section] = {
                name: listed
                for name, listed in sorted(lists.items())
                if name.startswith(PARTS[section]) and differs(listed, newest_of(name, section, newest))
            }
    return found


def newest_of(name: str, section: str, newest: dict[str, list[str]]) -> list[str] | None:
    first = newest.get("tf.compat.v1." + name[3:]) if section == "tensorflow 1.15" else None
    return first or newest.get(name)


def differs(old: list[str], new: list[str] | None) -> bool:
    return new is None or old != new[: len(old)]


def text(lists: dict[str, list[str]]) -> str:
    """Return the table with a list in each line."""
    return "{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(listed)}" for name, listed in lists.items()) + "\n}"


def files() -> dict[Path, str]:
    """Return the texts of both tables."""
    from shapecheck.models.lang.registry import REGISTRY, load
    from shapecheck.models.layers.base_layer import LAYERS
    from tests.support import parameter_texts

    load()
    names = [name for name, model in REGISTRY.items() if model.definition.form in ("op", "layer")]
    layers = {name: listed for name in LAYERS for listed in [layer(name)] if listed}
    newest = dict(sorted({**table(names), **layers}.items()))
    kept = json.loads(OLDER.read_text()) if OLDER.is_file() else {}
    sections = older(sorted({*names, *LAYERS}), newest, kept)
    parts = [f"{json.dumps(name)}: {text(lists)}" for name, lists in sections.items()]
    return {
        parameter_texts.place(): parameter_texts.text(parameter_texts.accepted_now(), newest),
        OLDER: "{\n" + ",\n".join(parts) + "\n}\n",
    }


def of_pack(environment: Environment) -> dict[str, list[str]]:
    """Return the lists of a pack, as its library is installed in its environment."""
    from shapecheck.models.lang.packs import package_of
    from shapecheck.models.lang.registry import REGISTRY, load

    load(environment.package)
    names = sorted(name for name in REGISTRY if package_of(name) == environment.package)
    child = Child("tests.support.generate_signatures", "child", python=environment.python)
    lists = {name: listed for name, listed in child.ask(names).items() if listed[0] != "*args"}
    child.stop()
    return lists


if __name__ == "__main__":
    if sys.argv[1:] == ["child"]:
        serve(lambda names: {name: listed for name in names for listed in [told(name)] if listed})
    else:
        from tests.support import generated

        generated.main(files)
