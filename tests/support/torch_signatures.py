"""The parameter lists of PyTorch's functions, methods and modules.

Compiled functions have no signature; their documentation begins with one, or with several, of which the longest counts.
"""

from __future__ import annotations

import inspect
import re
from typing import Any


def parameters(found: Any, name: str) -> list[str] | None:
    """Return the parameters of a function or class, without itself; None if they are not known or any number may
    follow.
    """
    known = _known(found.__init__ if inspect.isclass(found) else found, name)
    if known is None:
        return None
    own = [one for one in known if one != "self"]
    return ["input", *(one for one in own if one != "input")] if name.startswith("torch.Tensor.") else own


def _known(found: Any, name: str) -> list[str] | None:
    try:
        told = list(inspect.signature(found).parameters.values())
    except (ValueError, TypeError):
        told = []
    if not told or any(one.kind is one.VAR_POSITIONAL for one in told):
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
