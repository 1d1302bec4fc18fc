"""Cache of parsed IR, by content: pickles that can contain nothing but IR nodes."""

from __future__ import annotations

import io
import pickle
import zlib
from collections.abc import Callable
from typing import Any

from shapecheck import ir
from shapecheck.cache.store import Store
from shapecheck.project.recorded_files import parse_key
from shapecheck.source import Source

_KIND = "modules"


class ModuleCache:
    """The lowered files in a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def get(self, source: Source) -> ir.Module | None:
        data = self._store.get(_KIND, parse_key(source))
        if data is None:
            return None
        try:
            module = _Reader(io.BytesIO(zlib.decompress(data))).load()
        except Exception:  # whatever a spoilt pickle does
            return None
        return module if isinstance(module, ir.Module) else None

    def put(self, source: Source, module: ir.Module) -> None:
        self._store.put(_KIND, parse_key(source), zlib.compress(pickle.dumps(module, 5), 1))


class _Reader(pickle.Unpickler):
    """An unpickler that makes IR nodes and nothing else: a pickle cannot run code."""

    def find_class(self, module: str, name: str) -> Callable[..., Any]:
        if (module, name) == ("builtins", "Ellipsis"):
            return Ellipsis  # type: ignore[return-value]
        if module.startswith("shapecheck.ir.") and isinstance(found := getattr(ir, name, None), type):
            return found
        raise pickle.UnpicklingError(f"{module}.{name}")
