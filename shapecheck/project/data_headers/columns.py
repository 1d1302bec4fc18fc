"""The columns of a table in a file of Parquet or Arrow; read by pyarrow, if it is installed."""

from __future__ import annotations

import importlib
from typing import Any, BinaryIO


def parquet(file: BinaryIO, path: str) -> dict[str, Any] | None:
    read = importlib.import_module("pyarrow.parquet").ParquetFile(file)
    return _columns(read.schema_arrow, read.metadata.num_rows)


def arrow(file: BinaryIO, path: str) -> dict[str, Any] | None:
    return _columns(importlib.import_module("pyarrow").ipc.open_file(file).schema, None)


def _columns(schema: Any, rows: int | None) -> dict[str, Any] | None:
    """Return the columns of a data frame, without those that become its index."""
    about = schema.pandas_metadata or {}
    index = [name for name in about.get("index_columns", ()) if isinstance(name, str)]
    return {"columns": [name for name in schema.names if name not in index], "rows": rows}
