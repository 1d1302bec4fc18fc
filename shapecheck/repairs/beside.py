"""Repairs whose reason is what stands beside the fault: other options, other axes, other sums of the same program."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from shapecheck.domain.values import Ref, Tensor
from shapecheck.repairs.situation import TORCH, Candidate, OperandText, Situation, callee
from shapecheck.rules.call import Argument
from shapecheck.shapes.size import Size

_PICTURES = 4  # axes of a batch of pictures
_SEQUENCES = 3  # axes of a batch of sequences
_REDUCING = ("sum", "mean", "max", "min", "std", "var", "reduce_sum", "reduce_mean", "reduce_max", "reduce_variance")
_KEPT = ("keepdims", "keepdim")
_ROWS = 2
_LABELS = ("ones", "zeros")
_PLAIN = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)


def layer_made_for_input(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the call that makes the failing layer says what comes in, by the first of its numbers
    that the layer was made for, if what comes in has no axis of that size."""
    layer = s.node.func if isinstance(s.node, ast.Call) else None
    made = s.text.first_value(layer) if isinstance(layer, ast.Name | ast.Attribute) else None
    for a, b in s.unequal if isinstance(made, ast.Call) and s.is_of_torch else ():
        given = [*made.args, *(each.value for each in made.keywords)] if isinstance(made, ast.Call) else []
        has_it = any(b in argument.shape.sizes for argument in s.call.arguments if argument.shape.is_ranked)
        same = [node for node in given if isinstance(node, ast.Constant) and node.value == b and not has_it]
        yield from (s.candidate(0, node, str(a)) for node in same[:1])


def arguments_in_order(s: Situation) -> Iterator[Candidate]:
    """Yield programs that give arguments in the order of the parameters, whose names they have."""
    for node in s.text.nodes:
        match node:
            case ast.Call(func=ast.Name(id=name), args=[_, _, *_] as given) if all(
                isinstance(each, ast.Name) for each in given
            ):
                parameters = list(s.text.parameters_of(name) or ())[: len(given)]
                names = [s.text.text(each) for each in given]
                if names != parameters and sorted(names) == sorted(parameters):
                    yield s.replaced_text(0, s.text.span(given[0])[0], s.text.span(given[-1])[1], ", ".join(parameters))


def loop_over_what_is_filled(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a loop that fills an array counts as far as the array was made."""
    match s.node:
        case ast.Subscript(value=ast.Name() as array, slice=index):
            made = s.text.definition(array)
            sizes = made.args[0] if isinstance(made, ast.Call) and made.args else None
            items = index.elts if isinstance(index, ast.Tuple) else [index]
            counted = sizes.elts if isinstance(sizes, ast.Tuple | ast.List) else [sizes]
            for item, size in zip(items, counted, strict=False):
                for stop in _stops(s, item):
                    if size is not None and s.text.text(stop) != s.text.text(size):
                        yield s.candidate(0, stop, s.text.text(size))


def _stops(s: Situation, index: ast.expr) -> Iterator[ast.expr]:
    """Yield the ends of the ranges that an index runs over."""
    for node in s.text.nodes:
        match node:
            case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=[stop])):
                if isinstance(index, ast.Name) and index.id == name:
                    yield stop


def channel_of_series(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which series of single numbers have a last axis for a recurrent layer of PyTorch."""
    takes_one = any(b == 1 for _, b in s.unequal)
    is_recurrent = any(name in s.call.step.name for name in (".LSTM", ".GRU", ".RNN"))
    for operand in s.operands if s.is_of_torch and takes_one and is_recurrent else ():
        if operand.argument.rank == _SEQUENCES - 1:
            yield s.candidate(0, operand.node, f"{_whole(s, operand.node)}.unsqueeze(-1)")


def flattened_as_other(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which samples are flattened that meet rows with as many values."""
    for operand in s.operands if s.is_of_torch else ():
        others = [each.shape for each in s.call.arguments if each is not operand.argument]
        mine = operand.argument.shape
        are_rows = len(others) == 1 and others[0].rank == _ROWS and mine.is_ranked and len(mine.sizes) > _ROWS
        if are_rows and mine.elements() == others[0].elements():
            yield s.candidate(0, operand.node, f"{_whole(s, operand.node)}.flatten(1)")


def size_of_part_beside(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which labels that are joined have as many rows as those that they are joined with."""
    for node in s.text.nodes if s.unequal else ():
        parts = node.elts if isinstance(node, ast.List | ast.Tuple) else []
        shapes = [
            each.args[0] for each in parts if isinstance(each, ast.Call) and callee(each) in _LABELS and each.args
        ]
        rows = [each.elts[0] for each in shapes if isinstance(each, ast.Tuple | ast.List) and each.elts]
        are_facts = any(isinstance(each, ast.Constant) for each in rows)
        if len(rows) == len(parts) == _ROWS and not are_facts and s.text.number(rows[0]) != s.text.number(rows[1]):
            yield from (s.candidate(0, a, s.text.text(b)) for a, b in (rows[::-1], rows))


def axes_kept_as_beside(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a reduction keeps its axis, as another one along the same axis of the same function."""
    kept: list[tuple[str, str]] = []
    lost: list[tuple[str, ast.Call]] = []
    for node in s.text.nodes:
        if isinstance(node, ast.Call) and callee(node) in _REDUCING:
            options = {each.arg: s.text.text(each.value) for each in node.keywords}
            axis = options.get("axis", options.get("dim", ""))
            keeping = next((name for name in _KEPT if options.get(name) == "True"), "")
            if keeping:
                kept.append((axis, keeping))
            elif axis:
                lost.append((axis, node))
    near = {s.text.span(site.node) for site in s.sites}
    for axis, node in lost:
        keyword = next((name for other, name in kept if other == axis), "")
        if keyword and s.text.span(node) in near:
            yield s.with_keyword(0, node, keyword, "True")


def vectors_paired(s: Situation) -> Iterator[Candidate]:
    """Yield programs that combine each value of one vector with each of another, as a table beside them has them."""
    shapes = [argument.shape for argument in s.call.arguments]
    if not isinstance(s.node, ast.BinOp) or [shape.rank for shape in shapes] != [1, 1]:
        return
    first, second = (shape.sizes[0] for shape in shapes)
    for node, sizes in ((s.node.left, (first, second)), (s.node.right, (second, first))):
        statement = s.text.statement_around(s.node)
        inside = s.text.parts(s.node)
        parts = [part for part in s.text.parts(statement) if part not in inside] if statement is not None else []
        is_beside = any(_is_table(s, part, sizes) for part in parts if isinstance(part, ast.expr))
        if is_beside or (node is s.node.left and _is_stored_in_table(s, statement)):
            module = s.module_of(s.call.arguments[0].tensor.library)
            index = f"[:, {f'{module}.newaxis' if module and module == s.text.numpy else 'None'}]"
            made = s.text.definition(node) if isinstance(node, ast.Name) and s.text.uses(node) > 1 else None
            if isinstance(made, ast.Call):
                yield s.inserted(0, s.text.span(made)[1], index)
            yield s.candidate(0, node, f"{_whole(s, node)}{index}")


def _is_stored_in_table(s: Situation, statement: ast.stmt | None) -> bool:
    """Return whether a statement stores what it computes in a part of a table."""
    match statement:
        case ast.Assign(targets=[ast.Subscript(value=array, slice=ast.Tuple(elts=[_, _]))]):
            shape = s.text.shape(array)
            return shape is not None and shape.rank == _ROWS
    return False


def _whole(s: Situation, node: ast.expr) -> str:
    text = s.text.text(node)
    return text if isinstance(node, _PLAIN) else f"({text})"


def _is_table(s: Situation, node: ast.expr, sizes: tuple[Size, Size]) -> bool:
    """Return whether an expression is a table of these sizes."""
    shape = s.text.shape(node)
    return shape is not None and shape.is_ranked and shape.sizes == sizes


def last_step_of_each(s: Situation) -> Iterator[Candidate]:
    """Yield programs that take the last step of each sequence of a batch, not the last sequence."""
    for distance, site in enumerate(s.sites):
        for node in s.text.parts(site.node):
            match node:
                case ast.Subscript(
                    value=value, slice=ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1)) as last
                ):
                    shape = s.text.shape(value)
                    if shape is not None and shape.rank == _SEQUENCES:
                        yield s.candidate(distance, last, ":, -1")


def stride_left_out(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a convolution does not halve maps that are to be as large as those they meet."""
    is_half = any(2 * min(pair) == max(pair) for pair in s.unequal)
    layers = [site.node for site in s.sites if is_half]
    for distance, node in enumerate(layers):
        made = node.func if isinstance(node, ast.Call) and isinstance(node.func, ast.Call) else node
        given = [each for each in made.keywords if each.arg == "strides"] if isinstance(made, ast.Call) else []
        if isinstance(made, ast.Call) and callee(made).endswith("Conv2D") and given:
            yield s.without_keyword(distance, made, "strides")


def classes_moved_where_made(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which one-hot rows of a picture of class numbers have their classes where scores have them."""
    for operand in s.operands:
        name, shape = operand.node, operand.argument.shape
        made = s.text.definition(name) if isinstance(name, ast.Name) else name
        others = [each.shape for each in s.call.arguments if each is not operand.argument]
        is_made = callee(made) == "one_hot" and operand.argument.tensor.library == TORCH and shape.rank == _PICTURES
        moved = [(each.sizes[1], *each.sizes[2:]) for each in others if each.rank == _PICTURES and each.is_ranked]
        if is_made and made is not None and moved == [(shape.sizes[-1], *shape.sizes[1:3])]:
            yield s.inserted(0, s.text.span(made)[1], ".permute(0, 3, 1, 2)")


def weights_of_labels(s: Situation) -> Iterator[Candidate]:
    """Yield programs that give each sample the weight of its class."""
    for operand in s.operands:
        others = [each.shape for each in s.call.arguments if each is not operand.argument]
        if operand.argument.rank != 1 or len(others) != 1 or not _weighs(s, operand):
            continue
        for label in s.text.visible_from(operand.node):
            value, text = s.text.value(label), s.text.text(operand.node)
            is_label = isinstance(value, Tensor) and "int" in (value.dtype or "") and value.shape == others[0]
            if is_label and isinstance(label, ast.Name):
                gathered = f"{s.tensorflow}.gather({text}, {label.id})"
                gathers = s.tensorflow and s.module_of(operand.argument.tensor.library) == s.tensorflow
                yield s.candidate(0, operand.node, gathered if gathers else f"{text}[{label.id}]")


def _weighs(s: Situation, operand: OperandText) -> bool:
    return "weight" in s.text.text(operand.node).lower() or "class" in s.text.text(operand.node).lower()


def start_left_out(s: Situation) -> Iterator[Candidate]:
    """Yield programs that compare averages over a window with the values from the first full window on,
    since an average over a part of a window is none."""
    for operand in s.operands if isinstance(s.node, ast.BinOp | ast.Compare) else ():
        made = s.text.definition(operand.node) if isinstance(operand.node, ast.Name) else operand.node
        match made:
            case ast.Call(args=[ast.Name() as values, ast.BinOp(op=ast.Div()) as kernel, *_]) if (
                callee(made) == "convolve"
            ):
                ones = [part for part in s.text.parts(kernel) if isinstance(part, ast.Call) and callee(part) == "ones"]
                sizes = [part.args[0] for part in ones if part.args]
                for whole in s.operands:
                    if isinstance(whole.node, ast.Name) and whole.node.id == values.id and sizes:
                        yield s.candidate(0, whole.node, f"{values.id}[{s.text.text(sizes[0])} - 1:]")


def target_column_left_out(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the columns for the samples are those of a table without its target, which is read from
    the same table."""
    if not any(abs(a - b) == 1 for a, b in s.unequal):
        return
    columns = {}
    for node in s.text.nodes:
        match node:
            case ast.Assign(value=value) if (column := _column(value)) is not None:
                columns[s.text.text(column.value)] = s.text.text(column.slice)
    for operand in s.operands:
        made = s.text.definition(operand.node)
        table = made.value if isinstance(made, ast.Attribute) and made.attr == "values" else made
        name = columns.get(s.text.text(table)) if isinstance(table, ast.Name) else None
        if name is not None and isinstance(table, ast.Name) and isinstance(s.text.value(table), Ref | Tensor):
            yield s.inserted(0, s.text.span(table)[1], f".drop(columns={name})")


def _column(node: ast.expr) -> ast.Subscript | None:
    """Return the column of a table that an expression reads, as it is or as an array."""
    inner = node.value if isinstance(node, ast.Attribute) and node.attr == "values" else node
    is_named = isinstance(inner, ast.Subscript) and isinstance(inner.slice, ast.Constant)
    return inner if isinstance(inner, ast.Subscript) and is_named and isinstance(inner.value, ast.Name) else None


def factors_turned(s: Situation) -> Iterator[Candidate]:
    """Yield programs that turn the rows of a table by a square matrix from the right, which is transposed for that."""
    match s.node:
        case ast.BinOp(op=ast.MatMult(), left=ast.Name() as matrix, right=rows):
            square, table = s.text.shape(matrix), s.text.shape(rows)
            if square is None or table is None or square.rank != 2 or table.rank != 2:
                return
            if square.sizes[0] == square.sizes[1] == table.sizes[1]:
                text = s.text.text(rows)
                base = text if isinstance(rows, _PLAIN) else f"({text.strip('()')})"
                yield s.candidate(0, s.node, f"{base} @ {matrix.id}.T")


def argument_of_partner(s: Situation) -> Iterator[Candidate]:
    """Yield programs that compute values at the places where those that they meet were computed."""
    for operand in s.operands:
        others = [each for each in s.call.arguments if each is not operand.argument]
        match operand.node:
            case ast.Call(func=ast.Name(), args=[ast.Name() as places], keywords=[]) if len(others) == 1:
                yield from (s.candidate(0, places, each) for each in _places_of(s, places, others[0]))
            case ast.Name() if len(others) == 1:
                made = s.text.definition(operand.node)
                given = [each for each in made.args if isinstance(each, ast.Name)] if isinstance(made, ast.Call) else []
                for place in (each for each in given if s.text.shape(each) == operand.argument.shape):
                    (start, end), (first, last) = s.text.span(place), s.text.span(made or place)
                    code = s.text.source.code
                    for name in _places_of(s, place, others[0]):
                        yield s.candidate(0, operand.node, f"{code[first:start]}{name}{code[end:last]}")


def _places_of(s: Situation, places: ast.Name, partner: Argument) -> Iterator[str]:
    """Yield the names of the places at which values were computed, or which they are given to a call with."""
    before = {step.id for step in s.call.graph.ancestors([partner.tensor.step])}
    together: set[str] = set()
    for node in s.text.nodes:
        names = [each for each in node.args if isinstance(each, ast.Name)] if isinstance(node, ast.Call) else []
        if any(_is_value(s, each, partner.tensor) for each in names):
            together |= {each.id for each in names}
    for other in s.text.visible_from(places):
        value = s.text.value(other)
        if not isinstance(other, ast.Name) or not isinstance(value, Tensor) or _is_value(s, other, partner.tensor):
            continue
        is_place = value.step in before or other.id in together
        if is_place and value.shape == partner.shape != s.text.shape(places):
            yield other.id


def _is_value(s: Situation, node: ast.expr, tensor: Tensor) -> bool:
    value = s.text.value(node)
    return isinstance(value, Tensor) and (value.step, value.output) == (tensor.step, tensor.output)


def start_of_loop_sized(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which zeros that a loop of the library starts from have another size that has a name."""
    for node in s.text.nodes:
        match node:
            case ast.Call(args=args) if callee(node) in ("scan", "fori_loop", "while_loop"):
                for start in args:
                    made = s.text.definition(start) if isinstance(start, ast.Name) else start
                    if isinstance(made, ast.Call) and callee(made) == "zeros" and made.args:
                        yield from _otherwise_sized(s, made.args[0])


def _otherwise_sized(s: Situation, given: ast.expr) -> Iterator[Candidate]:
    """Yield zeros of other sizes: those of two that differ that have names."""
    for size in given.elts if isinstance(given, ast.Tuple | ast.List) else [given]:
        for a, b in s.unequal:
            wanted = b if s.text.number(size) == a else a if s.text.number(size) == b else None
            names = [each for each in s.text.visible_from(size) if s.text.number(each) == wanted]
            yield from (s.candidate(at, size, s.text.text(each)) for at, each in enumerate(names[:2] if wanted else ()))
