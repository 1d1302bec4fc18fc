"""Repairs that call a method of a tensor, or another one, or give it another axis."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator

from shapecheck.clash_kind import ClashKind
from shapecheck.repairs.axes import is_new_axis
from shapecheck.repairs.situation import TORCH, Candidate, OperandText, Situation, callee
from shapecheck.shapes.merging import merging_order

_PLAIN = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)
_MAPS = 4
"""The axes of a batch of pictures."""
_ONE = 1
_ROWS = 2


def _operands(s: Situation) -> Iterator[tuple[OperandText, str, int]]:
    """Yield the operands that have such methods, with their texts and ranks."""
    for operand in s.operands:
        tensor, rank = operand.argument.tensor, operand.argument.rank
        if tensor.library == TORCH and rank is not None and operand.argument.shape.is_ranked:
            base = s.text.text(operand.node)
            yield operand, base if isinstance(operand.node, _PLAIN) else f"({base})", rank


def copied_before_view(s: Situation) -> Iterator[Candidate]:
    """Yield programs that copy a tensor whose axes were moved before it gets another shape."""
    match s.node:
        case ast.Call(func=ast.Attribute(attr="view", value=value) as function) if s.is_of_torch:
            text = s.text.text(value)
            if callee(value) == "contiguous":
                return
            chained = s.candidate(0, function, f"{text}.contiguous().view")
            reshaped = s.candidate(0, function, f"{text}.reshape")
            yield from (chained, reshaped) if isinstance(value, ast.Call) else (reshaped, chained)


def axes_moved(s: Situation) -> Iterator[Candidate]:
    """Yield programs that move axes instead of reading the elements in another shape, or before some are merged."""
    match s.node:
        case ast.Call(func=ast.Attribute(attr="view" | "reshape", value=value)) if s.is_of_torch:
            before, after = s.text.shape(value), s.text.shape(s.node)
            if before is None or after is None or not before.is_ranked or not after.is_ranked:
                return
            order = merging_order(before.sizes, after.sizes)
            if order is None or list(order) == sorted(order):
                return
            moved = f"{s.text.text(value)}.permute({', '.join(map(str, order))})"
            shape = s.text.source.code[s.text.span(value)[1] : s.text.span(s.node)[1]].partition("(")[2]
            yield s.candidate(0, s.node, moved if len(order) == len(after.sizes) else f"{moved}.reshape({shape}")


def first_axes_exchanged(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the rows of a batch come before its steps, or the other way round."""
    for operand, text, rank in _operands(s):
        sizes = operand.argument.shape.sizes
        if rank >= 3 and sizes[0] != sizes[1] and any({*sizes[:2]} & {*pair} for pair in s.unequal):
            yield s.candidate(1, operand.node, f"{text}.transpose(0, 1)")


def classes_moved(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the classes are the second axis of scores, or targets have no axis of one channel."""
    for operand, text, rank in _operands(s):
        sizes = operand.argument.shape.sizes
        if rank == 3:
            yield s.candidate(1, operand.node, f"{text}.transpose(1, 2)")
        if rank >= _MAPS and sizes[-1] != sizes[1]:
            order = ", ".join(map(str, (0, rank - 1, *range(1, rank - 1))))
            yield s.candidate(2, operand.node, f"{text}.permute({order})")
        if rank > 1 and sizes[1] == 1:
            yield s.candidate(0, operand.node, f"{text}.squeeze(1)")


def axis_added(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a tensor gets the axis of one channel, of one step or of one sample."""
    takes_maps = re.search(r"Conv(\d)d$", s.call.step.name.removesuffix(".__call__").removesuffix(".forward"))
    for operand, text, rank in _operands(s) if takes_maps or s.kind is ClashKind.RANK else ():
        if takes_maps and rank >= int(takes_maps[1]) + 2:
            continue
        for axis in (1, 0):
            yield s.candidate(axis != 1, operand.node, f"{text}.unsqueeze({axis})")


def noise_made_maps(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which each number of noise is a map of one place for a transposed convolution: where noise is
    drawn, and where it is given to a model."""
    told = re.search(r"ConvTranspose(\d)d", s.call.step.name)
    for operand, text, rank in _operands(s) if told else ():
        made, axes = s.text.definition(operand.node), int(told[1]) if told else 0
        if rank != _ROWS:
            continue
        if callee(made) in ("randn", "rand") and isinstance(made, ast.Call) and len(made.args) == _ROWS:
            yield s.inserted(-1, s.text.span(made.args[-1])[1], ", 1" * axes)
        yield s.candidate(0, operand.node, f"{text}[..., {', '.join(['None'] * axes)}]")


def channels_brought_first(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the axis that has as many channels as a convolution takes is the one after the batch."""
    for operand, text, rank in _operands(s) if ".Conv" in s.call.step.name and not s.is_of_maps else ():
        sizes = operand.argument.shape.sizes
        wanted = {b if sizes[1] == a else a for a, b in s.unequal if sizes[1] in (a, b)} if rank >= 3 else set()
        places = [at for at in range(2, rank) if sizes[at] in wanted]
        if len(places) == 1:
            order = ", ".join(map(str, (0, places[0], *(at for at in range(1, rank) if at != places[0]))))
            moved = f"{text}.transpose(1, 2)" if places == [2] else f"{text}.permute({order})"
            yield s.candidate(0, operand.node, moved)


def loss_averaged(s: Situation) -> Iterator[Candidate]:
    """Yield programs that take the gradient of the mean of several losses."""
    match s.node:
        case ast.Call(func=ast.Attribute(attr="backward") as function) if s.is_of_torch:
            yield s.inserted(0, s.text.span(function)[1] - len(".backward"), ".mean()")


def states_turned(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the layers come before the rows of a batch in the states to start from."""
    if "the state has shape" not in s.call.clash.message or not s.is_of_torch:
        return
    by_sizes: dict[str, list[ast.Call]] = {}
    for node in s.text.nodes:
        if isinstance(node, ast.Call) and callee(node) in ("zeros", "randn") and len(node.args) == 3:
            by_sizes.setdefault(", ".join(map(s.text.text, node.args)), []).append(node)
    for made in by_sizes.values():
        pairs = [(*node.args[:2],) for node in made]
        edits = [s.text.replaced(a, s.text.text(b)) for x, y in pairs for a, b in ((x, y), (y, x))]
        yield Candidate(1, tuple(edits))


def flattened_first(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which all axes but the batch are one."""
    for operand, text, rank in _operands(s):
        sizes = operand.argument.shape.sizes[1:]
        known = [size for size in sizes if isinstance(size, int)]
        if rank > 2 and len(known) == len(sizes) and any(math.prod(known) in pair for pair in s.unequal):
            yield s.candidate(0, operand.node, f"{text}.flatten(1)")


def layer_that_flattens(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the layers of a model begin with one that makes a row of each sample."""
    for _, _, rank in _operands(s):
        for node in s.text.nodes if rank > 2 else ():
            match node:
                case ast.Call(func=ast.Attribute(attr="Sequential", value=module), args=[ast.Call() as first, *_]):
                    columns = s.text.number(first.args[0]) if callee(first) == "Linear" and first.args else None
                    if any(columns in pair for pair in s.unequal):
                        start = s.text.span(first)[0]
                        indent = s.text.indentation(start)
                        gap = " " if indent is None else f"\n{indent}"
                        yield s.inserted(0, start, f"{s.text.text(module)}.Flatten(),{gap}")


def samples_flattened(s: Situation) -> Iterator[Candidate]:
    """Yield programs that flatten each sample, not the whole batch."""
    for distance, site in enumerate(s.sites if s.is_of_torch else ()):
        node = site.node
        if isinstance(node, ast.Call) and callee(node) == "flatten" and not node.keywords:
            takes_first = isinstance(node.func, ast.Attribute) and s.text.is_module(node.func.value)
            if len(node.args) == takes_first:
                yield s.inserted(distance, s.text.span(node)[1] - 1, ", 1" if takes_first else "1")


def sample_made_batch(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a model of pictures gets a batch of one picture."""
    if not s.is_of_torch or not any(".Conv2d" in step.name for step in s.call.graph.steps):
        return
    for call in (s.node, *s.calls_on_the_way()):
        for given in call.args[:1] if isinstance(call, ast.Call) else ():
            shape, base = s.text.shape(given), s.text.text(given)
            if shape is not None and shape.rank == _MAPS - 1:
                text = base if isinstance(given, _PLAIN) else f"({base})"
                yield s.candidate(0, given, f"{text}.unsqueeze(0)")


def steps_given(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a recurrent layer gets a batch of sequences of one step, as its state is one of a
    batch."""
    given = s.node.args[0] if isinstance(s.node, ast.Call) and len(s.node.args) > 1 else None
    shape = s.text.shape(given) if given is not None and "the state has shape" in s.call.clash.message else None
    if given is not None and shape is not None and shape.rank == 2:
        layer = s.text.first_value(s.node.func) if isinstance(s.node, ast.Call) else None
        is_batch_first = isinstance(layer, ast.Call) and any(each.arg == "batch_first" for each in layer.keywords)
        text = s.text.text(given) if isinstance(given, _PLAIN) else f"({s.text.text(given)})"
        for weight, axis in enumerate((1, 0) if is_batch_first else (0, 1)):
            yield s.candidate(weight, given, f"{text}.unsqueeze({axis})")


def axis_added_elsewhere(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which an axis of size 1 is added at another place."""
    for distance, site in enumerate(s.sites):
        given = site.node.args[0] if isinstance(site.node, ast.Call) and site.node.args else None
        if callee(site.node) == "unsqueeze" and given is not None and s.text.number(given) is not None:
            others = (axis for axis in (0, 1, 2) if axis != s.text.number(given))
            yield from (s.candidate(distance + axis, given, str(axis)) for axis in others)


def last_axes_exchanged(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a batch of matrices is transposed in its last two axes."""
    for operand in s.operands if len(s.call.arguments) == 2 else ():
        rank, is_of_torch = operand.argument.rank or 0, operand.argument.tensor.library == TORCH
        match operand.node if rank > 2 else None:
            case ast.Call(func=ast.Attribute(attr="transpose"), args=[first, second], keywords=[]) if is_of_torch:
                yield s.replaced_text(0, s.text.span(first)[0], s.text.span(second)[1], "-2, -1")
            case ast.Attribute(attr="T", value=value):
                moved = "transpose(-2, -1)" if is_of_torch else "swapaxes(-2, -1)"
                yield s.candidate(0, operand.node, f"{s.text.text(value)}.{moved}")


def column_gathered(s: Situation) -> Iterator[Candidate]:
    """Yield programs that take one value of each row of a table by an index for each row."""
    match s.node:
        case ast.Call(func=ast.Attribute(attr="gather"), args=[dim, index]) if (
            s.is_of_torch and s.text.number(dim) == 1
        ):
            shape = s.text.shape(index)
            if shape is not None and shape.rank == 1:
                column = s.inserted(0, s.text.span(index)[1], ".unsqueeze(1)")
                yield column
                yield Candidate(1, (*column.edits, *s.inserted(0, s.text.span(s.node)[1], ".squeeze(1)").edits))


def batch_axis_first(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the axis of size 1 that is added to one sample is that of the batch, and not the last
    one, where a window meets a 1 that is no size of a picture."""
    for operand in s.operands:
        if _ONE not in operand.argument.shape.sizes[1:-1]:
            continue
        match s.text.definition(operand.node) if isinstance(operand.node, ast.Name) else operand.node:
            case ast.Subscript(value=value, slice=ast.Tuple(elts=[ast.Constant(value=last), new])) as node:
                if last is Ellipsis and is_new_axis(new):
                    yield s.candidate(-1, node, f"{s.text.text(value)}[{s.text.text(new)}]")
            case ast.Call(func=ast.Attribute(attr="expand_dims"), args=[_, axis]) if s.text.number(axis) == -1:
                yield s.candidate(-1, axis, "0")
            case ast.Call(
                func=ast.Attribute(attr="expand_dims"), args=[_], keywords=[ast.keyword(arg="axis") as given]
            ):
                if s.text.number(given.value) == -1:
                    yield s.candidate(-1, given.value, "0")


def maps_resized(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the smaller of two batches of maps gets the height and width of the other."""
    functions = s.functional
    written: dict[int, tuple[OperandText, str]] = {}
    for operand, text, rank in _operands(s):
        if rank == _MAPS:  # where the operation is written, before the calls around it
            written.setdefault(id(operand.argument), (operand, text))
    maps = list(written.values())
    heights = [operand.argument.shape.sizes[2] for operand, _ in maps]
    if not functions or len(maps) != 2 or not all(isinstance(each, int) for each in heights):
        return
    sizes = [height for height in heights if isinstance(height, int)]
    (small, text), (large, other) = maps if sizes[0] < sizes[1] else maps[::-1]
    if isinstance(large.node, ast.Name) and sizes[0] != sizes[1]:
        match small.node:
            case ast.Call(args=[_]) if callee(small.node) == "interpolate":
                for scale in (each for each in small.node.keywords if each.arg == "scale_factor"):
                    end = s.text.span(scale.value)[1]
                    yield s.replaced_text(
                        0, end - len(s.text.text(scale.value)) - len("scale_factor="), end, f"size={other}.shape[-2:]"
                    )
        mode = 'mode="bilinear", align_corners=False'
        yield s.candidate(2, small.node, f"{functions}.interpolate({text}, size={other}.shape[-2:], {mode})")


def stacked_as_columns(s: Situation) -> Iterator[Candidate]:
    """Yield programs that stack vectors instead of joining them along an axis that they do not have."""
    match s.node:
        case ast.Call(func=ast.Attribute(attr="cat", value=module) as function):
            yield s.candidate(0, function, f"{s.text.text(module)}.stack")
        case ast.Call(func=ast.Attribute(attr="hstack", value=module) as function):
            ranks = [argument.rank for argument in s.call.arguments]
            if ranks.count(1) > 1 and ranks.count(2) == len(ranks) - ranks.count(1):
                yield s.candidate(0, function, f"{s.text.text(module)}.column_stack")


def as_many_parts(s: Situation) -> Iterator[Candidate]:
    """Yield programs that make as many parts as there are names for them."""
    found = ((bound, bound.targets[0]) for bound in map(s.text.assignment_to, _targets(s)) if bound is not None)
    for bound, names in found:
        if callee(bound.value) == "chunk" and isinstance(bound.value, ast.Call) and isinstance(names, ast.Tuple):
            given = next((each for each in bound.value.args if isinstance(each, ast.Constant)), None)
            if given is not None:
                yield s.candidate(0, given, str(len(names.elts)))


def _targets(s: Situation) -> Iterator[ast.AST]:
    start, end = s.call.step.place.start, s.call.step.place.end
    for node in s.text.nodes:
        if isinstance(node, ast.Tuple) and start <= s.text.span(node)[0] and s.text.span(node)[1] <= end:
            yield node


def size_of_other_asked(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the size of another tensor is asked for."""
    for distance, site in enumerate(s.sites):
        for node in s.text.parts(site.node):
            match node:
                case ast.Call(func=ast.Attribute(attr="size", value=ast.Name() as array), args=[index]):
                    yield from _asked(s, node, array, s.text.number(index), distance)


def _asked(s: Situation, node: ast.Call, array: ast.Name, axis: int | None, distance: int) -> Iterator[Candidate]:
    size = s.text.number(node)
    wanted = {b if size == a else a for a, b in s.unequal if size in (a, b)}
    for other in s.text.visible_from(array) if axis is not None else ():
        shape = s.text.shape(other) if isinstance(other, ast.Name) else None
        if axis is not None and shape is not None and shape.is_ranked and shape.size(axis) in wanted:
            yield s.candidate(distance, array, s.text.text(other))


def mask_turned(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a mask of the steps to ignore has a row for each sequence, not for each step."""
    told = re.search(r"padding_mask has shape \((\d+), (\d+)\), not \((\d+), (\d+)\)", s.call.clash.message)
    if told and (told[1], told[2]) == (told[4], told[3]):
        yield from (s.followed(0, each.node, ".T") for each in s.operands if each.argument.rank == 2)
