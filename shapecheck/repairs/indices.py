"""Repairs of positions that are beyond the end, and of indices that are too many or take an axis away."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from shapecheck.domain.values import Tensor
from shapecheck.findings import Edit
from shapecheck.repairs.reshapes import shape_given
from shapecheck.repairs.situation import TORCH, Candidate, Situation
from shapecheck.shapes.size import Size

_NEAR = 4
_MOST_USES = 2
_TABLE = 2


def index_lowered(s: Situation) -> Iterator[Candidate]:
    """Yield programs with an index that is one less, where it is used or defined."""
    for node in s.text.parts(s.node) if s.node is not None else ():
        match node:
            case ast.Subscript(slice=ast.Constant(value=int(value)) as index) if value > 0:
                yield s.candidate(0, index, str(value - 1))
            case ast.Name() if s.text.uses(node) <= _MOST_USES:
                match s.text.definition(node):
                    case ast.BinOp(left=left, op=ast.Add(), right=ast.Constant(value=int(value)) as more) as sum_:
                        if value > 1:
                            yield s.candidate(2, more, str(value - 1))
                        else:
                            yield s.candidate(2, sum_, s.text.text(left))


def column_taken(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a function with two parameters, as a loss, takes columns of both instead of rows."""
    function = next(s.text.functions_around(s.node), None) if isinstance(s.node, ast.Subscript) else None
    names = [each.arg for each in function.args.args[:2]] if function is not None else []
    edits = []
    for node in ast.walk(function) if function is not None else ():
        match node:
            case ast.Subscript(value=ast.Name(id=name) as owner, slice=ast.Constant(value=int(number)) as index):
                shape = s.text.shape(owner)
                if name in names and (shape is None or shape.rank != 2 or not _may_have(shape.sizes[1], number)):
                    return
                edits += [s.text.replaced(index, f":, {number}")] if name in names else []
    if edits:
        yield Candidate(0, tuple(edits))


def _may_have(size: Size, number: int) -> bool:
    return not isinstance(size, int) or number < size


def rows_numbered(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which an index has the number of each row in place of all rows."""
    match s.node:
        case ast.Subscript(value=owner, slice=ast.Tuple(elts=[ast.Slice(), second]) as index):
            module = s.text.aliases.get(TORCH) if s.is_of_torch else s.text.numpy
            if module:
                numbers = f"{module}.arange(len({s.text.text(owner)}))"
                yield s.candidate(0, index, f"{numbers}, {s.text.text(second)}")


def last_axis_sliced(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a slice is one of the last axis in place of the first."""
    match s.node:
        case ast.Subscript(slice=ast.Slice() as index):
            yield s.candidate(0, index, f"..., {s.text.text(index)}")


def bound_lowered(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a loop ends one earlier."""
    for node in s.text.nodes:
        match node:
            case ast.Call(func=ast.Name(id="range"), args=[*_, stop]):
                text = s.text.text(stop)
                yield s.candidate(0, stop, text.removesuffix(" + 1") if text.endswith(" + 1") else f"{text} - 1")


def index_left_out(s: Situation) -> Iterator[Candidate]:
    """Yield programs with one index less, of those that take a whole axis."""
    match s.node:
        case ast.Subscript(slice=ast.Tuple(elts=items) as index):
            for at, item in enumerate(items):
                if isinstance(item, ast.Slice) and s.text.text(item) == ":":
                    rest = [s.text.text(each) for each in (*items[:at], *items[at + 1 :])]
                    yield s.candidate(0, index, ", ".join(rest))
                    return


def axis_indexed_kept(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which one index leaves the axis, as a part of size 1."""
    for distance, site in enumerate(s.sites[:_NEAR]):
        for node in s.text.parts(site.node):
            match node:
                case ast.Subscript(value=owner, slice=index, ctx=ast.Load()) if isinstance(s.text.value(owner), Tensor):
                    last = index.elts[-1] if isinstance(index, ast.Tuple) and index.elts else index
                    kept = _as_part(s, last)
                    if kept:
                        yield s.candidate(distance, last, kept)


def column_indexed(s: Situation) -> Iterator[Candidate]:
    """Yield programs that take the columns of an array instead of its rows, if those have the length that is wanted."""
    edits: dict[str, list[Edit]] = {}
    for node in s.text.parts(s.node) if s.node is not None else ():
        match node:
            case ast.Subscript(value=ast.Name(id=name) as owner, slice=ast.Constant(value=int(at)) as index):
                shape = s.text.shape(owner)
                sizes = shape.sizes[:2] if shape is not None and shape.is_ranked else ()
                fits = any(sizes[::-1] == pair or sizes == pair for pair in s.unequal)
                if fits and isinstance(sizes[1], int) and at < sizes[1]:
                    edits.setdefault(name, []).append(s.text.replaced(index, f":, {at}"))
    yield from (Candidate(0, tuple(each)) for each in edits.values())


def _as_part(s: Situation, index: ast.expr) -> str:
    """Return the slice of one entry; "" if the index is no number."""
    text, number = s.text.text(index), s.text.number(index)
    if isinstance(index, ast.Name):
        return f"{text}:{text} + 1" if number is not None and number >= 0 else ""
    if number is None:
        return ""
    return f"{text}:" if number == -1 else f"{text}:{number + 1}"


def all_columns_taken(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the windows of a table have all columns of it, as many as a shape tells, not one."""
    wanted = [s.text.number(size) for size in shape_given(s)][-1:]
    for node in s.text.nodes if wanted and (wanted[0] or 0) > 1 else ():
        match node:
            case ast.Subscript(value=table, slice=ast.Tuple(elts=[ast.Slice(), ast.Constant(value=int()) as column])):
                shape = s.text.shape(table)
                columns = shape.size(-1) if shape is not None and shape.rank == _TABLE else None
                if shape is None or columns in wanted or not isinstance(columns, int | None):
                    yield s.candidate(0, column, ":")


def part_of_other_axis(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the one axis that a part cuts is another one."""
    for operand in s.operands:
        match operand.node:
            case ast.Subscript(slice=ast.Tuple(elts=items) as index):
                texts = [s.text.text(item) for item in items]
                cut = [text for text in texts if text != ":"]
                for at in range(len(items)) if len(cut) == 1 and ":" in cut[0] else ():
                    moved = [cut[0] if each == at else ":" for each in range(len(items))]
                    if moved != texts:
                        yield s.candidate(at, index, ", ".join(moved))
