"""Mutants: programs with one size, axis, flag or layer changed.

It knows programs as text and syntax, and nothing of shapes or libraries.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from shapecheck import ir
from shapecheck.frontend.lower import lower
from shapecheck.ir.walk import nodes_in
from shapecheck.source import Source

_NO_SIZES: Final = frozenset(
    "epochs nb_epoch seed random_state verbose steps_per_epoch validation_steps initial_epoch name dtype".split()
)
_AXES: Final = ("axis", "dim", "axes")
_FLAGS: Final = frozenset("transpose_a transpose_b keepdims keep_dims return_sequences include_top".split())
_PRODUCTS: Final = frozenset("matmul dot tensordot".split())


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed program: the row of the change, and the old and new code."""

    row: int
    change: str
    text: str


@dataclass(frozen=True, slots=True)
class _Edit:
    start: int
    end: int
    new: str


def mutants(source: Source, most: int) -> list[Mutant]:
    """Return at most `most` mutants, the same ones each time, as many of each kind as there are."""
    module = lower(source)
    kinds = [list(dict.fromkeys(kind(source, module))) for kind in KINDS]
    draw = random.Random(source.text)
    for edits in kinds:
        draw.shuffle(edits)
    chosen: list[_Edit] = []
    while len(chosen) < most and any(kinds):
        chosen += [edits.pop() for edits in kinds if edits]
    return sorted((_apply(source, edit) for edit in chosen[:most]), key=lambda mutant: (mutant.row, mutant.change))


def _apply(source: Source, edit: _Edit) -> Mutant:
    row = source.position(edit.start)[0]
    old = " ".join(source.text[edit.start : edit.end].split())
    text = source.text[: edit.start] + edit.new + source.text[edit.end :]
    return Mutant(row, f"{old} -> {edit.new}", text)


def _nodes(module: ir.Module) -> Iterator[ir.Node]:
    return nodes_in(module.body)


def _is_number(node: object, least: int) -> bool:
    return isinstance(node, ir.Const) and type(node.value) is int and node.value >= least


def _sizes(_: Source, module: ir.Module) -> Iterator[_Edit]:
    """Increase an integer by one."""
    spared: set[int] = set()
    for node in _nodes(module):
        match node:
            case ir.Arg(keyword=str(keyword), value=value) if keyword in _NO_SIZES or keyword in _AXES:
                spared |= {id(inner) for inner in nodes_in(value)}
            case ir.Call(func=ir.Name(id="range")):
                spared |= {id(inner) for inner in nodes_in(node.args)}
    for node in _nodes(module):
        if _is_number(node, 2) and id(node) not in spared:
            assert isinstance(node, ir.Const)
            yield _Edit(node.start, node.end, str(node.value + 1))  # type: ignore[operator]


def _other_axes(_: Source, module: ir.Module) -> Iterator[_Edit]:
    """Replace an axis by its neighbour."""
    for node in _nodes(module):
        match node:
            case ir.Arg(keyword=str(keyword), value=ir.Const(value=int(axis)) as value) if keyword in _AXES:
                yield _Edit(value.start, value.end, str(axis - 1 if axis > 0 else 1))
            case ir.Arg(keyword=str(keyword), value=ir.Unary(op="-", operand=ir.Const(value=1)) as value):
                if keyword in _AXES:
                    yield _Edit(value.start, value.end, "0")


def _swapped(source: Source, module: ir.Module) -> Iterator[_Edit]:
    """Swap the first two sizes of a shape, or the operands of a product."""
    for node in _nodes(module):
        match node:
            case ir.Display(items=(first, second, *_)) if _is_number(first, 1) and _is_number(second, 1):
                yield from _swap(source, first, second)
            case ir.Call(func=ir.Attribute(name=name), args=(ir.Arg(keyword=None), ir.Arg(keyword=None), *_) as args):
                if name in _PRODUCTS:
                    yield from _swap(source, args[0], args[1])


def _swap(source: Source, first: ir.Node, second: ir.Node) -> Iterator[_Edit]:
    left, right = source.text[first.start : first.end], source.text[second.start : second.end]
    between = source.text[first.end : second.start]
    if left != right and between.strip() == ",":  # no bracket that belongs to one of them
        yield _Edit(first.start, second.end, right + between + left)


def _flags(_: Source, module: ir.Module) -> Iterator[_Edit]:
    """Invert a flag that changes a shape."""
    for node in _nodes(module):
        match node:
            case ir.Arg(keyword=str(keyword), value=ir.Const(value=bool(flag)) as value) if keyword in _FLAGS:
                yield _Edit(value.start, value.end, str(not flag))


def _without_layers(_: Source, module: ir.Module) -> Iterator[_Edit]:
    """Leave out a layer: `model.add(…)`, `x = f(x)`."""
    for node in _nodes(module):
        match node:
            case ir.Evaluate(value=ir.Call(func=ir.Attribute(name="add"), args=(_,))):
                yield _Edit(node.start, node.end, "pass")
            case ir.Assign(targets=(ir.Name(id=name),), value=ir.Call(args=(ir.Arg(value=ir.Name(id=given)), *_))):
                if name == given:
                    yield _Edit(node.start, node.end, "pass")


KINDS: Final[Sequence[Callable[[Source, ir.Module], Iterator[_Edit]]]] = (
    _sizes,
    _other_axes,
    _swapped,
    _flags,
    _without_layers,
)
