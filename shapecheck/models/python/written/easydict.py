"""What `easydict` does: dicts whose items are attributes, too."""

from __future__ import annotations

from typing import Any


class EasyDict(dict[str, Any]):
    def __init__(self, d: Any = None, **kwargs: Any) -> None:
        super().__init__()
        for key, value in dict(d or {}, **kwargs).items():
            self[key] = value

    def __setitem__(self, key: str, value: Any) -> None:
        super().__setitem__(key, _nested(value))

    def __setattr__(self, key: str, value: Any) -> None:
        self[key] = value

    def __getattr__(self, key: str) -> Any:
        return self[key]

    def update(self, *e: Any, **f: Any) -> None:
        for key, value in dict(*e, **f).items():
            self[key] = value


def _nested(value: Any) -> Any:
    """Return a value with the dicts in it as objects of this class."""
    if isinstance(value, (list, tuple)):
        return type(value)([_nested(each) for each in value])
    return EasyDict(value) if isinstance(value, dict) and not isinstance(value, EasyDict) else value
