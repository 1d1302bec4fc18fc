"""Repairs of the number of channels of pictures."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from shapecheck.findings import Edit
from shapecheck.repairs.layers import declared_shapes
from shapecheck.repairs.reshapes import shape_given
from shapecheck.repairs.situation import Candidate, Situation, callee

_GREY, _COLOUR = 1, 3
_BATCH = 4  # axes of a batch of pictures
_READERS = {
    "flow_from_directory": "target_size",
    "flow_from_dataframe": "target_size",
    "image_dataset_from_directory": "image_size",
}


def channels_converted(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which pictures are read or converted with as many channels as are expected."""
    for node in s.text.nodes:
        match node:
            case ast.Constant(value="L" | "LA" | "RGB" | "RGBA" as mode):
                quote = s.text.text(node)[0]
                for weight, other in enumerate(("RGB", "L")):
                    if other != mode:
                        yield s.candidate(weight, node, f"{quote}{other}{quote}")


def grey_repeated(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which grey pictures get three equal channels, or colours become grey."""
    for operand in s.operands if (_GREY, _COLOUR) in _both(s) else ():
        shape = operand.argument.shape
        if isinstance(operand.node, ast.Name) and shape.is_ranked:
            yield from _converted_before(s, operand.node, shape.sizes)


def reader_told(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which pictures are read from folders with the size, and the channels, that a model takes."""
    shapes = [argument.shape for argument in s.call.arguments if argument.rank == 4]
    if not shapes or not s.unequal:
        return
    given, wanted = shapes[0].sizes, shapes[1].sizes if len(shapes) > 1 else None
    sides = {b if a in given else a for a, b in s.unequal}
    new = wanted[1:3] if wanted is not None else tuple(sides) * 2 if len(sides) == 1 else ()
    edits: list[Edit] = []
    for node in s.text.nodes:
        if not isinstance(node, ast.Call) or callee(node) not in _READERS:
            continue
        named = {each.arg for each in node.keywords}
        size, channels = _READERS[callee(node)], given[-1]
        if (_GREY, _COLOUR) in _both(s) and "color_mode" not in named:
            edits += s.with_keyword(0, node, "color_mode", '"rgb"' if channels == _GREY else '"grayscale"').edits
        elif size not in named and len(new) == 2 and all(isinstance(each, int) and each > _COLOUR for each in new):
            edits += s.with_keyword(0, node, size, f"({new[0]}, {new[1]})").edits
    if edits:
        yield Candidate(-1, tuple(edits))


def read_as_grey(s: Situation) -> Iterator[Candidate]:
    """Yield programs that load a picture with one channel, if it gets a shape with one."""
    shape = next((argument.shape for argument in s.call.arguments), None)
    wanted = [s.text.number(size) for size in shape_given(s)][-1:]
    for node in s.text.nodes if shape is not None and (shape.size(-1), wanted) == (_COLOUR, [_GREY]) else ():
        options = {each.arg for each in node.keywords} if isinstance(node, ast.Call) else set()
        if isinstance(node, ast.Call) and callee(node) == "load_img" and not options & {"color_mode", "grayscale"}:
            yield s.with_keyword(0, node, "color_mode", '"grayscale"')


def channel_added(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a grey picture has an axis of one channel before it is treated as a picture."""
    match s.node:
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="image", value=module)), args=[given, *_]):
            shape = s.shape_here(given)
            if s.text.text(module) == s.tensorflow and shape is not None and shape.rank in (2, 3):
                yield s.candidate(0, given, f"{s.text.text(given)}[..., {s.tensorflow}.newaxis]")


def resized_as_declared(s: Situation) -> Iterator[Candidate]:
    """Yield programs that resize pictures to the height and width that the input of a model is declared with."""
    declared = [shape.elts[:2] for node in s.text.nodes for shape in declared_shapes(node) if len(shape.elts) > 2]
    for node in s.text.nodes if len(declared) == 1 else ():
        match node:
            case ast.Call(func=ast.Attribute(attr="resize"), args=[_, (ast.Tuple() | ast.List()) as size, *_]):
                wanted = [s.text.number(each) for each in declared[0]]
                if [s.text.number(each) for each in size.elts] != wanted and None not in wanted:
                    text = ", ".join(s.text.text(each) for each in declared[0])
                    yield s.candidate(0, size, f"({text})" if isinstance(size, ast.Tuple) else f"[{text}]")


def _converted_before(s: Situation, name: ast.Name, sizes: tuple[object, ...]) -> Iterator[Candidate]:
    """Yield programs that convert pictures in a line of its own: after their name is bound, or before it is used."""
    made, bound = _converted(s, name, sizes), s.text.line_after_binding(name)
    start = s.text.span(s.node)[0] if s.node is not None else 0
    indent = s.text.indentation(start)
    if made and bound is not None:
        yield s.inserted(0, bound[0], f"\n{bound[1]}{name.id} = {made}")
    elif made and indent is not None:
        yield s.inserted(0, start, f"{name.id} = {made}\n{indent}")


def _both(s: Situation) -> set[tuple[int, int]]:
    return {(min(pair), max(pair)) for pair in s.unequal}


def _converted(s: Situation, node: ast.Name, sizes: tuple[object, ...]) -> str:
    tf, np = s.tensorflow, s.text.numpy
    if len(sizes) < 3 or sizes[-1] not in (_GREY, _COLOUR):
        return ""
    if sizes[-1] == _GREY:
        return f"{tf}.image.grayscale_to_rgb({node.id})" if tf else f"{np}.repeat({node.id}, 3, axis=-1)" if np else ""
    return f"{tf}.image.rgb_to_grayscale({node.id})" if tf else ""


def picture_made_batch(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a picture of known channels is given as a batch of one."""
    module = s.text.numpy
    for operand in s.operands if module and "images takes rank 4" in s.call.clash.message else ():
        shape = operand.argument.shape
        if shape.rank == _BATCH - 1 and shape.sizes[-1] in (_GREY, _COLOUR, _COLOUR + 1):
            yield s.candidate(0, operand.node, f"{module}.expand_dims({s.text.text(operand.node)}, 0)")


def transparency_left_out(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a picture with a channel for transparency has three channels, as the values that it
    meets."""
    for operand in s.operands:
        others = [each.shape for each in s.call.arguments if each is not operand.argument]
        mine = operand.argument.shape
        is_picture = mine.is_ranked and len(mine.sizes) > _COLOUR - 1 and mine.sizes[-1] == _COLOUR + 1
        if is_picture and others and all(each.rank == 1 and each.sizes[0] == _COLOUR for each in others):
            yield s.followed(0, operand.node, f"[..., :{_COLOUR}]")
