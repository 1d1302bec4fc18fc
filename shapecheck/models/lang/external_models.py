"""Models of other packages, in the same language.

Importing them runs their code, so only the user at the command line may ask for it.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import distributions
from pathlib import Path
from types import ModuleType

from shapecheck.config import nearest_hint
from shapecheck.models.lang.loading import ATTRIBUTES, MODELS, index, load, roots
from shapecheck.models.lang.packs import Pack, enter
from shapecheck.models.lang.traits import has

GROUP = "shapecheck.packs"
"""The entry points of packs."""


class BadModels(Exception):
    """Models that cannot be used; the message is one line for the user."""


def bring_packs(named: Sequence[str], project: Path) -> None:
    """Load packs of other distributions by the names of their entry points.

    An entry point names a `Pack`, whose package has the models. Distributions that lie in the project itself, or in the
    current folder, are not looked at: a project that is checked must not run its code.
    """
    aside = {project.resolve(), Path.cwd()}
    paths = [path for path in sys.path if Path(path).resolve() not in aside]
    found = [each for installed in distributions(path=paths) for each in installed.entry_points if each.group == GROUP]
    for name in named:
        point = next((each for each in found if each.name == name), None)
        if point is None:
            raise BadModels(f"no pack {name} is installed{nearest_hint(name, [each.name for each in found])}")
        try:
            enter([_declared(point.load())])
            has.cache_clear()
        except Exception as error:
            raise BadModels(f"pack {name}: {type(error).__name__}: {error}") from error


def _declared(pack: object) -> Pack:
    if not isinstance(pack, Pack):
        raise TypeError(f"a Pack is expected, not {type(pack).__name__}")
    return pack


def bring(named: Sequence[str], root: Path) -> None:
    """Import packages, and files below `root`, that register models."""
    own = index()
    if own is None:
        load()
    before = {**MODELS, **ATTRIBUTES}
    for name in named:
        try:
            _import(name, root)
        except Exception as error:
            raise BadModels(f"models of {name}: {type(error).__name__}: {error}") from error
    new = {**MODELS, **ATTRIBUTES}.keys() - before.keys()
    taken = sorted(name for name in new if own is not None and (name in own.calls or name in own.attributes))
    if taken:
        raise BadModels(f"models of {', '.join(named)}: {taken[0]} has a model already")
    roots.cache_clear()


def _import(name: str, root: Path) -> ModuleType:
    if not name.endswith(".py"):
        with _first_on_path(root):
            return importlib.import_module(name)
    path = root / name
    spec = importlib.util.spec_from_file_location(f"shapecheck_models_{path.stem}", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise FileNotFoundError(f"no such file: {path}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # annotations are looked up in it
    spec.loader.exec_module(module)
    return module


@contextmanager
def _first_on_path(folder: Path) -> Iterator[None]:
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
