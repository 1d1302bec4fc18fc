"""What takes the place of a statement that cannot be read: it makes unknown what the statement may bind or change.

It knows words and brackets, and no syntax tree.
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import Final

from shapecheck.frontend.quotes import CODE, string_end

LOST: Final = "__lost__"
"""A name that no program binds: what a call of it returns, and does to its arguments, is unknown."""
_LOST_CONTEXT: Final = "__lost_raises__"
"""The same as the name of a context manager that may expect an exception."""

_WORD: Final = re.compile(r"(?<![\w.])(?:[^\W\d]\w*)")
_BINDING: Final = re.compile(r"\b(?:for|as|def|class|del|global|nonlocal)\s+([^\W\d]\w*(?:\s*,\s*[^\W\d]\w*)*)")
_ASSIGNMENT: Final = re.compile(r"(?:(?<![=!<>])|(?<=[<>]{2})|(?<=:))=(?!=)")
_CALLED: Final = re.compile(r"\w\s*\(")
_USED: Final = re.compile(r"\s*[.(\[]")
_CALL: Final = re.compile(r"(?<![\w.])([^\W\d]\w*)\s*\(")
_METHOD: Final = re.compile(r"(?<![\w.])([^\W\d]\w*)\s*(?:\.|\[)")
_DOTTED: Final = re.compile(r"(?<![\w.])[^\W\d]\w*(?:\s*\.\s*[^\W\d]\w*)+")
_ITEM: Final = re.compile(r"(?<![\w.])([^\W\d]\w*)\s*\[")
_BINDS: Final = re.compile(r"\b(?:import|for|as|def|class|global|nonlocal)\b")
_NAMED: Final = re.compile(r"(?:async\s+)?(?P<keyword>def|class)\s+(?P<name>[^\W\d]\w*)")
_LEADING: Final = re.compile(r"(?:async\s+)?(?P<keyword>[a-z]+)\b")
BUILTINS: Final = frozenset(dir(builtins))
HEADERS: Final = frozenset("if elif else while for with try except finally def class".split())


def replacement(text: str, indent: str, imported: AbstractSet[str], *, is_header: bool, jumps: Iterable[str]) -> str:
    """Return a statement, or the header of a compound one, in the place of a text that cannot be read.

    Prose binds and changes nothing. What a statement may change is unknown as well: an object whose method it calls, or
    that it passes to a function of the program, and the attributes and items that it assigns. It may leave the block
    around it by `jumps`: "return", "break" or "continue".
    """
    code = _without_strings(text)
    known = list(dict.fromkeys(_names(code))) if re.search(r"[(=]|\bdel\b", code) else []
    bound = list(dict.fromkeys((*_bound(code), *_changed(code, imported)))) if known or _BINDS.search(code) else []
    parts, methods = _parts(code, imported)
    unknown = f"{LOST}({', '.join([*known, *methods])})"
    found = _LEADING.match(code)
    word = found["keyword"] if found is not None else ""
    if is_header:
        return _header(code, word, unknown, bound, indent)
    if "return" in jumps and re.search(r"\byield\b", code):
        unknown = f"(yield {unknown})"
    if "return" in jumps and word in ("return", "raise"):
        return f"return {unknown}"
    if word == "raise":
        return "raise SystemExit"
    may_jump = [f"\n{indent}if {LOST}(): {jump}" for jump in jumps if re.search(rf"\b{jump}\b", code)]
    return "".join([" = ".join([*parts, *bound, unknown]), *may_jump])


def _header(code: str, word: str, unknown: str, bound: list[str], indent: str) -> str:
    named = _NAMED.match(code)
    targets = f"({', '.join(bound)},)" if bound else "_"
    if named is not None and named["keyword"] == "class":
        return f"class {named['name']}({LOST}):"
    if named is not None:
        inside = [name for name in _names(code[named.end() :]) if name not in ("self", named["name"])]
        params = [*(["self"] if "self" in code else []), *dict.fromkeys(inside), "*__more__", "**__rest__"]
        return f"@{LOST}\n{indent}def {named['name']}({', '.join(params)}):"
    if word == "for":
        return f"for {targets} in {unknown}:"
    if word in ("with", "try") or word not in HEADERS:
        return f"with {_LOST_CONTEXT}({unknown}) as {targets}:"
    return f"while {unknown}:" if word == "while" else f"if {unknown}:"


def _without_strings(text: str) -> str:
    """Return the text with strings and comments blanked out."""
    at, parts = 0, []
    while (token := CODE.search(text, at)) is not None:
        parts.append(text[at : token.start()])
        end = string_end(text, token) if token[0][0] in "'\"" else token.end()
        parts.append(token[0] if token[0][0] in "()[]{}\n" else " ")
        at = end
    return "".join([*parts, text[at:]]).strip()


def _names(code: str) -> Iterator[str]:
    for found in _WORD.finditer(code):
        if found[0].isascii() and not keyword.iskeyword(found[0]) and found[0] not in ("print", "exec"):
            yield found[0]


def _parts(code: str, imported: AbstractSet[str]) -> tuple[list[str], list[str]]:
    """Return the attributes and items that a statement may assign or change, and the methods that it may call."""
    end = _end_of_targets(code)
    parts = [f"{found[1]}[{LOST}()]" for found in _ITEM.finditer(code, 0, end) if _is_own(found[1], imported)]
    methods: list[str] = []
    for found in _DOTTED.finditer(code):
        names = [name.strip() for name in found[0].split(".")]
        if not _is_own(names[0], imported) or not all(name.isascii() for name in names):
            continue
        after = code[found.end() :].lstrip()[:1]
        if after == "(":
            methods.append(".".join(names))
            names.pop()
        if len(names) > 1 and (after == "(" or found.end() <= end):
            parts += [f"{'.'.join(names)}[{LOST}()]"] * (after == "[") + [".".join(names)]
    return list(dict.fromkeys(parts)), list(dict.fromkeys(methods))


def _is_own(name: str, imported: AbstractSet[str]) -> bool:
    return name.isascii() and name not in imported and not keyword.iskeyword(name)


def _end_of_targets(code: str) -> int:
    """Return where the last equals sign is that may assign."""
    return max((found.start() for found in _ASSIGNMENT.finditer(code) if _may_assign(code[: found.start()])), default=0)


def _bound(code: str) -> Iterator[str]:
    """Yield the names that a statement may bind."""
    if re.match(r"(?:from|import)\b", code):
        yield from _names(code.split("import", 1)[-1])
        return
    for found in _BINDING.finditer(code):
        yield from _names(found[1])
    for word in _WORD.finditer(code, 0, _end_of_targets(code)):
        if not _USED.match(code, word.end()):
            yield from _names(word[0])


def _changed(code: str, imported: AbstractSet[str]) -> Iterator[str]:
    """Yield the names of what a statement may change by a call, unless they are imported ones."""
    own = [name for name in _names(code) if name not in imported and name != "self"]
    called = {found[1] for found in _CALL.finditer(code)} - imported - BUILTINS
    methods = {found[1] for found in _METHOD.finditer(code)}
    yield from (name for name in own if name not in called and (called or name in methods))


def _may_assign(before: str) -> bool:
    """Return whether the text before an equals sign may be a target, rather than the name of an argument."""
    opened = sum(map(before.count, "([{")) - sum(map(before.count, ")]}"))
    return opened <= 0 or _CALLED.search(before) is None
