"""What the classes of `collections` do that are written in Python."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


class MutableMapping:
    """The methods that follow from `__getitem__`, `__setitem__`, `__delitem__`, `__iter__` and `__len__`."""

    __getitem__: Any
    __setitem__: Any
    __delitem__: Any
    __iter__: Any

    def keys(self) -> Any:
        return list(self)

    def values(self) -> Any:
        return [self[key] for key in self]

    def items(self) -> Any:
        return [(key, self[key]) for key in self]

    def __contains__(self, key: Any) -> bool:
        try:
            self[key]
        except KeyError:
            return False
        return True

    def get(self, key: Any, default: Any = None) -> Any:
        return self[key] if key in self else default  # noqa: SIM401

    def pop(self, key: Any, *default: Any) -> Any:
        value = self.get(key, *default)
        if key in self:
            del self[key]
        return value

    def update(self, other: Any = (), **kwargs: Any) -> None:
        for key, value in dict(other, **kwargs).items():
            self[key] = value

    def setdefault(self, key: Any, default: Any = None) -> Any:
        if key not in self:
            self[key] = default
        return self[key]


class UserDict(MutableMapping):
    def __init__(self, initial: Any = None, **kwargs: Any) -> None:
        self.data: dict[Any, Any] = {}
        self.update(initial or {}, **kwargs)

    def __getitem__(self, key: Any) -> Any:
        if key not in self.data and hasattr(self, "__missing__"):
            return self.__missing__(key)
        return self.data[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        self.data[key] = value

    def __delitem__(self, key: Any) -> None:
        del self.data[key]

    def __len__(self) -> int:
        return len(self.data)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.data)

    def __contains__(self, key: Any) -> bool:
        return key in self.data


class UserList:
    def __init__(self, initlist: Any = None) -> None:
        self.data: list[Any] = list(initlist or [])

    def __getitem__(self, i: Any) -> Any:
        return self.__class__(self.data[i]) if isinstance(i, slice) else self.data[i]

    def __setitem__(self, i: Any, item: Any) -> None:
        self.data[i] = item

    def __delitem__(self, i: Any) -> None:
        del self.data[i]

    def __len__(self) -> int:
        return len(self.data)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.data)

    def __contains__(self, item: Any) -> bool:
        return item in self.data

    def __add__(self, other: Any) -> Any:
        return self.__class__(self.data + list(other))

    def append(self, item: Any) -> None:
        self.data.append(item)

    def extend(self, other: Any) -> None:
        self.data.extend(other)

    def insert(self, i: int, item: Any) -> None:
        self.data.insert(i, item)

    def pop(self, i: int = -1) -> Any:
        return self.data.pop(i)
