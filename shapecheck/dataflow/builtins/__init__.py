"""Python's builtin functions on abstract values, by name in `BUILTINS`."""

from shapecheck.dataflow.builtins import classes, declared, numbers, sequences
from shapecheck.dataflow.builtins.registry import BUILTINS

__all__ = ["BUILTINS", "classes", "declared", "numbers", "sequences"]
