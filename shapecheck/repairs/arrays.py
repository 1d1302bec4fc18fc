"""Repairs of operations on arrays: new axes for pairs, accumulators, indices, and functions that take other shapes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import combinations

from shapecheck.domain.values import Tensor
from shapecheck.findings import Edit
from shapecheck.repairs.situation import KERAS, Candidate, OperandText, Situation, callee
from shapecheck.shapes.size import Size

_FILLED = ("zeros", "ones", "uniform", "normal", "random_uniform")
_START = {"minimize": 1, "curve_fit": 3, "odeint": 1, "fsolve": 1, "least_squares": 1}


def axes_inserted(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which an operand has several new axes of size 1, if there is one way to align it."""
    for operand in s.operands:
        others = [each.shape for each in s.call.arguments if each is not operand.argument and each.rank != 0]
        shape = operand.argument.shape
        if len(others) != 1 or not (shape.is_ranked and others[0].is_ranked):
            continue
        missing = len(others[0].sizes) - len(shape.sizes)
        if missing < 2 and (missing < 1 or 1 not in shape.sizes):
            continue
        found = list(_aligned(s, shape.sizes, others[0].sizes))
        if _is_mask(s, operand):  # of keys, which are the last axis of scores
            found = [each for each in found if each[1][-1] == 0 == each[1].count(0) - 1] or found
        if len({sizes for sizes, _ in found}) == 1:
            library = operand.argument.tensor.library
            module = "" if library == KERAS else s.module_of(library)  # Keras has no name for a new axis
            places = max(found, key=lambda each: each[1])[1]
            new = f"{module}.newaxis" if module else "None"
            yield from _declared(s, operand.node, missing, places, len(shape.sizes))
            index = _index(places, len(shape.sizes), new)
            yield s.candidate(1, operand.node, f"{_base(s, operand.node)}[{index}]")
            alike = list(_alike_beside(s, operand))
            if len(alike) > 1:
                yield Candidate(2, tuple(s.text.replaced(each, f"{each.id}[{index}]") for each in alike))


def _is_mask(s: Situation, operand: OperandText) -> bool:
    """Return whether an operand tells which keys count, one for each of a batch."""
    is_named = any(word in s.text.text(operand.node).lower() for word in ("mask", "pad"))
    return operand.argument.rank == 2 and (is_named or operand.argument.tensor.dtype == "bool")


def _alike_beside(s: Situation, operand: OperandText) -> Iterator[ast.Name]:
    """Yield the names in the statement of a clash that stand for arrays of the shape of an operand."""
    statement = s.text.statement_around(s.node) if s.node is not None else None
    for node in s.text.parts(statement) if statement is not None else ():
        is_read = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        if isinstance(node, ast.Name) and is_read and s.text.shape(node) == operand.argument.shape:
            yield node


def _aligned(
    s: Situation, sizes: tuple[Size, ...], other: tuple[Size, ...]
) -> Iterator[tuple[tuple[Size, ...], tuple[int, ...]]]:
    """Yield the ways to stretch a shape to another one by new axes: the shape, and where its own axes are."""
    for places in combinations(range(len(other)), len(sizes)):
        made: list[Size] = [1] * len(other)
        for place, size in zip(places, sizes, strict=True):
            made[place] = size
        if all(a == 1 or s.call.always(a, b) for a, b in zip(made, other, strict=True)):
            yield tuple(made), tuple(len(other) - 1 - place for place in places)


def _index(places: tuple[int, ...], rank: int, new: str) -> str:
    """Return the index that leaves axes where they are, counted from the end, and adds the others."""
    last = min(places)
    items = [":" if at in places else new for at in range(max(places), -1, -1)]
    before = [new] * 0
    if last == 0 and rank:
        while items and items[-1] == ":":
            items.pop()
    elif all(item == ":" for item in items[:rank]):
        items = ["...", *items[rank:]]
    return ", ".join([*before, *items])


def _declared(s: Situation, node: ast.expr, missing: int, places: tuple[int, ...], rank: int) -> Iterator[Candidate]:
    """Yield programs in which noise or zeros are made with axes of size 1 at the end."""
    made = s.text.definition(node)
    if made is None or callee(made) not in _FILLED or min(places) != missing or not isinstance(made, ast.Call):
        return
    for shape in (*made.args[:1], *(each.value for each in made.keywords if each.arg in ("shape", "size"))):
        if isinstance(shape, (ast.Tuple, ast.List)) and len(shape.elts) == rank:
            yield s.inserted(-3, s.text.span(shape.elts[-1])[1], ", 1" * missing)


def _base(s: Situation, node: ast.expr) -> str:
    text = s.text.text(node)
    return text if isinstance(node, (ast.Name, ast.Call, ast.Attribute, ast.Subscript)) else f"({text})"


def rows_paired(s: Situation) -> Iterator[Candidate]:
    """Yield programs that compare each row of one table with each row of another, as distances to centres are."""
    match s.node:
        case ast.BinOp(op=ast.Sub(), left=left):
            shapes = [argument.shape for argument in s.call.arguments]
            module = s.module_of(s.call.arguments[0].tensor.library) if s.call.arguments else ""
            new = f"{module}.newaxis" if module and module == s.text.numpy else "None"
            ranks = [shape.rank for shape in shapes]
            if ranks == [2, 2] and s.call.always(shapes[0].sizes[1], shapes[1].sizes[1]):
                pairs = s.text.replaced(left, f"{_base(s, left)}[:, {new}]")
                for axis in _axes_around(s, s.node):
                    is_of_pairs = s.text.number(axis) in (2, -1)
                    edits = (pairs,) if is_of_pairs else (pairs, s.text.replaced(axis, "2"))
                    yield Candidate(0, edits)
                    yield from _nearest(s, edits)


def _nearest(s: Situation, edits: tuple[Edit, ...]) -> Iterator[Candidate]:
    """Yield also the position of the nearest one for each row."""
    for node in s.text.nodes:
        match node:
            case ast.Call(func=ast.Attribute(attr="argmin"), args=args, keywords=[]) if len(args) <= 1:
                wanted = s.with_keyword(0, node, "axis", "1")
                yield Candidate(1, (*edits, *wanted.edits))


def _axes_around(s: Situation, node: ast.expr) -> Iterator[ast.expr]:
    """Yield the axis along which a sum around an expression is taken, or around the name that it is bound to, that of
    rows or of pairs of rows."""
    bound = s.text.assignment_to(node)
    names = {s.text.text(target) for target in bound.targets} if bound is not None else set()
    for call in s.text.nodes:
        is_sum = isinstance(call, ast.Call) and callee(call) in ("sum", "norm", "mean")
        for each in call.keywords if is_sum and isinstance(call, ast.Call) else ():
            parts = s.text.parts(call)
            is_around = node in parts or any(isinstance(part, ast.Name) and part.id in names for part in parts)
            if each.arg == "axis" and s.text.number(each.value) in (1, 2, -1) and is_around:
                yield each.value


def accumulator_shaped(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which zeros, to which something is added, have its shape."""
    if not isinstance(s.node, ast.AugAssign):
        return
    made, shape = s.text.first_value(s.node.target), s.text.shape(s.node.value)
    sizes = shape.sizes if shape is not None and shape.is_ranked else ()
    known = [str(size) for size in sizes if isinstance(size, int)]
    if isinstance(made, ast.Call) and callee(made) in ("zeros", "ones") and made.args and len(known) == len(sizes) > 1:
        yield s.candidate(0, made.args[0], f"({', '.join(known)})")


def rows_gathered(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which rows are appended to a table without rows, not to an empty vector."""
    module = s.text.numpy
    for operand in s.operands if module else ():
        made = s.text.first_value(operand.node) if isinstance(operand.node, (ast.Name, ast.Attribute)) else None
        others = [each.shape for each in s.call.arguments if each is not operand.argument]
        match made:
            case ast.Call(args=[ast.List(elts=[])]) if callee(made) in ("array", "empty") and len(others) == 1:
                sizes = others[0].sizes[1:] if others[0].is_ranked else ()
                if sizes and all(isinstance(size, int) for size in sizes):
                    yield s.candidate(0, made, f"{module}.empty((0, {', '.join(map(str, sizes))}))")


def columns_indexed(s: Situation) -> Iterator[Candidate]:
    """Yield programs that take a column of a table instead of a row."""
    for operand, part in ((each, part) for each in s.operands for part in s.text.parts(each.node)):
        match part:
            case ast.Subscript(value=ast.expr() as table, slice=index) if not isinstance(index, (ast.Tuple, ast.Slice)):
                shape, row = s.text.shape(table), s.text.shape(part)
                others = [each.shape for each in s.call.arguments if each is not operand.argument]
                is_row = shape is not None and shape.rank == 2 and row == operand.argument.shape and row.rank == 1
                if is_row and shape and all(other.rank == 1 and other.sizes[0] == shape.sizes[0] for other in others):
                    yield s.candidate(0, index, f":, {s.text.text(index)}")


def index_of_classes(s: Situation) -> Iterator[Candidate]:
    """Yield programs that index with the numbers of classes instead of one-hot rows."""
    match s.node:
        case ast.Subscript(slice=ast.Tuple(elts=items)):
            shapes = [s.text.shape(item) for item in items]
            ranks = [shape.rank for shape in shapes if shape is not None]
            for item, shape in zip(items, shapes, strict=True):
                if shape is not None and shape.rank == 2 and 1 in ranks and isinstance(item, ast.Name):
                    yield s.candidate(0, item, f"{item.id}.argmax(axis=1)")


def solved_by_least_squares(s: Situation) -> Iterator[Candidate]:
    """Yield programs that solve equations which are more, or fewer, than their unknowns."""
    match s.node:
        case ast.Call(func=ast.Attribute(attr="solve", value=module) as function, args=[_, _]) if s.text.is_module(
            module
        ):
            end = s.text.span(s.node)[1]
            edits = (
                s.text.replaced(function, f"{s.text.text(module)}.lstsq"),
                s.text.inserted(end - 1, ", rcond=None"),
                s.text.inserted(end, "[0]"),
            )
            yield Candidate(0, edits)


def terms_added(s: Situation) -> Iterator[Candidate]:
    """Yield programs that add tensors of different shapes by `+`, which stretches them."""
    match s.node:
        case ast.Call(func=ast.Attribute(attr="add_n"), args=[ast.List(elts=[_, _, *_] as terms)]):
            yield s.candidate(0, s.node, " + ".join(map(s.text.text, terms)))


def start_resized(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which an optimiser starts with as many numbers as its function has."""
    for node in s.text.nodes:
        if not isinstance(node, ast.Call) or callee(node) not in _START:
            continue
        given = [
            *node.args[_START[callee(node)] :],
            *(each.value for each in node.keywords if each.arg in ("p0", "x0")),
        ]
        for start in given[:1]:
            for a, b in s.unequal:
                yield from _of_size(s, start, a, b)
                yield from _of_size(s, start, b, a)


def _of_size(s: Situation, start: ast.expr, now: int, wanted: int) -> Iterator[Candidate]:
    match start:
        case ast.Call(args=[size, *_]) if s.text.number(size) == now:
            yield s.candidate(0, size, str(wanted))
        case ast.List(elts=[first, *_] as items) if len(items) == now < wanted:
            texts = {s.text.text(item) for item in items}
            if len(texts) == 1:
                yield s.inserted(0, s.text.span(items[-1])[1], f", {s.text.text(first)}" * (wanted - now))


def best_value_taken(s: Situation) -> Iterator[Candidate]:
    """Yield programs that add the value of the best action to each reward, not those of all actions."""
    statement = s.text.statement_around(s.node) if s.node is not None else None
    if statement is None or not s.text.mentions(statement, ("reward", "gamma", "discount")):
        return
    ranks = [argument.rank for argument in s.call.arguments]
    for operand in s.operands if sorted(rank or 0 for rank in ranks) == [1, 2] else ():
        names = [node for node in s.text.parts(operand.node) if isinstance(node, (ast.Name, ast.Call))]
        for node in names if operand.argument.rank == 2 else ():
            shape, value = s.text.shape(node), s.text.value(node)
            if shape is not None and shape.rank == 2 and isinstance(value, Tensor):
                base, is_numpy = _base(s, node), value.library == "np"
                text = f"{base}.max(axis=1)" if is_numpy else f"{s.tensorflow}.reduce_max({s.text.text(node)}, axis=1)"
                if is_numpy or s.tensorflow:
                    yield s.candidate(0, node, text)
                break


def stored_without_axis(s: Situation) -> Iterator[Candidate]:
    """Yield programs that store a column, or a row, as the vector that its place takes."""
    bound = s.text.assignment_to(s.node)
    shape = s.text.shape(bound.value) if bound is not None and s.node in bound.targets else None
    if bound is None or shape is None or shape.rank != 2:
        return
    text = s.text.text(bound.value)
    base = text if isinstance(bound.value, (ast.Name, ast.Call, ast.Attribute, ast.Subscript)) else f"({text})"
    if shape.sizes[0] == 1:
        yield s.candidate(0, bound.value, f"{base}[0]")
    if shape.sizes[1] == 1:
        yield s.candidate(0, bound.value, f"{base}[:, 0]")


def unpacked_in_part(s: Situation) -> Iterator[Candidate]:
    """Yield programs that unpack a shape into one more name, or only as many sizes of it as there are names, or all
    columns that there are."""
    match s.text.assignment_to(s.node):
        case ast.Assign(
            targets=[ast.Tuple(elts=names) as all_], value=ast.Attribute(attr="shape", value=array) as shape
        ):
            sizes = s.text.shape(array)
            if sizes is not None and sizes.rank == len(names) + 1:
                more = ", ".join([*map(s.text.text, names), "_"])
                yield s.candidate(0, all_, f"({more})" if s.text.text(all_).startswith("(") else more)
            yield s.inserted(1, s.text.span(shape)[1], f"[:{len(names)}]")
    for call in s.calls_on_the_way():
        for given in call.args:
            match given:
                case ast.Subscript(value=whole, slice=ast.Tuple(elts=items)) if all(
                    isinstance(item, ast.Slice) for item in items
                ):
                    yield s.candidate(0, given, s.text.text(whole))


def column_kept_as_table(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a column of a data frame stays a table, as estimators take it."""
    for given in s.node.args[:1] if isinstance(s.node, ast.Call) and "a scaler takes" in s.call.clash.message else ():
        match given:
            case ast.Subscript(slice=ast.Constant(value=str()) as name):
                yield s.candidate(0, name, f"[{s.text.text(name)}]")


def key_made_position(s: Situation) -> Iterator[Candidate]:
    """Yield programs that take a feature by its position among those that were stacked, whose name is gone."""
    match s.node:
        case ast.Subscript(slice=ast.Constant(value=str(key)) as index):
            for node in s.text.nodes:
                keys = _keys(node) if isinstance(node, (ast.List, ast.Tuple)) else []
                if keys.count(key) == 1:
                    yield s.candidate(0, index, str(keys.index(key)))


def _keys(node: ast.List | ast.Tuple) -> list[object]:
    """Return the keys of the items of which a list is made; [] if it is made of anything else."""
    keys: list[object] = []
    for item in node.elts:
        match item:
            case ast.Subscript(slice=ast.Constant(value=key)):
                keys.append(key)
            case _:
                return []
    return keys


def positions_wrapped(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which each of several positions is a row of indices."""
    for node in s.node.args if isinstance(s.node, ast.Call) and "scatter" in callee(s.node) else ():
        if isinstance(node, ast.List) and node.elts and not any(isinstance(each, ast.List) for each in node.elts):
            yield s.candidate(0, node, f"[{', '.join(f'[{s.text.text(each)}]' for each in node.elts)}]")


def shape_index_provided(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which an array has the axis whose size is read."""
    match s.node:
        case ast.Subscript(value=ast.Attribute(attr="shape", value=ast.Name() as array)):
            bound, module = s.text.line_after_binding(array), s.text.numpy
            if bound is not None and module:
                at, indent = bound
                yield s.inserted(0, at, f"\n{indent}{array.id} = {array.id}[..., {module}.newaxis]")


def last_value_returned(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a function returns what it computes last."""
    for node in s.text.nodes:
        match node:
            case ast.FunctionDef(body=[*_, ast.Expr(value=ast.Call() as value) as last]):
                has_return = any(isinstance(each, ast.Return) for each in s.text.parts(node))
                if not has_return and s.text.shape(value) is not None:
                    yield s.inserted(0, s.text.span(last)[0], "return ")


def range_one_longer(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which numbers are counted up to the end."""
    for site in s.sites:
        match site.node:
            case ast.Call(func=ast.Attribute(attr="range" | "arange"), args=[_, stop]):
                yield s.candidate(0, stop, f"{s.text.text(stop)} + 1")


def last_window_counted(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the last window is not left out, of which there is one less than of other values."""
    for site in s.sites if {abs(a - b) for a, b in s.unequal} == {1} else ():
        for node in s.text.parts(site.node):
            match node:
                case ast.comprehension(
                    iter=ast.Call(func=ast.Name(id="range"), args=[ast.BinOp(op=ast.Sub()) as stop])
                ):
                    yield s.inserted(0, s.text.span(stop)[1], " + 1")


def pairs_of_lists_split(s: Situation) -> Iterator[Candidate]:
    """Yield programs that give a model of two inputs the two halves of an array of pairs."""
    if (
        not isinstance(s.node, ast.Call)
        or not s.node.args
        or "the model takes 2 inputs, 1 is given" not in s.call.clash.message
    ):
        return
    data = s.node.args[0]
    shape = s.text.shape(data)
    if isinstance(data, ast.Name) and shape is not None and shape.is_ranked and shape.sizes[1:2] == (2,):
        yield s.candidate(0, data, f"[{data.id}[:, 0], {data.id}[:, 1]]")


def whole_array_given(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which an operand gets no new axis."""
    for weight, operand in enumerate(reversed(s.operands)):  # the first one is paired with the rows of the others
        match operand.node:
            case ast.Subscript(value=whole, slice=ast.Tuple(elts=parts)) if any(
                s.text.text(part).endswith(("None", "newaxis")) for part in parts
            ):
                yield s.candidate(weight, operand.node, s.text.text(whole))


def new_axis_left_out(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a function that returns data adds no axis."""
    for node in s.text.nodes:
        match node:
            case ast.Return(value=ast.Tuple(elts=items)) | ast.Yield(value=ast.Tuple(elts=items)):
                for item in items[:1]:
                    match item:
                        case ast.Subscript(value=whole, slice=ast.Tuple(elts=parts)) if "newaxis" in s.text.text(
                            parts[-1]
                        ):
                            yield s.candidate(0, item, s.text.text(whole))


def slices_shifted_of_layers(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which something for each layer has the sizes of the layers after, not of those before."""
    for node in s.text.nodes:
        match node:
            case ast.comprehension(iter=ast.Call(func=ast.Name(id="zip"), args=[*_, before, after])):
                is_twice = s.text.text(before) == s.text.text(after)
                if is_twice and isinstance(after, ast.Subscript) and s.text.text(after.slice) == ":-1":
                    yield s.candidate(-8, after, f"{s.text.text(after.value)}[1:]")
            case ast.comprehension(iter=ast.Subscript(value=owner, slice=index) as part):
                if s.text.text(index) == ":-1":
                    yield s.candidate(0, part, f"{s.text.text(owner)}[1:]")
                elif s.text.text(index) == "1:":
                    yield s.candidate(0, part, f"{s.text.text(owner)}[:-1]")


def place_given_axes(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which an array that is filled has the last axes of what is stored in it."""
    shapes = [argument.shape for argument in s.call.arguments]
    match s.node:
        case ast.Subscript(value=array) if len(shapes) == 2 and all(shape.is_ranked for shape in shapes):
            sizes, stored = (shape.sizes for shape in shapes)
            made = s.text.first_value(array)
            alike = (at for at in range(len(stored) - 1, 0, -1) if sizes[-at:] == stored[:at])
            missing = next((stored[at:] for at in alike), ())
            if not isinstance(made, ast.Call) or callee(made) not in ("zeros", "empty", "ones") or not made.args:
                return
            given, known = made.args[0], [size for size in missing if isinstance(size, int)]
            if isinstance(given, ast.Tuple | ast.List) and given.elts and known and len(known) == len(missing):
                names = {s.text.number(each): s.text.text(each) for each in s.text.visible_from(given)}
                more = ", ".join(names.get(size, str(size)) for size in known)
                yield s.inserted(0, s.text.span(given.elts[-1])[1], f", {more}")
