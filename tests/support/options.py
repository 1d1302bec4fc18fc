"""The options of a library function, and possible arguments for them, from its parameter list, its defaults and its
documentation. Part of the child's side of `oracle`."""

from __future__ import annotations

import inspect
import re
from typing import Any

QUOTED = re.compile(r"""["'`]([A-Za-z][\w-]{0,23})["'`]""")
DTYPES = ["float64", "float16", "int64", "int32", "complex128"]
NO_SAY = frozenset(  # which change no shape, or are models' own business
    """name out order subok like casting signature where initial mean seed rng random_state grad_a grad_b device
    object_hook parallel_iterations back_prop swap_memory use_locking validate_indices container shared_name ctx
    _sentinel layer_name collections caching_device custom_getter partitioner reuse trainable kwargs args""".split()
)


def options(function: Any) -> dict[str, list[Any]]:
    """Return, by parameter, possible arguments other than the default; none for those without a default."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return {}
    said = inspect.getdoc(function) or ""
    found = {p.name: given(p, described(p.name, said)) for p in parameters if p.default is not p.empty}
    return {name: values for name, values in found.items() if values and name not in NO_SAY}


def described(name: str, said: str) -> str:
    """Return the documentation of a parameter: its own paragraph, up to the start of the next one."""
    found = re.search(rf"^(\s*)\W{{0,4}}{re.escape(name)}\W{{0,4}}\s*:(.*(?:\n(?:\1\s+.*)?)*)", said, re.MULTILINE)
    return found[2] if found else ""


def given(parameter: inspect.Parameter, said: str) -> list[Any]:
    """Return arguments of the same kind as the default, or that the documentation mentions."""
    match parameter.default:
        case bool(usual):
            return [not usual]
        case int(usual):
            return [each for each in (0, 1, 2, -1) if each != usual]
        case float(usual):
            return [each for each in (0.5, 2.0) if each != usual]
        case str(usual):
            return [word for word in dict.fromkeys(QUOTED.findall(said)) if word != usual]
        case None:
            return unset(parameter.name, said)
    if type(parameter.default).__name__ == "_NoValueType":
        return unset(parameter.name, said)
    return DTYPES if "dtype" in type(parameter.default).__name__.lower() else []


def unset(name: str, said: str) -> list[Any]:
    """Return arguments for an option that is None, by its name and documentation."""
    if "dtype" in name or name in ("out_type", "out_idx", "output_type", "index_type"):
        return DTYPES
    if "axis" in name or name in ("axes", "dim"):
        return [0, 1, -1, [0, 1]]
    if name in ("prepend", "append", "to_begin", "to_end"):
        return [0.0, {"t": "like", "k": "float"}]
    kinds: list[tuple[str, list[Any]]] = [
        (r"\bbool", [True]),
        (r"\bint\b|integer|number of", [1, 2]),
        (r"\bfloat\b", [0.5]),
        (r"array|[tT]ensor|sequence", [{"t": "like", "k": "float"}, {"t": [], "k": "float"}]),
    ]
    found = next((values for words, values in kinds if re.search(words, said[:120])), [])
    return [*found, *dict.fromkeys(QUOTED.findall(said))]
