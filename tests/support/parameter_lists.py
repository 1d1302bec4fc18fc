"""Parameter lists as text, as in `"x, axis=, *, out="`, and what several lists of one function have in common.

A parameter with a default ends with `=`. One that is `_` and a number has another name in each list.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

PLAIN, KEYWORD, MANY, NAMED = "plain", "keyword", "*", "**"
KINDS = {
    inspect.Parameter.POSITIONAL_ONLY: PLAIN,
    inspect.Parameter.POSITIONAL_OR_KEYWORD: PLAIN,
    inspect.Parameter.KEYWORD_ONLY: KEYWORD,
    inspect.Parameter.VAR_POSITIONAL: MANY,
    inspect.Parameter.VAR_KEYWORD: NAMED,
}


@dataclass(frozen=True)
class Listed:
    """A parameter of one list."""

    name: str
    kind: str = PLAIN
    is_required: bool = True


List = tuple[Listed, ...]
OTHERWISE = re.compile(r"_\d+")


def parse(text: str) -> List:
    """Return the list that a text tells."""
    found: list[Listed] = []
    plain = PLAIN
    for word in filter(None, text.split(", ")):
        if word.startswith("*"):
            plain = KEYWORD
            found += [Listed(word, NAMED if word == "**" else MANY)] if word != "*" else []
        else:
            found.append(Listed(word.rstrip("="), plain, not word.endswith("=")))
    return tuple(found)


def of_signature(signature: inspect.Signature) -> List:
    """Return the list of a signature."""
    found = signature.parameters.values()
    return tuple(Listed(each.name, KINDS[each.kind], each.default is each.empty) for each in found)


def common(lists: Sequence[List]) -> str:
    """Return, as text, a list that accepts what one of the lists accepts."""
    by_position = [tuple(takewhile(lambda each: each.kind == PLAIN, one)) for one in lists]
    stars = [
        len(one) for one, whole in zip(by_position, lists, strict=True) if any(each.kind == MANY for each in whole)
    ]
    count = min(stars, default=max(map(len, by_position), default=0))
    placed = [_at(at, by_position) for at in range(count)]
    taken = {each.name for each in placed}
    named = dict.fromkeys(each.name for one in lists for each in one if each.kind in (PLAIN, KEYWORD))
    more = (name for name in named if name not in taken and not OTHERWISE.fullmatch(name))
    rest = [Listed(name, KEYWORD, _is_required(name, lists)) for name in more]
    many = ["*"] if stars or rest else []
    words = [*map(_text, placed), *(["*args"] if stars else many), *map(_text, rest)]
    return ", ".join([*words, "**"] if any(each.kind == NAMED for one in lists for each in one) else words)


def _at(at: int, lists: Sequence[List]) -> Listed:
    """Return the parameter at a position."""
    there = [one[at] for one in lists if len(one) > at]
    name = there[0].name
    others = any(each.name == name for one in lists for place, each in enumerate(one) if place != at)
    if others or any(each.name != name for each in there):
        return Listed(f"_{at}", PLAIN, False)
    return Listed(name, PLAIN, len(there) == len(lists) and all(each.is_required for each in there))


def _is_required(name: str, lists: Sequence[List]) -> bool:
    return all(any(each.name == name and each.kind == KEYWORD and each.is_required for each in one) for one in lists)


def _text(each: Listed) -> str:
    return each.name if each.is_required else f"{each.name}="


def without_first(lists: Iterable[List]) -> list[List]:
    """Return the lists of a method without the object itself."""
    return [one[1:] if one and one[0].kind == PLAIN else one for one in lists]


def passes_on(one: List) -> bool:
    """Return whether a list takes any keyword, since it is passed on."""
    return any(each.kind == NAMED for each in one)


def is_open(one: List) -> bool:
    """Return whether a list tells nothing, since all arguments are passed on."""
    return {each.kind for each in one} >= {MANY, NAMED}
