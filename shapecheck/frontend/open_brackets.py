"""Brackets that a statement leaves open: what closes them, where the end is the one place for that.

`f(a, b=g(1)` lacks a bracket at its end; `f(a.T` may be `f(a).T` as well, and `f(a + b` may be `f(a) + b`. What stands
before a keyword argument is in the brackets.
What is in closed brackets counts as `()`, and a string as `S`.
"""

from __future__ import annotations

import builtins
import re
from typing import Final

from shapecheck.frontend.quotes import CODE, string_end

CONVENTIONAL: Final = frozenset(
    "np tf keras layers models K plt pd sns os sys math random time tensorflow numpy".split()
)
"""The names that modules have in most programs."""

_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}
_MODULE: Final = rf"(?:{'|'.join(sorted(CONVENTIONAL))})(?:\.\w+)+"
_CALLED: Final = rf"{_MODULE}|(?:{'|'.join(name for name in dir(builtins) if name.isidentifier())}|[A-Z]\w*)\b"
_ATOM: Final = rf"-?\d[\w.]*|S|(?:{_CALLED})\s*\(\)|{_MODULE}|[^\W\d]\w*|\(\)|\[\]|\{{\}}"
_ITEM: Final = rf"\s*(?:[^\W\d]\w*\s*=\s*)?(?:{_ATOM})\s*"
_PLAIN: Final = re.compile(rf"{_ITEM}(?:,{_ITEM})*")
_BEFORE_KEYWORD: Final = re.compile(r".*,(?=\s*[^\W\d]\w*\s*=(?!=))", re.DOTALL)
_NAME: Final = r"[^\W\d][\w.]*"
_HEAD: Final = re.compile(rf"\s*(?:{_NAME}(?:\[\])?\s*=\s*)?(?!return\b|yield\b)(?:{_NAME}(?:\(\))?)?")
"""What may stand before the first open bracket. In `return f(a, b` and `x, y = f(a, b` the comma may be theirs."""


def closing(code: str) -> str | None:
    """Return the brackets that are missing at the end of a statement; None where they may be missing elsewhere."""
    levels, opened, at = [""], "", 0
    while (token := CODE.search(code, at)) is not None:
        levels[-1] += code[at : token.start()]
        first, at = token[0][0], token.end()
        if first in _CLOSING:
            opened += first
            levels.append("")
        elif first in ")]}":
            if not opened or _CLOSING[opened[-1]] != first:
                return None
            levels.pop()
            levels[-1] += opened[-1] + first
            opened = opened[:-1]
        elif first in "'\"":
            at = string_end(code, token)
            levels[-1] += "S"
        elif first == "\n" and re.match(r"\S", code[at:]):
            return None  # another statement
    levels[-1] += code[at:]
    if not opened or not _HEAD.fullmatch(levels[0]):
        return None
    inner = (f"{level}{each}{_CLOSING[each]}" for level, each in zip(levels[1:], opened[1:], strict=False))
    is_plain = all(map(_is_plain, (*inner, levels[-1]), opened))
    return "".join(_CLOSING[bracket] for bracket in reversed(opened)) if is_plain else None


def _is_plain(level: str, bracket: str) -> bool:
    """Return whether what stands in an open bracket cannot go on behind it."""
    before = _BEFORE_KEYWORD.match(level) if bracket == "(" else None
    return _PLAIN.fullmatch(level, before.end() if before is not None else 0) is not None
