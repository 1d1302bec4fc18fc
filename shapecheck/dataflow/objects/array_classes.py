"""Instances of classes that a program derives from NumPy's arrays: an object of the program and an array in one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.dataflow.objects.mro import mro
from shapecheck.domain.values import Class, Library, Ref, Tensor, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

ARRAYS = Library("np.ndarray")


def is_class_of_arrays(t: Tracer, cls: Class) -> bool:
    """Return whether a class is derived from NumPy's arrays."""
    return ARRAYS in mro(t, cls)


def array_in(t: Tracer, value: Value) -> Value:
    """Return the array that an instance of a class of arrays is; other values as they are."""
    if not isinstance(value, Ref) or value.cls != "user":
        return value
    held = t.heap.get((value.address, "__array__"))
    array = None if held is None else t.call_here(held)
    return array if isinstance(array, Tensor) else value
