"""Instances of classes derived from NumPy's arrays, which are both objects of the program and arrays."""

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
    """Return the array in an instance of a class of arrays; other values are returned as they are."""
    if not isinstance(value, Ref) or value.cls != "user":
        return value
    to_array = t.heap.get((value.address, "__array__"))
    array = None if to_array is None else t.call_here(to_array)
    return array if isinstance(array, Tensor) else value
