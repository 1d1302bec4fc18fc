"""Spans and comments, compared with libcst's PositionProvider and `tokenize` on real files."""

from __future__ import annotations

import io
import tokenize

import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider

from shapecheck.frontend.deep import with_deep_stack
from shapecheck.frontend.guard import check
from shapecheck.frontend.lower import lower
from shapecheck.frontend.parse import parse_text
from shapecheck.frontend.spans import EVERY, WANTED, measure
from shapecheck.source import Source
from tests.support.frontend_samples import sample

FILES = sample(14, seed=1)


@pytest.mark.parametrize("source", FILES, ids=lambda source: source.filename)
def test_spans_are_those_of_the_position_provider(source: Source) -> None:
    tree = with_deep_stack(lambda: parse_text(source, check(source.code))).module
    wrapper = MetadataWrapper(tree, unsafe_skip_copy=True)
    expected = with_deep_stack(lambda: wrapper.resolve(PositionProvider))
    spans, _ = measure(wrapper.module, EVERY)
    wanted, _ = measure(wrapper.module, WANTED)
    starts = source.line_starts
    compared = 0
    for node, place in expected.items():
        if isinstance(node, (cst.Module, cst.BaseParenthesizableWhitespace, cst.Newline, cst.TrailingWhitespace)):
            continue
        span = (starts[place.start.line - 1] + place.start.column, starts[place.end.line - 1] + place.end.column)
        assert spans[id(node)] == span, node
        if type(node) in WANTED:
            assert wanted[id(node)] == span, node
            compared += 1
    assert compared or not wrapper.module.body


@pytest.mark.parametrize("source", sample(25, seed=2), ids=lambda source: source.filename)
def test_comments_are_those_of_tokenize(source: Source) -> None:
    expected = [
        (source.line_starts[token.start[0] - 1] + token.start[1], token.start[0], token.string)
        for token in tokenize.generate_tokens(io.StringIO(source.text).readline)
        if token.type == tokenize.COMMENT
    ]
    assert [(comment.start, comment.line, comment.text) for comment in lower(source).comments] == expected
