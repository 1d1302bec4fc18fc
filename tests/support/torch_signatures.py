"""The parameter lists of PyTorch's functions, methods and modules, printed as JSON by a Python that has PyTorch.

Compiled functions have no signature; their documentation begins with one, or with several, of which the longest counts.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from importlib import import_module
from typing import Any


def parameters(found: Any, name: str) -> list[str] | None:
    """Return the parameters of a function, None if they are not known or any number may follow."""
    try:
        told = list(inspect.signature(found).parameters.values())
    except (ValueError, TypeError):
        return _documented(inspect.getdoc(found) or "", name.rsplit(".", 1)[-1])
    if any(one.kind is one.VAR_POSITIONAL for one in told):
        return _documented(inspect.getdoc(found) or "", name.rsplit(".", 1)[-1])
    return [one.name for one in told if one.kind is not one.VAR_KEYWORD]


def _documented(text: str, name: str) -> list[str] | None:
    begin = rf"^\s*(?:\.\. (?:function|method):: )?(?:torch\.)?{re.escape(name)}"
    lists = [_names(inside) for inside in re.findall(rf"{begin}\((.*?)\)", text, re.MULTILINE)]
    known = [names for names in lists if names is not None]
    return max(known, key=len, default=None) if len(known) == len(lists) else None


def _names(inside: str) -> list[str] | None:
    words = [word.strip() for word in re.sub(r"\([^)]*\)?|\[[^\]]*\]", "", inside).split(",")]
    names = [word.split("=")[0].split(":")[0].strip() for word in words if word and word not in ("*", "/", "\\*")]
    return None if any(not name.isidentifier() for name in names) else names


def lookup(path: str) -> Any:
    """Return the object of a name; raise AttributeError if there is none."""
    found: Any = import_module("torch")
    for part in path.split(".")[1:]:
        found = getattr(found, part)
    return found


def table(names: list[str]) -> dict[str, list[str]]:
    """Return the parameters of names that have some."""
    found: dict[str, list[str]] = {}
    for name in names:
        try:
            thing = lookup(name)
        except AttributeError:
            continue
        is_class = inspect.isclass(thing)
        known = parameters(thing.__init__ if is_class else thing, name)
        if known is None:
            continue
        if name.startswith("torch.Tensor."):
            known = ["input", *(one for one in known if one not in ("self", "input"))]
        found[name] = [one for one in known if one != "self"]
    return found


if __name__ == "__main__":
    print(json.dumps(table(sys.stdin.read().split()), indent=None))
