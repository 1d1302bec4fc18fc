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
from shapecheck.frontend.edited import Edited, joined
from shapecheck.frontend.guard import Checked
from shapecheck.frontend.mend import mended
from shapecheck.frontend.python2 import Rewritten, rewrite
from shapecheck.frontend.spans import Spans
from shapecheck.frontend.unparsable import UnparsableSource
from shapecheck.source import Source

_ERROR_PLACE: Final = re.compile(r"error at (\d+):(\d+)")


@dataclass(frozen=True, slots=True)
class Parsed:
    """A syntax tree; `blanked` are the starts of omitted literals, `rewritten` maps Python 3 back to Python 2, `mended`
    a text that parses to one that does not, whose errors are `faults`."""

    module: cst.Module
    blanked: frozenset[int] = frozenset()
    rewritten: Rewritten | None = None
    mended: Edited | None = None
    faults: tuple[ir.Fault, ...] = ()

    @property
    def python2(self) -> bool:
        return self.rewritten is not None

    def restore(self, spans: Spans, comments: list[tuple[int, str]]) -> tuple[Spans, list[tuple[int, str]]]:
        """Return spans and comments in offsets of the file."""
        for edited in (self.rewritten, self.mended):
            if edited is not None:
                original = edited.original
                spans = {key: (original(start), original(end)) for key, (start, end) in spans.items()}
                comments = [(original(start), text) for start, text in comments]
        return spans, comments


def parse_text(source: Source, checked: Checked) -> Parsed:
    """Return the syntax tree of a file, with the mapping back to the file; raises UnparsableSource. It must be called
    on a deep stack."""
    try:
        return _parse_whole(source, checked.text, checked.blanked)
    except UnparsableSource as error:
        made, faults = _mended_cells(source, checked.text) if source.cells else _mended_file(checked.text, error)
        if made is None:
            raise
    return replace(_parse_whole(source, made.text, checked.blanked), mended=made, faults=faults)


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


def _mended_file(text: str, error: UnparsableSource) -> tuple[Edited | None, tuple[ir.Fault, ...]]:
    return mended(text), (ir.Fault(error.message, error.offset),)


def _mended_cells(source: Source, text: str) -> tuple[Edited | None, tuple[ir.Fault, ...]]:
    """Return the text with the unparsable cells of a notebook mended, or blanked out, and their errors."""
    faults: list[ir.Fault] = []
    parts: list[Edited] = []
    at = row = 0
    for cell in source.cells:
        is_in_block, row = cell.first_row > row + 1, cell.last_row  # under a row that no cell holds
        start, end = source.extent(cell)
        inside = text[start:end]
        alone = Source(source.filename, inside)
        try:
            _parse_whole(alone, textwrap.dedent(inside), frozenset())
        except UnparsableSource as error:
            faults.append(ir.Fault(error.message, start + error.offset))
            made = mended(inside, start, "    " if is_in_block else "")
            blank = Edited(re.sub(r"[^\n]", " ", inside), Edited.unchanged(inside, start).origins)
            parts += [Edited.unchanged(text[at:start], at), made or blank]
            at = end
    return (joined([*parts, Edited.unchanged(text[at:], at)]) if faults else None), tuple(faults)


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
