"""`assert_shape` and `reveal_shape`: statements about shapes that `check` judges, and that hold at run time too."""

from __future__ import annotations

from typing import Any, TypeVar

from shapecheck.models.lang.written_shapes import Bindings, demands
from shapecheck.shapes import written
from shapecheck.shapes.claims import FALSE, simplify
from shapecheck.shapes.shape import Shape

T = TypeVar("T")


def assert_shape(*arrays_and_shapes: Any) -> None:
    """Raise AssertionError unless each array has the shape that follows it, such as `assert_shape(x, "B 128")`.

    A name stands for one size in all shapes of the call. Sizes that a graph does not know yet may be anything. Raise
    ValueError for a text that is no shape.
    """
    bound = Bindings()
    if len(arrays_and_shapes) % 2:
        raise TypeError("assert_shape takes arrays and shapes in turn")
    for at, (array, text) in enumerate(zip(arrays_and_shapes[::2], arrays_and_shapes[1::2], strict=True)):
        sizes = _sizes(array)
        name = "the array" if len(arrays_and_shapes) == 2 else f"array {at + 1}"
        for demand in () if sizes is None else demands(written.of_text(text), Shape(sizes), text, name, bound):
            if simplify(demand.claim) == FALSE:
                raise AssertionError(demand.said)


def reveal_shape(array: T) -> T:
    """Print the shape and dtype of an array, and return it; `check` tells the shape that it infers."""
    sizes = getattr(array, "shape", None)
    shown = "?" if sizes is None else str(tuple(sizes))
    print(f"reveal_shape: {shown} {getattr(getattr(array, 'dtype', ''), 'name', getattr(array, 'dtype', ''))}".rstrip())
    return array


def _sizes(array: Any) -> tuple[Any, ...] | None:
    """Return the sizes of an array, with symbols for those that are not known; None if their number is not known."""
    from shapecheck.shapes.size import Kind, fresh

    try:
        found = tuple(array.shape)
    except (AttributeError, ValueError) as error:
        if isinstance(error, AttributeError):
            raise TypeError(f"{type(array).__name__} has no shape") from None
        return None
    return tuple(fresh("n", Kind.DYNAMIC) if size is None else int(size) for size in found)
