"""Methods of lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from shapecheck.dataflow.builtins.sorting import in_order
from shapecheck.dataflow.containers import iteration
from shapecheck.dataflow.containers.item_join import joined_elements
from shapecheck.dataflow.stages.loop_state import GROWING, note_list_method
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.bounded_list import MAX_LENGTH
from shapecheck.domain.values import NONE, Const, HomogeneousSeq, Int, Ref, Seq, Value, as_size
from shapecheck.shapes.size import Kind, fresh

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def list_method(t: Tracer, owner: Ref, name: str, call: Arguments) -> Value:
    """Return the result of a method of a list."""
    contents = t.contents(owner)
    if not t.stage.is_eager:
        note_list_method(t, owner, name, call)
        if t.watch is not None and name in GROWING:
            t.watch.appended(owner, call)
    if not isinstance(contents, (Seq, HomogeneousSeq)):
        return t.lost("method of a lost list")
    action = LIST_METHODS.get(name)
    if name == "sort" and isinstance(contents, Seq):
        ordered = in_order(t, contents.items, call.keywords)
        if ordered is not None:
            t.set_contents(owner, Seq("list", ordered))
            return NONE
    return t.lost(f"list method {name}") if action is None else action(t, owner, contents, call.args)


def _append(t: Tracer, owner: Ref, contents: Seq | HomogeneousSeq, args: Sequence[Value]) -> Value:
    if len(args) != 1:
        return NONE
    if isinstance(contents, Seq):
        t.set_contents(owner, Seq("list", (*contents.items, args[0])))
    else:
        element = joined_elements(t, contents, Seq("list", (args[0],)))
        t.set_contents(owner, HomogeneousSeq("list", element, contents.length + 1))
    return NONE


def _extend(t: Tracer, owner: Ref, contents: Seq | HomogeneousSeq, args: Sequence[Value]) -> Value:
    items = iteration.elements(t, args[0]) if args else ()
    if items is not None and isinstance(contents, Seq):
        t.set_contents(owner, Seq("list", contents.items + items))
    elif args:
        given = t.freeze(args[0], deep=False)
        more = (
            given
            if isinstance(given, (Seq, HomogeneousSeq))
            else HomogeneousSeq("list", iteration.element(t, given), 1)
        )
        length = iteration.length(t, contents) + iteration.length(t, given)
        t.set_contents(owner, HomogeneousSeq("list", joined_elements(t, contents, more), length))
    return NONE


def _insert(t: Tracer, owner: Ref, contents: Seq | HomogeneousSeq, args: Sequence[Value]) -> Value:
    """Insert an item at a position; append it if that is not known."""
    position = as_size(args[0]) if len(args) == 2 else None
    if isinstance(contents, Seq) and isinstance(position, int):
        items = list(contents.items)
        items.insert(position, args[1])
        t.set_contents(owner, Seq("list", tuple(items)))
        return NONE
    return _append(t, owner, contents, args[1:])


def _pop(t: Tracer, owner: Ref, contents: Seq | HomogeneousSeq, args: Sequence[Value]) -> Value:
    position = as_size(args[0]) if args else -1
    if (
        isinstance(contents, Seq)
        and isinstance(position, int)
        and -len(contents.items) <= position < len(contents.items)
    ):
        items = list(contents.items)
        value = items.pop(position)
        t.set_contents(owner, Seq("list", tuple(items)))
        return value
    element = iteration.element(t, contents)
    t.set_contents(owner, HomogeneousSeq("list", element, fresh("n", Kind.LOST, why="list after pop")))
    return element


def _append_left(t: Tracer, owner: Ref, contents: Seq | HomogeneousSeq, args: Sequence[Value]) -> Value:
    """Insert an item at the front; forget the order if that is not possible."""
    if isinstance(contents, Seq) and len(args) == 1 and t.heap.get((owner.address, MAX_LENGTH)) is None:
        t.set_contents(owner, Seq("list", (args[0], *contents.items)))
        return NONE
    _append(t, owner, contents, args)
    return _reorder(t, owner, t.contents(owner), args)  # type: ignore[arg-type]


def _extend_left(t: Tracer, owner: Ref, contents: Seq | HomogeneousSeq, args: Sequence[Value]) -> Value:
    """Insert items at the front; forget the order."""
    _extend(t, owner, contents, args)
    return _reorder(t, owner, t.contents(owner), args)  # type: ignore[arg-type]


def _pop_left(t: Tracer, owner: Ref, contents: Seq | HomogeneousSeq, args: Sequence[Value]) -> Value:
    return _pop(t, owner, contents, [Const(0)])


def _reorder(t: Tracer, owner: Ref, contents: Seq | HomogeneousSeq, args: Sequence[Value]) -> Value:
    """Forget the order of the items."""
    t.set_contents(owner, HomogeneousSeq("list", iteration.element(t, contents), iteration.length(t, contents)))
    return NONE


def _reverse(t: Tracer, owner: Ref, contents: Seq | HomogeneousSeq, args: Sequence[Value]) -> Value:
    if isinstance(contents, Seq):
        t.set_contents(owner, Seq("list", contents.items[::-1]))
    return NONE


def _remove(t: Tracer, owner: Ref, contents: Seq | HomogeneousSeq, args: Sequence[Value]) -> Value:
    """Remove the first occurrence of an item."""
    position = _index_of(contents, args)
    if isinstance(contents, Seq) and position is not None:
        t.set_contents(owner, Seq("list", contents.items[:position] + contents.items[position + 1 :]))
        return NONE
    length = iteration.length(t, contents) - 1
    t.set_contents(owner, HomogeneousSeq("list", iteration.element(t, contents), length))
    return NONE


def _clear(t: Tracer, owner: Ref, contents: Seq | HomogeneousSeq, args: Sequence[Value]) -> Value:
    t.set_contents(owner, Seq("list", ()))
    return NONE


def _copy(t: Tracer, owner: Ref, contents: Seq | HomogeneousSeq, args: Sequence[Value]) -> Value:
    return t.new_container("list", contents)


def _index(t: Tracer, owner: Ref, contents: Seq | HomogeneousSeq, args: Sequence[Value]) -> Value:
    """Return the position of an item."""
    position = _index_of(contents, args) if len(args) == 1 else None
    return Int(fresh("i", Kind.LOST, why="position in a list")) if position is None else Const(position)


def _index_of(contents: Seq | HomogeneousSeq, args: Sequence[Value]) -> int | None:
    """Return the first position of a constant in a list, if all items before it are constants."""
    if not isinstance(contents, Seq) or not args or not isinstance(args[0], Const):
        return None
    for position, item in enumerate(contents.items):
        if not isinstance(item, Const):
            return None
        if item.value == args[0].value:
            return position
    return None


def _count(t: Tracer, owner: Ref, contents: Seq | HomogeneousSeq, args: Sequence[Value]) -> Value:
    """Return the number of occurrences of an item."""
    if isinstance(contents, Seq) and len(args) == 1 and all(isinstance(i, Const) for i in (*contents.items, args[0])):
        values = [item.value for item in (*contents.items, args[0]) if isinstance(item, Const)]
        return Const(values[:-1].count(values[-1]))
    return Int(fresh("n", Kind.LOST, why="number of occurrences in a list"))


LIST_METHODS: dict[str, Callable[[Tracer, Ref, Seq | HomogeneousSeq, Sequence[Value]], Value]] = {
    "append": _append,
    "appendleft": _append_left,
    "extendleft": _extend_left,
    "popleft": _pop_left,
    "rotate": _reorder,
    "extend": _extend,
    "insert": _insert,
    "pop": _pop,
    "sort": _reorder,
    "reverse": _reverse,
    "remove": _remove,
    "clear": _clear,
    "copy": _copy,
    "index": _index,
    "count": _count,
}
