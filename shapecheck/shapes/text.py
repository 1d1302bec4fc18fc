"""Shapes as text, parsed and written: `(B, 128)`, `(?, 7*n + 1)`, `(B, ..., 128)`, `?`."""

from __future__ import annotations

import re
from collections.abc import Callable

from shapecheck.shapes.shape import UNRANKED, Shape, show, show_size
from shapecheck.shapes.size import Kind, Size, ceildiv, floor_div, fresh, lost, maximum, minimum, modulo

__all__ = ["parse", "show", "show_size"]

_TOKEN = re.compile(r"\s*(\.\.\.|//|\d+|[^\W\d][\w.]*|[()\[\],*/%+|?-])")
_CLOSING = {"(": ")", "[": "]"}
_MAX_DEPTH = 50


def parse(text: str) -> Shape:
    """Return the shape that a text shows; each name is one free symbol. Raise ValueError if it is not a shape."""
    return _Parser(text).shape()


class _Parser:
    """A recursive-descent parser of shapes."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = self._tokens()
        self.at = 0
        self.depth = 0
        self.names: dict[str, Size] = {}

    def _tokens(self) -> list[str]:
        """Return the tokens of the text."""
        tokens, at, end = [], 0, len(self.text.rstrip())
        while at < end:
            match = _TOKEN.match(self.text, at)
            if match is None:
                raise self._error()
            tokens.append(match[1])
            at = match.end()
        return tokens

    def _error(self) -> ValueError:
        return ValueError(f"not a shape: {self.text!r}")

    def _peek(self) -> str:
        """Return the next token, or an empty text at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _next(self) -> str:
        token = self._peek()
        self.at += 1
        return token

    def _take(self, token: str) -> bool:
        """Skip a token if it comes next; return whether it did."""
        found = self._peek() == token
        self.at += found
        return found

    def _expect(self, token: str) -> None:
        """Skip a token that must come next."""
        if not self._take(token):
            raise self._error()

    def shape(self) -> Shape:
        """Parse the whole text."""
        if self.tokens == ["?"]:
            return UNRANKED
        closing = _CLOSING.get(self._next())
        if closing is None:
            raise self._error()
        head: list[Size] = []
        tail: list[Size] | None = None
        while not self._take(closing):
            if tail is None and self._take("..."):
                tail = []
            else:
                (head if tail is None else tail).append(self._alternatives())
            if self._peek() != closing:
                self._expect(",")
        if self.at != len(self.tokens):
            raise self._error()
        return Shape(tuple(head), None if tail is None else tuple(tail))

    def _alternatives(self) -> Size:
        """Parse `4

        5`, which is one of several sizes.
        """
        sizes = [self._sum()]
        while self._take("|"):
            sizes.append(self._sum())
        return sizes[0] if len(set(sizes)) == 1 else lost("several alternatives", 0)

    def _sum(self) -> Size:
        total = self._product()
        while self._peek() in ("+", "-"):
            sign = 1 if self._next() == "+" else -1
            total = total + self._product() * sign
        return total

    def _product(self) -> Size:
        total = self._signed()
        while self._peek() in _OPERATORS:
            total = _OPERATORS[self._next()](total, self._signed())
        return total

    def _signed(self) -> Size:
        if self._take("-"):
            return -self._nested(self._signed)
        return self._single()

    def _nested(self, part: Callable[[], Size]) -> Size:
        """Parse a part one level deeper, up to the maximum depth."""
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise self._error()
        size = part()
        self.depth -= 1
        return size

    def _single(self) -> Size:
        """Parse a number, a name, a function or an expression in brackets."""
        token = self._next()
        if token == "(":
            size = self._nested(self._sum)
            self._expect(")")
            return size
        if token in ("?", "_"):
            return lost("unknown", 0)
        if token.isdigit():
            return int(token)
        if token in ("ceil", "min", "max") and self._take("("):
            return self._nested(self._ceil if token == "ceil" else lambda: self._extreme(token))
        if not token or not (token[0].isalpha() or token[0] == "_"):
            raise self._error()
        return self._named(token)

    def _named(self, name: str) -> Size:
        """Return the symbol of a name."""
        if name == "None":
            return fresh("None", Kind.DYNAMIC)
        return self.names.setdefault(name, fresh(name, Kind.FREE))

    def _ceil(self) -> Size:
        """Parse `ceil(x/y)`, the only place where `/` is allowed."""
        size = self._sum()
        self._expect("/")
        by = self._single()
        self._expect(")")
        return ceildiv(size, by)

    def _extreme(self, name: str) -> Size:
        """Parse the arguments of `min` or `max`."""
        sizes = [self._sum()]
        while self._take(","):
            sizes.append(self._sum())
        self._expect(")")
        return minimum(*sizes) if name == "min" else maximum(*sizes)


_OPERATORS: dict[str, Callable[[Size, Size], Size]] = {"*": lambda a, b: a * b, "//": floor_div, "%": modulo}
