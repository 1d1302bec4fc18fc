"""What `ml_collections.config_dict` does: configurations whose items are attributes, too."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class FieldReference:
    def __init__(self, default: Any, field_type: Any = None) -> None:
        self.value = default

    def get(self) -> Any:
        return self.value

    def set(self, value: Any) -> None:
        self.value = value


def placeholder(field_type: Any, required: bool = False) -> Any:
    return json.loads("what the user of the configuration gives")


class ConfigDict:
    def __init__(self, initial_dictionary: Any = None, **options: Any) -> None:
        object.__setattr__(self, "_fields", {})
        self.update(initial_dictionary or {})

    def __setitem__(self, key: str, value: Any) -> None:
        self._fields[key] = ConfigDict(value) if isinstance(value, dict) else value

    def __getitem__(self, key: str) -> Any:
        value = self._fields[key]
        return value.get() if isinstance(value, FieldReference) else value

    def __setattr__(self, attribute: str, value: Any) -> None:
        self[attribute] = value

    def __getattr__(self, attribute: str) -> Any:
        return self[attribute]

    def __delitem__(self, key: str) -> None:
        del self._fields[key]

    def __delattr__(self, attribute: str) -> None:
        del self[attribute]

    def __contains__(self, key: str) -> bool:
        return key in self._fields

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def get(self, key: str, default: Any = None) -> Any:
        return self[key] if key in self._fields else default

    def get_ref(self, key: str) -> Any:
        return self[key]

    get_oneway_ref = get_ref

    def keys(self) -> list[str]:
        return list(self._fields)

    def values(self) -> list[Any]:
        return [self[key] for key in self._fields]

    def items(self) -> list[tuple[str, Any]]:
        return [(key, self[key]) for key in self._fields]

    def update(self, *other: Any, **kwargs: Any) -> None:
        for mapping in (*other, kwargs):
            for key, value in mapping.items():
                if key in self._fields and isinstance(self._fields[key], ConfigDict):
                    self._fields[key].update(value)
                else:
                    self[key] = value

    def update_from_flattened_dict(self, flattened_dict: Any, strip_prefix: str = "") -> None:
        for key in self._fields:
            self._fields[key] = json.loads("what a flag may have changed")

    def to_dict(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        return {key: value.to_dict() if isinstance(value, ConfigDict) else value for key, value in self.items()}

    def copy_and_resolve_references(self, *args: Any, **kwargs: Any) -> Any:
        return copy.deepcopy(self)

    def lock(self) -> Any:
        return self

    def unlock(self) -> Any:
        return self

    @contextmanager
    def unlocked(self) -> Iterator[Any]:
        yield self

    @contextmanager
    def ignore_type(self) -> Iterator[Any]:
        yield self


class FrozenConfigDict(ConfigDict):
    pass


def create(**kwargs: Any) -> ConfigDict:
    return ConfigDict(kwargs)
