"""What `addict` does: dicts whose items are attributes, too, and which make dicts for missing ones."""

from __future__ import annotations

from typing import Any


class Dict(dict[str, Any]):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        self.update(*args, **kwargs)

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def __getattr__(self, item: str) -> Any:
        return self[item]

    def __missing__(self, name: str) -> Any:
        self[name] = Dict()
        return self[name]

    def update(self, *args: Any, **kwargs: Any) -> None:
        for key, value in dict(*args, **kwargs).items():
            self[key] = _nested(value)

    def to_dict(self) -> dict[str, Any]:
        return {key: value.to_dict() if isinstance(value, Dict) else value for key, value in self.items()}


def _nested(value: Any) -> Any:
    """Return a value with the dicts in it as objects of this class."""
    if isinstance(value, (list, tuple)):
        return type(value)([_nested(each) for each in value])
    return Dict(value) if isinstance(value, dict) and not isinstance(value, Dict) else value
