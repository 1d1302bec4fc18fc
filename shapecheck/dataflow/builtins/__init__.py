"""Python's builtin functions on abstract values, by name in `BUILTINS`."""

from shapecheck.dataflow.builtins import classes, copies, declared, defaults, heaps, numbers, sequences
from shapecheck.dataflow.builtins.registry import BUILTINS

__all__ = ["BUILTINS", "classes", "copies", "declared", "defaults", "heaps", "numbers", "sequences"]
