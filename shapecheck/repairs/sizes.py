"""Repairs that change a size where it is written, or where it is defined."""

from __future__ import annotations

import ast
import math
import string
from collections.abc import Iterator

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Tensor
from shapecheck.findings import Edit
from shapecheck.repairs.name_words import words
from shapecheck.repairs.situation import KERAS, Candidate, Situation, callee
from shapecheck.shapes.claims import Divides

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
_DRAWN = (*_NOISE, "rand", "random", "random_sample", "zeros", "ones")
_OF_NETWORKS = frozenset(("input", "inputs", "hidden", "output", "outputs", "neurons", "units", "nodes", "layer"))
_STATES = ("hidden", "state", "carry")
_SAID = 8  # a name that another layer has as the same option
_REPEATED = 4  # a name that would stand twice in a shape
_CLASSES = ("one_hot", "categorical")
_BESIDE = ("append", "concatenate", "hstack", "column_stack", "insert")  # which add columns to the rows of a table
_VARIABLES = ("Variable", "get_variable", "Parameter")


def size_changed(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which one written size is another one, so that two sizes agree."""
    for a, b in s.unequal:
        for distance, site in enumerate(s.sites):
            counts = 12 if any(word in callee(site.node) for word in _CLASSES) else 0  # the classes of data
            for node in sizes_at(s, site.node) if 1 not in (a, b) else ():
                if s.text.number(node) in (a, b):
                    yield from _changes(s, node, b if s.text.number(node) == a else a, distance + counts)
                elif isinstance(node, ast.Name):
                    yield from _other_parameter(s, node, (a, b), distance + counts)


def weights_resized(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which drawn weights have another size, where its name tells that a network has it."""
    for a, b in (pair for pair in s.unequal if 1 not in pair):
        for distance, site in enumerate(s.sites):
            given = [*site.node.args] if isinstance(site.node, ast.Call) and callee(site.node) in _DRAWN else []
            for node in (*given, *(item for shape in _shapes_at(site.node) for item in shape.elts if given)):
                is_named = isinstance(node, ast.Name | ast.Attribute) and words(s.text.text(node)) & _OF_NETWORKS
                if is_named and s.text.number(node) in (a, b):
                    yield from _changes(s, node, b if s.text.number(node) == a else a, distance)


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
    if counts_samples(s, node):
        return
    if isinstance(node, ast.BinOp):
        for part in (node.left, node.right):
            if s.text.number(part) == value:
                yield s.candidate(weight, node, s.text.text(part))
    yield from _with_factor(s, node, value, weight)
    beside, option = set(map(s.text.text, s.text.items_beside(node))), s.text.option_of(node)
    for other in s.text.visible_from(node) if value > 1 else ():
        if s.text.number(other) == value and not counts_samples(s, other):
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
                name = next((name for name in names if not counts_samples(s, name)), None)
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


def other_item_counted(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a size is another item of a shape that a function is given: the last one, or one beside
    it."""
    for distance, site in enumerate(s.sites):
        for shape in _shapes_at(site.node) if callee(site.node) not in DATA - {"zeros", "ones", "full"} else ():
            for node in shape.elts:
                match node:
                    case ast.Subscript(value=ast.Name(), slice=ast.Constant(value=int(at)) as index):
                        yield from (s.candidate(distance, index, str(other)) for other in (-1, at + 1, max(at - 1, 0)))


def noise_of_batch(s: Situation) -> Iterator[Candidate]:
    """Yield programs that draw noise for as many rows as there are in this batch, which may be the last."""
    names = [each for operand in s.operands for each in s.text.parts(operand.node) if isinstance(each, ast.Name)]
    for node in s.text.nodes if s.backend else ():
        if not isinstance(node, ast.Call) or callee(node) not in ("random_normal", "normal", "random_uniform"):
            continue
        bound = s.text.assignment_to(node)
        targets = {s.text.text(each) for each in bound.targets} if bound is not None else set()
        others = [each for each in names if each.id not in targets and s.text.shape(each) is not None]
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
        for node in sizes_at(s, site.node):
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
            for node in sizes_at(s, site.node):
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
    first, second = s.text.text(node), s.text.text(other)
    are_numbered = first.rstrip(string.digits) == second.rstrip(string.digits)
    return 3 if are_numbered or words(first) & words(second) else 12


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


def counts_samples(s: Situation, node: ast.expr) -> bool:
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


def sizes_at(s: Situation, node: ast.expr | ast.AugAssign) -> Iterator[ast.expr]:
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
        for node in sizes_at(s, site.node):
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


def batch_measured(s: Situation) -> Iterator[Candidate]:
    """Yield functions that take the number of rows of a batch from what they are given, not from a constant: the last
    batch may be smaller."""
    names = {
        node.id
        for node in s.text.nodes
        if isinstance(node, ast.Name)
        and "batch" in node.id.lower()
        and isinstance(s.text.definition(node), ast.Constant)
    }
    for function in s.text.functions_around(s.node) if s.node is not None and s.tensorflow else ():
        used = sorted({part.id for part in s.text.parts(function) if isinstance(part, ast.Name)} & names)
        given = [each.arg for each in function.args.args if each.arg != "self"]
        start = s.text.span(function.body[0])[0]
        indent = s.text.indentation(start)
        if used and given and indent is not None:
            yield s.inserted(0, start, f"{used[0]} = {s.tensorflow}.shape({given[0]})[0]\n{indent}")
