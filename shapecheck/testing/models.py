"""For tests of models: the result of a model must agree with the library.

    import numpy as np
    from mylib import windows
    from shapecheck.testing_models import assert_agrees

    def test_windows():
        assert_agrees("mylib.windows", windows, np.zeros(8), width=3)
        assert_agrees("mylib.windows", windows, np.zeros(2), width=3)  # both refuse

The function is called with the arguments, and the model with their shapes; then again for each size, hidden from the
model, which may reduce its precision but not make it wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from shapecheck.domain.values import Seq, Tensor, Value
from shapecheck.models.lang.bare_context import BareContext, value_of
from shapecheck.models.lang.registry import lookup
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Kind, Size, evaluate, fresh, symbols

__all__ = ["assert_agrees"]


def assert_agrees(name: str, function: Callable[..., Any], *args: Any, **keywords: Any) -> None:
    """Raise AssertionError if the result of the model of `name` disagrees with the function."""
    if lookup(name) is None:
        raise AssertionError(f"{name} has no model")
    try:
        real: Any = _shapes(function(*args, **keywords))
    except Exception as error:
        real = error
    for hidden in (None, *range(_axes([*args, *keywords.values()]))):
        complaint = _complaint(name, args, keywords, real, hidden)
        if complaint:
            blind = "" if hidden is None else f", not knowing size {hidden},"
            raise AssertionError(f"{name}: the model{blind} {complaint}")


def _complaint(name: str, args: Sequence[Any], keywords: Mapping[str, Any], real: Any, hidden: int | None) -> str:
    model, ctx, places = lookup(name), BareContext(heap={0: {}}), count()
    assert model is not None
    true: dict[Any, int] = {}

    def abstract(thing: Any) -> Value:
        if not hasattr(thing, "shape"):
            return value_of(thing)
        sizes = [_size(int(size), next(places) == hidden, true) for size in thing.shape]
        return Tensor(Shape(tuple(sizes)), getattr(thing.dtype, "name", None), "np")

    found = model.run(ctx, [abstract(arg) for arg in args], {key: abstract(arg) for key, arg in keywords.items()})
    if isinstance(real, Exception):
        may_fail = ctx.clashes or hidden is not None or not _is_known(found)
        return "" if may_fail else f"gives {_told(found)}, the library refuses: {real}"
    if ctx.clashes:
        return f"refuses ({ctx.clashes[0][1]}), the library gives {real}"
    return "" if _fits(found, real, true) else f"gives {_told(found)}, the library {real}"


def _size(size: int, is_hidden: bool, true: dict[Any, int]) -> Size:
    if not is_hidden:
        return size
    symbol = fresh("B", Kind.DYNAMIC)
    true.update(dict.fromkeys(symbols(symbol), size))
    return symbol


def _axes(things: Sequence[Any]) -> int:
    return sum(len(thing.shape) for thing in things if hasattr(thing, "shape"))


def _shapes(result: Any) -> Any:
    """Return the shape of a result as a tuple; a list of them for several."""
    if isinstance(result, (list, tuple)):
        return [_shapes(item) for item in result]
    return tuple(int(size) for size in getattr(result, "shape", ()))


def _fits(found: Value, real: Any, true: Mapping[Any, int]) -> bool:
    """Return whether a result may have the shapes."""
    if isinstance(found, Seq):
        return isinstance(real, list) and len(real) == len(found.items) and all(_each(found.items, real, true))
    if not isinstance(found, Tensor) or isinstance(real, list):
        return not isinstance(found, Tensor)
    shape = found.shape
    if shape.min_rank > len(real) or (shape.tail is None and len(shape.head) != len(real)):
        return False
    pairs = [*zip(shape.head, real, strict=False), *zip(reversed(shape.tail or ()), reversed(real), strict=False)]
    return all(_may_be(size, wanted, true) for size, wanted in pairs)


def _each(found: Sequence[Value], real: Sequence[Any], true: Mapping[Any, int]) -> Iterator[bool]:
    return (_fits(item, shape, true) for item, shape in zip(found, real, strict=True))


def _may_be(size: Size, wanted: int, true: Mapping[Any, int]) -> bool:
    return not symbols(size) <= set(true) or evaluate(size, dict(true)) == wanted


def _is_known(found: Value) -> bool:
    if isinstance(found, Seq):
        return all(map(_is_known, found.items))
    return isinstance(found, Tensor) and found.shape.tail is None and not found.shape.symbols()


def _told(found: Value) -> str:
    if isinstance(found, Seq):
        return f"[{', '.join(map(_told, found.items))}]"
    return str(found.shape) if isinstance(found, Tensor) else "something unknown"
