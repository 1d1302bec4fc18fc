"""Assignment to targets: names, attributes, subscripts, and unpacking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.containers import iteration
from shapecheck.dataflow.havoc.escape import escape
from shapecheck.dataflow.objects.attributes import set_attribute
from shapecheck.dataflow.objects.variables import bind_name
from shapecheck.dataflow.operators import subscripts
from shapecheck.dataflow.paths.case_split import for_each_alternative, of_none
from shapecheck.dataflow.paths.constraints import require
from shapecheck.dataflow.stages.checks import require_iterable
from shapecheck.dataflow.stages.static_sizes import refuse_open_rank
from shapecheck.dataflow.state.frame import Frame
from shapecheck.domain.values import (
    Choice,
    Const,
    Function,
    HomogeneousSeq,
    Lost,
    Method,
    Ref,
    Seq,
    Tensor,
    Value,
    as_sizes,
)
from shapecheck.models.lang.packs import arrays
from shapecheck.models.lang.traits import has
from shapecheck.shapes.facts import FALSE, Claim, Equal, Verdict
from shapecheck.shapes.shape import UNRANKED
from shapecheck.shapes.size import Kind, Size, fresh, symbols
from shapecheck.shapes.text import show_size
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def assign(t: Tracer, target: ir.Expr, value: Value, frame: Frame) -> None:
    """Bind a target to a value."""
    match target:
        case ir.Name():
            bind_name(t, target.id, value, frame)
        case ir.Attribute():
            owner = t.evaluate(target.value, frame)
            if isinstance(owner, Tensor) and has(f"{arrays(owner.library).cls}.{target.name}", "is the array itself"):
                _replace_contents(t, target.value, owner, value, frame)
            else:
                for_each_alternative(t, [owner], lambda values: set_attribute(t, values[0], target.name, value))
            _hand_over(t, owner, value)
        case ir.Subscript():
            owner = t.evaluate(target.value, frame)
            index = t.evaluate(target.index, frame)
            place = Place(frame.source, target.start, target.end)
            for_each_alternative(
                t, [owner, index], lambda values: subscripts.set_item(t, values[0], values[1], value, place)
            )
            _hand_over(t, owner, value)
        case ir.Display():
            unpack(t, target, value, frame)
        case ir.Starred():
            assign(t, target.value, value, frame)
    if t.observed is not None and not isinstance(target, ir.Display):
        t.observe(target, frame, value)


def _hand_over(t: Tracer, owner: Value, value: Value) -> None:
    """Forget what a function may change that an unknown object is given, which may call it."""
    if isinstance(owner, Lost) and isinstance(value, (Function, Method)):
        escape(t, [value])


def _replace_contents(t: Tracer, holder: ir.Expr, owner: Tensor, value: Value, frame: Frame) -> None:
    """Give an array other contents, whatever names it has; what computes it as an attribute holds it from here on."""
    made = value.shape if isinstance(value, Tensor) else UNRANKED
    if made == owner.shape and owner.content is None:
        return
    replaced = replace(owner, shape=made, content=None)
    t.refine(owner, replaced)
    if isinstance(holder, ir.Attribute):
        assign(t, holder, replaced, frame)


def unpack(t: Tracer, target: ir.Display, value: Value, frame: Frame) -> None:
    """Assign `a, *b, c = value`; each alternative of the value is unpacked separately."""
    unpacked = for_each_alternative(
        t,
        [value],
        lambda values: Seq("tuple", tuple(_unpacked(t, target, values[0], frame))),
        lambda values: of_none(values) or _has_other_length(values[0], target),
    )
    options = unpacked.options if isinstance(unpacked, Choice) else (((), unpacked),)
    rows = [(guard, row.items) for guard, row in options if isinstance(row, Seq)]
    for at, item in enumerate(target.items):
        part = t.join([(guard, row[at]) for guard, row in rows]) if rows else t.lost("unpacking without alternatives")
        assign(t, item, part, frame)


def _unpacked(t: Tracer, target: ir.Display, value: Value, frame: Frame) -> list[Value]:
    """Return the values of the targets of an unpacking."""
    count = len(target.items)
    star = next((i for i, item in enumerate(target.items) if isinstance(item, ir.Starred)), None)
    require_iterable(t, [value], Place(frame.source, target.start, target.end), "unpacking")
    refuse_open_rank(t, [value], "unpacking", Place(frame.source, target.start, target.end))
    with t.at(Place(frame.source, target.start, target.end)):
        if star is None and not _check_length(t, value, count):
            return [t.lost("unpacking of a different length")] * count
        items = iteration.elements(t, value)
    if items is not None and star is not None and len(items) >= count - 1:
        return _around_star(t, items, star, count)
    if items is not None and len(items) == count:
        return list(items)
    if items is not None:
        return [t.lost("unpacking of a different length")] * count
    with t.at(Place(frame.source, target.start, target.end)):
        parts = [iteration.element(t, value) for _ in target.items]
    if star is not None:
        parts[star] = t.new_container(
            "list", HomogeneousSeq("list", parts[star], fresh("n", Kind.LOST, why="length of a starred target"))
        )
    return parts


def _has_other_length(value: Value, target: ir.Display) -> bool:
    """Return whether a tuple or an array has not as many items as there are targets."""
    count = len(target.items)
    has_star = any(isinstance(item, ir.Starred) for item in target.items)
    match value:
        case Seq(kind="tuple", items=items):
            length: Size | None = len(items)
        case Tensor(shape=shape):
            length = shape.size(0)
        case _:
            return False
    return isinstance(length, int) and (length < count - 1 if has_star else length != count)


def _around_star(t: Tracer, items: Sequence[Value], star: int, count: int) -> list[Value]:
    """Return the values of targets among which one is starred."""
    after = count - star - 1
    middle = Seq("list", tuple(items[star : len(items) - after]))
    return [*items[:star], t.new_container("list", middle), *(items[len(items) - after :] if after else ())]


def _has_told_length(value: Seq) -> bool:
    """Return whether it is a shape, or a tuple of integers or tensors."""
    is_data = as_sizes(value) is not None or all(isinstance(item, Tensor) for item in value.items)
    return value.kind == "shape" or (value.kind == "tuple" and is_data)


def _is_one_result(value: Value | None) -> bool:
    """Return whether it is the list of tensors that one operation gave, such as `tf.unstack`."""
    if not isinstance(value, Seq) or value.kind != "list":
        return False
    steps = {item.step if isinstance(item, Tensor) else 0 for item in value.items}
    return len(steps) == 1 and 0 not in steps


def _check_length(t: Tracer, value: Value, count: int) -> bool:
    """Require that a shape, a tuple, an array or the results of an operation are as many as there are targets; return
    whether they may be.

    The output of a model with an open number of rows cannot be unpacked at all.
    """
    if isinstance(value, Ref) and _is_one_result(t.contents(value)):
        value = t.contents(value) or value
    if isinstance(value, Tensor) and value.shape.size(0) is not None:
        length, what = value.shape.size(0), "rows"
    elif isinstance(value, Seq) and (_has_told_length(value) or _is_one_result(value)):
        length, what = len(value.items), "axes" if value.kind == "shape" else "items"
    else:
        return True
    assert length is not None and t.place is not None
    message = f"{show_size(length)} {what} unpacked into {count} names"
    claim: Claim = FALSE if isinstance(value, Tensor) and _has_open_rows(value) else Equal(length, count)
    step = t.add_step("op", "unpack", [value, Const(count)], {}, t.place)
    with t.during(step):
        return require(t, ClashKind.UNPACK, claim, message, value) is not Verdict.NEVER


def _has_open_rows(value: Tensor) -> bool:
    """Return whether a tensor is symbolic, with an open number of rows."""
    rows = value.shape.size(0)
    return (
        value.library == "keras" and rows is not None and any(symbol.kind is Kind.DYNAMIC for symbol in symbols(rows))
    )
