"""Repairs of arguments that a signature, or a declaration of what is given, does not take."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from shapecheck.domain.values import Tensor
from shapecheck.repairs.situation import Candidate, Situation, callee

_TAKES = re.compile(r"is \w+, the signature takes (\w+)")
_NO_KEY = re.compile(r"has no key '(\w+)'")
_ALONE = re.compile(r"the signature takes (\w+) alone")
_DICTS = re.compile(r"a dict of '(\w+)', function \d+ returns a dict of '(\w+)'")
_WIDER = re.compile(r"yields \((.*?),?\), an element is declared as \((.*?),?\)")
_MAKERS = ("constant", "convert_to_tensor", "uniform", "random_uniform", "range", "zeros", "ones")


def dtype_given(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a tensor is made with the dtype that a signature takes."""
    found = _TAKES.search(s.call.clash.message)
    for node in s.text.nodes if found and s.tensorflow else ():
        value = s.text.value(node) if isinstance(node, ast.Call) and callee(node) in _MAKERS else None
        if not found or not isinstance(node, ast.Call) or not isinstance(value, Tensor) or value.dtype == found[1]:
            continue
        if _kind(value.dtype) == _kind(found[1]) and f"is {value.dtype}," in s.call.clash.message:
            dtype = f"{s.tensorflow}.{found[1]}"
            given = [each for each in node.keywords if each.arg == "dtype"]
            if given:
                yield s.candidate(0, given[0].value, dtype)
            elif callee(node) in ("constant", "convert_to_tensor") and len(node.args) == 1 and not node.keywords:
                yield s.inserted(1, s.text.span(node.args[0])[1], f", {dtype}")
    yield from _all_made(s, found[1] if found else "")


def _all_made(s: Situation, dtype: str) -> Iterator[Candidate]:
    """Yield programs in which all constants that are made of arrays have a dtype."""
    edits = []
    for node in s.text.nodes if dtype and s.tensorflow else ():
        if isinstance(node, ast.Call) and callee(node) == "constant" and len(node.args) == 1 and not node.keywords:
            value = s.text.value(node)
            if isinstance(value, Tensor) and value.dtype != dtype and _kind(value.dtype) == _kind(dtype):
                edits.append(s.text.inserted(s.text.span(node.args[0])[1], f", {s.tensorflow}.{dtype}"))
    if len(edits) > 1:
        yield Candidate(2, tuple(edits))


def _kind(dtype: str | None) -> str:
    return (dtype or "").rstrip("0123456789")


def key_renamed(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the only entry of a dict that nothing takes has the name that is missing."""
    missing = _NO_KEY.search(s.call.clash.message)
    for node in s.text.nodes if missing else ():
        if isinstance(node, ast.Dict) and missing:
            keys = [key for key in node.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
            names = {key.value for key in keys}
            unread = [key for key in keys if s.text.source.code.count(s.text.text(key)) == 1]
            if missing[1] not in names and len(unread) == 1:
                quote = s.text.text(unread[0])[0]
                yield s.candidate(0, unread[0], f"{quote}{missing[1]}{quote}")


def keyword_renamed(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which an argument has the name that the signature has."""
    found = _ALONE.search(s.call.clash.message)
    if found and isinstance(s.node, ast.Call) and len(s.node.keywords) == 1 and not s.node.args:
        given = s.node.keywords[0]
        yield (
            s.candidate(0, given.value, s.text.text(given.value))
            if given.arg == found[1]
            else _renamed(s, given, found[1])
        )


def _renamed(s: Situation, given: ast.keyword, name: str) -> Candidate:
    end = s.text.span(given.value)[0]
    text = s.text.source.code
    start = text.rindex(given.arg or "", 0, end)
    return s.replaced_text(0, start, start + len(given.arg or ""), name)


def list_made_tuple(s: Situation) -> Iterator[Candidate]:
    """Yield programs that give a tuple where a signature has one."""
    if "is a list, the signature takes a tuple" not in s.call.clash.message or not isinstance(s.node, ast.Call):
        return
    for argument in s.node.args:
        made = argument if isinstance(argument, (ast.List, ast.BinOp)) else s.text.definition(argument)
        match made:
            case ast.List(elts=items) as whole:
                yield s.candidate(0, whole, _tuple(s, items))
            case ast.BinOp(left=ast.List(elts=items) as whole, op=ast.Mult()):
                yield s.candidate(0, whole, _tuple(s, items))


def _tuple(s: Situation, items: list[ast.expr]) -> str:
    inside = ", ".join(map(s.text.text, items))
    return f"({inside},)" if len(items) == 1 else f"({inside})"


def entry_left_out(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a signature has no entry for `self`."""
    if not re.search(r"the signature has (\d+) entries, for the parameters", s.call.clash.message):
        return
    for node in s.text.nodes:
        match node:
            case ast.keyword(arg="input_signature", value=ast.List(elts=[first, second, *_])):
                start, end = s.text.span(first)[0], s.text.span(second)[0]
                yield s.removed(0, start, end)


def signature_resized(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which what a generator yields is declared with the sizes that it has."""
    found = _WIDER.search(s.call.clash.message)
    before, after = (found[2].split(", "), found[1].split(", ")) if found else ([], [])
    for node in s.text.nodes if before else ():
        if isinstance(node, ast.Call) and callee(node) == "TensorSpec":
            for shape in (*node.args[:1], *(each.value for each in node.keywords if each.arg == "shape")):
                if not isinstance(shape, (ast.Tuple, ast.List)):
                    continue
                sizes = [str(s.text.number(each)) for each in shape.elts]  # of None, "None"
                if sizes == before and before[1:] == after:
                    kept = ", ".join(s.text.text(each) for each in shape.elts[1:])
                    yield s.candidate(0, shape, f"({kept},)" if len(after) == 1 else f"({kept})")
                if len(shape.elts) == len(before) == len(after):
                    differ = [at for at, (a, b) in enumerate(zip(before, after, strict=True)) if a != b]
                    if len(differ) == 1 and after[differ[0]].isdigit():
                        yield s.candidate(0, shape.elts[differ[0]], after[differ[0]])


def result_key_renamed(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which alternatives of a graph return dicts of the same keys."""
    found = _DICTS.search(s.call.clash.message)
    for node in s.text.nodes if found else ():
        if isinstance(node, ast.Dict) and found:
            for key in node.keys:
                if isinstance(key, ast.Constant) and key.value == found[2]:
                    quote = s.text.text(key)[0]
                    yield s.candidate(0, key, f"{quote}{found[1]}{quote}")
