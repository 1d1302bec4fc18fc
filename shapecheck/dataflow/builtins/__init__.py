"""Python's builtin functions and methods of builtin types on abstract values, by name in `BUILTINS`."""

from shapecheck.dataflow.builtins import collections, copies, dataclasses, heaps, numbers, sequences, types
from shapecheck.dataflow.builtins.registry import BUILTINS

__all__ = ["BUILTINS", "collections", "copies", "dataclasses", "heaps", "numbers", "sequences", "types"]
