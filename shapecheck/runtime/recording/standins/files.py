"""Stand-ins for missing tables: `numpy.loadtxt`, `numpy.genfromtxt`, `pandas.read_csv`."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any, Final

from shapecheck.runtime.recording.standins.datasets import filled
from shapecheck.runtime.recording.standins.imports import after

ROWS: Final = 150
COLUMNS: Final = 5


def begin() -> None:
    after("numpy")(_numpy)
    after("pandas")(_pandas)


def is_missing(path: object) -> bool:
    return isinstance(path, (str, os.PathLike)) and not os.path.exists(path)


def _numpy(module: Any) -> None:
    for name in ("loadtxt", "genfromtxt"):
        setattr(module, name, _or_table(getattr(module, name)))


def _or_table(read: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(read)
    def call(fname: Any, *args: Any, **keywords: Any) -> Any:
        if not is_missing(fname):
            return read(fname, *args, **keywords)
        columns = keywords.get("usecols")
        count = len(columns) if isinstance(columns, (list, tuple)) else COLUMNS
        table = filled((ROWS, count), 1, 9, "float64")
        return table.T if keywords.get("unpack") else table

    return call


def _pandas(module: Any) -> None:
    read = module.read_csv

    @functools.wraps(read)
    def read_csv(path: Any, *args: Any, **keywords: Any) -> Any:
        if not is_missing(path):
            return read(path, *args, **keywords)
        names = keywords.get("names") or [f"c{at}" for at in range(COLUMNS)]
        return module.DataFrame(filled((ROWS, len(names)), 1, 9, "float64"), columns=list(names))

    module.read_csv = read_csv
