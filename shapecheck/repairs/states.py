"""Repairs of the states that recurrent layers and loops start from."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from shapecheck.findings import Edit
from shapecheck.repairs.situation import TORCH, Candidate, Situation, callee

_FILLED = ("zeros", "ones", "randn", "rand")
_SEQUENCES = 3  # axes of a batch of sequences
_RETURNED = re.compile(r"and shape \(([\d, ]+?),?\) is returned")


def sequence_left_out(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the states that a layer starts from are not beside the sequence that came with them."""
    given = s.node.keywords if isinstance(s.node, ast.Call) else []
    for state in (each.value for each in given if each.arg == "initial_state"):
        states = s.text.definition(state) if isinstance(state, ast.Name) else state
        items = states.elts if isinstance(states, ast.List | ast.Tuple) else []
        shapes = [s.text.shape(item) for item in items]
        kept = [
            s.text.text(item)
            for item, shape in zip(items, shapes, strict=True)
            if shape is None or shape.rank != _SEQUENCES
        ]
        if isinstance(s.node, ast.Call) and 0 < len(kept) < len(items):
            (start, end), (first, last) = s.text.span(state), s.text.span(s.node)
            code = s.text.source.code
            yield s.candidate(0, s.node, f"{code[first:start]}[{', '.join(kept)}]{code[end:last]}")


def rows_of_batch_counted(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which states are made for as many rows as there are in this batch, which may be the last."""
    sizes = {size for pair in s.unequal for size in pair if "the state has shape" in s.call.clash.message}
    for function in s.text.functions_around(s.node) if s.is_of_torch and s.node is not None else ():
        made = [
            size
            for node in s.text.parts(function)
            if isinstance(node, ast.Call) and callee(node) in _FILLED
            for size in node.args
            if s.text.number(size) in sizes and isinstance(size, ast.Name | ast.Constant | ast.Attribute)
        ]
        names = [each.arg for each in function.args.args if each.arg != "self"]
        for axis in (0, 1) if made and names else ():
            yield Candidate(axis, tuple(s.text.replaced(size, f"{names[0]}.size({axis})") for size in made))


def layers_put_second(s: Situation) -> Iterator[Candidate]:
    """Yield programs that combine the last state of a recurrent layer with each of its outputs: the axis of its layers
    is where theirs has steps."""
    for operand in s.operands:
        others = [each.shape for each in s.call.arguments if each is not operand.argument]
        mine = operand.argument.shape
        if operand.argument.tensor.library != TORCH or len(others) != 1 or mine.rank != _SEQUENCES:
            continue
        if others[0].rank == _SEQUENCES and mine.sizes[0] == 1 and s.call.always(mine.sizes[1], others[0].sizes[0]):
            yield s.followed(0, operand.node, ".transpose(0, 1)")


def start_of_scan_shaped(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which zeros that a scan starts from have the shape that they get."""
    found = _RETURNED.search(s.call.clash.message)
    for given in s.node.args if isinstance(s.node, ast.Call) and found else ():
        made = s.text.definition(given) if isinstance(given, ast.Name) else given
        if isinstance(made, ast.Call) and callee(made) in _FILLED and made.args and found:
            shape = made.args[0]
            named = [*s.text.visible_from(shape), shape]
            names = {s.text.number(each): s.text.text(each) for each in named}
            sizes = [names.get(int(size), size) for size in found[1].split(", ")]
            yield s.candidate(0, shape, f"({', '.join(sizes)}{',' * (len(sizes) == 1)})")


def states_of_both_directions_joined(s: Situation) -> Iterator[Candidate]:
    """Yield programs that join the last states of both directions of a recurrent layer, which come one by one."""
    bound = (node for node in s.text.nodes if isinstance(node, ast.Assign) and len(node.targets) == 1)
    for node in bound if s.tensorflow else ():
        names, (start, end) = node.targets[0], s.text.span(node)
        items = names.elts if isinstance(names, ast.Tuple) else []
        indent = s.text.indentation(start)
        is_here = start <= s.call.step.place.start and s.call.step.place.end <= end
        if is_here and len(items) > 1 and indent is not None and _is_bidirectional(s, node.value):
            texts = [s.text.text(each) for each in items[1:]]
            both = [f"{way}_{text}" for way in ("forward", "backward") for text in texts]
            joined = (f"{text} = {s.tensorflow}.concat([forward_{text}, backward_{text}], axis=-1)" for text in texts)
            unpacked = s.text.place(s.text.span(items[1])[0], s.text.span(items[-1])[1])
            after = s.text.inserted(end, "".join(f"\n{indent}{line}" for line in joined))
            yield Candidate(0, (Edit(unpacked, ", ".join(both)), after))


def _is_bidirectional(s: Situation, node: ast.expr) -> bool:
    """Return whether a call is that of a layer which reads sequences from both ends."""
    layer = node.func if isinstance(node, ast.Call) else None
    made = s.text.first_value(layer) if isinstance(layer, ast.Name | ast.Attribute) else layer
    return callee(made) == "Bidirectional"
