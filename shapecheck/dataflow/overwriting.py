"""Arrays that are changed where they stand: their numbers are others from then on, under whatever name and in views.
And lists that a call brings into another order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from shapecheck.models.lang.written import SHUFFLES, may_be_view
from shapecheck.shapes.shape import SCALAR
from shapecheck.values import Const, Int, Many, Ref, Seq, Tensor, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def overwrite(t: Tracer, array: Tensor, content: Value | None = None) -> None:
    """From here on an array has other numbers, these if they are known; so has what it is a view of."""
    for each in (array, *_bases(t, array)):
        now = t.select(each)
        if each.content is not None and isinstance(now, Tensor):
            t.refine(each, replace(now, content=content))
        content = None


def set_item(t: Tracer, array: Tensor, index: Value, value: Value) -> None:
    """What is in an array after an assignment to a part of it."""
    overwrite(t, array, _with_item(array.content, index, value))


def _with_item(content: Value | None, index: Value, value: Value) -> Value | None:
    position = index.value if isinstance(index, Const) else None
    number = value.content if isinstance(value, Tensor) and value.shape == SCALAR else value
    if not isinstance(content, Seq) or type(position) is not int or not isinstance(number, (Const, Int)):
        return None
    items = list(content.items)
    if not -len(items) <= position < len(items) or isinstance(items[position], Seq):
        return None
    items[position] = number
    return Seq(content.kind, tuple(items))


def shuffle(t: Tracer, name: str, args: Sequence[Value]) -> None:
    """After some calls the items of a list stand in any order."""
    if name not in SHUFFLES:
        return
    given = next((arg for arg in args if isinstance(arg, Ref) and arg.cls == "list"), None)
    contents = None if given is None else t.contents(given)
    if given is not None and isinstance(contents, Seq) and any(item != contents.items[0] for item in contents.items):
        t.set_contents(given, Many("list", t.context.element(contents), len(contents.items)))


def is_stale(t: Tracer, array: Tensor) -> bool:
    """Whether something that an array is a view of was changed since."""
    return any(_changed(t, base) for base in _bases(t, array))


def _changed(t: Tracer, array: Tensor) -> bool:
    now = t.store.get((0, (array.step, array.output)))
    return isinstance(now, Tensor) and now.content != array.content


def _bases(t: Tracer, array: Tensor) -> Iterator[Tensor]:
    """The arrays whose numbers an array may share, as they were when it was made."""
    while array.step and array.shape != SCALAR and may_be_view(t.graph[array.step].name):
        owner = next(iter(t.graph[array.step].args), None)
        if not isinstance(owner, Tensor):
            return
        array = owner
        yield array
