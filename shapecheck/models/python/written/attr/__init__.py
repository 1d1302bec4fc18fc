"""What `attr` does: its classes are data classes whose fields may have no annotation."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import asdict
from dataclasses import replace as evolve
from typing import Any

from . import converters, setters, validators


class Nothing:
    pass


NOTHING = Nothing()


class Factory:
    def __init__(self, factory: Callable[[], Any], takes_self: bool = False) -> None:
        self.factory = factory
        self.takes_self = takes_self


def ib(default: Any = NOTHING, validator: Any = None, *others: Any, **options: Any) -> Any:
    told = {name: options[name] for name in ("init", "converter") if name in options}
    factory = options.get("factory")
    if isinstance(default, Factory):
        factory = _of_unknown if default.takes_self else default.factory
    if factory is not None:
        return dataclasses.field(default_factory=factory, **told)
    return dataclasses.field(**told) if default is NOTHING else dataclasses.field(default=default, **told)


def _of_unknown() -> Any:
    return eval("a value that depends on the other fields")


def field(**options: Any) -> Any:
    return ib(**options)


def s(maybe_cls: Any = None, *others: Any, **options: Any) -> Any:
    return dataclasses.dataclass if maybe_cls is None else dataclasses.dataclass(maybe_cls)


attrib = attr = ib
attrs = attributes = dataclass = define = mutable = frozen = s

__all__ = [
    "NOTHING",
    "Factory",
    "asdict",
    "attr",
    "attrib",
    "attributes",
    "attrs",
    "converters",
    "dataclass",
    "define",
    "evolve",
    "field",
    "frozen",
    "ib",
    "mutable",
    "s",
    "setters",
    "validators",
]
