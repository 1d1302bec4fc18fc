"""Repairs of what estimators and scalers are given."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from shapecheck.domain.values import Ref, Value
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
                if _are_alike(value, mine) and value != mine:
                    yield s.candidate(0, asked, other.id)


def fitted_one_transforms(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which new samples are transformed by what the samples before were transformed by."""
    given = s.node.args[0] if isinstance(s.node, ast.Call) and s.node.args else None
    match s.text.definition(given) if isinstance(given, ast.Name) else given:
        case ast.Call(func=ast.Attribute(attr="fit_transform", value=now)) as made:
            for node in s.text.nodes:
                match node:
                    case ast.Call(func=ast.Attribute(attr="fit_transform", value=ast.Name() as fitted)):
                        is_other = node is not made and s.text.is_visible(fitted, made)
                        if is_other and _are_alike(s.text.value(now), s.text.value(fitted)):
                            yield s.candidate(0, made.func, f"{fitted.id}.transform")


def _are_alike(one: Value | None, other: Value | None) -> bool:
    """Return whether two values are objects of the same class."""
    return isinstance(one, Ref) and isinstance(other, Ref) and one.cls == other.cls


def column_taken_after(s: Situation) -> Iterator[Candidate]:
    """Yield programs that transform all columns of a table, and take one of the result."""
    wanted, end = {b for pair in s.unequal for b in pair if b > 1}, s.call.step.place.end
    for given in s.node.args[:1] if isinstance(s.node, ast.Call) and callee(s.node) in _TRANSFORMING else ():
        for part in s.text.parts(given):
            match part:
                case ast.Subscript(value=table, slice=ast.Tuple(elts=[ast.Slice(), _]) as index):
                    shape = s.text.shape(table)
                    if shape is not None and shape.rank == 2 and shape.sizes[1] in wanted:
                        column = s.text.inserted(end, f"[{s.text.text(index)}]")
                        yield Candidate(0, (s.text.replaced(given, s.text.text(table)), column))


def numbers_made_samples(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which each number of a list is a sample of one column, where the list was given as a sample."""
    for node in s.text.nodes if any(1 in pair for pair in s.unequal) else ():
        match node:
            case ast.Call(args=[ast.List(elts=[ast.Name() as samples]) as table, *targets]) if callee(node) == "fit":
                value, module = s.text.first_value(samples), s.text.numpy
                is_vector = (shape := s.text.shape(samples)) is not None and shape.rank == 1
                edits = [s.text.replaced(table, f"[[each] for each in {samples.id}]")]
                if is_vector or module:
                    array = samples.id if is_vector else f"{module}.array({samples.id})"
                    edits = [s.text.replaced(table, f"{array}.reshape(-1, 1)")]
                for given in targets[:1]:
                    if isinstance(given, ast.List) and len(given.elts) == 1:
                        edits.append(s.text.replaced(given, s.text.text(given.elts[0])))
                if is_vector or isinstance(value, ast.List):
                    yield Candidate(0, tuple(edits))


def dummies_aligned(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the columns that are made of the categories of a table are those that an estimator was
    fitted to."""
    if "the estimator was fitted to" not in s.call.clash.message:
        return
    made = {name.id: node for name, node in _dummies(s)}
    fitted = [
        part.id
        for node in s.text.nodes
        if isinstance(node, ast.Call) and callee(node).startswith("fit") and node.args
        for part in s.text.parts(node.args[0])
        if isinstance(part, ast.Name) and part.id in made
    ]
    for operand in s.operands:
        for part in s.text.parts(operand.node):
            if isinstance(part, ast.Name) and part.id in made and fitted and part.id not in fitted:
                more = f".reindex(columns={fitted[0]}.columns, fill_value=0)"
                yield s.inserted(0, s.text.span(made[part.id])[1], more)


def _dummies(s: Situation) -> Iterator[tuple[ast.Name, ast.expr]]:
    """Yield the names that are bound to tables with a column for each category."""
    for node in s.text.nodes:
        match node:
            case ast.Assign(targets=[ast.Name() as name], value=ast.Call() as value) if callee(value) == "get_dummies":
                yield name, value


def column_repeated(s: Situation) -> Iterator[Candidate]:
    """Yield programs that undo the scaling of the one column that a model predicts, among as many columns as the scaler
    was fitted to."""
    module, data = s.text.numpy, next((argument.shape for argument in s.call.arguments), None)
    is_column = data is not None and data.rank == 2 and data.sizes[1] == 1
    match s.node:
        case ast.Call(func=ast.Attribute(attr="inverse_transform"), args=[ast.Name() as given]) if module and is_column:
            for wanted in {size for pair in s.unequal for size in pair if size > 1}:
                targets = {column for column in _columns_read(s, wanted) if column < wanted}
                if len(targets) == 1:
                    table = s.text.replaced(given, f"{module}.repeat({given.id}, {wanted}, axis=1)")
                    index = s.text.inserted(s.text.span(s.node)[1], f"[:, {targets.pop()}]")
                    yield Candidate(-1, (table, index))


def _columns_read(s: Situation, columns: int) -> Iterator[int]:
    """Yield the single columns that are read of tables with so many columns."""
    for node in s.text.nodes:
        match node:
            case ast.Subscript(value=table, slice=ast.Tuple(elts=[_, index]), ctx=ast.Load()):
                shape, column = s.text.shape(table), s.text.number(index)
                is_wide = shape is not None and shape.rank == 2 and shape.sizes[1] == columns
                if is_wide and column is not None:
                    yield column % columns


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


def rows_shuffled_alike(s: Situation) -> Iterator[Candidate]:
    """Yield programs that put the rows of two arrays in one random order, and not each in its own."""
    shuffles = [
        (node, node.func.value, node.args[0])
        for node in s.text.nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "shuffle"
        if len(node.args) == 1 and isinstance(node.args[0], ast.Name)
    ]
    for (first, generator, a), (second, _, b) in pairwise(shuffles):
        one, other, source = s.text.text(a), s.text.text(b), s.text.text(generator)
        order = s.text.replaced(first, f"order = {source}.permutation(len({one}))")
        taken = s.text.replaced(second, f"{one}, {other} = {one}[order], {other}[order]")
        yield Candidate(0, (order, taken))


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
