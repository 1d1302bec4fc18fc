"""Repairs of what estimators and scalers are given."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from shapecheck.domain.values import Ref
from shapecheck.findings import Edit
from shapecheck.repairs.situation import Candidate, Situation, callee

_OF_CLASSES = """accuracy_score balanced_accuracy_score f1_score precision_score recall_score confusion_matrix
    classification_report""".split()
_TRANSFORMING = ("fit_transform", "transform", "inverse_transform")


def sample_wrapped(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a sample that is written as a list, or number, is a table of one row."""
    for given in s.node.args[:1] if isinstance(s.node, ast.Call) and _takes_table(s) else ():
        match given:
            case ast.List():
                yield s.candidate(0, given, f"[{s.text.text(given)}]")
            case ast.Constant():
                yield s.candidate(0, given, f"[[{s.text.text(given)}]]")
            case ast.Subscript(slice=ast.Constant(value=str()) as name):
                yield s.candidate(0, name, f"[{s.text.text(name)}]")
            case ast.Name():
                match s.text.first_value(given):
                    case ast.List():
                        yield s.candidate(0, given, f"[{given.id}]")
                    case ast.Subscript(slice=ast.Constant(value=str()) as name):
                        yield s.candidate(0, name, f"[{s.text.text(name)}]")


def other_estimator_asked(s: Situation) -> Iterator[Candidate]:
    """Yield programs that transform by another estimator or scaler of the same class, which was fitted to these
    columns."""
    match s.node:
        case ast.Call(func=ast.Attribute(value=ast.Name() as asked)) if callee(s.node) in _TRANSFORMING:
            mine = s.text.value(asked)
            for other in s.text.bound_before(asked):
                value = s.text.value(other)
                is_alike = isinstance(value, Ref) and isinstance(mine, Ref) and value.cls == mine.cls
                if is_alike and value != mine:
                    yield s.candidate(0, asked, other.id)


def row_wrapped(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a table with named columns is made of a list of rows, not of a row."""
    match s.node:
        case ast.Call(args=[given, *_]) if callee(s.node) == "DataFrame":
            shape = s.text.shape(given)
            if isinstance(s.text.first_value(given), ast.List) or (shape is not None and shape.rank == 1):
                yield s.candidate(0, given, f"[{s.text.text(given)}]")


def parts_in_order(s: Situation) -> Iterator[Candidate]:
    """Yield programs that unpack a split of two arrays in the order in which it gives the parts."""
    for node in s.text.nodes:
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=[_, second, third, _])], value=ast.Call(args=[_, _]) as split):
                if callee(split) == "train_test_split":
                    first, last = s.text.text(second), s.text.text(third)
                    yield Candidate(0, (s.text.replaced(second, last), s.text.replaced(third, first)))


def classes_predicted(s: Situation) -> Iterator[Candidate]:
    """Yield programs that compare classes with the classes predicted, not with their chances."""
    for node in s.text.nodes if callee(s.node) in _OF_CLASSES else ():
        match node:
            case ast.Call(func=ast.Attribute(attr="predict_proba", value=model) as function):
                yield s.candidate(0, function, f"{s.text.text(model)}.predict")


def chances_of_class(s: Situation) -> Iterator[Candidate]:
    """Yield programs that give the chances of the second of two classes, where those of one are needed."""
    if "the chances of one class" in s.call.clash.message and isinstance(s.node, ast.Call):
        for given in s.node.args[1:2]:
            yield s.inserted(0, s.text.span(given)[1], "[:, 1]")


def rows_scaled(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the rows of all windows or sequences are scaled as those of one table."""
    shape = next((argument.shape for argument in s.call.arguments), None)
    if not _takes_table(s) or shape is None or shape.rank != 3:
        return
    edits: list[Edit] = []
    for node in s.text.nodes:
        match node:
            case ast.Call(func=ast.Attribute(), args=[ast.Name() as data]) if callee(node) in _TRANSFORMING:
                mine = s.text.shape(data)
                if mine is not None and mine.rank == 3:
                    edits.append(s.text.replaced(data, f"{data.id}.reshape(-1, {data.id}.shape[-1])"))
                    edits.append(s.text.inserted(s.text.span(node)[1], f".reshape({data.id}.shape)"))
            case ast.Call(func=ast.Attribute(attr="fit"), args=[ast.Name() as data]):
                mine = s.text.shape(data)
                if mine is not None and mine.rank == 3:
                    edits.append(s.text.replaced(data, f"{data.id}.reshape(-1, {data.id}.shape[-1])"))
    if edits:
        yield Candidate(0, tuple(edits))


def _takes_table(s: Situation) -> bool:
    return "takes rank 2" in s.call.clash.message
