"""The data sets of an HDF5 file, and the configuration of a model of Keras in it; read by h5py, if it is installed."""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping
from typing import Any, BinaryIO

_MOST_DATA_SETS = 10_000
_LONGEST_CONFIG = 1 << 20


def facts(file: BinaryIO, path: str) -> dict[str, Any] | None:
    h5py = importlib.import_module("h5py")
    arrays: dict[str, Any] = {}

    def note(name: str, found: Any) -> bool | None:
        if isinstance(found, h5py.Dataset) and found.shape is not None:
            arrays[name] = [found.shape, found.dtype.name if found.dtype.kind in "biufc" else None]
        return len(arrays) > _MOST_DATA_SETS or None

    with h5py.File(file, "r") as opened:
        opened.visititems(note)  # which follows no link into other files
        config = opened.attrs.get("model_config")
        told: dict[str, Any] = {"arrays": arrays}
        if config is not None and len(config) <= _LONGEST_CONFIG:
            told["model"] = json.loads(config)
        version = _version(opened, arrays)
        if version is not None:
            told["weights_version"] = version
    return told


def _version(opened: Any, arrays: Mapping[str, object]) -> str | None:
    """Return the version of Keras that wrote weights, "3" for the form of that version, which does not tell it."""
    found = opened.get("model_weights", opened).attrs.get("keras_version")
    if found is None:
        return "3" if any(name.endswith("/vars/0") for name in arrays) else None
    return found.decode() if isinstance(found, bytes) else str(found)
