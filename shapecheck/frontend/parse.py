"""Guarded access to libcst's parser.

It knows libcst and its limits, and nothing of the IR.
"""

from __future__ import annotations

import ast
import re
import textwrap
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final

import libcst as cst

from shapecheck import ir
from shapecheck.frontend.guard import Checked
from shapecheck.frontend.python2 import Rewritten, rewrite
from shapecheck.frontend.spans import Spans
from shapecheck.frontend.unparsable import UnparsableSource
from shapecheck.source import Source

_ERROR_PLACE: Final = re.compile(r"error at (\d+):(\d+)")


@dataclass(frozen=True, slots=True)
class Parsed:
    """A syntax tree; `blanked` are the starts of omitted literals, `rewritten` maps Python 3 back to Python 2, `faults`
    are those of omitted cells."""

    module: cst.Module
    blanked: frozenset[int] = frozenset()
    rewritten: Rewritten | None = None
    faults: tuple[ir.Fault, ...] = ()

    @property
    def python2(self) -> bool:
        return self.rewritten is not None

    def restore(self, spans: Spans, comments: list[tuple[int, str]]) -> tuple[Spans, list[tuple[int, str]]]:
        """Return spans and comments in offsets of the file."""
        if self.rewritten is None:
            return spans, comments
        original = self.rewritten.original
        return (
            {key: (original(start), original(end)) for key, (start, end) in spans.items()},
            [(original(start), text) for start, text in comments],
        )


def parse_text(source: Source, checked: Checked) -> Parsed:
    """Return the syntax tree of a file, with the mapping back to the file; raises UnparsableSource. It must be called
    on a deep stack."""
    try:
        return _parse_whole(source, checked.text, checked.blanked)
    except UnparsableSource:
        sound, faults = _without_faulty_cells(source, checked.text)
        if not faults:
            raise
        return replace(_parse_whole(source, sound, checked.blanked), faults=faults)


def _parse_whole(source: Source, text: str, blanked: frozenset[int]) -> Parsed:
    try:
        return Parsed(_parse(source, text), blanked)
    except UnparsableSource:
        rewritten = rewrite(text)
        if rewritten is None:
            raise
        try:
            module = _parse(source, rewritten.text)
        except UnparsableSource:
            module = None
        if module is None:
            raise
    return Parsed(module, blanked, rewritten)


def _without_faulty_cells(source: Source, text: str) -> tuple[str, tuple[ir.Fault, ...]]:
    """Return the text with unparsable cells of a notebook blanked out, and their errors."""
    faults: list[ir.Fault] = []
    for cell in source.cells:
        start, end = source.extent(cell)
        inside = text[start:end]
        alone = Source(source.filename, inside)
        try:
            _parse_whole(alone, textwrap.dedent(inside), frozenset())
        except UnparsableSource as error:
            faults.append(ir.Fault(error.message, start + error.offset))
            text = text[:start] + re.sub(r"[^\n]", " ", inside) + text[end:]
    return text, tuple(faults)


def _parse(source: Source, text: str) -> cst.Module:
    try:
        with _trusted():
            return cst.parse_module(text)
    except cst.ParserSyntaxError as error:
        raise _explained(source, text, error.message) from None
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException as error:  # a panic of the native parser is no Exception
        raise UnparsableSource(f"the parser failed: {type(error).__name__}", 0) from None


@contextmanager
def _trusted() -> Iterator[None]:
    """Skip the validation of nodes: those of the parser are sound, and checking them takes a tenth more time."""
    validate = cst.CSTNode.__post_init__
    cst.CSTNode.__post_init__ = lambda self: None  # type: ignore[method-assign]
    try:
        yield
    finally:
        cst.CSTNode.__post_init__ = validate  # type: ignore[method-assign]


def _explained(source: Source, text: str, message: str) -> UnparsableSource:
    """Return the error in Python's own words and place; libcst's own if Python finds none."""
    found = _ERROR_PLACE.search(message)
    row, column, reason = (int(found[1]), int(found[2]), "invalid syntax") if found else (1, 0, message)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except SyntaxError as error:
        row, column, reason = error.lineno or 1, (error.offset or 1) - 1, error.msg
    except (ValueError, MemoryError, RecursionError):
        pass
    starts = source.line_starts
    offset = starts[min(max(row, 1), len(starts)) - 1] + max(column, 0)
    reason = " ".join(reason.split("error:")[-1].split())
    return UnparsableSource(f"syntax error: {reason}", min(offset, len(source.text)))
