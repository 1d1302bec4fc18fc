"""Repairs that treat a value as the program treats another one of its kind: the same call, the same part."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Ref, SliceValue, Tensor
from shapecheck.repairs.axes import promises
from shapecheck.repairs.name_words import words
from shapecheck.repairs.situation import Candidate, OperandText, Situation, callee
from shapecheck.repairs.sizes import DATA
from shapecheck.shapes.size import Size

_DIFFERENT_DATA = ("load", "read", "get", "make", "build", "random", "train_test_split")
_MOST = 3
_INDEXED = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)


def treated_alike(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which an operand goes through the call that other data of its kind went through."""
    for operand in s.operands:
        calls = (node for node in s.text.nodes if isinstance(node, ast.Call))
        found = dict.fromkeys(text for call in calls if (text := _same_call(s, operand, call)))
        for weight, text in enumerate(list(found)[:_MOST]):
            yield s.candidate(weight, operand.node, text)


def _same_call(s: Situation, operand: OperandText, call: ast.Call) -> str:
    """Return a call with an operand instead of its first argument; "" if that was no value of the same shape, or if the
    call does not give what the operand must fit."""
    is_object = isinstance(s.text.value(call.func), Ref)
    is_part = isinstance(call.func, ast.Attribute) and is_object
    is_model = is_object and _is_loss(s)  # whose target is not what the model gives for it
    is_layer = isinstance(call.func, ast.Call) or is_part  # whose weights another use would share, or make anew
    if (
        not call.args
        or is_layer
        or is_model
        or callee(call).startswith(_DIFFERENT_DATA)
        or callee(call) in DATA
        or not _can_be_written(s, call, operand.node)
    ):
        return ""
    given, result, mine = s.text.shape(call.args[0]), s.text.shape(call), operand.argument.shape
    if given is None or result is None or not (given.is_ranked and result.is_ranked and mine.is_ranked):
        return ""
    is_alike = given.rank == mine.rank and given.sizes[1:] == mine.sizes[1:] and result.sizes[1:] != mine.sizes[1:]
    is_itself = s.text.text(call.args[0]) == s.text.text(operand.node) or any(
        node is operand.node for node in s.text.parts(call)
    )
    joins = any(s.text.shape(other) == given for other in call.args[1:])  # which is no treatment of one of them
    treated = (*mine.sizes[:1], *_as_told(s, operand, result.sizes[1:]))
    if not is_alike or is_itself or joins or not promises(s, operand, treated):
        return ""
    others = [s.text.text(each) for each in call.args[1:]]
    others += [
        f"{each.arg}={s.text.text(each.value)}" if each.arg else f"**{s.text.text(each.value)}"
        for each in call.keywords
    ]
    function = s.text.text(call.func).replace(".fit_transform", ".transform")
    return f"{function}({', '.join([s.text.text(operand.node), *others])})"


def _is_loss(s: Situation) -> bool:
    """Return whether an operation compares what a model gives with a target."""
    return s.kind is ClashKind.CROSS_ENTROPY or "loss" in s.call.step.name.lower()


def _as_told(s: Situation, operand: OperandText, sizes: tuple[Size, ...]) -> Iterator[Size]:
    """Yield sizes, where the data tell them those of the other operand, if it has as many."""
    others = [each.shape for each in s.call.arguments if each is not operand.argument]
    wanted = others[0].sizes[1:] if len(others) == 1 and others[0].is_ranked else ()
    known = zip(sizes, wanted, strict=True) if len(wanted) == len(sizes) else ((size, size) for size in sizes)
    yield from (size if isinstance(size, int) else other for size, other in known)


def _can_be_written(s: Situation, call: ast.Call, node: ast.expr) -> bool:
    """Return whether the function of a call, and its other arguments, are known in another place, and the function is
    no operation of the value itself."""
    names = [call.func, *call.args[1:], *(each.value for each in call.keywords)]
    parts = [part for name in names for part in s.text.parts(name) if isinstance(part, ast.Name)]
    return bool(parts) and all(_is_known(s, part, node) for part in parts)


def _is_known(s: Situation, name: ast.Name, node: ast.expr) -> bool:
    return name.id in s.text.functions or name.id in s.text.aliases.values() or s.text.is_visible(name, node)


def cut_alike(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which two values beside each other are the same part of what they are cut from."""
    for node in s.text.nodes:
        beside = _beside(node)
        for part in beside:
            if not isinstance(part, ast.Subscript) or _takes_position(s, part.slice):
                continue
            for other in beside:
                if isinstance(other, (ast.Name, ast.Attribute)) and _have_same_rows(s, part.value, other):
                    cut = s.text.text(part.slice)
                    index = part.slice if isinstance(part.slice, ast.Tuple) else None
                    shape = s.text.shape(other)
                    if index is not None and shape is not None and shape.rank is not None:
                        cut = ", ".join(s.text.text(each) for each in index.elts[: shape.rank])
                    yield s.candidate(0, other, f"{s.text.text(other)}[{cut}]")


def _beside(node: ast.AST) -> list[ast.expr]:
    """Return the values that stand beside each other: in a tuple that is read, or among the arguments of a call."""
    match node:
        case ast.Tuple(elts=items, ctx=ast.Load()):
            return items
        case ast.Call(args=args, keywords=keywords) if len(args) + len(keywords) > 1:
            return [*args, *(each.value for each in keywords)]
    return []


def _takes_position(s: Situation, index: ast.expr) -> bool:
    """Return whether an index takes one position of an axis."""
    items = index.elts if isinstance(index, ast.Tuple) else [index]
    return not all(isinstance(item, ast.Slice) or isinstance(s.text.value(item), Tensor | SliceValue) for item in items)


def _have_same_rows(s: Situation, first: ast.expr, second: ast.expr) -> bool:
    """Return whether two arrays have the same number of rows."""
    a, b = s.text.shape(first), s.text.shape(second)
    return bool(a and b and a.is_ranked and b.is_ranked and a.rank and b.rank and a.sizes[0] == b.sizes[0])


def part_left_out(s: Situation) -> Iterator[Candidate]:
    """Yield programs that use the whole of a value where a part of it does not fit."""
    for operand in s.operands:
        match operand.node:
            case ast.Subscript(value=whole, slice=index) if not _takes_axis(s, index):
                shape = s.text.shape(whole)
                if shape is not None and shape.is_ranked and promises(s, operand, shape.sizes):
                    yield s.candidate(0, operand.node, s.text.text(whole))


def first_left_out(s: Situation) -> Iterator[Candidate]:
    """Yield programs that leave out the first of the values beside the differences between them, of which there is one
    less."""
    shapes = [each.argument.shape for each in s.operands]
    sizes = [shape.sizes[0] for shape in shapes if shape.rank == 1 and isinstance(shape.sizes[0], int)]
    if len(sizes) != len(shapes) or {abs(a - b) for a, b in s.unequal} != {1}:
        return
    for operand, size in zip(s.operands, sizes, strict=True):
        made = s.text.first_value(operand.node) if isinstance(operand.node, ast.Name) else None
        if any(size == max(pair) for pair in s.unequal):
            for node in (*([made.left] if isinstance(made, (ast.Compare, ast.BinOp)) else []), operand.node):
                shape = s.text.shape(node)
                if isinstance(node, ast.Name) and shape is not None and shape.rank == 1:
                    yield s.candidate(node is operand.node, node, f"{node.id}[1:]")


def differences_met(s: Situation) -> Iterator[Candidate]:
    """Yield programs that cut the values beside their differences, of which there is one less, to as many."""
    shapes = [each.argument.shape for each in s.operands]
    if {abs(a - b) for a, b in s.unequal} != {1} or any(shape.rank != 1 for shape in shapes):
        return
    most = max(max(pair) for pair in s.unequal)
    longer = [each.node for each, shape in zip(s.operands, shapes, strict=True) if shape.sizes[0] == most]
    before = s.call.graph.ancestors([each.argument.tensor.step for each in s.operands])
    if any(step.name.endswith(".diff") for step in before) and all(isinstance(each, _INDEXED) for each in longer):
        cut = "[:-1]" if "[:-1]" in s.text.source.code else "[1:]"
        yield Candidate(0, tuple(s.text.inserted(s.text.span(each)[1], cut) for each in longer))


def _takes_axis(s: Situation, index: ast.expr) -> bool:
    """Return whether an index takes an axis away, or picks elements."""
    items = index.elts if isinstance(index, ast.Tuple) else [index]
    return not all(isinstance(item, ast.Slice) for item in items)


def cut_as_target(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which what is stored in a part is cut like that part."""
    match s.text.assignment_to(s.node):
        case ast.Assign(targets=[ast.Subscript(slice=where)], value=ast.Subscript(slice=index)):
            mine = index.elts if isinstance(index, ast.Tuple) else [index]
            theirs = where.elts if isinstance(where, ast.Tuple) else [where]
            for own, other in zip(mine, theirs, strict=False):
                is_slice = isinstance(own, ast.Slice) and isinstance(other, ast.Slice)
                if is_slice and s.text.text(own) == ":" != s.text.text(other):
                    yield s.candidate(0, own, s.text.text(other))


def unused_value_given(s: Situation) -> Iterator[Candidate]:
    """Yield programs that use a value of a similar name, which they prepare and then forget."""
    for operand in s.operands:
        for name in _names(operand.node):
            unused = [other for other in s.text.bound_before(name) if s.text.uses(other) == 0 and other.id != name.id]
            near = [other for other in unused if words(other.id) & words(name.id)]
            for other in near:
                shape = s.text.shape(other)
                whole = isinstance(operand.node, ast.Name)
                if shape is not None and shape.is_ranked and (not whole or promises(s, operand, shape.sizes)):
                    yield s.candidate(0, name, other.id)


def prepared_value_given(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a part of a value is one of what was made from that value."""
    for operand in s.operands:
        if not isinstance(operand.node, ast.Subscript):
            continue
        for name in _names(operand.node.value):
            for other in s.text.bound_before(name):
                made, mine = s.text.value(other), s.text.value(name)
                if not isinstance(made, Tensor) or not isinstance(mine, Tensor) or other.id == name.id:
                    continue
                is_made = any(step.id == mine.step for step in s.call.graph.ancestors([made.step]))
                sizes = made.shape.sizes if made.shape.is_ranked else ()
                others = [each.shape for each in s.call.arguments if each is not operand.argument]
                rows = others[0].sizes[:1] if len(others) == 1 and others[0].is_ranked else ()
                if is_made and sizes and promises(s, operand, (*rows, *sizes[1:])):
                    yield s.candidate(0, name, other.id)


def _names(node: ast.expr) -> Iterator[ast.Name]:
    """Yield the name of which an expression is, or takes a part."""
    while isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Name):
        yield node


def same_argument_given(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a call on the way gets one value twice, as an autoencoder does."""
    for operand in s.operands if s.kind is ClashKind.FEED else ():
        for call in s.calls_on_the_way():
            if operand.node in call.args and len(call.args) == 2:
                other = next(each for each in call.args if each is not operand.node)
                shape = s.text.shape(other)
                is_named = isinstance(other, ast.Name) and shape is not None and shape.is_ranked
                if is_named and shape is not None and promises(s, operand, shape.sizes):
                    yield s.candidate(0, operand.node, s.text.text(other))
