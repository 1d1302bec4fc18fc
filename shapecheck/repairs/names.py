"""Repairs that use another value of the program."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from shapecheck.domain.values import Tensor, Value
from shapecheck.repairs.axes import promises
from shapecheck.repairs.situation import Candidate, OperandText, Situation, callee
from shapecheck.shapes.shape import Shape

_MOST = 2
_JOINING = ("concat", "concatenate", "cat")
_TRAINING = ("fit", "evaluate", "train_on_batch", "test_on_batch")
_DIGITS = "0123456789"
_PARTS = ("train", "test", "val", "dev")


def operand_replaced(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which an operand is a value that it was made from, or that was made from it."""
    used = {s.text.text(operand.node) for operand in s.operands}
    for operand in s.operands:
        near = s.text.visible_from(operand.node) if isinstance(operand.node, ast.Name) else ()
        names = [other for other in near if isinstance(other, ast.Name) and other.id not in used]
        fitting = [name for name in names if _may_be_meant(s, operand, s.text.value(name))]
        yield from (s.candidate(at, operand.node, name.id) for at, name in enumerate(fitting[:_MOST], 1))


def joined_otherwise(s: Situation) -> Iterator[Candidate]:
    """Yield programs that join another one of several values that are numbered, or called by letters."""
    used = {s.text.text(operand.node) for operand in s.operands}
    for weight, operand in enumerate(reversed(s.operands if callee(s.node) in _JOINING else ())):
        name = s.text.text(operand.node).rstrip(_DIGITS)
        near = s.text.visible_from(operand.node) if isinstance(operand.node, ast.Name) else ()
        for other in near:
            if not isinstance(other, ast.Name) or not _may_be_meant(s, operand, s.text.value(other)):
                continue
            is_alike = other.id.rstrip(_DIGITS) == name
            is_letter = len(other.id) == len(s.text.text(operand.node)) == 1 and other.id not in used
            if is_alike or is_letter:
                yield s.candidate(weight, operand.node, s.text.text(other))


def partner_given(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which an argument is of the same part of the data as another one: of those for training, or
    for a test."""
    parts = [_part_of(s, operand.node) for operand in s.operands]
    parts_of_call = s.text.parts(s.node) if s.node is not None else ()
    used = {node.id for node in parts_of_call if isinstance(node, ast.Name)}
    for operand, own in zip(s.operands, parts, strict=True):
        wanted = next((part for part in parts if part and part != own), "")
        for other in s.text.bound_before(operand.node) if wanted else ():
            shape = s.text.shape(other)
            is_partner = other.id not in used and _part(other.id) == wanted
            if is_partner and shape is not None and _are_rows_alike(shape, operand.argument.shape):
                yield s.candidate(0, operand.node, s.text.text(other))


def predicted_for_test(s: Situation) -> Iterator[Candidate]:
    """Yield programs that predict for the samples of a test, whose targets the predictions are compared with."""
    parts = {part for operand in s.operands if (part := _part(s.text.text(operand.node)))}
    for operand in s.operands if parts & {"test", "val"} else ():
        match s.text.definition(operand.node):
            case ast.Call(func=ast.Attribute(attr="predict" | "predict_proba"), args=[ast.Name() as given, *_]):
                wanted = next(iter(parts & {"test", "val"}))
                for other in s.text.bound_before(given) if _part(given.id) not in ("", wanted) else ():
                    shape, mine = s.text.shape(other), s.text.shape(given)
                    is_known = shape is not None and mine is not None and _part(other.id) == wanted
                    if is_known and shape and mine and shape.rank == mine.rank and _are_rows_alike(shape, mine):
                        yield s.candidate(0, given, other.id)


def _are_rows_alike(first: Shape, second: Shape) -> bool:
    """Return whether two tables have rows of one shape."""
    return first.is_ranked and second.is_ranked and first.rank != 0 and first.sizes[1:] == second.sizes[1:]


def _part_of(s: Situation, node: ast.expr) -> str:
    """Return the part of the data that the name of a value tells, or what it was computed from."""
    made = s.text.definition(node)
    given = made.args if isinstance(made, ast.Call) else []
    return _part(s.text.text(node)) or next(filter(None, (_part(s.text.text(each)) for each in given)), "")


def _part(name: str) -> str:
    """Return the part of the data that a name tells; "" if it tells none."""
    words = re.split(r"[^a-z]+", name.lower())
    return next((part for word in words for part in _PARTS if word in (part, f"{part}ing", f"{part}idation")), "")


def _may_be_meant(s: Situation, operand: OperandText, value: Value | None) -> bool:
    """Return whether one value was made from the other, and fits."""
    if not isinstance(value, Tensor) or not value.shape.is_ranked:
        return False
    mine = operand.argument.tensor
    made = {step.id for step in s.call.graph.ancestors([mine.step])}
    makes = {step.id for step in s.call.graph.ancestors([value.step])}
    return (value.step in made or mine.step in makes) and promises(s, operand, value.shape.sizes)


def classes_chosen(s: Situation) -> Iterator[Candidate]:
    """Yield comparisons with the numbers of the likeliest classes instead of a row for each sample."""
    for operand in s.operands if s.compares_classes else ():
        library = {"np": "numpy", "tf": "tensorflow"}.get(operand.argument.tensor.library, "")
        module, rank = s.text.aliases.get(library), operand.argument.rank
        shape = operand.argument.shape
        if module and rank is not None and rank > 1 and promises(s, operand, shape.sizes[:-1]):
            text = f"{module}.argmax({s.text.text(operand.node)}, axis=-1"
            dtype = next((o.argument.tensor.dtype for o in s.operands if o is not operand), None)
            given = f", output_type={module}.int32" if library == "tensorflow" and dtype == "int32" else ""
            yield s.candidate(0, operand.node, f"{text}{given})")


def facts_cut(s: Situation) -> Iterator[Candidate]:
    """Yield programs that give as many of the same labels as there are samples beside them."""
    for operand in s.operands if callee(s.node) in _TRAINING else ():
        others = [each for each in s.operands if each.argument is not operand.argument]
        made, mine = s.text.definition(operand.node), operand.argument.shape
        for other in others if callee(made) in ("ones", "zeros") and isinstance(operand.node, ast.Name) else ():
            theirs = other.argument.shape
            if not mine.is_ranked or not theirs.is_ranked or not isinstance(other.node, ast.Name):
                continue
            rows = mine.sizes[0], theirs.sizes[0]
            if isinstance(rows[0], int) and isinstance(rows[1], int) and rows[0] > rows[1]:
                yield s.followed(0, operand.node, f"[: len({other.node.id})]")
