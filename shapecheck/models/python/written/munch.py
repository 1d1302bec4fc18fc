"""What `munch` does: dicts whose items are attributes, too."""

from __future__ import annotations

from typing import Any


class Munch(dict[str, Any]):
    __setattr__ = dict.__setitem__
    __delattr__ = dict.__delitem__

    def __getattr__(self, key: str) -> Any:
        return self[key]

    def toDict(self) -> Any:  # noqa: N802
        return unmunchify(self)

    @classmethod
    def fromDict(cls, d: Any) -> Any:  # noqa: N802
        return munchify(d)


class DefaultMunch(Munch):
    def __init__(self, default: Any = None, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        object.__setattr__(self, "_default", default)

    def __getattr__(self, key: str) -> Any:
        return self[key] if key in self else object.__getattribute__(self, "_default")


def munchify(x: Any) -> Any:
    if isinstance(x, dict):
        return Munch({key: munchify(value) for key, value in x.items()})
    if isinstance(x, (list, tuple)):
        return type(x)([munchify(each) for each in x])
    return x


def unmunchify(x: Any) -> Any:
    if isinstance(x, dict):
        return {key: unmunchify(value) for key, value in x.items()}
    if isinstance(x, (list, tuple)):
        return type(x)([unmunchify(each) for each in x])
    return x


Bunch, bunchify, unbunchify = Munch, munchify, unmunchify
