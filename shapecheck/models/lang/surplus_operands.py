"""Calls with more arguments than the function has parameters: most often, arrays that should be in one list."""

from __future__ import annotations

from collections.abc import Container, Sequence

from shapecheck.domain.values import Tensor, Value
from shapecheck.models.lang.bind import real_parameters
from shapecheck.models.lang.context import Target

ROOTS = ("np.", "jax.numpy.")
METHODS = ("np.ndarray.", "np.random.RandomState.", "np.random.Generator.")


def may_be_surplus(name: str, args: Sequence[Value]) -> bool:
    """Return whether the last argument by position is an array that may belong to a list."""
    is_function = name.startswith(ROOTS) and not name.startswith(METHODS)
    return is_function and bool(args) and isinstance(args[-1], Tensor)


def surplus(name: str, args: Sequence[Value], keywords: Container[str]) -> str | None:
    """Return what is wrong if an array is given beyond the parameters that any version of a function has, or for one
    that is given by name as well."""
    if not may_be_surplus(name, args):
        return None
    lists = [real_parameters(name, target) for target in (Target(), Target(numpy=1))]
    if any(names is None or any(each.startswith("*") for each in names) for names in lists):
        return None
    last = names[len(args) - 1] if (names := lists[0]) and len(args) <= len(names) else ""
    if last in keywords:
        return f"{last} is given twice: the last argument by position is taken for it, too"
    most = max(len(names or ()) for names in lists)
    if len(args) <= most:
        return None
    return f"{len(args)} arguments are given, and there {'is one parameter' if most == 1 else f'are {most} parameters'}"
