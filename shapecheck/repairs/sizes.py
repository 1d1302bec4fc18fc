"""Repairs that change a size where it is written, or where it is defined."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Sequence
from itertools import islice

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Tensor, as_size
from shapecheck.findings import Edit
from shapecheck.repairs.axes import promises
from shapecheck.repairs.name_words import words
from shapecheck.repairs.situation import KERAS, Candidate, Situation, callee
from shapecheck.shapes.claims import Divides
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Size

DATA = frozenset(
    (
        *("random", "randn", "rand", "uniform", "normal", "standard_normal", "randint", "integers", "random_normal"),
        *("array", "asarray", "linspace", "arange", "range", "zeros", "ones", "full", "empty", "random_uniform"),
        *(
            "batch",
            "padded_batch",
            "shuffle",
            "repeat",
            "fit",
            "evaluate",
            "train_on_batch",
            "test_on_batch",
            "predict",
            "train_test_split",
        ),
    )
)
"""Operations whose sizes are facts about data, which no edit of the program makes true."""
_NO_SIZES = ("kernel_size", "strides", "axis", "epochs", "dilation_rate", "pool_size", "seed", "verbose", "name")
_FILLED = ("zeros", "ones", "full", "normal", "uniform", "random_normal", "random_uniform", "randn", "truncated_normal")
_NOISE = ("normal", "uniform", "random_normal", "random_uniform", "randn", "standard_normal")
_SHAPES = ("shape", "input_shape", "batch_input_shape", "batch_shape")
_DEEPEST = 4
_NEAR = 8
_MOST_USES = 2
_CHOSEN = 24  # a number that the author has chosen for a model, or the shape of data
_TAKEN = 12  # a shape that other maps of the program have
_MOST_NAMES = 2
_STATES = ("hidden", "state", "carry")
_SAID = 8  # a name that another layer has as the same option
_REPEATED = 4  # a name that would stand twice in a shape
_CLASSES = ("one_hot", "categorical")
_BESIDE = ("append", "concatenate", "hstack", "column_stack", "insert")  # which add columns to the rows of a table
_WEIGHT = "add_weight"
_VARIABLES = ("Variable", "get_variable", "Parameter")


def size_changed(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which one written size is another one, so that two sizes agree."""
    for a, b in s.unequal:
        for distance, site in enumerate(s.sites):
            counts = 12 if any(word in callee(site.node) for word in _CLASSES) else 0  # the classes of data
            for node in _sizes_at(s, site.node) if 1 not in (a, b) else ():
                if s.text.number(node) in (a, b):
                    yield from _changes(s, node, b if s.text.number(node) == a else a, distance + counts)
                elif isinstance(node, ast.Name):
                    yield from _other_parameter(s, node, (a, b), distance + counts)


def _other_parameter(s: Situation, node: ast.Name, pair: tuple[int, int], weight: int) -> Iterator[Candidate]:
    """Yield other parameters for a size that is not the same in all calls of a function: those that have a size which
    fits in one of them."""
    mine = s.text.numbers(node)
    for other in s.text.visible_from(node) if not {*mine}.isdisjoint(pair) else ():
        together = zip(mine, s.text.numbers(other) if isinstance(other, ast.Name) else (), strict=False)
        if any(both in (pair, pair[::-1]) for both in together):
            yield s.candidate(weight + 3, node, s.text.text(other))


def _changes(s: Situation, node: ast.expr, value: int, weight: int) -> Iterator[Candidate]:
    """Yield ways to give a size another value: a part of it, another name, the number, or another definition."""
    if _counts_samples(s, node):
        return
    if isinstance(node, ast.BinOp):
        for part in (node.left, node.right):
            if s.text.number(part) == value:
                yield s.candidate(weight, node, s.text.text(part))
    yield from _with_factor(s, node, value, weight)
    beside, option = set(map(s.text.text, s.text.items_beside(node))), s.text.option_of(node)
    for other in s.text.visible_from(node) if value > 1 else ():
        if s.text.number(other) == value and not _counts_samples(s, other):
            far = _distance(s, node, other) + (_REPEATED if s.text.text(other) in beside else 0)
            far -= _SAID if (option, s.text.text(other)) in s.text.options else 0
            yield s.candidate(weight + far, node, s.text.text(other))
    if isinstance(node, (ast.Name, ast.Attribute)) and value == (s.text.number(node) or 0) + 1:
        yield s.candidate(weight + 13, node, f"{s.text.text(node)} + 1")
    if isinstance(node, ast.Constant):
        yield s.candidate(weight + (_CHOSEN if s.text.is_given_to_own(node) else 6), node, str(value))
    for defined in _definitions(s, node):
        yield s.candidate(weight + 9, defined, str(value))


def sizes_changed_together(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which all declared sizes that are the same number, as height and width, are another one."""
    for a, b in s.unequal:
        for old, new in ((a, b), (b, a)):
            nodes = {s.text.span(node): node for site in s.sites for node in _in_shapes(s, site.node)}
            same = [node for _, node in sorted(nodes.items()) if s.text.number(node) == old]
            named = {s.text.text(node) for node in same if not isinstance(node, ast.Constant)}
            if len(same) > 1 and named:
                if len(named) == 1 and new % old == 0 and all(isinstance(node, ast.Name) for node in same):
                    text = f"{named.pop()} * {new // old}"
                    yield Candidate(0, tuple(s.text.replaced(node, text) for node in same))
            elif len(same) > 1:
                names = (name for name in s.text.visible_from(same[0]) if s.text.number(name) == new)
                name = next((name for name in names if not _counts_samples(s, name)), None)
                text = str(new) if name is None else s.text.text(name)
                yield Candidate(0, tuple(s.text.replaced(node, text) for node in same))


def _in_shapes(s: Situation, node: ast.AST) -> Iterator[ast.Constant | ast.Name]:
    """Yield the numbers in the declared shapes of a layer or model, and the names of numbers."""
    if isinstance(node, ast.Call):
        shapes = [*node.args[:1]] if callee(node) == "Input" else []
        for shape in (*shapes, *(each.value for each in node.keywords if each.arg in _SHAPES)):
            if isinstance(shape, (ast.Tuple, ast.List)):
                yield from (item for item in shape.elts if isinstance(item, (ast.Constant, ast.Name)))


def size_of_neighbour(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which zeros or noise have the size of the operand that they meet, on the same axis; labels are
    data."""
    for a, b in s.unequal if callee(s.node) not in DATA else ():
        for distance, site in enumerate(s.sites):
            for shape in _shapes_at(site.node) if callee(site.node) in _FILLED else ():
                for axis, node in enumerate(shape.elts):
                    is_meant = isinstance(node, ast.Constant) and not (axis == 0 and callee(s.node) in _BESIDE)
                    if s.text.number(node) in (a, b) and not is_meant:
                        yield from _measured(s, node, axis, b if s.text.number(node) == a else a, distance)


def _shapes_at(node: ast.AST) -> Iterator[ast.Tuple | ast.List]:
    if isinstance(node, ast.Call):
        given = (*node.args, *(each.value for each in node.keywords))
        yield from (shape for shape in given if isinstance(shape, (ast.Tuple, ast.List)))


def _measured(s: Situation, node: ast.expr, axis: int, size: int, weight: int) -> Iterator[Candidate]:
    """Yield a size read from an operand."""
    for operand in s.operands:
        for name in (part for part in s.text.parts(operand.node) if isinstance(part, ast.Name)):
            shape, value = s.text.shape(name), s.text.value(name)
            if shape is None or not shape.is_ranked or not s.text.is_visible(name, node):
                continue
            if axis < len(shape.sizes) and shape.sizes[axis] == size and isinstance(value, Tensor):
                is_open = axis == 0 and value.library == KERAS and s.backend  # None while the model is built
                text = f"{s.backend}.shape({name.id})[0]" if is_open else f"{name.id}.shape[{axis}]"
                yield s.candidate(weight, node, text)
                break


def noise_of_batch(s: Situation) -> Iterator[Candidate]:
    """Yield programs that draw noise for as many rows as there are in this batch, which may be the last."""
    names = [each for operand in s.operands for each in s.text.parts(operand.node) if isinstance(each, ast.Name)]
    for node in s.text.nodes if s.backend else ():
        if not isinstance(node, ast.Call) or callee(node) not in ("random_normal", "normal", "random_uniform"):
            continue
        bound = s.text.assignment_to(node)
        targets = {s.text.text(each) for each in bound.targets} if bound is not None else set()
        others = [each for each in names if each.id not in targets and not s.text.is_module(each)]
        for shape in _shapes_at(node):
            rows = s.text.number(shape.elts[0]) if shape.elts else None
            if rows is not None and any(rows in pair for pair in s.unequal):
                near = (each for each in others if s.text.is_visible(each, node))
                yield from (s.candidate(0, shape.elts[0], f"{s.backend}.shape({each.id})[0]") for each in near)


def parts_counted(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which labels of several parts, joined, are as many as the samples."""
    for a, b in s.unequal:
        for node in s.text.nodes if min(a, b) > 0 and max(a, b) % min(a, b) == 0 else ():
            parts = node.elts if isinstance(node, (ast.List, ast.Tuple)) else []
            sizes = [shape.elts[0] for part in parts if callee(part) in ("ones", "zeros") for shape in _shapes_at(part)]
            rows = [s.text.number(size) for size in sizes]
            if len(sizes) == len(parts) > 1 and len({*rows}) == 1 and rows[0] and rows[0] * len(parts) == min(a, b):
                wanted = str(max(a, b) // len(parts))
                yield Candidate(0, tuple(s.text.replaced(size, wanted) for size in sizes))


def noise_named(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which noise, or a state to start from, has the size that the program has a name for."""
    is_of_state = any(word in s.text.text(each.node).lower() for each in s.operands for word in _STATES)
    for a, b in s.unequal:
        for distance, site in enumerate(s.sites):
            is_start = callee(site.node) == "zeros" and is_of_state
            shapes = [shape.elts for shape in _shapes_at(site.node)] if callee(site.node) in _NOISE or is_start else []
            starts = site.node.args[:1] if callee(site.node) == "zeros" and isinstance(site.node, ast.Call) else []
            written = [item for items in shapes for item in items if isinstance(item, ast.Constant)]
            for node in (*written, *(item for item in starts if isinstance(item, ast.Subscript))):
                wanted = b if s.text.number(node) == a else a if s.text.number(node) == b else None
                names = (name for name in s.text.visible_from(node) if s.text.number(name) == wanted)
                name = next(names, None) if wanted is not None else None
                if name is not None:
                    yield s.candidate(distance, node, s.text.text(name))


def parameter_exchanged(s: Situation) -> Iterator[Candidate]:
    """Yield functions in which a weight has the size of another parameter, that other weights have."""
    shapes = [shape for site in s.sites[:_NEAR] if callee(site.node) in _FILLED for shape in _shapes_at(site.node)]
    names = dict.fromkeys(item.id for shape in shapes for item in shape.elts if isinstance(item, ast.Name))
    for distance, shape in enumerate(shapes):
        for node in shape.elts if len(shape.elts) == 1 else ():
            if isinstance(node, ast.Name) and s.text.number(node) is None:
                yield from (s.candidate(distance, node, name) for name in names if name != node.id)


def factor_left_out(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a size is not doubled, or not halved."""
    for distance, site in enumerate(s.sites):
        for node in _sizes_at(s, site.node):
            match node:
                case (
                    ast.BinOp(left=ast.Constant(value=int()), op=ast.Mult(), right=rest)
                    | ast.BinOp(left=rest, op=ast.Mult() | ast.FloorDiv(), right=ast.Constant(value=int()))
                ):
                    if not isinstance(rest, (ast.List, ast.Tuple)):
                        yield s.candidate(distance, node, s.text.text(rest))


def slice_shifted(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a part begins or ends without one more or less, if the sizes differ by one."""
    if not any(abs(a - b) == 1 for a, b in s.unequal):
        return
    for distance, site in enumerate(s.sites[:_NEAR]):
        for node in s.text.parts(site.node):
            for bound in (node.lower, node.upper) if isinstance(node, ast.Slice) else ():
                match bound:
                    case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=ast.Constant(value=1)):
                        yield s.candidate(distance, bound, s.text.text(left))


def factor_made_divisor(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a size that is to be divided is a multiple of the divisor."""
    claim = s.call.clash.claim
    if isinstance(claim, Divides) and isinstance(claim.divisor, int):
        for distance, site in enumerate(s.sites):
            for node in _sizes_at(s, site.node):
                match node:
                    case ast.BinOp(left=ast.Constant(value=int(factor)) as constant, op=ast.Mult()):
                        if factor != claim.divisor:
                            yield s.candidate(distance, constant, str(claim.divisor))


def _distance(s: Situation, node: ast.expr, other: ast.expr) -> int:
    """Return how unlikely it is that another name is meant: hardly for a number, and little for a similar name."""
    if not isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
        return 2
    if isinstance(other, ast.Name) and isinstance(node, ast.Name) and other.id in s.text.names_of_data:
        return -6
    return 3 if words(s.text.text(node)) & words(s.text.text(other)) else 12


def _with_factor(s: Situation, node: ast.expr, value: int, weight: int) -> Iterator[Candidate]:
    """Yield a size with another factor, and the double of a name."""
    number = s.text.number(node)
    yield from _with_sides(s, node, value, weight)
    match node:
        case ast.BinOp(op=ast.Mult(), left=left, right=right) if number:
            for constant in (left, right):
                match constant:
                    case ast.Constant(value=int(factor)) if factor and value * factor % number == 0:
                        yield s.candidate(weight + 2, constant, str(value * factor // number))
        case ast.Name() | ast.Attribute() if number and number > 1:
            if value == 2 * number:
                yield s.candidate(weight + 20, node, f"2 * {s.text.text(node)}")


def _with_sides(s: Situation, node: ast.expr, value: int, weight: int) -> Iterator[Candidate]:
    """Yield a product of numbers with both sides of a square changed, and one without one of its factors."""
    factors = list(_factors(node)) if isinstance(node, ast.BinOp) else []
    numbers = [each.value for each in factors if isinstance(each.value, int)]
    if len(numbers) < 2 or len(numbers) != len(factors):
        return
    whole = math.prod(numbers)
    for side in {number for number in numbers if numbers.count(number) == 2}:
        rest = whole // side**2
        root = math.isqrt(value // rest) if rest and value % rest == 0 else 0
        if root and root**2 * rest == value:
            same = tuple(s.text.replaced(each, str(root)) for each in factors if each.value == side)
            yield Candidate(weight - 1, same)
    for left_out in factors if len(factors) > 2 else ():
        if left_out.value and whole == value * left_out.value:  # type: ignore[operator]
            kept = (s.text.text(each) for each in factors if each is not left_out)
            yield s.candidate(weight - 1, node, " * ".join(kept))


def _factors(node: ast.expr) -> Iterator[ast.Constant]:
    """Yield the numbers of which an expression is the product; with 0 for anything else."""
    match node:
        case ast.BinOp(op=ast.Mult(), left=left, right=right):
            yield from _factors(left)
            yield from _factors(right)
        case _:
            yield node if isinstance(node, ast.Constant) else ast.Constant(None)


def _counts_samples(s: Situation, node: ast.expr) -> bool:
    return any(word in s.text.text(node).lower() for word in ("batch", "sample"))


def _definitions(s: Situation, node: ast.expr) -> Iterator[ast.Constant]:
    """Yield the number that a name stands for, through other names; not of a name with many uses."""
    for _ in range(_DEEPEST):
        defined = s.text.definition(node)
        if defined is None or s.text.uses(node) > _MOST_USES:
            return
        node = defined
        if isinstance(node, ast.Constant):
            yield node


def _sizes_at(s: Situation, node: ast.expr | ast.AugAssign) -> Iterator[ast.expr]:
    """Yield the sizes that an operation declares; those of data are facts."""
    if any(word in callee(node) for word in _CLASSES) and s.kind not in (ClashKind.CROSS_ENTROPY, ClashKind.FEED):
        return
    if callee(node) in _VARIABLES and isinstance(node, ast.Call) and node.args:
        yield from _written(node.args[0])
    if callee(node) not in DATA or s.text.is_part_of_object(node) or _has_no_rows(node):
        yield from _written(node)


def _has_no_rows(node: ast.AST) -> bool:
    """Return whether an array is made without rows, which are appended later."""
    match node:
        case ast.Call(args=[ast.Tuple(elts=[first, *_]) | ast.List(elts=[first, *_]), *_]):
            return isinstance(first, ast.Constant) and first.value == 0
    return False


def _written(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the sizes among the arguments of a call."""
    match node:
        case ast.Call(args=args, keywords=keywords):
            if callee(node).startswith("Conv"):
                args = args[:1]
            for argument in (*args, *(each.value for each in keywords if each.arg not in _NO_SIZES)):
                yield from argument.elts if isinstance(argument, (ast.Tuple, ast.List)) else (argument,)
            if isinstance(node.func, ast.Call):
                yield from _written(node.func)


def default_changed(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a size in a defined tuple is another one."""
    for a, b in s.unequal:
        for distance, site in enumerate(s.sites if 1 not in (a, b) else ()):
            for item in _defined_items(s, site.node) if callee(site.node) not in DATA else ():
                if s.text.number(item) in (a, b):
                    yield from _changes(s, item, b if s.text.number(item) == a else a, distance)


def _defined_items(s: Situation, node: ast.AST) -> Iterator[ast.expr]:
    """Yield the items of the tuples that names in an expression stand for."""
    for part in s.text.parts(node):
        if isinstance(part, (ast.Name, ast.Attribute)) and s.text.uses(part) <= _MOST_USES:
            defined = s.text.definition(part)
            yield from defined.elts if isinstance(defined, ast.Tuple) else ()


def one_more_or_less(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a computed size is one more, or no longer one more or less."""
    is_one = not s.unequal or any(abs(a - b) == 1 for a, b in s.unequal)
    for distance, site in enumerate(s.sites):
        for node in _sizes_at(s, site.node):
            match node:
                case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=ast.Constant(value=1)):
                    yield s.candidate(distance, node, s.text.text(left))
                case ast.Call(func=ast.Name(id="len"), args=[given]) if is_one and not _are_written(s, given):
                    yield s.candidate(distance + 3, node, f"{s.text.text(node)} + 1")


def _are_written(s: Situation, node: ast.expr) -> bool:
    """Return whether the items of a list are all written in the program, so that none is left out."""
    return isinstance(s.text.definition(node), (ast.List, ast.Tuple))


def square_counted(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the parts of both sides of a square are counted, not those of one side."""
    sides = {min(pair) for pair in s.unequal if min(pair) ** 2 == max(pair) and min(pair) > 1}
    for node in s.text.nodes if sides else ():
        match node:
            case ast.Assign(value=ast.BinOp(op=ast.FloorDiv()) as side) if s.text.number(side) in sides:
                yield s.candidate(0, side, f"({s.text.text(side)}) ** 2")


def neighbours_swapped(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which two sizes or values beside each other change places."""
    for distance, site in enumerate(s.sites):
        for node in s.text.parts(site.node):
            match node:
                case ast.Tuple(elts=[first, second]) | ast.List(elts=[first, second]) if _is_read(s, node):
                    if _may_change_places(s, first, second) and _would_fit(s, site.node, first, second):
                        is_weight = s.kind is ClashKind.AXIS and _is_weight(s, site.node)
                        is_open = _is_open(s, first, second)
                        is_variable = any(_is_variable_of(each, site.node) for each in s.text.nodes)
                        likely = (
                            _CHOSEN
                            if _is_transposed(s)
                            else -8
                            if is_open or is_variable or callee(site.node) == _WEIGHT
                            else -3
                        )
                        is_data = callee(site.node) in DATA and isinstance(first, ast.Constant)
                        far = distance + (_CHOSEN if is_data and not is_weight else 0)
                        yield _swapped(s, likely if is_weight and distance < _NEAR else far, first, second)
                case ast.Call(args=[first, second], keywords=[]) if node is site.node and callee(node) in (
                    "randn",
                    "rand",
                ):
                    if s.kind is ClashKind.AXIS and _is_weight(s, node) and _may_change_places(s, first, second):
                        yield _swapped(s, -8 if _is_open(s, first, second) else distance, first, second)
                case ast.List(elts=[_, _, first, second]) if s.kind is ClashKind.AXIS and s.text.number(node.elts[-3]):
                    if _may_change_places(s, first, second) and callee(site.node) in _FILLED:  # channels of a filter
                        yield _swapped(s, -3 if distance < _NEAR else distance, first, second)
                case ast.Dict(values=[first, second]) if distance == 0 and _may_change_places(s, first, second):
                    yield _swapped(s, distance, first, second)


def _is_transposed(s: Situation) -> bool:
    """Return whether the operation that fails transposes what it is given, so that weights are meant as they are."""
    return any(
        isinstance(part, ast.keyword) and str(part.arg).startswith("transpose_")
        for part in s.text.parts(s.node or s.text.tree)
    )


def _is_open(s: Situation, first: ast.expr, second: ast.expr) -> bool:
    """Return whether two sizes are those of each turn of a comprehension, or parameters."""
    are_names = isinstance(first, ast.Name) and isinstance(second, ast.Name)
    return s.text.number(first) is None or (are_names and s.text.are_numbers_given(first, second))  # type: ignore[arg-type]


def _would_fit(s: Situation, made: ast.expr | ast.AugAssign, first: ast.expr, second: ast.expr) -> bool:
    """Return whether sizes that change places may help: they are among those that differ, and an operand that is made
    of them may fit then."""
    numbers = s.text.number(first), s.text.number(second)
    if None not in numbers and s.unequal and {each for pair in s.unequal for each in pair}.isdisjoint(numbers):
        return False
    a, b = numbers
    if a is None or b is None:
        return True
    made_here = [each for each in s.operands if each.node is made or _is_made_of(s, each.argument.tensor, made)]
    return all(each.argument.shape.sizes != (a, b) or promises(s, each, (b, a)) for each in made_here)


def _is_made_of(s: Situation, tensor: Tensor, made: ast.expr | ast.AugAssign) -> bool:
    value = s.text.value(made) if isinstance(made, ast.expr) else None
    return isinstance(value, Tensor) and (value.step, value.output) == (tensor.step, tensor.output)


def _is_read(s: Situation, node: ast.Tuple | ast.List) -> bool:
    return isinstance(node.ctx, ast.Load) and not any(s.text.number(item) == -1 for item in node.elts)


def _is_weight(s: Situation, made: ast.AST) -> bool:
    """Return whether a call makes noise or zeros that are bound to a name before they are used."""
    lists = (node for node in s.text.nodes if isinstance(node, ast.ListComp) and node.elt is made)
    variable = next((node for node in s.text.nodes if _is_variable_of(node, made)), made)
    return (
        (s.text.assignment_to(variable) is not None or any(s.text.assignment_to(each) is not None for each in lists))
        and callee(made) in {*_FILLED, _WEIGHT} - {"ones"}
        and s.node is not None
        and all(part is not made for part in s.text.parts(s.node))
    )


def _is_variable_of(node: ast.AST, made: ast.AST) -> bool:
    """Return whether a call makes a variable of a value."""
    return callee(node) in _VARIABLES and isinstance(node, ast.Call) and node.args[:1] == [made]


def _may_change_places(s: Situation, first: ast.expr, second: ast.expr) -> bool:
    if _counts_samples(s, first) or _counts_samples(s, second):
        return False
    a, b = s.text.number(first), s.text.number(second)
    if a is not None and b is not None:
        return a != b
    match first, second:
        case ast.Name(), ast.Name() if s.text.are_counted(first, second) or s.text.are_numbers_given(first, second):
            return True
    shapes = s.text.shape(first), s.text.shape(second)
    return None not in shapes and shapes[0] != shapes[1]


def _swapped(s: Situation, weight: int, first: ast.expr, second: ast.expr) -> Candidate:
    edits = s.text.replaced(first, s.text.text(second)), s.text.replaced(second, s.text.text(first))
    return Candidate(weight, edits)


def size_left_open(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a reshape computes the number of rows, which are not those that there are."""
    if not isinstance(s.node, ast.Call):
        return
    for argument in s.node.args:
        sizes = argument.elts if isinstance(argument, (ast.Tuple, ast.List)) else []
        is_open = any(s.text.number(size) == -1 for size in sizes)
        if sizes and not is_open and (s.text.number(sizes[0]) is None or _counts_samples(s, sizes[0])):
            rows = as_size(s.text.value(sizes[0]) or NONE)
            if rows is not None and rows == _rows(s):
                continue
            yield s.candidate(0, sizes[0], "-1")


def batches_left_open(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which inputs are declared for batches of any size."""
    edits: dict[str, list[Edit]] = {}
    for node in s.text.nodes:
        if isinstance(node, ast.Call) and callee(node) == "placeholder":
            shapes = [*node.args[1:2], *(each.value for each in node.keywords if each.arg == "shape")]
            for shape in shapes:
                if isinstance(shape, (ast.Tuple, ast.List)) and shape.elts:
                    first = shape.elts[0]
                    if s.text.text(first) not in ("None", "-1"):
                        edits.setdefault(s.text.text(first), []).append(s.text.replaced(first, "None"))
                        yield s.inserted(1, s.text.span(first)[0], "None, ")
    yield from (Candidate(0, tuple(found)) for found in edits.values())


def reshaped(s: Situation) -> Iterator[Candidate]:
    """Yield programs that reshape a tensor instead of stating another shape of it."""
    match s.node:
        case ast.Call(func=ast.Attribute(attr="set_shape", value=ast.Name(id=name)), args=[shape]) if s.tensorflow:
            if isinstance(s.text.statement_around(s.node), ast.Expr):
                yield s.candidate(0, s.node, f"{name} = {s.tensorflow}.reshape({name}, {s.text.text(shape)})")


def reshape_fitted(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which one written size of a reshape is what the number of elements leaves for it."""
    total = _elements(s)
    sizes = [node for node in shape_given(s) if s.text.number(node) not in (None, -1)]
    if not isinstance(total, int) or len(sizes) != len(list(shape_given(s))):
        return
    for node in reversed(sizes):
        others = math.prod(s.text.number(other) or 1 for other in sizes if other is not node)
        if not others or total % others:
            continue
        far = _TAKEN if _is_flattened_elsewhere(s, sizes) else 0
        if isinstance(node, ast.Constant):
            keeps_rows = node is sizes[0] and not _is_of_sample(s) and s.text.number(node) == _rows(s)
            yield s.candidate(far + 4 * keeps_rows, node, str(total // others))
        elif isinstance(node, ast.Name | ast.Attribute) and (node is not sizes[0] or _is_of_sample(s)):
            for at, name in enumerate(islice(_names_beside(s, node, total // others, sizes), _MOST_NAMES)):
                texts = [name if each is node else s.text.text(each) for each in sizes]
                is_said = " * ".join(texts) in s.text.source.code
                yield s.candidate(far + at - is_said, node, name)
            now = s.text.number(node) or 0
            rest = total // others // now if now and total // others % now == 0 else 0
            factors = _names_beside(s, node, rest, sizes) if rest > 1 else iter(())
            yield from (
                s.candidate(far + _MOST_NAMES, node, f"{s.text.text(node)} * {each}") for each in islice(factors, 1)
            )


def _rows(s: Situation) -> Size | None:
    """Return the number of rows of what gets another shape."""
    shape = next((operand.argument.shape for operand in s.operands), None)
    return shape.sizes[0] if shape is not None and shape.is_ranked and shape.sizes else None


def _is_of_sample(s: Situation) -> bool:
    """Return whether a shape is that of a sample, as a layer takes it, without the batch."""
    return isinstance(s.node, ast.Call) and isinstance(s.node.func, ast.Call)


def _names_beside(s: Situation, node: ast.expr, value: int, sizes: Sequence[ast.expr]) -> Iterator[str]:
    """Yield the names of a size that may stand in the place of another one, and not yet beside it."""
    found = (each for each in s.text.visible_from(node) if s.text.number(each) == value)
    texts = (s.text.text(each) for each in found if not _counts_samples(s, each))
    return (text for text in texts if text not in map(s.text.text, sizes))


def _is_flattened_elsewhere(s: Situation, sizes: Sequence[ast.expr]) -> bool:
    """Return whether maps of a shape are flattened in the program, so that a decoder gives them back their shape."""
    wanted = tuple(s.text.number(size) for size in sizes)
    flattened = (step for step in s.call.graph.steps if ".Flatten" in step.name)
    return any(
        tensor.shape.is_ranked and tensor.shape.sizes[1:] == wanted
        for each in flattened
        for _, tensor in each.operands()
    )


def _elements(s: Situation) -> Size | None:
    """Return the number of elements of an operand; of a sample of it for a layer, which takes the shape of a sample."""
    shape = next((operand.argument.shape for operand in s.operands), None)
    if shape is None or not isinstance(s.node, ast.Call) or not isinstance(s.node.func, ast.Call):
        return None if shape is None else shape.elements()
    return Shape(shape.head[1:], shape.tail).elements()


def flattened_size_counted(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which maps are flattened to as many numbers as they have, and so wherever that is written."""
    shape = next((operand.argument.shape for operand in s.operands if operand.argument.rank), None)
    given = list(shape_given(s))
    sizes = shape.sizes[1:] if shape is not None else ()
    if len(given) != 2 or s.text.number(given[0]) != -1 or len(sizes) < 2:
        return
    known = [size for size in sizes if isinstance(size, int)]
    if len(known) == len(sizes):
        text = s.text.text(given[1])
        gap = " * " if " " in text else "*"
        is_product = isinstance(given[1], ast.BinOp)
        new = gap.join(map(str, known)) if is_product else str(math.prod(known))
        same = [node for node in s.text.nodes if isinstance(node, ast.expr) and s.text.text(node) == text]
        defined = s.text.definition(given[1])
        if isinstance(given[1], ast.Name) and defined is not None:
            yield s.candidate(0, defined, gap.join(map(str, known)) if isinstance(defined, ast.BinOp) else new)
        elif isinstance(given[1], (ast.BinOp, ast.Constant)):
            yield Candidate(0, tuple(s.text.replaced(node, new) for node in same))


def shape_given(s: Situation) -> Iterator[ast.expr]:
    """Yield the sizes of the shape that a reshape is given, or that the name stands for which it is given."""
    layer = s.node.func if isinstance(s.node, ast.Call) else None
    call = layer if isinstance(layer, ast.Call) else s.node
    for argument in call.args if isinstance(call, ast.Call) else ():
        defined = argument if isinstance(argument, (ast.Tuple, ast.List)) else s.text.definition(argument)
        if isinstance(defined, (ast.Tuple, ast.List)):
            yield from defined.elts
            return
    yield from s.node.args if isinstance(s.node, ast.Call) and not s.text.is_module(_owner(s.node)) else ()


def _owner(call: ast.Call) -> ast.expr:
    return call.func.value if isinstance(call.func, ast.Attribute) else call.func
