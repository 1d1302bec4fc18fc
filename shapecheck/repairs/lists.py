"""Repairs of lists where a library takes arrays, and of arrays given one by one where it takes a list."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from shapecheck.domain.values import Ref, Seq, Tensor, walk
from shapecheck.models.lang import refused_lists
from shapecheck.models.lang.packs import made_by, package_of
from shapecheck.repairs.situation import Candidate, Situation, callee

_INPUTS = re.compile(r"the model takes (\d+) inputs, 1 is given")
_OF_LISTS = ("concatenate", "stack", "hstack", "vstack", "dstack", "column_stack")


def list_converted(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a list is made an array: stacked, if it has arrays for its items."""
    kind, given = made_by(s.call.step.name), s.call.clash.operands
    module = "" if kind is None or not _refuses_lists(s) else s.module_of(kind)
    is_list = any(not isinstance(value, Tensor) for value in given)
    for node in _parts(s.node) if module and is_list else ():
        if not isinstance(s.text.value(node), Tensor) and isinstance(node, (ast.List, ast.Tuple, ast.Name)):
            lists = [value for value in given if not isinstance(value, Tensor)]
            has_arrays = any(isinstance(part, Tensor) for value in lists for part in walk(value))
            for weight, function in enumerate(("stack", "array") if has_arrays else ("array", "stack")):
                yield _within(s, weight, node, f"{module}.{function}({s.text.text(node)})")


def _within(s: Situation, weight: int, node: ast.expr, text: str) -> Candidate:
    """Return the replacement of a part of the failing expression as one of the whole, which has fewer operands then."""
    if not isinstance(s.node, (ast.Call, ast.Subscript)):
        return s.candidate(weight, node, text)
    (start, end), (first, last) = s.text.span(s.node), s.text.span(node)
    code = s.text.source.code
    return s.candidate(weight, s.node, f"{code[start:first]}{text}{code[last:end]}")


def arrays_made_list(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which all arrays that are given one by one are one list."""
    is_one = isinstance(s.node, ast.Call) and callee(s.node) in _OF_LISTS and _refuses_lists(s)
    if isinstance(s.node, ast.Call) and is_one and len(s.node.args) > 1:
        start, end = s.text.span(s.node.args[0])[0], s.text.span(s.node.args[-1])[1]
        given = ", ".join(s.text.text(node) for node in s.node.args)
        yield s.replaced_text(0, start, end, f"({given})")


def sizes_unpacked(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the sizes in a sequence are given one by one."""
    is_of_numbers = any(said in s.call.clash.message for said in ("where a number belongs", "not a number"))
    given = s.node.args if isinstance(s.node, ast.Call) and is_of_numbers else []
    if len(given) == 1 and isinstance(given[0], (ast.Tuple, ast.List)):
        yield _within(s, 0, given[0], ", ".join(map(s.text.text, given[0].elts)))
    elif len(given) == 1 and isinstance(given[0], (ast.Name, ast.Attribute)):
        yield _within(s, 0, given[0], f"*{s.text.text(given[0])}")


def sequences_alike(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which what is added to a tuple is a tuple, and what is added to a list a list."""
    pair = (s.node.left, s.node.right) if isinstance(s.node, ast.BinOp) else ()
    kinds = [_sequence(s, node) for node in pair]
    for node, other in zip(pair, reversed(kinds), strict=True):
        inner = _inside(s, node)
        if other == "tuple" and inner:
            yield s.candidate(0, node, f"({inner},)")
        elif other == "list" and inner:
            yield s.candidate(1, node, f"[{inner}]")
        elif other in ("tuple", "list") and _sequence(s, node) != other:
            yield s.candidate(2, node, f"{other}({s.text.text(node)})")


def sequence_made_array(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a list or tuple is an array, which can be computed with."""
    module = s.text.numpy
    for node in _operands(s.node) if module else ():
        if _sequence(s, node) in ("list", "tuple"):
            if isinstance(node, ast.Name) and (first := s.text.start_of_function(node)) is not None:
                at, indent = first
                yield s.inserted(-1, at, f"{node.id} = {module}.array({node.id})\n{indent}")
            yield s.candidate(0, node, f"{module}.array({s.text.text(node)})")


def shapes_joined(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which what is added to a shape of TensorFlow is joined with it."""
    if isinstance(s.node, ast.BinOp) and s.tensorflow:
        left, right = (_as_list(s, node) for node in (s.node.left, s.node.right))
        yield s.candidate(0, s.node, f"{s.tensorflow}.concat([{left}, {right}], axis=0)")


def _as_list(s: Situation, node: ast.expr) -> str:
    """Return the text of an expression, with brackets where it is a tuple."""
    return f"[{_inside(s, node)}]" if isinstance(node, ast.Tuple) else s.text.text(node)


def _operands(node: ast.AST | None) -> list[ast.expr]:
    """Return the operands of an operator, or what an attribute is read from."""
    match node:
        case ast.Attribute(value=owner) | ast.Call(func=ast.Attribute(value=owner)):
            return [owner]
        case ast.BinOp(left=left, right=right) | ast.Compare(left=left, comparators=[right]):
            return [left, right]
        case ast.UnaryOp(operand=operand):
            return [operand]
    return []


def _sequence(s: Situation, node: ast.expr) -> str:
    """Return the kind of sequence that an expression is; "" for others."""
    if isinstance(node, ast.Tuple):
        return "tuple"
    value = s.text.value(node)
    return value.kind if isinstance(value, Seq) else value.cls if isinstance(value, Ref) else ""


def _inside(s: Situation, node: ast.expr) -> str:
    """Return the items of a display, or a number itself; "" for what cannot be written as items of another one."""
    if isinstance(node, (ast.List, ast.Tuple)):
        return ", ".join(s.text.text(item) for item in node.elts)
    return "" if _sequence(s, node) else s.text.text(node)


def _refuses_lists(s: Situation) -> bool:
    """Return whether the library of the operation has functions that take no lists."""
    return bool(refused_lists.table(package_of(s.call.step.name)))


def _parts(node: ast.AST | None) -> list[ast.expr]:
    """Return the expressions that are the operands of an expression."""
    match node:
        case ast.Call(args=args, keywords=keywords):
            return [*args, *(each.value for each in keywords)]
        case ast.BinOp(left=left, right=right):
            return [left, right]
        case ast.AugAssign(value=value):
            return [value]
        case ast.Subscript(slice=index):
            return [index]
    return []


def targets_parted(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which each output of a model has its column of the table of targets."""
    told = re.search(r"the model has (\d+) outputs, 1 target is given", s.call.clash.message)
    match s.node:
        case ast.Call(args=[_, ast.Name() as targets, *_]) if told:
            shape = s.text.shape(targets)
            if shape is not None and shape.rank == 2 and shape.sizes[1] == int(told[1]):
                columns = (f"{targets.id}[:, {at}]" for at in range(int(told[1])))
                yield s.candidate(0, targets, f"[{', '.join(columns)}]")


def numbers_made_rows(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a generator gives an array of one row where it gave a single number."""
    module = s.text.numpy if "holds a single number" in s.call.clash.message else ""
    edits = []
    for node in s.text.nodes if module else ():
        made = node.value if isinstance(node, ast.Yield | ast.Return) else None
        items = made.elts if isinstance(made, ast.Tuple) else []
        for item in items:
            shape = s.text.shape(item)
            if s.text.is_number(item) or (shape is not None and shape.rank == 0):
                edits.append(s.text.replaced(item, f"{module}.array([{s.text.text(item)}])"))
    if edits:
        yield Candidate(0, tuple(edits))


def inputs_grouped(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a data set gives the inputs of a model as one item beside the targets."""
    told = _INPUTS.search(s.call.clash.message)
    for node in s.text.nodes if told else ():
        match node:
            case ast.Call(args=[ast.Tuple(elts=items)]) if callee(node) in ("from_tensor_slices", "zip"):
                inputs = items[: int(told[1]) if told else 0]
                if len(items) == len(inputs) + 1 > 1:
                    start, end = s.text.span(inputs[0])[0], s.text.span(inputs[-1])[1]
                    yield s.replaced_text(0, start, end, f"({s.text.source.code[start:end]})")
