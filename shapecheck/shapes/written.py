"""Shapes as programs write them in annotations and comments: the notations, read into one form.

| notation | example |
|---|---|
| jaxtyping | `batch 3 *rest #n dim+1 _ ...` |
| nptyping | `2, N, *, ...` |
| check_shapes | `[batch..., N, 3]` |
| lists, in comments and `Annotated` | `(B, T, 128)`, `[None, 10]`, `B T C` |
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis, or with `is_many` any number of axes.

    The `name` is "" if it is anonymous. `size` is the number that it has, `expression` the text of arithmetic on the
    names of other axes. One that is `stretched` may have size 1 in place of its own.
    """

    name: str = ""
    size: int | None = None
    expression: str = ""
    is_many: bool = False
    stretched: bool = False


Axes = tuple[Axis, ...]
ANY, MANY = Axis(), Axis(is_many=True)
_NAME = re.compile(r"[^\W\d]\w*")


class Unreadable(ValueError):
    """A text is no shape of this notation, or has a form that is not read."""


def _once_many(axes: list[Axis]) -> Axes:
    """Return axes of which at most one stands for many; raise Unreadable for others."""
    if sum(axis.is_many for axis in axes) > 1:
        raise Unreadable("several parts of any number of axes")
    return tuple(axes)


# --- jaxtyping -------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def of_jaxtyping(text: str) -> Axes:
    """Return the axes of a shape such as "batch 3 *rest"; raise Unreadable where jaxtyping refuses it."""
    return _once_many([_jaxtyping_axis(word) for word in text.split()])


def _jaxtyping_axis(word: str) -> Axis:
    if "..." in word:
        if word != "...":
            raise Unreadable(word)
        return MANY
    if ("," in word and "(" not in word) or word.endswith("#"):
        raise Unreadable(word)
    signs: set[str] = set()
    while word:
        if word[0] in "#*_?":
            if word[0] in signs:
                raise Unreadable(word)
            signs.add(word[0])
            word = word[1:]
        elif word.count("=") == 1:
            word = word.split("=")[1]
        else:
            break
    many, stretched = "*" in signs, "#" in signs
    if not word or word.isidentifier():
        if "_" in signs and stretched:
            raise Unreadable(word)
        is_named = not signs & {"_", "?"}  # the same name with "?" has another size in each leaf of a tree
        return Axis(word if is_named else "", is_many=many, stretched=stretched)
    if signs - {"#"}:
        raise Unreadable(word)
    try:
        return Axis(size=int(word), stretched=stretched)
    except ValueError:
        return Axis(expression=word, stretched=stretched)


# --- nptyping and check_shapes ---------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def of_nptyping(text: str) -> Axes:
    """Return the axes of a shape such as "2, N, *"; labels after a size are comments."""
    words = [word.strip() for word in text.split(",")]
    if words[-1] == "...":
        *before, repeated = words[:-1] or ["*"]
        if repeated != "*":
            raise Unreadable(text)  # all further axes have the same size
        return _once_many([*map(_nptyping_axis, before), MANY])
    return tuple(map(_nptyping_axis, words))


def _nptyping_axis(word: str) -> Axis:
    size = re.fullmatch(r"(\d+|\*|[A-Z]\w*)(?: [a-z]\w*)?", word)
    if size is None:
        raise Unreadable(word)
    if size[1] == "*":
        return ANY
    return Axis(size=int(size[1])) if size[1].isdigit() else Axis(size[1])


@lru_cache(maxsize=1024)
def of_check_shapes(text: str) -> Axes:
    """Return the axes of a shape such as "[batch..., N, 3]" of check_shapes."""
    found = re.fullmatch(r"\s*\[(.*)\]\s*", text)
    if found is None:
        raise Unreadable(text)
    words = [word.strip() for word in found[1].split(",") if word.strip()]
    return _once_many([_check_shapes_axis(word) for word in words])


def _check_shapes_axis(word: str) -> Axis:
    if word in (".", "None"):
        return ANY
    if word == "...":
        return MANY
    if word.startswith("broadcast "):
        raise Unreadable(word)
    many = word.removeprefix("*") if word.startswith("*") else word.removesuffix("...")
    if many != word and _NAME.fullmatch(many):
        return Axis(many, is_many=True)
    return _plain_axis(word)


# --- lists -----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def of_list(text: str) -> Axes:
    """Return the axes of a list such as "(B, T, 128)", "[None, 10]" or "B T C", as comments have it."""
    inside = text.strip()
    if inside[:1] in ("(", "["):
        if inside[-1:] != {"(": ")", "[": "]"}[inside[0]]:
            raise Unreadable(text)
        inside = inside[1:-1].strip()
    inside = inside.removesuffix(",")
    words = re.split(r"\s*,\s*" if "," in inside else r"\s+", inside) if inside else []
    return _once_many([_plain_axis(word) for word in words])


def _plain_axis(word: str) -> Axis:
    if word in ("None", "?", "-1", "_", "*"):
        return ANY
    if word in ("...", "…"):
        return MANY
    if word.startswith("*") and _NAME.fullmatch(word[1:]):
        return Axis(word[1:], is_many=True)
    if word.isdecimal():
        return Axis(size=int(word))
    if _NAME.fullmatch(word):
        return Axis(word)
    if re.fullmatch(r"[\w ()+*/-]+", word) and re.search(r"\w", word):
        return Axis(expression=word)
    raise Unreadable(word)


def of_text(text: str) -> Axes:
    """Return the axes of a shape in either notation: a list in brackets, or words as in jaxtyping."""
    return of_list(text) if "," in text or text.strip()[:1] in ("(", "[") else of_jaxtyping(text)
