"""Hooks that run right after a library module is imported, before any name is taken from it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any, Final

Action = Callable[[Any], None]

_ACTIONS: Final[dict[str, list[Action]]] = {}
_MADE: Final[dict[str, Action]] = {}


def after(*names: str) -> Callable[[Action], Action]:
    """Register a function to be called with each of these modules once it is imported."""

    def register(action: Action) -> Action:
        for name in names:
            _ACTIONS.setdefault(name, []).append(action)
        return action

    return register


def made(*names: str) -> Callable[[Action], Action]:
    """Register a function that fills these modules if they are not installed."""

    def register(action: Action) -> Action:
        _MADE.update(dict.fromkeys(names, action))
        return action

    return register


def begin() -> None:
    """Watch imports from now on; modules that are imported already are handled at once."""
    for name, actions in _ACTIONS.items():
        for action in actions if name in sys.modules else ():
            _act_late(action, sys.modules[name])
    sys.meta_path.insert(0, _Acting())
    sys.meta_path.append(_Making())


def _act_late(action: Action, module: ModuleType) -> None:
    """Handle an imported module, and update the names that others have taken from it."""
    before = dict(module.__dict__)
    action(module)
    changed = {id(old): module.__dict__[name] for name, old in before.items() if module.__dict__[name] is not old}
    if not changed:
        return
    modules: list[object] = list(sys.modules.values())  # whatever stands there
    for other in modules:
        for name, value in list(other.__dict__.items()) if isinstance(other, ModuleType) else ():
            if id(value) in changed and callable(value):
                other.__dict__[name] = changed[id(value)]


class _Acting(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        actions = _ACTIONS.get(fullname)
        spec = PathFinder.find_spec(fullname, path, target) if actions else None
        if spec is None or spec.loader is None or not actions:
            return None
        load = spec.loader.exec_module

        def load_and_act(module: ModuleType) -> None:
            load(module)
            for action in actions:
                action(module)

        spec.loader.exec_module = load_and_act  # type: ignore[method-assign]
        return spec


class _Making(MetaPathFinder):
    """A finder that comes last, so that installed modules are never replaced."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        fill = _MADE.get(fullname)
        return None if fill is None else ModuleSpec(fullname, _Maker(fill), is_package=True)


class _Maker(Loader):
    def __init__(self, fill: Action) -> None:
        self.fill = fill

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        self.fill(module)
