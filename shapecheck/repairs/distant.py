"""Repairs of sizes that are decided far from the operation that fails: measured of other data, written in a dict, a
flag, or the name of a layer."""

from __future__ import annotations

import ast
import math
from collections import Counter
from collections.abc import Iterator
from itertools import permutations

from shapecheck.repairs.situation import Candidate, Situation, callee
from shapecheck.repairs.sizes import DATA

_FILLED = ("zeros", "ones", "randn", "rand")
_LEAST = 4
_MOST_WRITTEN = 2
_MOST = 4


def measured_of_other(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a size that is read from one array is read from another, or from another axis."""
    for node in s.text.nodes:
        match node:
            case ast.Subscript(value=ast.Attribute(attr="shape", value=ast.Name() as array), slice=index):
                axis, size = s.text.number(index), s.text.number(node)
                yield from _other_axis(s, array, index, size)
                for wanted in _partners(s, size):
                    yield from _arrays(s, array, axis, wanted)
            case ast.Subscript(value=ast.Call(args=[ast.Name() as array]) as call, slice=index) if (
                callee(call) == "shape"
            ):
                yield from _other_axis(s, array, index, None)
            case ast.Call(args=sizes) if callee(node) in _FILLED:
                for each in sizes:
                    match each:
                        case ast.Call(func=ast.Attribute(attr="size", value=ast.Name() as array), args=[index]):
                            yield from _other_axis(s, array, index, s.text.number(each))
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name() as array]):
                shape = s.text.shape(array)
                for wanted in _partners(s, s.text.number(node)):
                    for at, length in enumerate(shape.sizes if shape is not None and shape.is_ranked else ()):
                        if at and length == wanted:
                            yield s.candidate(0, node, f"{array.id}.shape[{at}]")
                    yield from _arrays(s, array, 0, wanted)


def _other_axis(s: Situation, array: ast.Name, index: ast.expr, size: int | None) -> Iterator[Candidate]:
    """Yield other axes of an array, with a wanted size."""
    axis, shape = s.text.number(index), s.text.shape(array)
    sizes = shape.sizes if shape is not None and shape.is_ranked else ()
    measured = sizes[axis] if axis is not None and -len(sizes) <= axis < len(sizes) else size
    for wanted in _partners(s, measured if isinstance(measured, int) else None):
        yield from (s.candidate(-2, index, str(at)) for at, other in enumerate(sizes) if other == wanted)


def _partners(s: Situation, size: int | None) -> Iterator[int]:
    """Yield what a size should be equal to."""
    for a, b in s.unequal if size is not None else ():
        if size in (a, b):
            yield b if size == a else a


def _arrays(s: Situation, array: ast.Name, axis: int | None, wanted: int) -> Iterator[Candidate]:
    """Yield other names, of arrays with the wanted size on an axis."""
    found = 0
    for other in s.text.visible_from(array):
        shape = s.text.shape(other)
        if isinstance(other, ast.Name) and shape is not None and shape.is_ranked and found < _MOST:
            rank = len(shape.sizes)
            if axis is not None and -rank <= axis < rank and shape.sizes[axis] == wanted:
                found += 1
                yield s.candidate(found, array, other.id)


def last_axis_measured(s: Situation) -> Iterator[Candidate]:
    """Yield layers that measure the last axis of their input, the features, instead of another one, which alone they
    measure."""
    for node in s.text.nodes:
        match node:
            case ast.Subscript(value=ast.Name(id="input_shape"), slice=ast.Constant(value=int(axis)) as index):
                is_unequal = any(s.text.number(node) in pair for pair in s.unequal)
                if axis > 0 and is_unequal and s.text.source.code.count("input_shape[") == 1:
                    yield s.candidate(0, index, "-1")


def number_changed(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a number that is written once or twice, in a dict or a list of settings, is another
    one."""
    numbers = [node for node in s.text.nodes if isinstance(node, ast.Constant) and type(node.value) is int]
    counted = Counter(node.value for node in numbers)
    settings = {id(item): None for holder in s.text.nodes for item in _settings(holder)}
    for a, b in s.unequal:
        for node in numbers:
            if node.value in (a, b) and id(node) in settings and counted[node.value] <= _MOST_WRITTEN:
                other = b if node.value == a else a
                if min(a, b) > 1:
                    yield s.candidate(0 if counted[other] else 1, node, str(other))


def _settings(holder: ast.AST) -> Iterator[ast.expr]:
    """Yield the values of a dict display, and the numbers of a list that a class or function gets."""
    match holder:
        case ast.Dict(values=values):
            yield from values
        case ast.Call(func=ast.Name(id="dict"), keywords=keywords):
            yield from (each.value for each in keywords)
        case ast.Call(args=args) if callee(holder) not in DATA:
            for argument in args:
                yield from argument.elts if isinstance(argument, ast.List) else ()


def channels_scaled(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a picture has one channel instead of three, or three instead of one, where sizes differ
    by that factor."""
    for a, b in s.unequal:
        if 3 * min(a, b) != max(a, b):
            continue
        data = [
            each for node in s.text.nodes if isinstance(node, ast.Call) and callee(node) in DATA for each in node.args
        ]
        for node in (each for each in s.text.nodes if each not in data):
            for channels in _channels(node):
                number = s.text.number(channels)
                if isinstance(channels, ast.Constant) and number in (1, 3):
                    yield s.candidate(0, channels, str(4 - number))


def _channels(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the numbers of channels in the shapes of pictures, and as arguments."""
    match node:
        case ast.Tuple(elts=[_, _, channels]) | ast.List(elts=[_, _, channels]):
            yield channels
        case ast.keyword(arg="channels" | "n_channels" | "num_channels", value=channels):
            yield channels


def flag_given(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a function on the way is called with the other value of a flag."""
    for call in (node for node in s.text.nodes if isinstance(node, ast.Call)):
        function = s.text.parameters_of(callee(call))
        if function is None:
            continue
        given = {each.arg: each.value for each in call.keywords}
        for name, default in function.items():
            if not isinstance(default, ast.Constant) or not isinstance(default.value, bool):
                continue
            if name in given:
                if isinstance(given[name], ast.Constant):
                    yield s.candidate(0, given[name], str(not given[name].value))  # type: ignore[attr-defined]
            elif len(call.args) <= list(function).index(name):
                yield s.with_keyword(1, call, name, str(not default.value))


def layer_named(s: Situation) -> Iterator[Candidate]:
    """Yield programs that take the output of another layer of a model."""
    names = [
        each.value
        for node in s.text.nodes
        if isinstance(node, ast.Call)
        for each in node.keywords
        if each.arg == "name" and isinstance(each.value, ast.Constant) and isinstance(each.value.value, str)
    ]
    for node in s.text.nodes:
        match node:
            case ast.Call(func=ast.Attribute(attr="get_layer"), args=[ast.Constant(value=str(now)) as given]):
                others = [name for name in names if name.value != now]
                yield from (s.candidate(at, given, s.text.text(name)) for at, name in enumerate(others[:_MOST]))
            case ast.Attribute(attr="output", value=ast.Subscript(value=ast.Attribute(attr="layers"), slice=index)) if (
                s.text.text(index) == "-1"
            ):
                yield s.candidate(0, index, "-2")


def square_shape_named(s: Situation) -> Iterator[Candidate]:
    """Yield programs that reshape to a square whose side is another name, if that has all elements."""
    total = next((operand.argument.shape.elements() for operand in s.operands), None)
    if not isinstance(s.node, ast.Call) or not isinstance(total, int) or math.isqrt(total) ** 2 != total:
        return
    sizes = [*s.node.args]
    for argument in s.node.args:
        sizes += argument.elts if isinstance(argument, (ast.Tuple, ast.List)) else []
    sides = [node for node in sizes if (s.text.number(node) or 0) > 1 and not isinstance(node, ast.Constant)]
    if len(sides) == 2 and s.text.text(sides[0]) == s.text.text(sides[1]):
        for other in s.text.visible_from(sides[0]):
            if s.text.number(other) == math.isqrt(total):
                yield Candidate(0, tuple(s.text.replaced(side, s.text.text(other)) for side in sides))
                return


def counted_with_one_more(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a number of entries is one more, as an index for padding needs."""
    for a, b in s.unequal if any(abs(a - b) == 1 for a, b in s.unequal) else ():
        for node in s.text.nodes:
            match node:
                case ast.Call(func=ast.Name(id="len"), args=[given]) if s.text.number(node) == min(a, b) >= _LEAST:
                    if isinstance(s.text.definition(given), (ast.List, ast.Tuple)):
                        continue  # all of them are written
                    yield s.candidate(0, node, f"{s.text.text(node)} + 1")


def rows_of_embedding(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which an embedding has a row for the largest number that it is given."""
    for a, b in s.unequal:
        for node in s.text.nodes:
            rows = node.args[0] if isinstance(node, ast.Call) and callee(node) == "Embedding" and node.args else None
            if rows is not None and s.text.number(rows) == min(a, b):
                yield s.candidate(0, rows, str(max(a, b)))


def sizes_added(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a size is the sum of two that a concatenation joins."""
    for distance, site in enumerate(s.sites):
        for shape in s.text.parts(site.node):
            names = shape.elts if isinstance(shape, (ast.Tuple, ast.List)) else []
            if shape is site.node and isinstance(shape, ast.Call) and s.is_of_torch:
                names = shape.args  # what a layer takes, and gives
            for node, other in permutations([each for each in names if isinstance(each, ast.Name)], 2):
                mine, theirs = s.text.number(node), s.text.number(other)
                is_same = s.text.text(node) == s.text.text(other)
                if theirs is not None and theirs > 1 and not is_same and (mine or 0) + theirs in _partners(s, mine):
                    yield s.candidate(distance, node, f"{s.text.text(node)} + {s.text.text(other)}")


def halves_counted(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a size that a stride has halved is half of a name."""
    for node in s.text.parts(s.node) if s.node is not None else ():
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            for wanted in _partners(s, s.text.number(node)):
                if 2 * wanted == s.text.number(node):
                    yield s.candidate(0, node, f"{node.id} // 2")
