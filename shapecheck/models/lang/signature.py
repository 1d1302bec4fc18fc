"""Signatures: from "~B m k, ~B k n -> ~B m n" to frozen data, parsed once.

This module knows the notation only; the effect of a signature on shapes is in `apply`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from shapecheck.models.lang.expression import parse as parse_expression

_TOKEN = re.compile(
    r"\s*(?:(?P<star>\*\w+)|(?P<cast>~\w+)|(?P<memory>@\w+)|(?P<any>_)(?!\w)|(?P<axis>[A-Za-z]\w*)(?P<optional>\?)?"
    r"|(?P<number>\d+)|(?P<open>[({]))"
)


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis, of the same size wherever its name occurs; `_` is an axis of any size."""

    name: str
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Memory:
    """One axis whose size the layer object remembers from its first call."""

    name: str


@dataclass(frozen=True, slots=True)
class Many:
    """Any number of axes, the same wherever the name occurs; with `cast`, broadcast together."""

    name: str
    cast: bool = False


@dataclass(frozen=True, slots=True)
class Computed:
    """One axis of computed size."""

    tree: ast.expr
    text: str


Token: TypeAlias = Axis | Memory | Many | Computed
Pattern: TypeAlias = tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class Signature:
    inputs: tuple[Pattern, ...]
    outputs: tuple[Pattern, ...]


@cache
def parse(text: str) -> Signature:
    """Parse a signature; raise a ValueError that describes the mistake."""
    left, arrow, right = text.partition("->")
    if not arrow:
        raise ValueError(f"a signature has an arrow: {text!r}")
    inputs = tuple(parse_pattern(part) for part in split_outside_brackets(left)) if left.strip() else ()
    return Signature(inputs, tuple(parse_pattern(part) for part in split_outside_brackets(right)))


def remembering(rank: int, axes: Collection[int]) -> str:
    """Return the signature that keeps a shape, of which a layer remembers some axes; `@n1` is the last one."""
    names = " ".join(f"@n{rank - axis}" if axis in axes else f"n{axis}" for axis in range(rank))
    return f"{names} -> {names}"


@cache
def parse_pattern(text: str) -> Pattern:
    """Return the tokens of one operand; at most one of them may match several axes of unknown number."""
    tokens: list[Token] = []
    at, text = 0, text.strip()
    while at < len(text):
        found = _TOKEN.match(text, at)
        if not found:
            raise ValueError(f"cannot read {text[at:]!r} in {text!r}")
        token, at = _token(found, text)
        tokens.append(token)
    return tuple(tokens)


def split_outside_brackets(text: str) -> list[str]:
    """Return the parts of a text between commas that are not inside brackets."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign in "({") - (sign in ")}")
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def _token(found: re.Match[str], text: str) -> tuple[Token, int]:
    if found["star"]:
        return Many(found["star"][1:]), found.end()
    if found["cast"]:
        return Many(found["cast"][1:], cast=True), found.end()
    if found["memory"]:
        return Memory(found["memory"][1:]), found.end()
    if found["any"] or found["axis"]:
        return Axis(found["any"] or found["axis"], bool(found["optional"])), found.end()
    if found["number"]:
        return Computed(parse_expression(found["number"]), found["number"]), found.end()
    end = _closing(text, found.end() - 1)
    inner = text[found.end() : end]
    return Computed(parse_expression(inner), inner), end + 1


def _closing(text: str, start: int) -> int:
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] in "({") - (text[at] in ")}")
        if not depth:
            return at
    raise ValueError(f"a bracket is not closed: {text!r}")
