"""Repairs of layers that are made with the sizes of what they take: options that are missing, or have other values."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from shapecheck.domain.values import Tensor
from shapecheck.repairs.situation import Candidate, Situation, callee
from shapecheck.shapes.claims import Divides

_CHANNELS_FIRST = 4  # parameters of a convolution: channels in and out, window, stride
_CONVOLVING = ("conv1d", "conv2d", "conv3d")
_OF_STEPS = ("LSTM", "GRU", "RNN", "MultiheadAttention", "Transformer", "pack_padded_sequence")
_MASKS = {
    "attn_mask": "key_padding_mask",
    "key_padding_mask": "attn_mask",
    "mask": "src_key_padding_mask",
    "src_mask": "src_key_padding_mask",
    "tgt_mask": "tgt_key_padding_mask",
    "src_key_padding_mask": "mask",
}
_LOSSES = {
    "BCELoss": "BCEWithLogitsLoss",
    "binary_cross_entropy": "binary_cross_entropy_with_logits",
    "NLLLoss": "CrossEntropyLoss",
    "nll_loss": "cross_entropy",
}


def _made(s: Situation, *beginnings: str) -> Iterator[tuple[int, ast.Call]]:
    """Yield the calls that make layers whose names begin so, the nearest first, with their distances."""
    for distance, site in enumerate(s.sites if s.is_of_torch else ()):
        if isinstance(site.node, ast.Call) and callee(site.node).startswith(beginnings):
            yield distance, site.node


def _keywords(node: ast.Call) -> set[str | None]:
    return {each.arg for each in node.keywords}


def maps_enlarged(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which transposed convolutions with a stride give as much as convolutions took: all, or one."""
    found = [(at, node) for at, node in _made(s, "ConvTranspose") if "output_padding" not in _keywords(node)]
    added = [s.with_keyword(at, node, "output_padding", "1") for at, node in found]
    if len(added) > 1:
        yield Candidate(0, tuple(edit for each in added for edit in each.edits))
    yield from added


def memory_measured(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which attention is told the width of the keys and values, if that is another one."""
    for distance, node in _made(s, "MultiheadAttention"):
        for a, b in s.unequal if "kdim" not in _keywords(node) else ():
            for size in (a, b):
                names = (each for each in s.text.visible_from(node) if s.text.number(each) == size)
                for text in (*map(s.text.text, names), str(size)):
                    parts = [*node.args, *(each.value for each in node.keywords)]
                    end = max(s.text.span(part)[1] for part in parts)
                    yield s.inserted(distance, end, f", kdim={text}, vdim={text}")


def mask_given_as_other(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a mask of steps is given as one of padding, or the other way round."""
    takes_two = s.is_of_torch and callee(s.node) != "scaled_dot_product_attention"  # which takes one mask
    for node in s.text.parts(s.node) if s.node is not None and takes_two else ():
        match node:
            case ast.keyword(arg=str(name), value=value) if name in _MASKS:
                start, other = s.text.span(value)[0] - len(name) - 1, _MASKS[name]
                is_layer = "EncoderLayer" in s.call.step.name  # which calls the mask of steps otherwise than a stack
                other = "src_mask" if other == "mask" and is_layer else other
                yield s.replaced_text(0, start, start + len(name), other)


def mask_of_keys(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a mask of words is one of keys, the same for every query."""
    for keyword in s.node.keywords if isinstance(s.node, ast.Call) else ():
        shape = s.text.shape(keyword.value)
        if keyword.arg == "attention_mask" and shape is not None and shape.rank == 2:
            yield s.candidate(0, keyword.value, f"{s.text.text(keyword.value)}[:, None, :]")


def channels_taken(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a convolution takes the one channel that there is, or several instead of one."""
    for distance, node in _made(s, "Conv"):
        given = node.args[0] if node.args else None
        for a, b in s.unequal if isinstance(given, ast.Constant) else ():
            if 1 in (a, b) and given is not None and s.text.number(given) in (a, b):
                yield s.candidate(distance, given, str(b if s.text.number(given) == a else a))


def filter_for_each_channel(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a filter that is written for pictures of one channel is applied to each of several."""
    match s.node:
        case ast.Call(args=[maps, filters, *_], keywords=keywords) if callee(s.node) in _CONVOLVING and s.is_of_torch:
            given, made = s.text.shape(maps), s.text.shape(filters)
            value = s.text.value(filters)
            is_fixed = isinstance(value, Tensor) and value.role == "tensor"
            is_grouped = any(each.arg == "groups" for each in keywords)
            if given is None or made is None or not given.is_ranked or not made.is_ranked or is_grouped:
                return
            channels, rank = given.size(1), len(made.sizes)
            if is_fixed and made.sizes[1] == 1 and isinstance(channels, int) and given.rank == rank:
                text = f"{s.text.text(filters)}.repeat({', '.join([str(channels), *['1'] * (rank - 1)])})"
                grouped = s.with_keyword(0, s.node, "groups", str(channels))
                yield Candidate(0, (s.text.replaced(filters, text), *grouped.edits))


def divisor_chosen(s: Situation) -> Iterator[Candidate]:
    """Yield programs with fewer groups or heads, into which a width can be divided; the parts of a split have each its
    use."""
    claim = s.call.clash.claim
    if callee(s.node) == "split":
        return
    if not isinstance(claim, Divides) or not isinstance(claim.divisor, int) or not isinstance(claim.a, int):
        return
    fewer = next(parts for parts in range(claim.divisor, 0, -1) if claim.a % parts == 0)
    for node in s.text.parts(s.node) if s.node is not None and fewer > 1 else ():
        if isinstance(node, ast.Constant) and node.value == claim.divisor:
            yield s.candidate(0, node, str(fewer))


def batch_put_first(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a layer of sequences takes batches of them, not their steps one after the other."""
    for _, node in _made(s, *_OF_STEPS):
        if "batch_first" not in _keywords(node) and not callee(node).endswith("Cell"):
            yield s.with_keyword(0, node, "batch_first", "True")


def initialized_as_applied(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which weights are made for data of the shape that they are applied to."""
    given = s.node.args[1:] if isinstance(s.node, ast.Call) and callee(s.node) == "apply" else []
    shapes = [shape.sizes for each in given if (shape := s.text.shape(each)) is not None and shape.is_ranked]
    for node in s.text.nodes if shapes else ():
        for made in node.args if isinstance(node, ast.Call) and callee(node) == "init" else ():
            sizes = made.args[0] if isinstance(made, ast.Call) and made.args else None
            if callee(made) not in ("ones", "zeros") or not isinstance(sizes, ast.Tuple):
                continue
            for wanted in (each for each in shapes if len(each) == len(sizes.elts)):
                pairs = list(zip(sizes.elts, wanted, strict=True))[1:]
                edits = [s.text.replaced(size, str(new)) for size, new in pairs if s.text.number(size) != new]
                if edits and all(isinstance(new, int) for _, new in pairs):
                    yield Candidate(0, tuple(edits))


def state_of_layers(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the first state of a recurrent layer has a part for each of its layers."""
    for distance, site in enumerate(s.sites):
        given = site.node.args[0] if isinstance(site.node, ast.Call) and site.node.args else None
        if callee(site.node) not in ("zeros", "randn") or not isinstance(given, ast.Constant):
            continue
        for a, b in s.unequal:
            if s.text.number(given) == 1 in (a, b):
                wanted = b if a == 1 else a
                names = (each for each in s.text.visible_from(given) if s.text.number(each) == wanted)
                yield from (s.candidate(distance, given, s.text.text(each)) for each in names)
                yield s.candidate(distance + 4, given, str(wanted))
    yield from _both_directions(s)


def _both_directions(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the first state of a recurrent layer has a part for each direction of each layer."""
    if not any(2 * min(pair) == max(pair) for pair in s.unequal) or "the state has shape" not in s.call.clash.message:
        return
    for node in s.text.nodes:
        match node:
            case ast.Tuple(elts=[first, _, _]) | ast.Call(args=[first, _, _]) if not isinstance(first, ast.Constant):
                if any(s.text.number(first) == min(pair) for pair in s.unequal):
                    yield s.candidate(0, first, f"{s.text.text(first)} * 2")


def _shortcuts(s: Situation) -> Iterator[tuple[int, ast.Call]]:
    """Yield the calls that make convolutions, those with a window of one position where Keras is used."""
    yield from _made(s, "Conv")
    for distance, site in enumerate(s.sites if ".add" in s.call.step.name.lower() else ()):
        match site.node:
            case ast.Call(func=ast.Call(args=[_, window, *_]) as made) if callee(made) == "Conv2D":
                if s.text.number(window) == 1:
                    yield distance, made


def stride_taken(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the shortcut of a block has the stride of its other path."""
    for distance, node in _shortcuts(s):
        visible = (each for each in s.text.visible_from(node) if isinstance(each, ast.Name))
        name = next((each for each in visible if each.id in ("stride", "strides")), None)
        keyword = "stride" if s.is_of_torch else "strides"
        given = next((each.value for each in node.keywords if each.arg == keyword), None)
        if name is None or (given is not None and not isinstance(given, ast.Constant)):
            continue
        if given is not None:
            yield s.candidate(distance, given, name.id)
        elif not s.is_of_torch:
            yield s.with_keyword(distance, node, keyword, name.id)
        elif len(node.args) < _CHANNELS_FIRST:
            yield s.with_keyword(distance, node, "stride", name.id)
        elif isinstance(node.args[3], ast.Constant):
            yield s.candidate(distance, node.args[3], name.id)


def borders_kept(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which convolutions keep the size of maps that are too small otherwise."""
    for distance, node in _made(s, "Conv"):
        named = (each.value for each in node.keywords if each.arg == "kernel_size")
        window = next(iter((*node.args[2:3], *named)), None) if len(node.args) <= _CHANNELS_FIRST else None
        size = None if window is None else s.text.number(window)
        if size and size % 2 and "padding" not in _keywords(node):
            yield s.with_keyword(distance, node, "padding", str(size // 2))


def parts_completed(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the last of written sizes of parts is such that they add up."""
    for a, b in s.unequal:
        for node in s.text.parts(s.node) if s.node is not None else ():
            if not isinstance(node, (ast.List, ast.Tuple)) or not node.elts:
                continue
            sizes = [s.text.number(each) for each in node.elts]
            known = [size for size in sizes if size is not None]
            if len(known) == len(sizes) and sum(known) in (a, b):
                last = known[-1] + (b - a if sum(known) == a else a - b)
                if last > 0:
                    yield s.candidate(0, node.elts[-1], str(last))


def logits_given(s: Situation) -> Iterator[Candidate]:
    """Yield programs with the loss that takes outputs without an activation."""
    for node in s.text.nodes:
        match node:
            case ast.Call(func=ast.Attribute(attr=name, value=module) as function) if name in _LOSSES:
                yield s.candidate(0, function, f"{s.text.text(module)}.{_LOSSES[name]}")


def activation_left_out(s: Situation) -> Iterator[Candidate]:
    """Yield programs without the softmax or sigmoid whose result is given as logits."""
    for distance, site in enumerate(s.sites):
        name = callee(site.node)
        if not isinstance(site.node, ast.Call) or name.lower() not in ("softmax", "sigmoid"):
            continue
        if name[0].islower():
            method = site.node.func.value if isinstance(site.node.func, ast.Attribute) else None
            is_function = method is None or s.text.is_module(method) or s.text.value(method) is None
            given = site.node.args[0] if is_function and site.node.args else method
            if given is not None:
                yield s.candidate(distance, site.node, s.text.text(given))
            continue
        for node in s.text.nodes:
            if isinstance(node, ast.Call) and site.node in node.args[1:]:
                before = node.args[node.args.index(site.node) - 1]
                yield s.removed(distance, s.text.span(before)[1], s.text.span(site.node)[1])
