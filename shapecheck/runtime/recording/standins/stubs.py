"""Empty modules in the place of packages that are not installed, for those that the user names."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any
from unittest.mock import MagicMock


def begin(names: Sequence[str]) -> None:
    """Make these packages, with all their modules, importable; installed ones are never replaced."""
    sys.meta_path.append(_Stubs(frozenset(names)))


class _Stubs(MetaPathFinder):
    def __init__(self, names: frozenset[str]) -> None:
        self.names = names

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        is_wanted = fullname.partition(".")[0] in self.names
        return ModuleSpec(fullname, _Stubbing(), is_package=True) if is_wanted else None


class _Stubbing(Loader):
    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        def attribute(name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            made = MagicMock(name=f"{module.__name__}.{name}")
            setattr(module, name, made)
            return made

        module.__dict__["__getattr__"] = attribute
